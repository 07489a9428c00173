import { jobPostings } from '@dune-tide/domain/content/careers';
import { caseStudySlugs } from '@dune-tide/domain/content/case-study-heads';
import { services } from '@dune-tide/domain/content/services';
import { expect } from 'chai';
import { pageHead } from '../build/page-head.ts';
import { previewPicture, previewSize } from '../build/previews.ts';
import { structuredData } from '../build/structured-data.ts';
import { publishedNotFoundPage as notFoundPage, publishedPages as pages } from '../build/published-pages.ts';

const pageAt = (path: string) => {
  const page = pages.find((candidate) => candidate.path === path);
  if (!page) throw new Error(`No page has the path ${path}`);
  return page;
};

describe('the public pages', () => {
  it('have the agreed addresses', () => {
    expect(pages.map(({ path }) => path).toSorted()).to.deep.equal(
      [
        '/',
        '/careers',
        '/kingrose',
        '/privacy',
        '/project-inquiry',
        ...services.map(({ href }) => href),
        ...caseStudySlugs.map((slug) => `/case-studies/${slug}`),
      ].toSorted(),
    );
  });

  for (const page of pages) {
    describe(page.path, () => {
      it('is served from a file of the same name', () => {
        expect(page.file).to.equal(page.path === '/' ? 'index.html' : `${page.path.slice(1)}.html`);
      });

      it('has a unique title and description that search engines show in full', () => {
        expect(page.title.length).to.be.within(10, 60);
        expect(page.description.length).to.be.within(70, 160);
        for (const key of ['title', 'description', 'previewText'] as const) {
          expect(pages.filter((other) => other[key] === page[key])).to.have.length(1);
        }
      });

      it('has a canonical URL and a link preview, and no script from elsewhere', () => {
        const head = pageHead(page);
        expect(head).to.include(`<link rel="canonical" href="https://duneandtide.studio${page.path}" />`);
        for (const name of ['og:title', 'og:description', 'og:image', 'og:url', 'og:type']) {
          expect(head).to.match(new RegExp(`<meta property="${name}" content="[^"]+" />`));
        }
        expect(head).to.include('<meta name="twitter:card" content="summary_large_image" />');
        expect(head.match(/<script/g)?.length ?? 0).to.equal(
          head.match(/<script type="application\/ld\+json">\{/g)?.length ?? 0,
        );
      });
    });
  }

  it('for unknown addresses is hidden from search engines', () => {
    expect(pageHead(notFoundPage)).to.equal('<meta name="robots" content="noindex" />');
  });
});

describe('the structured data', () => {
  it('of the home page describes the studio', () => {
    expect(structuredData(pageAt('/'))[0]).to.include({ '@type': 'Organization', name: 'Dune & Tide' });
  });

  for (const { href, title } of services) {
    it(`of ${href} describes the service`, () => {
      expect(structuredData(pageAt(href))).to.have.length(1);
      expect(structuredData(pageAt(href))[0]).to.include({ '@type': 'Service', name: title });
    });
  }

  for (const slug of caseStudySlugs) {
    it(`of ${slug} describes the work, its client and the way to it`, () => {
      const page = pageAt(`/case-studies/${slug}`);
      const [work, trail] = structuredData(page);
      expect(work).to.include({ '@type': 'CreativeWork', description: page.description });
      expect(trail?.['itemListElement']).to.have.length(2);
    });
  }

  it('of the careers page lists each open position', () => {
    const data = structuredData(pageAt('/careers'));
    expect(data.map(({ title }) => title)).to.deep.equal(jobPostings.map(({ title }) => title));
    for (const posting of data) {
      expect(posting).to.include.keys(
        'description',
        'datePosted',
        'hiringOrganization',
        'jobLocation',
        'employmentType',
      );
    }
  });
});

describe('the preview of a shared link', () => {
  for (const path of ['/careers', '/case-studies/quayside-works']) {
    it(`is a PNG of the expected size for ${path}`, async () => {
      const png = await previewPicture(pageAt(path));
      expect(png.subarray(1, 4).toString()).to.equal('PNG');
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([previewSize.width, previewSize.height]);
    });
  }
});
