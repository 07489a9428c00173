import { startProcess, type RunningProcess } from '@dune-tide/testkit/processes';
import { expect } from 'chai';

const start = (environment: Record<string, string>): Promise<RunningProcess> =>
  startProcess(new URL('closing-process.ts', import.meta.url).href, environment);

const lines = ({ output }: RunningProcess): Record<string, unknown>[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Returns the log messages about steps, in order. */
const steps = (closed: RunningProcess): unknown[] =>
  lines(closed)
    .filter((line) => 'step' in line)
    .map(({ step, msg }) => `${String(step)} ${String(msg)}`);

describe('a process', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`closes its parts in order on ${signal} and exits with 0`, async () => {
      const closing = await start({ CLOSES: 'http,queue,database' });
      closing.signal(signal);
      expect(await closing.ended).to.equal(0);
      expect(steps(closing)).to.deep.equal(['http closed', 'queue closed', 'database closed']);
      expect(lines(closing)[0]).to.include({ msg: 'closing', reason: signal });
    });
  }

  it('closes once if it receives several signals', async () => {
    const closing = await start({ CLOSES: 'http,queue' });
    closing.signal('SIGTERM');
    closing.signal('SIGINT');
    closing.signal('SIGTERM');
    expect(await closing.ended).to.equal(0);
    expect(steps(closing)).to.deep.equal(['http closed', 'queue closed']);
  });

  for (const part of ['failing', 'throwing']) {
    it(`closes the other parts if one is ${part}, logs no error message, and exits with 1`, async () => {
      const closing = await start({ CLOSES: `http,${part},database` });
      closing.signal('SIGTERM');
      expect(await closing.ended).to.equal(1);
      expect(steps(closing)).to.deep.equal(['http closed', `${part} not closed`, 'database closed']);
      expect(closing.output()).to.not.include('noura');
    });
  }

  it('exits with 1 if a part takes longer than the deadline', async () => {
    const closing = await start({ CLOSES: 'queue,endless,database', DEADLINE_MS: '300' });
    closing.signal('SIGTERM');
    expect(await closing.ended).to.equal(1);
    expect(steps(closing)).to.deep.equal(['queue closed']);
    expect(lines(closing).at(-1)).to.include({ level: 'error', msg: 'not closed in time', deadlineMs: 300 });
  });

  it('waits for a slow part until the deadline', async () => {
    const closing = await start({ CLOSES: 'slow', DEADLINE_MS: '60000' });
    closing.signal('SIGTERM');
    expect(await closing.ended).to.equal(0);
    expect(steps(closing)).to.deep.equal(['slow closed']);
  });

  it('exits with 1 after an uncaught error during the shutdown', async () => {
    const closing = await start({ CLOSES: 'faulty,database' });
    closing.signal('SIGTERM');
    expect(await closing.ended).to.equal(1);
    expect(steps(closing)).to.deep.equal(['faulty closed', 'database closed']);
    expect(lines(closing)[1]).to.include({ level: 'fatal', msg: 'uncaught error' });
  });

  for (const fault of ['exception', 'rejection']) {
    it(`closes in order and exits with 1 after an uncaught ${fault}`, async () => {
      const closing = await start({ CLOSES: 'http,database', FAULT: fault });
      expect(await closing.ended).to.equal(1);
      expect(steps(closing)).to.deep.equal(['http closed', 'database closed']);
      expect(lines(closing)[0]).to.include({ level: 'fatal', msg: 'uncaught error' });
      expect(closing.output()).to.not.include('noura');
    });
  }
});
