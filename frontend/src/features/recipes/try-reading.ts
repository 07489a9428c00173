// oxlint-disable-next-line import/default -- Vite makes it
import MarkdownWorker from './markdown-worker.ts?worker';

/** Shorter texts are read without trying: the worst of them take less than a second. */
export const shortText = 1000;

/** The time that a text may take, in milliseconds. */
const timeToRead = 3000;
/** The time that the worker's script may take to come. */
const timeToBegin = 15_000;

/**
 * Finds out whether a text can be read as Markdown in good time. That of some grows with the square of their length and
 * would freeze the page; a worker can be stopped.
 * @param onAnswer - told once
 * @returns ends it
 */
export function tryReading(text: string, onAnswer: (isReadable: boolean) => void): () => void {
  const worker = new MarkdownWorker();
  let timer = setTimeout(() => answer(false), timeToBegin);
  const end = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  const answer = (isReadable: boolean) => {
    end();
    onAnswer(isReadable);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<'begun' | 'done'>) => {
    // The time begins when its script is there.
    if (data === 'done') return answer(true);
    clearTimeout(timer);
    timer = setTimeout(() => answer(false), timeToRead);
  });
  worker.addEventListener('error', () => answer(false));
  worker.postMessage(text);
  return end;
}
