import remarkGfm from 'remark-gfm';

/** The parts of a Markdown tree (mdast) that these rules use. */
interface MarkdownNode {
  type: string;
  depth?: number;
  url?: string;
  alt?: string | null;
  value?: string;
  children?: MarkdownNode[];
}

/** The level below the headings of the page and the section. */
const firstLevel = 3;
const lastLevel = 6;

/**
 * A remark plugin. Headings start below the section's heading and skip no level, whichever levels were written. Images
 * become links, because the content security policy blocks external images.
 */
function markdownRules() {
  return (tree: MarkdownNode): void => {
    const open: number[] = [];
    visit(tree, false, (heading) => {
      const written = heading.depth ?? 1;
      while ((open.at(-1) ?? 0) >= written) open.pop();
      heading.depth = Math.min(firstLevel + open.length, lastLevel);
      open.push(written);
    });
  };
}

/** The parse time of nested quotes grows with the square of their depth. */
export const tooManyQuotes = /^(?:[ \t]*>){100}/m;

/** The Markdown extensions that instructions support. */
export const markdownPlugins = [remarkGfm, markdownRules];

function visit(node: MarkdownNode, isInLink: boolean, onHeading: (heading: MarkdownNode) => void): void {
  if (node.type === 'heading') onHeading(node);
  if (node.type === 'image' || node.type === 'imageReference') asLink(node, isInLink);
  const isLink = node.type === 'link' || node.type === 'linkReference';
  for (const child of node.children ?? []) visit(child, isInLink || isLink, onHeading);
}

function asLink(image: MarkdownNode, isInLink: boolean): void {
  const name = image.alt || image.url || 'Picture';
  if (isInLink) {
    image.type = 'text';
    image.value = name;
    return;
  }
  image.type = image.type === 'image' ? 'link' : 'linkReference';
  image.children = [{ type: 'text', value: name }];
}
