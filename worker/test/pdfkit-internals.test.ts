import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { PortfolioDocument } from '../src/portfolio/pdfkit-internals.ts';

describe('the internals of PDFKit', () => {
  it('escape special characters of the title in the XMP packet, not in the information', async () => {
    const document = new PortfolioDocument({
      pdfVersion: '1.7',
      compress: false,
      info: { Title: 'Dune & Tide <2026>' },
    });
    const bytes = buffer(document);
    document.end();
    const text = (await bytes).toString('latin1');
    expect(text).to.include('>Dune &amp; Tide &lt;2026&gt;</rdf:li>');
    expect(text).to.include('(Dune & Tide <2026>)');
  });
});
