import Link from '@mui/material/Link';
import { type ComponentProps, createElement, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { markdownPlugins } from './markdown-rules.ts';
import { safeAddress } from './safe-address.ts';

/** An element that reads from where its own first letters do: recipes mix languages. */
const readingItsOwnWay =
  (tag: 'li' | 'blockquote') =>
  ({ className, children }: ComponentProps<typeof tag>): ReactNode =>
    createElement(tag, { className, dir: 'auto' }, children);

const components: Components = {
  li: readingItsOwnWay('li'),
  blockquote: readingItsOwnWay('blockquote'),
  a({ href, children }) {
    if (!href) return createElement('span', null, children);
    return createElement(Link, { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, children);
  },
  // A wide one is scrolled in a box of its own, by keyboard too.
  table: ({ children }) =>
    createElement(
      'div',
      { role: 'group', 'aria-label': 'Table', tabIndex: 0, className: 'table' },
      createElement('table', { dir: 'auto' }, children),
    ),
  // A task of a list is read here, not ticked off.
  input: ({ checked = false }) =>
    createElement('input', {
      type: 'checkbox',
      checked,
      disabled: true,
      readOnly: true,
      'aria-label': checked ? 'Done' : 'To do',
    }),
};

/** The time that quotes in each other take grows with the square of their depth. */
const tooManyQuotes = /^(?:[ \t]*>){100}/m;

/**
 * Markdown as elements: HTML in it is text, links lead to web pages and mailboxes only, pictures are links.
 * @param text - as anyone may have written it
 */
export function renderMarkdown(text: string): ReactNode {
  if (tooManyQuotes.test(text)) return asWritten(text);
  try {
    // Called rather than rendered: it reads the text at once, and what it throws is caught here.
    return Markdown({
      children: text,
      components,
      remarkPlugins: markdownPlugins,
      remarkRehypeOptions: { footnoteLabelTagName: 'h3', footnoteLabelProperties: {} },
      urlTransform: (address) => safeAddress(address) ?? '',
    });
  } catch (error) {
    // Thousands of lists in each other are more than its recursion can take.
    if (error instanceof RangeError) return asWritten(text);
    throw error;
  }
}

/** A text that is not read as Markdown. */
export const asWritten = (text: string): ReactNode => createElement('pre', null, text);
