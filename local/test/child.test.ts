import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ChildError, supervise } from '../src/child.ts';

describe('a supervised process of the local stack', () => {
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

  it('is not awaited forever if its start hangs, and can be stopped', async () => {
    const part = await hangingPart(500);
    const error = await failure(part.start());
    expect(error).to.be.instanceOf(ChildError).with.property('message', 'The part was not ready within 0.5 s.');
    const pid = part.pid() ?? 0;
    expect(isAlive(pid)).to.equal(true);
    await part.stop();
    expect(isAlive(pid)).to.equal(false);
  });

  it('is not awaited after its start has been aborted', async () => {
    const part = await hangingPart(60_000);
    const givenUp = new AbortController();
    const start = failure(part.start(givenUp.signal));
    givenUp.abort();
    expect(await start).to.equal(givenUp.signal.reason);
    await part.stop();
  });

  it('is restarted again if it dies during a restart', async () => {
    const starts = join(directory, 'starts');
    const module = join(directory, 'dying.mjs');
    await writeFile(
      module,
      `import { appendFileSync, readFileSync } from 'node:fs';
       appendFileSync(${JSON.stringify(starts)}, '.');
       const start = readFileSync(${JSON.stringify(starts)}).length;
       if (start === 2) process.kill(process.pid, 'SIGKILL');
       process.send('ready');
       if (start === 1) process.exit(1);
       setInterval(() => undefined, 1000);`,
    );
    const said: string[] = [];
    const back = new Promise<void>((resolve, reject) => {
      const part = supervise({
        name: 'The part',
        module,
        environment: {},
        log: createWriteStream(join(directory, 'log')),
        say(line) {
          said.push(line);
          if (line === 'The part is running again.') resolve(part.stop());
        },
        onGivenUp: (reason) => reject(new Error(reason)),
      });
      part.start().catch(reject);
    });
    await back;
    expect(said).to.deep.equal([
      'The part died (exit 1); restarting it.',
      'The part died (SIGKILL); restarting it.',
      'The part is running again.',
    ]);
    expect(await readFile(starts, 'utf8')).to.equal('...');
  });
});
