import { waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { openStream } from '../../src/features/announcements/stream.ts';

/** The shortest first pause and the longest second one, in milliseconds. */
const [firstPause, secondPause] = [3_750, 12_500];

describe('The stream of announcements', () => {
  const realTimeout = globalThis.setTimeout;
  /** The pauses before the next connections, in milliseconds, and the connections that follow them. */
  let waits: { readonly pause: number; readonly connect: () => void }[] = [];
  let sources: EventTarget[] = [];
  let status = 200;
  let lookUps = 0;
  beforeEach(() => {
    [waits, sources, status, lookUps] = [[], [], 200, 0];
    globalThis.fetch = async () => {
      lookUps += 1;
      return new Response(null, { status });
    };
    class Source extends EventTarget {
      constructor() {
        super();
        sources.push(this);
      }
      close(): void {}
    }
    Object.assign(globalThis, { EventSource: Source });
    globalThis.setTimeout = ((run: () => void, time = 0) => {
      if (time < firstPause || time > secondPause) return realTimeout(run, time);
      waits.push({ pause: time, connect: run });
      return realTimeout(() => undefined);
    }) as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = realTimeout;
  });
  const breakConnection = () => sources.at(-1)?.dispatchEvent(new Event('error'));

  it('is opened again after each longer pause while it fails', async () => {
    const events: unknown[] = [];
    const close = openStream(
      (event) => events.push(event),
      () => expect.fail('signed out'),
    );
    for (const [failures, from, to] of [
      [1, firstPause, 6_250],
      [2, 7_500, secondPause],
    ] as const) {
      breakConnection();
      await waitFor(() => expect(waits).to.have.length(failures));
      expect(waits.at(-1)?.pause).to.be.within(from, to);
      waits.at(-1)?.connect();
      expect(sources).to.have.length(failures + 1);
    }
    sources.at(-1)?.dispatchEvent(new MessageEvent('message', { data: '{"unowned":1}' }));
    expect(events).to.deep.equal([{ unowned: 1 }]);
    breakConnection();
    await waitFor(() => expect(waits).to.have.length(3));
    expect(waits.at(-1)?.pause, 'short again after an event').to.be.within(firstPause, 6_250);
    close();
  });

  it('is not opened again after the session has ended', async () => {
    status = 401;
    let isSignedOut = false;
    openStream(
      () => undefined,
      () => (isSignedOut = true),
    );
    breakConnection();
    await waitFor(() => expect(isSignedOut).to.equal(true));
    expect([lookUps, waits.length, sources.length]).to.deep.equal([1, 0, 1]);
  });
});
