import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brand, palette, type Ink } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { portfolioFile } from '@dune-tide/domain/content/portfolio-file';
import { services } from '@dune-tide/domain/content/services';
import { expect } from 'chai';
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { createPortfolioCache } from '../src/portfolio/cache.ts';
import { portfolioFileName } from '../src/portfolio/file-name.ts';
import { fontNames, loadFonts } from '../src/portfolio/fonts.ts';
import { fullPage, margin, page, type Box } from '../src/portfolio/grid.ts';
import {
  fits,
  inkBox,
  setText,
  type PageElement,
  type PageLayout,
  type Picture,
  type TextBlock,
} from '../src/portfolio/layout.ts';
import { portfolioPages } from '../src/portfolio/pages/portfolio.ts';
import { PortfolioDocument } from '../src/portfolio/pdfkit-internals.ts';
import { renderPortfolio } from '../src/portfolio/render.ts';
import { schemes } from '../src/portfolio/schemes.ts';
import { styles } from '../src/portfolio/styles.ts';
import { createTypesetter, type Typesetter } from '../src/portfolio/typesetter.ts';
import { layoutVersion, portfolioVersion } from '../src/portfolio/version.ts';

const pageCount = 1 + caseStudies.length + 1 + 1;

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the elements of a page, including those in groups, without the groups. */
function leaves(elements: readonly PageElement[]): Exclude<PageElement, { kind: 'group' }>[] {
  return elements.flatMap((element) => (element.kind === 'group' ? leaves(element.elements) : [element]));
}

const texts = (layout: PageLayout): TextBlock[] => leaves(layout.elements).filter((element) => element.kind === 'text');

