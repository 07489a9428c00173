import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { OperatorError } from '../src/command-line/operator-error.ts';
import { readErasures, readSkip } from '../src/commands/erasures.ts';

describe('a list of erasures', () => {
  const entry = { hash: '0a'.repeat(32), key: randomUUID(), erasedAt: '2026-11-27T08:15:00.000Z' };
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'erasures-'));
    file = join(folder, 'erasures.json');
  });
  after(() => rm(folder, { recursive: true }));

  it('is read with its times', async () => {
    await writeFile(file, JSON.stringify({ format: 1, erasures: [entry] }));
    const read = { ...entry, erasedAt: new Date(entry.erasedAt) };
    const none = { subject: null, erasedBy: null, firstErasedAt: null };
    expect(await readErasures(file)).to.deep.equal([{ ...read, ...none }]);
    const author = { subject: 'address', erasedBy: 'layla', firstErasedAt: entry.erasedAt };
    await writeFile(file, JSON.stringify({ format: 1, erasures: [{ ...entry, ...author }] }));
    expect(await readErasures(file)).to.deep.equal([{ ...read, ...author, firstErasedAt: read.erasedAt }]);
  });

  const others: Readonly<Record<string, unknown>> = {
    'of another format': { format: 2, erasures: [entry] },
    'without entries': { format: 1 },
    'with an invalid hash': { format: 1, erasures: [{ ...entry, hash: entry.hash.slice(1) }] },
    'with an invalid key': { format: 1, erasures: [{ ...entry, key: 'key' }] },
    'with an unknown subject': { format: 1, erasures: [{ ...entry, subject: 'person' }] },
    'with an invalid time': { format: 1, erasures: [entry, { ...entry, erasedAt: 'yesterday' }] },
    'that is not an object': null,
  };
  for (const [what, content] of Object.entries(others)) {
    it(`${what} is refused`, async () => {
      await writeFile(file, JSON.stringify(content));
      const refusal: unknown = await readErasures(file).catch((error: unknown) => error);
      expect(refusal).to.have.property('message', `${file} is not a list that make erasures wrote.`);
    });
  }
});

describe('the erasures that are left out', () => {
  const read = (values: Parameters<typeof readSkip>[0]) => readSkip(values, 'usage');

  it('are those of an account since a date, or a time with its zone', () => {
    expect(read({})).to.equal(undefined);
    for (const [since, time] of [
      ['2026-11-28', '2026-11-28T00:00:00.000Z'],
      ['2026-11-28T14:05Z', '2026-11-28T14:05:00.000Z'],
      ['2026-11-28 14:05:06.5+03:00', '2026-11-28T11:05:06.500Z'],
    ] as const) {
      expect(read({ 'skip-by': 'layla', since }), since).to.deep.equal({ username: 'layla', since: new Date(time) });
    }
  });

  it('need both options, and a time that has one meaning', () => {
    const wrong = ['', 'yesterday', '28/11/2026', '2026-11-28T14:05', '2026-13-01', '2026-11-28T25:00Z'];
    const options = [{ 'skip-by': 'layla' }, { since: '2026-11-28' }];
    for (const values of [...options, ...wrong.map((since) => ({ 'skip-by': 'layla', since }))]) {
      expect(() => read(values), JSON.stringify(values)).to.throw(OperatorError);
    }
  });
});
