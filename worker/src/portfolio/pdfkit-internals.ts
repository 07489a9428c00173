import PDFDocument from 'pdfkit';

/*
 * Everything that the product uses of PDFKit without PDFKit documenting it. `test/pdfkit-internals.test.ts` fails when
 * PDFKit changes any of it.
 */

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A PDF document whose metadata may hold `&`: PDFKit writes the title into the XMP packet as it stands. */
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