const pictures = (layout: PageLayout): Picture[] =>
  leaves(layout.elements).filter((element) => element.kind === 'picture');

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Returns the contrast ratio of two colours (WCAG 2.2). */
function contrast(a: Ink, b: Ink): number {
  const luminance = (ink: Ink) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((start) => Number.parseInt(palette[ink].slice(start, start + 2), 16) / 255)
      .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

async function measuringTypesetter(): Promise<Typesetter> {
  return createTypesetter(new PortfolioDocument({ size: [page.width, page.height], font: '' }), await loadFonts());
}

describe('the layout of the portfolio', function () {
  let typesetter: Typesetter;
  let layouts: PageLayout[];

  before(async () => {
    typesetter = await measuringTypesetter();
    layouts = portfolioPages(typesetter, brand.siteUrl);
  });

  it('keeps every text inside its place', () => {
    for (const layout of layouts) {
      for (const block of texts(layout))
        expect(fits(block), `${layout.title}: ${block.lines.join(' ')}`).to.equal(true);
    }
  });

  it('keeps every text inside the page margins', () => {
    for (const layout of layouts) {
      for (const block of texts(layout)) {
        const box = inkBox(block);
        const where = `${layout.title}: ${block.lines.join(' ')}`;
        expect(box.x, where).to.be.at.least(margin.side - 10);
        expect(box.x + box.width, where).to.be.at.most(page.width - margin.side + 1);
        expect(box.y, where).to.be.at.least(margin.top - 10);
        expect(box.y + box.height, where).to.be.at.most(page.height - margin.bottom + 10);
      }
    }
  });

  it('keeps texts from touching each other', () => {
    for (const layout of layouts) {
      const blocks = texts(layout);
      for (const [index, block] of blocks.entries()) {
        for (const other of blocks.slice(index + 1)) {
          const pair = `${layout.title}: "${block.lines.join(' ')}" and "${other.lines.join(' ')}"`;
          expect(overlap(inkBox(block), inkBox(other)), pair).to.equal(false);
        }
      }
    }
  });

  it('keeps texts out of pictures, except on the cover', () => {
    for (const layout of layouts.slice(1)) {
      for (const picture of pictures(layout)) {
        for (const block of texts(layout)) {
          expect(overlap(inkBox(block), picture.box), `${layout.title}: ${block.lines.join(' ')}`).to.equal(false);
        }
      }
    }
  });

  it('shows each case study with its own drawing, up to the edge of the page', () => {
    for (const [index, study] of caseStudies.entries()) {
      const [picture] = pictures(layouts[index + 1] as PageLayout);
      expect(picture?.art).to.equal(study.art);
      const { x, y, width, height } = picture?.box ?? fullPage;
      expect(x === 0 || x + width === page.width).to.equal(true);
      expect(y === 0 || y + height === page.height).to.equal(true);
    }
  });

  it('gives each case study another colour than its drawing and its neighbours', () => {
    const grounds = layouts.slice(1, 1 + caseStudies.length).map(({ elements }) => {
      const [ground] = elements;
      return ground?.kind === 'decoration' ? ground.fill : undefined;
    });
    for (const [index, ground] of grounds.entries()) {
      expect(ground).to.not.equal(grounds[index + 1]);
      expect(ground).to.not.equal(caseStudies[index]?.art.shapes[0]?.fill);
    }
    expect(new Set(grounds).size).to.be.at.least(4);
  });

  it('detects a text that does not fit', () => {
    const place = { x: 0, baseline: 20, width: 100, bottom: 60, ink: 'night' as const };
    expect(fits(setText(typesetter, 'A short line', styles.body, place))).to.equal(true);
    expect(fits(setText(typesetter, 'A long text '.repeat(20), styles.body, place))).to.equal(false);
    expect(fits(setText(typesetter, 'Onesinglewordthatiswiderthanitsline', styles.body, place))).to.equal(false);
  });

  it('names the site that sends it, and links to it', () => {
    for (const host of ['studio.example', 'portfolio.preview.north.studio.example:8443']) {
      const contact = portfolioPages(typesetter, `https://${host}`).at(-1) as PageLayout;
      const block = texts(contact).find(({ link }) => link === `https://${host}`);
      expect(block?.lines).to.deep.equal([host]);
      expect(block && fits(block), host).to.equal(true);
    }
  });

  it('uses the first size that fits', () => {
    const [large, small] = styles.body;
    const place = { x: 0, baseline: 20, ink: 'night' as const };
    const text = 'Nine floors let';
    const width = typesetter.width(text, large);
    expect(setText(typesetter, text, styles.body, { ...place, width: width + 1 }).style).to.equal(large);
    expect(setText(typesetter, text, styles.body, { ...place, width: width - 1 }).style).to.equal(small);
  });

  for (const [name, scheme] of Object.entries(schemes)) {
    it(`keeps text readable on ${name}`, () => {
      for (const ink of [scheme.ink, scheme.quiet]) expect(contrast(ink, scheme.paper), ink).to.be.at.least(4.5);
      expect(contrast(scheme.accent, scheme.paper)).to.be.at.least(4.5);
      for (const strip of scheme.strips) {
        expect(contrast(strip.label, strip.paper)).to.be.at.least(4.5);
        expect(contrast(strip.numeral, strip.paper), 'large numerals').to.be.at.least(3);
      }
    });
  }
});

describe('the portfolio PDF', function () {
  let file: Buffer;
  let pdf: PDFDocumentProxy;
  let pages: string[];

  before(async () => {
    file = await renderPortfolio(brand.siteUrl);
    pdf = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
    pages = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const content = await (await pdf.getPage(number)).getTextContent();
      pages.push(
        plain(content.items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join('')),
      );
    }
  });

  after(() => pdf.destroy());

  it('has a cover, a page for each case study, the services and the contact', () => {
    expect(pdf.numPages).to.equal(pageCount);
  });

  it('is small enough for an email', () => {
    expect(file.length).to.be.below(1_000_000);
  });

  it('states its title, author and language, and shows its title', async () => {
    const { info, metadata } = await pdf.getMetadata();
    expect(info).to.include({ Title: `${brand.name}: Portfolio`, Author: brand.name, Subject: brand.tagline });
    expect(info).to.include({ Language: 'en' });
    expect(metadata?.get('dc:title')).to.equal(`${brand.name}: Portfolio`);
    expect(await pdf.getViewerPreferences()).to.deep.include({ DisplayDocTitle: true });
  });

  it('has a bookmark for every page', async () => {
    const outline = await pdf.getOutline();
    const titles = outline.map(({ title }) => title);
    expect(titles).to.include.members(caseStudies.map(({ title }) => title));
    const targets = await Promise.all(outline.map(({ dest }) => pdf.getPageIndex((dest as [never])[0])));
    expect(targets).to.deep.equal(Array.from({ length: pageCount }, (_, index) => index));
  });

  for (const [index, study] of caseStudies.entries()) {
    it(`contains "${study.title}" as text`, () => {
      const text = pages[index + 1];
      const { title, client, category, description, metrics, tags } = study;
      const parts = [
        title,
        client,
        category,
        description,
        ...tags,
        ...metrics.flatMap(({ value, label }) => [value, label]),
      ];
      for (const part of parts) expect(text).to.include(plain(part));
    });
  }

  it('contains the services with their features', () => {
    for (const { title, description, features } of services) {
      for (const part of [title, description, ...features]) expect(pages.at(-2)).to.include(part);
    }
  });

  it('ends with the address, the cities and the promise', () => {
    for (const part of [brand.email, ...brand.cities, `${brand.responsePromiseHours} hours`]) {
      expect(pages.at(-1)).to.include(part);
    }
  });

  it('links from each case study to its page, large enough to tap', async () => {
    for (const [index, { slug }] of caseStudies.entries()) {
      const annotations = (await (await pdf.getPage(index + 2)).getAnnotations()) as {
        url: string;
        rect: [number, number, number, number];
      }[];
      expect(annotations.map(({ url }) => url)).to.deep.equal([`${brand.siteUrl}/case-studies/${slug}`]);
      const [x = 0, y = 0, right = 0, bottom = 0] = annotations[0]?.rect ?? [];
      expect(Math.min(right - x, bottom - y)).to.be.at.least(23.9);
    }
  });

  it('links to the address, the site, X and Instagram, each large enough to tap', async () => {
    const annotations = (await (await pdf.getPage(pageCount)).getAnnotations()) as {
      url: string;
      rect: [number, number, number, number];
    }[];
    const links = annotations.map(({ url }) => url);
    expect(links).to.have.members([`mailto:${brand.email}`, `${brand.siteUrl}/`, brand.links.x, brand.links.instagram]);
    const targets = annotations.map(({ rect: [x, y, right, bottom] }) => ({
      x,
      y,
      width: right - x,
      height: bottom - y,
    }));
    for (const [index, target] of targets.entries()) {
      expect(Math.min(target.width, target.height)).to.be.at.least(23.99);
      for (const other of targets.slice(index + 1)) expect(overlap(target, other)).to.equal(false);
    }
  });

  it('has a glyph for every character', () => {
    for (const missing of ['\0', '\ufffd']) expect(pages.join('')).to.not.include(missing);
  });

  it('embeds a subset of each of its fonts', () => {
    const source = file.toString('latin1');
    const descriptors = source.split('/Type /FontDescriptor').slice(1);
    expect(descriptors).to.have.length(fontNames.length);
    for (const descriptor of descriptors) {
      expect(descriptor.split('endobj')[0])
        .to.match(/\/FontName \/[A-Z]{6}\+/)
        .and.include('/FontFile2');
    }
    expect(source).to.not.include('/Subtype /Type1');
  });

  it('is tagged with a title on every page and alternative text for every drawing', async () => {
    expect(await pdf.getMarkInfo()).to.include({ Marked: true });
    for (let number = 1; number <= pageCount; number += 1) {
      const tree = JSON.stringify(await (await pdf.getPage(number)).getStructTree());
      expect(tree).to.include('"role":"H1"');
      const study = caseStudies[number - 2];
      if (study !== undefined) expect(tree).to.include(JSON.stringify(study.art.alt));
    }
  });

  it('has the number of pages and the size that the home page announces', () => {
    expect(pdf.numPages).to.equal(portfolioFile.pages);
    // Versions of zlib compress differently.
    expect(file.length / 1000).to.be.closeTo(portfolioFile.kilobytes, 1);
  });

  it('has the same bytes each time it is rendered', async () => {
    expect((await renderPortfolio(brand.siteUrl)).equals(file)).to.equal(true);
  });

  it('gets a new version when its layout, a font or PDFKit has changed', async () => {
    // Uncompressed, because versions of zlib compress differently.
    const bytes = await renderPortfolio(brand.siteUrl, { compress: false });
    expect(
      { layoutVersion, sha256: createHash('sha256').update(bytes).digest('hex') },
      'The PDF has changed. Increase layoutVersion unless only words or drawings changed, then update both values here.',
    ).to.deep.equal({
      layoutVersion: 5,
      sha256: 'a3bf1817749c80d4a9b115787895d428e38691cf49f6a4e9a40b45288f65b955',
    });
  });

  it('is named after the studio', () => {
    expect(portfolioFileName).to.equal('Dune-and-Tide-Portfolio.pdf');
    expect(portfolioVersion(brand.siteUrl)).to.match(/^[0-9a-f]{16}$/);
  });
});

