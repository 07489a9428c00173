import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hold } from '@dune-tide/db/follow-ups';
import { expect } from 'chai';
import { openSentNotes } from '../src/sent-notes.ts';

describe('notes of sent mails', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'notes-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const newHold = (): Hold => ({ id: randomUUID(), lease: randomUUID() });
  const takenUp = async (): Promise<(readonly [Hold, string])[]> => {
    const taken: (readonly [Hold, string])[] = [];
    await openSentNotes(directory).takeUp(async (hold, answer) => taken.push([hold, answer]));
    return taken;
  };

  it('of any processes are handed on once, and nothing is where none were made', async () => {
    await rm(directory, { recursive: true });
    expect(await takenUp()).to.deep.equal([]);
    const noted = [newHold(), newHold(), newHold()].map((hold, index) => [hold, `250 taken ${index}`] as const);
    const processes = [openSentNotes(directory), openSentNotes(directory)];
    for (const [index, [hold, answer]] of noted.entries()) await processes[index % 2]?.add(hold, answer);
    expect(await takenUp()).to.have.deep.members(noted);
    expect(await takenUp()).to.deep.equal([]);
    expect(await readdir(directory)).to.deep.equal([]);
  });

  it('stay until they could be handed on', async () => {
    const hold = newHold();
    await openSentNotes(directory).add(hold, '250 taken');
    const failed = await openSentNotes(directory)
      .takeUp(() => Promise.reject(new Error('away')))
      .catch((error: unknown) => error);
    expect(failed).to.have.property('message', 'away');
    expect(await takenUp()).to.deep.equal([[hold, '250 taken']]);
  });

  it('are read without a last one that was cut off', async () => {
    const hold = newHold();
    await openSentNotes(directory).add(hold, '250 taken');
    const [file = ''] = await readdir(directory);
    await appendFile(join(directory, file), '{"id":"01');
    expect(await takenUp()).to.deep.equal([[hold, '250 taken']]);
  });
});
