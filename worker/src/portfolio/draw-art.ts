import { palette } from '@dune-tide/domain/brand';
import type { Art, Shape } from '@dune-tide/domain/art/art';
import type { Box } from './grid.ts';

function drawShape(document: PDFKit.PDFDocument, shape: Shape): void {
  document.save();
  if (shape.opacity !== undefined) document.opacity(shape.opacity);
  if (shape.stroke !== undefined) document.lineWidth(shape.strokeWidth ?? 1);
  if (shape.dash !== undefined) document.addContent(`[${shape.dash.join(' ')}] 0 d`);
  document.path(shape.d);
  if (shape.fill !== undefined && shape.stroke !== undefined) {
    document.fillAndStroke(palette[shape.fill], palette[shape.stroke]);
  } else if (shape.fill !== undefined) {
    document.fill(palette[shape.fill]);
  } else if (shape.stroke !== undefined) {
    document.stroke(palette[shape.stroke]);
  }
  document.restore();
}

/**
 * Draws a picture on the current page, centred in the box. It covers the box and is clipped to it.
 * @param box - in points
 */
export function drawArt(document: PDFKit.PDFDocument, art: Art, box: Box): void {
  const scale = Math.max(box.width / art.width, box.height / art.height);
  document.save();
  document.rect(box.x, box.y, box.width, box.height).clip();
  document.translate(box.x + (box.width - art.width * scale) / 2, box.y + (box.height - art.height * scale) / 2);
  document.scale(scale);
  document.lineCap('round').lineJoin('round');
  for (const shape of art.shapes) drawShape(document, shape);
  document.restore();
}