describe('the cache of the portfolio', () => {
  let directory: string;
  let renderings: number;
  let fileErrors: unknown[];

  const rendered = Buffer.from('%PDF-1.7\nrendered\n%%EOF\n');
  const publicUrl = 'https://site.example';
  const fileName = `portfolio-${portfolioVersion(publicUrl)}.pdf`;

  const cacheIn = (path: string, site = publicUrl) =>
    createPortfolioCache(path, {
      publicUrl: site,
      onFileError: (error) => fileErrors.push(error),
      render: async () => {
        renderings += 1;
        return rendered;
      },
    });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'portfolio-'));
    renderings = 0;
    fileErrors = [];
  });

  afterEach(() => rm(directory, { recursive: true }));

  it('renders once for many concurrent reads', async () => {
    const cache = cacheIn(directory);
    const files = await Promise.all(Array.from({ length: 20 }, () => cache.read()));
    expect(renderings).to.equal(1);
    for (const file of files) expect(file.equals(rendered)).to.equal(true);
  });

  it('stores the file of this content version, and nothing else, in a directory that it creates', async () => {
    const path = join(directory, randomUUID(), 'portfolio');
    await cacheIn(path).read();
    expect(await readdir(path)).to.deep.equal([fileName]);
    const file = await readFile(join(path, fileName));
    expect(file.subarray(0, rendered.length).equals(rendered)).to.equal(true);
    expect(fileErrors).to.deep.equal([]);
  });

  it('uses the file after a restart', async () => {
    await cacheIn(directory).read();
    expect((await cacheIn(directory).read()).equals(rendered)).to.equal(true);
    expect(renderings).to.equal(1);
  });

  it('does not use the file of another version', async () => {
    await cacheIn(directory).read();
    await rename(join(directory, fileName), join(directory, 'portfolio-0000000000000000.pdf'));
    await cacheIn(directory).read();
    expect(renderings).to.equal(2);
  });

  it('does not use the file of another site', async () => {
    await cacheIn(directory, 'https://another.example').read();
    await cacheIn(directory).read();
    expect(renderings).to.equal(2);
  });

  const damages: readonly (readonly [state: string, damage: (file: Buffer) => Buffer])[] = [
    ['an empty', () => Buffer.alloc(0)],
    ['a truncated', (file) => file.subarray(0, -3)],
    ['a zeroed', (file) => Buffer.alloc(file.length)],
    ['a changed', (file) => Buffer.from(file.toString('latin1').replace('rendered', 'tampered'), 'latin1')],
    ['a foreign', () => Buffer.from('not a PDF')],
  ];
  for (const [state, damage] of damages) {
    it(`replaces ${state} file`, async () => {
      const path = join(directory, fileName);
      await cacheIn(directory).read();
      const whole = await readFile(path);
      await writeFile(path, damage(whole));
      expect((await cacheIn(directory).read()).equals(rendered)).to.equal(true);
      expect((await readFile(path)).equals(whole)).to.equal(true);
    });
  }

  it('serves from memory and reports the error if the directory cannot be used', async () => {
    const occupied = join(directory, 'occupied');
    await writeFile(occupied, '');
    const cache = cacheIn(join(occupied, 'portfolio'));
    expect((await cache.read()).equals(rendered)).to.equal(true);
    await cache.read();
    expect(renderings).to.equal(1);
    expect(fileErrors.length).to.be.above(0);
  });

  it('renders again after a failed rendering', async () => {
    let tries = 0;
    const cache = createPortfolioCache(directory, {
      publicUrl,
      onFileError: (error) => fileErrors.push(error),
      render: async () => {
        tries += 1;
        if (tries === 1) throw new Error('no fonts');
        return rendered;
      },
    });
    const failure = await cache.read().catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'no fonts');
    expect((await cache.read()).equals(rendered)).to.equal(true);
  });
});
