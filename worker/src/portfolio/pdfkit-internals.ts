import PDFDocument from 'pdfkit';

/*
 * All undocumented parts of PDFKit that the product uses. `test/pdfkit-internals.test.ts` fails when PDFKit changes one of
 * them.
 */

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A PDF document whose metadata may contain `&`. PDFKit does not escape the title in the XMP packet. */
export class PortfolioDocument extends PDFDocument {
  override endMetadata(): void {
    const { info } = this;
    this.info = Object.fromEntries(
      Object.entries(info).map(([key, value]) => [key, typeof value === 'string' ? escapeXml(value) : value]),
    );
    super.endMetadata();
    this.info = info;
  }
}
