import { type Handle, type Options, toMarkdown } from 'mdast-util-to-markdown';
import Markdown from 'react-markdown';
import { markdownPlugins, tooManyQuotes } from './markdown-rules.ts';
import { safeAddress } from './safe-address.ts';

type Tree = Parameters<typeof toMarkdown>[0];

const flow: Handle = (node: Parameters<Parameters<Handle>[2]['containerFlow']>[0], _parent, state, info) =>
  state.containerFlow(node, info);
const phrasing: Handle = (node: Parameters<Parameters<Handle>[2]['containerPhrasing']>[0], _parent, state, info) =>
  state.containerPhrasing(node, info);
const asWritten: Handle = ({ value }: { readonly value: string }) => value;
const nothing: Handle = () => '';

const scheme = /^(?:https?:\/\/|mailto:)/i;

/** Returns the text of a link with its address, unless the text is the address. */
function withAddress(text: string, url: string | undefined): string {
  if (url === undefined || safeAddress(url) === undefined) return text;
  const address = url.replace(/^mailto:/i, '');
  return text.replace(scheme, '') === url.replace(scheme, '') ? text : `${text} (${address})`;
}

/** Serializes Markdown without its marks. */
function plainOptions(addresses: ReadonlyMap<string, string>): Options {
  const handlers: Options['handlers'] = {
    text: asWritten,
    html: asWritten,
    code: asWritten,
    inlineCode: asWritten,
    strong: phrasing,
    emphasis: phrasing,
    delete: phrasing,
    heading: phrasing,
    tableCell: phrasing,
    blockquote: flow,
    definition: nothing,
    thematicBreak: nothing,
    break: () => '\n',
    link: (node, parent, state, info) => withAddress(phrasing(node, parent, state, info), node.url),
    linkReference: (node, parent, state, info) =>
      withAddress(phrasing(node, parent, state, info), addresses.get(node.identifier)),
    list(node, parent, state, info) {
      const around = state.bulletCurrent;
      state.bulletCurrent = node.ordered ? '.' : '-';
      const text = flow(node, parent, state, info);
      state.bulletCurrent = around;
      return text;
    },
    table: (node, _parent, state, info) =>
      node.children.map((row: Tree) => state.handle(row, node, state, info)).join('\n'),
    tableRow: (node, _parent, state, info) =>
      node.children.map((cell: Tree) => state.handle(cell, node, state, info)).join(' – '),
    footnoteReference: ({ label, identifier }) => `[${label ?? identifier}]`,
    footnoteDefinition: (node, parent, state, info) =>
      `[${node.label ?? node.identifier}] ${flow(node, parent, state, info)}`,
  };
  return {
    handlers,
    listItemIndent: 'one',
    // One blank line between all but the entries of a tight list.
    join: [(_left, _right, parent) => ('spread' in parent && parent.spread === false ? 0 : 1)],
  };
}

/** Returns the addresses of the link definitions, by their identifiers. */
function addressesIn(tree: Tree, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (tree.type === 'definition') found.set(tree.identifier, tree.url);
  if ('children' in tree) for (const child of tree.children) addressesIn(child, found);
  return found;
}

/**
 * Returns the instructions of a recipe as plain text for an email: lists with dashes or their numbers, links with their
 * addresses, and no marks of Markdown.
 * @param markdown - user input
 */
export function textOfInstructions(markdown: string): string {
  if (tooManyQuotes.test(markdown)) return markdown;
  let text = markdown;
  const capture = () => (tree: Tree) => {
    text = toMarkdown(tree, plainOptions(addressesIn(tree)))
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  };
  try {
    Markdown({ children: markdown, remarkPlugins: [...markdownPlugins, capture] });
  } catch (error) {
    // Thousands of nested lists exceed the parser's recursion.
    if (!(error instanceof RangeError)) throw error;
  }
  return text;
}
