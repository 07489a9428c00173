import Markdown from 'react-markdown';
import { markdownPlugins } from './markdown-rules.ts';

/** Reads a text as the page would. It may take as long as it lets itself be stopped. */
self.addEventListener('message', ({ data: text }: MessageEvent<string>) => {
  self.postMessage('begun');
  try {
    Markdown({ children: text, remarkPlugins: markdownPlugins });
  } catch (error) {
    // What nests too deep for it is soon found out by the page as well.
    if (!(error instanceof RangeError)) throw error;
  }
  self.postMessage('done');
});
