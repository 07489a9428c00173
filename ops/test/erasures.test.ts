import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readErasures } from '../src/commands/erasures.ts';

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
    expect(await readErasures(file)).to.deep.equal([{ ...entry, erasedAt: new Date(entry.erasedAt) }]);
  });

  const others: Readonly<Record<string, unknown>> = {
    'of another format': { format: 2, erasures: [entry] },
    'without entries': { format: 1 },
    'with an invalid hash': { format: 1, erasures: [{ ...entry, hash: entry.hash.slice(1) }] },
    'with an invalid key': { format: 1, erasures: [{ ...entry, key: 'key' }] },
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
