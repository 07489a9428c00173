import { randomId } from '../../form/random-id.ts';

/**
 * Runs something in one tab of the browser at a time. When that tab ends or crashes, another one starts.
 * @param name - the same in all tabs
 * @param start - starts it, and returns the function that stops it
 * @returns a function that stops it in this tab, and lets another tab start
 */
export function runInOneTab(name: string, start: () => () => void): () => void {
  // Browsers provide locks on secure origins only.
  const { locks } = navigator as { readonly locks?: LockManager };
  return locks ? holdLock(locks, name, start) : takeLead(name, start);
}

function holdLock(locks: LockManager, name: string, start: () => () => void): () => void {
  const ended = new AbortController();
  const run = () =>
    new Promise<void>((resolve) => {
      const stop = start();
      ended.signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  // Rejects if this tab ends before it gets the lock.
  locks.request(name, { signal: ended.signal }, run).catch(() => undefined);
  return () => ended.abort();
}

/** A message between tabs: a tab asks for the leader, leads, or has stopped leading. */
interface Message {
  readonly kind: 'asks' | 'leads' | 'left';
  readonly id: string;
}

/** How long a tab waits at least for the leader's answer before it leads itself, in milliseconds. */
const answerTime = 500;

/** The interval at which the other tabs ask whether the leader still runs, in milliseconds. */
const askInterval = 10_000;

/**
 * Elects a leader among the tabs, by messages. The leader answers questions rather than sending messages regularly,
 * because browsers slow down the timers of tabs in the background.
 */
function takeLead(name: string, start: () => () => void): () => void {
  const channel = new BroadcastChannel(`${name}-leader`);
  const id = randomId();
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (kind: Message['kind']) => channel.postMessage({ kind, id } satisfies Message);

  const ask = () => {
    clearTimeout(timer);
    say('asks');
    // A random part, so that not all tabs take over together.
    timer = setTimeout(lead, answerTime * (1 + Math.random()));
  };
  const lead = () => {
    stop ??= start();
    say('leads');
  };
  const follow = () => {
    stop?.();
    stop = undefined;
    clearTimeout(timer);
    timer = setTimeout(ask, askInterval);
  };
  const resign = () => {
    if (stop) say('left');
    stop?.();
    stop = undefined;
    clearTimeout(timer);
  };

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'left' && !stop) ask();
    else if (data.kind === 'asks' && stop) say('leads');
    // Two tabs that started together may both lead. The one with the lower id goes on.
    else if (data.kind === 'leads' && stop && id < data.id) say('leads');
    else if (data.kind === 'leads') follow();
  });
  // A closed tab runs nothing else.
  window.addEventListener('pagehide', resign);
  // The browser kept the page, and the user has returned to it.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) ask();
  };
  window.addEventListener('pageshow', onShow);
  ask();
  return () => {
    window.removeEventListener('pagehide', resign);
    window.removeEventListener('pageshow', onShow);
    resign();
    channel.close();
  };
}
