// oxlint-disable-next-line import/default -- Vite generates it
import MarkdownWorker from './markdown-worker.ts?worker';

/** Shorter texts are parsed without a check: the worst of them take less than a second. */
export const shortText = 1000;

/** Time limit for parsing, in milliseconds. */
const timeToRead = 3000;
/** Time limit for loading the worker's script, in milliseconds. */
const timeToBegin = 15_000;

/**
 * Checks in a worker whether a text can be parsed as Markdown fast enough. The parse time of some texts grows with the
 * square of their length and would freeze the page; a worker can be terminated.
 * @param onResult - called once with the result
 * @returns a function that stops the check
 */
export function tryReading(text: string, onResult: (isReadable: boolean) => void): () => void {
  const worker = new MarkdownWorker();
  let timer = setTimeout(() => finish(false), timeToBegin);
  const end = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  const finish = (isReadable: boolean) => {
    end();
    onResult(isReadable);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<'started' | 'done'>) => {
    // The time limit starts when the script has loaded.
    if (data === 'done') return finish(true);
    clearTimeout(timer);
    timer = setTimeout(() => finish(false), timeToRead);
  });
  worker.addEventListener('error', () => finish(false));
  worker.postMessage(text);
  return end;
}
