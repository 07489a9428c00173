import Link from '@mui/material/Link';
import { type ComponentProps, createElement, type ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { markdownPlugins, tooManyQuotes } from './markdown-rules.ts';
import { safeAddress } from './safe-address.ts';

/** Returns an element that has the direction of its text, because recipes mix languages. */
const withTextDirection =
  (tag: 'li' | 'blockquote') =>
  ({ className, children }: ComponentProps<typeof tag>): ReactNode =>
    createElement(tag, { className, dir: 'auto' }, children);

const components: Components = {
  li: withTextDirection('li'),
  blockquote: withTextDirection('blockquote'),
  a({ href, children }) {
    if (!href) return createElement('span', null, children);
    return createElement(Link, { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, children);
  },
  // A wide table scrolls inside its own box, which works with the keyboard too.
  table: ({ children }) =>
    createElement(
      'div',
      { role: 'group', 'aria-label': 'Table', tabIndex: 0, className: 'table' },
      createElement('table', { dir: 'auto' }, children),
    ),
  // Task list checkboxes are read-only.
  input: ({ checked = false }) =>
    createElement('input', {
      type: 'checkbox',
      checked,
      disabled: true,
      readOnly: true,
      'aria-label': checked ? 'Done' : 'To do',
    }),
};

/**
 * Renders Markdown as elements. HTML in it is shown as text, links lead only to web pages and email addresses, and
 * images become links.
 * @param text - user input
 */
export function renderMarkdown(text: string): ReactNode {
  if (tooManyQuotes.test(text)) return asWritten(text);
  try {
    // Called as a function, so that it parses immediately and its errors are caught here.
    return Markdown({
      children: text,
      components,
      remarkPlugins: markdownPlugins,
      remarkRehypeOptions: { footnoteLabelTagName: 'h3', footnoteLabelProperties: {} },
      urlTransform: (address) => safeAddress(address) ?? '',
    });
  } catch (error) {
    // Thousands of nested lists exceed the parser's recursion.
    if (error instanceof RangeError) return asWritten(text);
    throw error;
  }
}

/** Renders a text without parsing it as Markdown. */
export const asWritten = (text: string): ReactNode => createElement('pre', null, text);
