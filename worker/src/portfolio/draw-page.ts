import { palette } from '@dune-tide/domain/brand';
import { drawArt } from './draw-art.ts';
import type { Box } from './grid.ts';
import { inkBox, type Decoration, type PageElement, type PageLayout, type TextBlock } from './layout.ts';

function drawText(document: PDFKit.PDFDocument, block: TextBlock): void {
  const { style, lines } = block;
  document.font(style.font).fontSize(style.size).fillColor(palette[block.ink]);
  const characterSpacing = style.tracking ?? 0;
  for (const [index, line] of lines.entries()) {
    const x =
      block.align === 'left' ? block.x : block.x + block.width - document.widthOfString(line, { characterSpacing });
    // The trailing space separates the words when a PDF reader joins the lines.
    const text = index < lines.length - 1 ? `${line} ` : line;
    document.text(text, x, block.baseline + index * style.leading, {
      lineBreak: false,
      baseline: 'alphabetic',
      characterSpacing,
    });
  }
}

function drawDecoration(document: PDFKit.PDFDocument, { path, fill, stroke, strokeWidth }: Decoration): void {
  document.save().path(path);
  if (fill !== undefined) document.fill(palette[fill]);
  else if (stroke !== undefined) document.lineWidth(strokeWidth ?? 1).stroke(palette[stroke]);
  document.restore();
}

/** Marks what `draw` paints as an artifact, which screen readers skip. */
function drawArtifact(document: PDFKit.PDFDocument, type: 'Layout' | 'Pagination', draw: () => void): void {
  document.markContent('Artifact', { type });
  draw();
  document.endMarkedContent();
}

/** The smallest width and height of a link (WCAG 2.2, "Target Size"). */
const smallestTarget = 24;

/** Returns a box with the same centre that is large enough to tap. */
function targetAround({ x, y, width, height }: Box): Box {
  const wider = Math.max(smallestTarget - width, 0);
  const higher = Math.max(smallestTarget - height, 0);
  return { x: x - wider / 2, y: y - higher / 2, width: width + wider, height: height + higher };
}

function addLink(
  document: PDFKit.PDFDocument,
  block: TextBlock,
  url: string,
  structParent: PDFKit.PDFStructureElement,
): void {
  const { x, y, width, height } = targetAround(inkBox(block));
  // PDFKit writes a String object as a PDF string, and a primitive string as a PDF name.
  const options = { structParent, Contents: Object(block.lines.join(' ')) as string };
  document.link(x, y, width, height, url, options);
}

function drawElement(document: PDFKit.PDFDocument, parent: PDFKit.PDFStructureElement, element: PageElement): void {
  if (element.kind === 'decoration') {
    drawArtifact(document, 'Layout', () => drawDecoration(document, element));
    return;
  }
  if (element.kind === 'text' && element.tag === 'Artifact') {
    drawArtifact(document, 'Pagination', () => drawText(document, element));
    return;
  }
  if (element.kind === 'picture') {
    const { x, y, width, height } = element.box;
    const options = { alt: element.art.alt, bbox: [x, y, x + width, y + height], placement: 'Block' };
    const figure = document.struct('Figure', options);
    parent.add(figure);
    figure.add(() => drawArt(document, element.art, element.box));
    figure.end();
    return;
  }
  const structure = document.struct(element.tag);
  parent.add(structure);
  if (element.kind === 'group') {
    for (const child of element.elements) drawElement(document, structure, child);
  } else {
    structure.add(() => drawText(document, element));
    if (element.link !== undefined) addLink(document, element, element.link, structure);
  }
  structure.end();
}

/**
 * Draws a page on the document's current page, with its bookmark and its part of the tagged structure.
 * @param root - the structure of the whole document
 */
export function drawPage(document: PDFKit.PDFDocument, root: PDFKit.PDFStructureElement, layout: PageLayout): void {
  const section = document.struct('Sect', { title: layout.title });
  root.add(section);
  for (const element of layout.elements) drawElement(document, section, element);
  section.end();
  document.outline.addItem(layout.title);
}
