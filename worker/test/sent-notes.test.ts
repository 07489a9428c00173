import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedText, type LeasedRow } from '@dune-tide/db/follow-ups';
import { expect } from 'chai';
import { openSentNotes } from '../src/delivery/sent-notes.ts';

describe('notes of sent follow-ups', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'notes-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const newClaim = (): LeasedRow => ({ id: randomUUID(), lease: randomUUID() });
  const unexpected = (error: unknown): never => {
    throw error;
  };
  const passOn = async (
    onUnreadable: (error: unknown) => void = unexpected,
  ): Promise<(readonly [LeasedRow, string])[]> => {
    const passed: (readonly [LeasedRow, string])[] = [];
    await openSentNotes(directory).adopt(
      async (claim, serverResponse) => passed.push([claim, serverResponse]),
      onUnreadable,
    );
    return passed;
  };

  it('are passed on once, from all processes, even if the directory did not exist', async () => {
    await rm(directory, { recursive: true });
    expect(await passOn()).to.deep.equal([]);
    const noted = [newClaim(), newClaim(), newClaim()].map((claim, index) => [claim, `250 taken ${index}`] as const);
    const processes = [openSentNotes(directory), openSentNotes(directory)];
    for (const [index, [claim, serverResponse]] of noted.entries())
      await processes[index % 2]?.add(claim, serverResponse);
    expect(await passOn()).to.have.deep.members(noted);
    expect(await passOn()).to.deep.equal([]);
    expect(await readdir(directory)).to.deep.equal([]);
  });

  it('name no recipient, so that an erasure has to reach the database only', async () => {
    await openSentNotes(directory).add(newClaim(), '250 <noura@example.com>: taken for noura@example.com');
    expect((await passOn()).map(([, serverResponse]) => serverResponse)).to.deep.equal(['250 <…>: taken for …']);
  });

  it('keep the text that the email shares with others', async () => {
    const text = sharedText('Your message', 'Thank you for writing to us.');
    await openSentNotes(directory).add(newClaim(), '250 taken', text);
    const texts: unknown[] = [];
    await openSentNotes(directory).adopt(async (_, __, noted) => texts.push(noted), unexpected);
    expect(texts).to.deep.equal([text]);
  });

  it('are deleted by the process that wrote them, once it has written the outcome', async () => {
    const remove = await openSentNotes(directory).add(newClaim(), '250 taken');
    await remove();
    expect(await readdir(directory)).to.deep.equal([]);
    await remove();
  });

  it('are readable only by their owner', async () => {
    await openSentNotes(directory).add(newClaim(), '250 taken');
    const modes = await Promise.all(
      (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).mode & 0o777),
    );
    expect(modes).to.deep.equal([0o600]);
  });

  it('stay until they have been passed on', async () => {
    const claim = newClaim();
    await openSentNotes(directory).add(claim, '250 taken');
    const failed = await openSentNotes(directory)
      .adopt(() => Promise.reject(new Error('unavailable')), unexpected)
      .catch((error: unknown) => error);
    expect(failed).to.have.property('message', 'unavailable');
    expect(await passOn()).to.deep.equal([[claim, '250 taken']]);
  });

  it('are passed on even if another note is unreadable, which is reported and stays', async () => {
    const claim = newClaim();
    await writeFile(join(directory, 'sent-00000000.json'), '{"id":"01');
    await openSentNotes(directory).add(claim, '250 taken');
    for (const expected of [[[claim, '250 taken']], []]) {
      const errors: unknown[] = [];
      expect(await passOn((error) => errors.push(error))).to.deep.equal(expected);
      expect(errors.map((error) => error instanceof SyntaxError)).to.deep.equal([true]);
    }
  });

  it('are not read before they are complete', async () => {
    await writeFile(join(directory, 'sent-00000000.json.part'), '{"id":"01');
    expect(await passOn()).to.deep.equal([]);
  });

  it('may be deleted while they are read, by another worker that starts at the same time', async () => {
    const claim = newClaim();
    await openSentNotes(directory).add(claim, '250 taken');
    // A dangling link is listed but cannot be read.
    await symlink('nowhere', join(directory, 'sent-00000000.json'));
    expect(await passOn()).to.deep.equal([[claim, '250 taken']]);
  });

  it('stay if they are added while others are passed on', async () => {
    const [earlier, later] = [newClaim(), newClaim()];
    await openSentNotes(directory).add(earlier, '250 taken');
    await openSentNotes(directory).adopt(() => openSentNotes(directory).add(later, '250 taken'), unexpected);
    expect(await passOn()).to.deep.equal([[later, '250 taken']]);
  });
});
