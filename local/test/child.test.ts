import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ChildError, supervise } from '../src/child.ts';

describe('a part of the local stack', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'child-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function hangingPart(startTimeoutMs: number) {
    const module = join(directory, 'hanging.mjs');
    await writeFile(module, 'setInterval(() => undefined, 1000);');
    const unused = (): never => expect.fail('nothing died');
    const log = createWriteStream(join(directory, 'log'));
    return supervise({
      name: 'The part',
      module,
      environment: {},
      log,
      say: unused,
      onGivenUp: unused,
      startTimeoutMs,
    });
  }
  const failure = (start: Promise<void>): Promise<unknown> =>
    start.then(
      () => expect.fail('started'),
      (error: unknown) => error,
    );
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('that hangs while it starts is not waited for for ever, and can be stopped', async () => {
    const part = await hangingPart(500);
    const error = await failure(part.start());
    expect(error).to.be.instanceOf(ChildError).with.property('message', 'The part was not ready within 0.5 s.');
    const pid = part.pid() ?? 0;
    expect(isAlive(pid)).to.equal(true);
    await part.stop();
    expect(isAlive(pid)).to.equal(false);
  });

  it('is not waited for once its start is given up', async () => {
    const part = await hangingPart(60_000);
    const givenUp = new AbortController();
    const start = failure(part.start(givenUp.signal));
    givenUp.abort();
    expect(await start).to.equal(givenUp.signal.reason);
    await part.stop();
  });
});
