import Markdown from 'react-markdown';
import { markdownPlugins } from './markdown-rules.ts';

/** Parses a text as the page would. The page terminates the worker if it takes too long. */
self.addEventListener('message', ({ data: text }: MessageEvent<string>) => {
  self.postMessage('started');
  try {
    Markdown({ children: text, remarkPlugins: markdownPlugins });
  } catch (error) {
    // The page itself detects text that is nested too deeply, and just as fast.
    if (!(error instanceof RangeError)) throw error;
  }
  self.postMessage('done');
});
