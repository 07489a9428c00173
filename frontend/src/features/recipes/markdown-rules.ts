import remarkGfm from 'remark-gfm';

/** The part of a Markdown tree (mdast) that the rules below speak of. */
interface MarkdownNode {
  type: string;
  depth?: number;
  url?: string;
  alt?: string | null;
  value?: string;
  children?: MarkdownNode[];
}

/** The largest heading of instructions stands below the page's and its part's. */
const firstLevel = 3;
const lastLevel = 6;

/**
 * A remark plugin: headings follow one another below the page's own without a gap, whatever levels were written, and a
 * picture is a link to it, since the content security policy lets none in from elsewhere.
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

/** What is understood besides plain Markdown, and how. */
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
