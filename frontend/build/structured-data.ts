import { brand } from '@dune-tide/domain/brand';
import { jobPostings, jobPostingsOpenedOn, type JobPosting } from '@dune-tide/domain/content/careers';
import { caseStudyHeads } from '@dune-tide/domain/content/case-study-heads';
import { home } from '@dune-tide/domain/content/home';
import { services } from '@dune-tide/domain/content/services';
import type { PublishedPage } from './published-pages.ts';
import { icons } from './icons.ts';
import { previewFile } from './previews.ts';
import { siteAddress } from './site-address.ts';

type Data = Readonly<Record<string, unknown>>;

const context = 'https://schema.org';
const studioId = siteAddress('/#studio');

const countries = { Riyadh: 'SA', 'Cape Town': 'ZA' } as const;

const place = (city: keyof typeof countries): Data => ({
  '@type': 'Place',
  address: { '@type': 'PostalAddress', addressLocality: city, addressCountry: countries[city] },
});

const studio: Data = {
  '@type': 'Organization',
  '@id': studioId,
  name: brand.name,
  url: siteAddress('/'),
  description: brand.tagline,
  email: brand.email,
  logo: siteAddress(`/${icons.large.file}`),
  sameAs: Object.values(brand.links),
  location: brand.cities.map(place),
};

/** Returns a page's subject for search engines (schema.org, JSON-LD); empty for a page without a subject. */
export function structuredData(page: PublishedPage): readonly Data[] {
  const { subject } = page;
  switch (subject?.kind) {
    case 'studio':
      return [
        { '@context': context, ...studio },
        {
          '@context': context,
          '@type': 'WebSite',
          name: brand.name,
          url: siteAddress('/'),
          publisher: { '@id': studioId },
        },
      ];
    case 'service': {
      const service = services.find(({ slug }) => slug === subject.slug);
      return [
        {
          '@context': context,
          '@type': 'Service',
          name: service?.title,
          serviceType: service?.title,
          description: page.description,
          url: siteAddress(page.path),
          provider: studio,
          areaServed: Object.values(countries),
        },
      ];
    }
    case 'case study': {
      const { title, category, client } = caseStudyHeads[subject.slug];
      return [
        {
          '@context': context,
          '@type': 'CreativeWork',
          name: title,
          genre: category,
          about: client,
          description: page.description,
          url: siteAddress(page.path),
          image: siteAddress(`/${previewFile(page)}`),
          creator: studio,
        },
        {
          '@context': context,
          '@type': 'BreadcrumbList',
          itemListElement: [
            { '@type': 'ListItem', position: 1, name: home.portfolio.heading, item: siteAddress('/#portfolio') },
            { '@type': 'ListItem', position: 2, name: client, item: siteAddress(page.path) },
          ],
        },
      ];
    }
    case 'open positions':
      return jobPostings.map((posting) => ({ '@context': context, ...jobPosting(posting, page) }));
    case undefined:
      return [];
  }
}

function jobPosting(posting: JobPosting, page: PublishedPage): Data {
  const cities = posting.locations.filter((location) => location !== 'Remote');
  const remote = {
    jobLocationType: 'TELECOMMUTE',
    applicantLocationRequirements: cities.map((city) => ({ '@type': 'Country', name: countries[city] })),
  };
  return {
    '@type': 'JobPosting',
    title: posting.title,
    description: `${posting.description} ${posting.requirements.map((requirement) => `${requirement}.`).join(' ')}`,
    datePosted: jobPostingsOpenedOn,
    employmentType: posting.type === 'Internship' ? 'INTERN' : 'FULL_TIME',
    hiringOrganization: studio,
    jobLocation: cities.map(place),
    ...(posting.locations.includes('Remote') && remote),
    directApply: true,
    url: siteAddress(page.path),
  };
}
