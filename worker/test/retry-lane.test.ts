import { expect } from 'chai';
import { openRetryLane } from '../src/delivery/retry-lane.ts';

describe('the retry lane', () => {
  const patienceMs = 50;

  /** Work that runs until `letGo` is called. */
  function stalled() {
    let letGo = (): void => undefined;
    const end = new Promise<void>((resolve) => (letGo = resolve));
    return { work: () => end.then(() => 'done'), letGo };
  }

  it('runs a limited number concurrently, and the next as soon as one ends', async () => {
    const lane = openRetryLane(2);
    const started: number[] = [];
    const works = [stalled(), stalled(), stalled()];
    const results = works.map(({ work }, index) =>
      lane.run(() => {
        started.push(index);
        return work();
      }, 'full'),
    );
    works[1]?.letGo();
    expect(await results[1]).to.equal('done');
    works[2]?.letGo();
    expect(await results[2]).to.equal('done');
    expect(started).to.deep.equal([0, 1, 2]);
    works[0]?.letGo();
    expect(await results[0]).to.equal('done');
  });

  it('rejects work if the lane stays full, and never runs it', async () => {
    const lane = openRetryLane(1, patienceMs);
    const first = stalled();
    const under = lane.run(first.work, 'full');
    let isDone = false;
    expect(
      await lane.run(async () => {
        isDone = true;
        return 'done';
      }, 'full'),
    ).to.equal('full');
    first.letGo();
    expect(await under).to.equal('done');
    expect(await lane.run(async () => 'next', 'full')).to.equal('next');
    expect(isDone).to.equal(false);
  });

  it('rejects work immediately after a wait has timed out', async () => {
    const lane = openRetryLane(1, patienceMs);
    const first = stalled();
    const under = lane.run(first.work, 'full');
    await lane.run(first.work, 'full');
    const next = lane.run(first.work, 'full');
    const sooner = new Promise((resolve) => setTimeout(resolve, patienceMs / 2, 'still waiting'));
    expect(await Promise.race([next, sooner])).to.equal('full');
    first.letGo();
    await under;
  });

  it('passes on an error of the work and has room again, even after a wait has timed out', async () => {
    const lane = openRetryLane(1, patienceMs);
    const fault = new Error('broken');
    const first = stalled();
    const thrown = lane
      .run(async () => {
        await first.work();
        throw fault;
      }, 'full')
      .catch((error: unknown) => error);
    expect(await lane.run(async () => 'done', 'full')).to.equal('full');
    first.letGo();
    expect(await thrown).to.equal(fault);
    expect(await lane.run(async () => 'done', 'full')).to.equal('done');
  });
});
