import { getConfig, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { requestTimeout } from '../../src/api-client/request-timeout.ts';
import { runInOneTab } from '../../src/features/announcements/one-tab.ts';
import { listen } from '../../src/features/announcements/shared-stream.ts';
import { openStream } from '../../src/features/announcements/stream.ts';

class Source extends EventTarget {
  isClosed = false;
  close(): void {
    this.isClosed = true;
  }
}

/** The shortest first pause and the longest second one, in milliseconds. */
const [firstPause, secondPause] = [3_750, 12_500];

describe('The stream of announcements', () => {
  const realTimeout = globalThis.setTimeout;
  /** The timers of the stream: their times in milliseconds, and what follows, usually the next connection. */
  let waits: { readonly pause: number; readonly run: () => void }[] = [];
  let sources: Source[] = [];
  let status = 200;
  let lookUps = 0;
  beforeEach(() => {
    [waits, sources, status, lookUps] = [[], [], 200, 0];
    globalThis.fetch = async () => {
      lookUps += 1;
      return new Response(null, { status });
    };
    class EventSource extends Source {
      constructor() {
        super();
        sources.push(this);
      }
    }
    Object.assign(globalThis, { EventSource });
    const others = new Set([requestTimeout, getConfig().asyncUtilTimeout]);
    globalThis.setTimeout = ((run: () => void, time = 0) => {
      if (time < firstPause || others.has(time)) return realTimeout(run, time);
      waits.push({ pause: time, run });
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
      waits.at(-1)?.run();
      expect(sources).to.have.length(failures + 1);
    }
    sources.at(-1)?.dispatchEvent(new MessageEvent('message', { data: '{"unowned":1}' }));
    expect(events).to.deep.equal([{ unowned: 1 }]);
    breakConnection();
    await waitFor(() => expect(waits).to.have.length(3));
    expect(waits.at(-1)?.pause, 'short again after an event').to.be.within(firstPause, 6_250);
    close();
  });

  it('is opened again after 5 s, then twice as long each time, up to 5 min', async () => {
    const close = openStream(
      () => undefined,
      () => expect.fail('signed out'),
    );
    const { random } = Math;
    // The random part changes nothing.
    Math.random = () => 0.5;
    try {
      for (let failures = 1; failures <= 8; failures++) {
        breakConnection();
        await waitFor(() => expect(waits).to.have.length(failures));
        waits.at(-1)?.run();
      }
    } finally {
      Math.random = random;
    }
    expect(waits.map(({ pause }) => pause / 1_000)).to.deep.equal([5, 10, 20, 40, 80, 160, 300, 300]);
    close();
  });

  it('is closed when its page is hidden for 10 minutes, until it is shown', async () => {
    let isHidden = false;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    const change = (hidden: boolean) => {
      isHidden = hidden;
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const stop = listen(() => undefined);
    try {
      await waitFor(() => expect(sources).to.have.length(1));
      change(true);
      expect(sources[0]?.isClosed).to.equal(false);
      expect(waits.map(({ pause }) => pause)).to.deep.equal([600_000]);
      waits[0]?.run();
      expect(sources[0]?.isClosed).to.equal(true);
      expect(sources).to.have.length(1);
      change(false);
      await waitFor(() => expect(sources).to.have.length(2));
    } finally {
      stop();
      Reflect.deleteProperty(document, 'hidden');
    }
  });

  it('is open in one tab without locks, and in another one when that tab ends or crashes', async () => {
    const channels: BroadcastChannel[] = [];
    const RealChannel = globalThis.BroadcastChannel;
    globalThis.BroadcastChannel = class extends RealChannel {
      constructor(name: string) {
        super(name);
        channels.push(this);
      }
    };
    const running = new Set<number>();
    const leave = [0, 1, 2].map((tab) =>
      runInOneTab('test', () => {
        running.add(tab);
        return () => running.delete(tab);
      }),
    );
    const untilOneOf = async (tabs: readonly number[]): Promise<number> => {
      await waitFor(() => expect([...running].filter((tab) => tabs.includes(tab))).to.have.length(1), {
        timeout: 3_000,
      });
      return [...running].find((tab) => tabs.includes(tab)) ?? expect.fail('none');
    };
    try {
      const first = await untilOneOf([0, 1, 2]);
      leave[first]?.();
      const others = [0, 1, 2].filter((tab) => tab !== first);
      const second = await untilOneOf(others);
      // A tab that has crashed says nothing any more.
      channels[second]?.close();
      Object.assign(channels[second] ?? {}, { postMessage: () => undefined });
      for (const { pause, run } of waits) if (pause === 10_000) run();
      await untilOneOf(others.filter((tab) => tab !== second));
    } finally {
      for (const each of leave) each();
      globalThis.BroadcastChannel = RealChannel;
    }
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
