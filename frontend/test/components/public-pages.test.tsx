import { brand } from '@dune-tide/domain/brand';
import { careers, jobPostings, trainingPrograms } from '@dune-tide/domain/content/careers';
import { caseStudies, featuredCaseStudies, highlightCaseStudies } from '@dune-tide/domain/content/case-studies';
import { caseStudyPage } from '@dune-tide/domain/content/case-study-page';
import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import { home } from '@dune-tide/domain/content/home';
import { kingrose, kingroseNiches, kingroseServices, kingroseSteps } from '@dune-tide/domain/content/kingrose';
import { portfolioFile } from '@dune-tide/domain/content/portfolio-file';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { services } from '@dune-tide/domain/content/services';
import type { StudioFacts } from '@dune-tide/domain/content/studio-facts';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { MemoryRouter } from 'react-router-dom';
import { SiteFooter } from '../../src/layouts/site/SiteFooter.tsx';
import { SiteHeader } from '../../src/layouts/site/SiteHeader.tsx';

async function openPage(path: string, { hasFooter = false } = {}): Promise<void> {
  // Imported as pages import their forms, because mocha requires this file, and its own imports are other instances.
  const [router, { pages }, { loadForms }, { SiteFooter: Footer }] = await Promise.all([
    import('react-router-dom'),
    import('../../src/app/pages.ts'),
    import('../../src/form/lazy-form.tsx'),
    import('../../src/layouts/site/SiteFooter.tsx'),
  ]);
  const page = pages.find((each) => each.path === path) ?? expect.fail(`no page ${path}`);
  const Page = await page.load();
  await loadForms();
  render(
    <router.MemoryRouter initialEntries={[path]}>
      <Page />
      {hasFooter && <Footer />}
    </router.MemoryRouter>,
  );
}

/** Enters facts as the owner would, and returns a function that removes them. */
async function enterFacts(facts: Partial<StudioFacts>): Promise<() => void> {
  const { studioFacts } = await import('@dune-tide/domain/content/studio-facts');
  const before = { ...studioFacts };
  Object.assign(studioFacts, facts);
  return () => void Object.assign(studioFacts, before);
}

const all = (selector: string, place: ParentNode = document): HTMLElement[] => [
  ...place.querySelectorAll<HTMLElement>(selector),
];
const textsOf = (selector: string, place?: ParentNode) => all(selector, place).map(({ textContent }) => textContent);
const linksOf = (place: ParentNode): (readonly [text: string, address: string | null])[] =>
  all('a', place).map((link) => [link.textContent, link.getAttribute('href')]);
/** Returns the descriptions of the definition lists, each with its term. */
const factsOf = (place: ParentNode) =>
  all('dl > div', place).map((fact) => [...textsOf('dd', fact), ...textsOf('dt', fact)].join(' '));
/** Returns whether an element follows another one in the document. */
const isBelow = (element: Node, other: Node) =>
  (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
const itemWith = (title: string) => screen.getByText(title).closest<HTMLElement>('li') ?? expect.fail(`no ${title}`);

describe('the navigation bar', () => {
  const openAt = (path: string) =>
    render(
      <MemoryRouter initialEntries={[path]}>
        <SiteHeader isMenuOpen={false} onMenuChange={() => undefined} />
      </MemoryRouter>,
    );
  const itemsOf = (name: string) => all(`nav[aria-label="${name}"] a`);

  for (const [name, admin] of [
    ['Main', 'Admin'],
    ['Mobile', 'Admin Login'],
  ] as const) {
    it(`has the same links in narrow and wide windows: ${name}`, () => {
      openAt('/careers');
      expect(itemsOf(name).map((link) => [link.textContent, link.getAttribute('href')])).to.deep.equal([
        ['Home', '/#home'],
        ['Services', '/#services'],
        ['Portfolio', '/#portfolio'],
        ['Contact', '/#contact'],
        ['KingRose', '/kingrose'],
        [admin, '/admin/login'],
      ]);
    });

    it(`fills Contact alone: ${name}`, () => {
      openAt('/');
      const filled = itemsOf(name).filter((link) => link.closest('[data-filled="true"]'));
      expect(filled.map(({ textContent }) => textContent)).to.deep.equal(['Contact']);
    });

    it(`marks KingRose on its page only: ${name}`, () => {
      const marked = () => itemsOf(name).filter((link) => link.getAttribute('aria-current') === 'page');
      const { unmount } = openAt('/kingrose');
      expect(marked().map(({ textContent }) => textContent)).to.deep.equal(['KingRose']);
      unmount();
      openAt('/');
      expect(marked()).to.deep.equal([]);
    });
  }
});

describe('the footer', () => {
  it('has the links to the services, the studio and its accounts, and the fixed year', () => {
    const { container } = render(
      <MemoryRouter>
        <SiteFooter />
      </MemoryRouter>,
    );
    expect(all('nav', container).map(linksOf)).to.deep.equal([
      services.map(({ title, href }) => [title, href]),
      [
        ['About Us', '#'],
        ['Portfolio', '#portfolio'],
        ['Careers', '/careers'],
        ['Contact', '#contact'],
        ['Privacy notice', '/privacy'],
      ],
      [
        ['X', brand.links.x],
        ['Instagram', brand.links.instagram],
      ],
    ]);
    expect(container.textContent).to.contain(`© 2025 ${brand.name}`);
  });

  it('leads from About Us to How we work on the home page', async () => {
    await openPage('/', { hasFooter: true });
    fireEvent.click(screen.getByText('About Us'));
    expect(textsOf('h2', document.activeElement ?? document)).to.deep.equal(['How we work']);
  });
});

describe('the home page', () => {
  it('has one headline, and its sections in order', async () => {
    await openPage('/');
    expect(textsOf('h1')).to.deep.equal([home.hero.headline]);
    expect(textsOf('h2')).to.include.ordered.members([
      'Our Expertise',
      'How we work',
      'Who we work with',
      'Portfolio',
      home.contact.heading,
    ]);
    expect(screen.getByText('View Our Work').getAttribute('href')).to.equal('#portfolio');
    const starts = all('a').filter(({ textContent }) => textContent === 'Start Your Project');
    expect(new Set(starts.map((start) => start.getAttribute('href')))).to.deep.equal(new Set(['/project-inquiry']));
  });

  it('shows five steps, the response promise and Start Your Project in How we work', async () => {
    await openPage('/');
    const section = screen.getByText('How we work').closest('section') ?? expect.fail('no section');
    expect(textsOf('li h3', section)).to.deep.equal(home.engagement.steps.map(({ title }) => title));
    within(section).getByText(`${brand.responsePromiseHours} hours`);
    within(section).getByText(/ you will have an answer within 24 hours\.$/);
    expect(linksOf(section)).to.deep.equal([['Start Your Project', '/project-inquiry']]);
  });

  it('leads companies to the project inquiry, and the other audiences to KingRose', async () => {
    await openPage('/');
    const section = screen.getByText('Who we work with').closest('section') ?? expect.fail('no section');
    expect(linksOf(section)).to.deep.equal([
      ['Companies', '/project-inquiry'],
      ['VC firms', '/kingrose'],
      ['Private equity', '/kingrose'],
      ['Family offices', '/kingrose'],
      ['Municipalities', '/kingrose'],
    ]);
  });

  it('ends the portfolio with Start Your Project', async () => {
    await openPage('/');
    const controls = all('#portfolio :is(a, button)');
    expect(controls.at(-1)?.textContent).to.equal('Start Your Project');
    expect(controls.at(-1)?.getAttribute('href')).to.equal('/project-inquiry');
  });

  it('shows the cover, the number of pages and the size of the PDF beside View All Projects', async () => {
    await openPage('/');
    const beside = screen.getByRole('button', { name: 'View All Projects' }).nextElementSibling;
    expect(beside?.textContent).to.contain(`${portfolioFile.pages} pages, ${portfolioFile.kilobytes} kB`);
    expect(textsOf('svg text', beside ?? document)).to.deep.equal([brand.name]);
  });

  it('shows each service with its features and a link to its page', async () => {
    await openPage('/');
    expect(textsOf('#services h3')).to.deep.equal(services.map(({ title }) => title));
    for (const { title, features, href, slug } of services) {
      const card = document.getElementById(`service-${slug}`)?.closest('li') ?? expect.fail(`no card of ${title}`);
      expect(textsOf('li', card)).to.deep.equal(features);
      expect(linksOf(card)).to.deep.equal([[`Learn More about ${title}`, href]]);
    }
  });

  it('shows all case studies in full after Show More, which moves the focus to them', async () => {
    await openPage('/');
    expect(textsOf('#portfolio h3').slice(0, 5)).to.deep.equal(
      [...featuredCaseStudies, ...highlightCaseStudies].map(({ title }) => title),
    );
    const more = screen.getByRole('button', { name: 'Show More' });
    expect(more.getAttribute('aria-expanded')).to.equal('false');
    fireEvent.click(more);
    const less = screen.getByRole('button', { name: 'Show Less' });
    expect(less.getAttribute('aria-expanded')).to.equal('true');
    // The new items are above the button.
    expect(document.activeElement?.getAttribute('aria-label')).to.equal(home.portfolio.more);
    const portfolio = document.getElementById('portfolio') ?? expect.fail('no portfolio');
    expect(linksOf(portfolio).slice(0, caseStudies.length)).to.deep.equal(
      caseStudies.map(({ title, slug }) => [title, `/case-studies/${slug}`]),
    );
    const shown = portfolio.textContent;
    for (const { title, category, client, description, tags, metrics, art } of caseStudies) {
      const parts = [
        category,
        client,
        description,
        tags.join(', '),
        ...metrics.flatMap(({ value, label }) => [value, label]),
      ];
      for (const part of parts) expect(shown, title).to.contain(part);
      expect(all('svg').filter((drawing) => drawing.getAttribute('aria-label') === art.alt)).to.have.length(1);
    }
    fireEvent.click(less);
    expect(screen.getByRole('button', { name: 'Show More' }).getAttribute('aria-expanded')).to.equal('false');
  });
});

describe('the careers page', () => {
  it('shows its benefits and, of each position, all facts and requirements', async () => {
    await openPage('/careers');
    for (const { title, description } of careers.hero.benefits)
      expect(itemWith(title).textContent).to.contain(description);
    expect(textsOf('#open-positions h3')).to.deep.equal(jobPostings.map(({ title }) => title));
    for (const { title, department, locations, type, salary, description, requirements } of jobPostings) {
      const posting = all('#open-positions h3')
        .find(({ textContent }) => textContent === title)
        ?.closest('li');
      if (!posting) throw new Error(`no posting ${title}`);
      expect(factsOf(posting)).to.deep.equal([
        `${department} Department`,
        `${locations.join(' / ')} Location`,
        `${type} Type`,
        `${salary} Salary`,
      ]);
      expect(posting.textContent).to.contain(description);
      expect(textsOf('ul li', posting)).to.deep.equal(requirements);
    }
  });

  it('shows each training program with its weeks, which its picture names, and its modules', async () => {
    await openPage('/careers');
    expect(textsOf('#training-programs h3')).to.deep.equal(trainingPrograms.map(({ title }) => title));
    for (const { title, weeks, level, modules } of trainingPrograms) {
      const program = itemWith(title);
      expect(program.textContent).to.contain(`${weeks} weeks`).and.to.contain(level);
      expect(program.querySelector('svg')?.getAttribute('aria-label')).to.match(/layers, one for each week/);
      expect(textsOf('ol li', program)).to.deep.equal(modules);
    }
  });

  for (const [button, position] of [
    ...jobPostings.map(({ title }) => [`${careers.positions.apply} ${title}`, title] as const),
    [careers.training.apply, 'other'] as const,
  ]) {
    it(`selects the position in the form and moves the focus there: ${button}`, async () => {
      await openPage('/careers');
      fireEvent.click(screen.getByRole('button', { name: button }));
      await waitFor(() =>
        expect(document.querySelector<HTMLSelectElement>('[name="position"]')?.value).to.equal(position),
      );
      expect(document.activeElement?.id).to.equal('application-form');
    });
  }
});

describe('the KingRose page', () => {
  it('has its seven sections in order, and its hero leads to two of them', async () => {
    await openPage('/kingrose');
    expect(all('section').map(({ id }) => id)).to.deep.equal([
      'hero',
      'about',
      'niches',
      'services',
      'engagement',
      'why-partner',
      'contact',
    ]);
    expect(linksOf(document.getElementById('hero') ?? document.body)).to.deep.equal([
      ['Request a Discovery Session', '#contact'],
      ['See Our AI Services', '#services'],
    ]);
  });

  it('shows its prices, niches, services, steps and reasons', async () => {
    await openPage('/kingrose');
    expect(factsOf(document.getElementById('about') ?? document.body)).to.deep.equal([
      '$10k-$20k AI tools',
      '$15k Municipal solution',
      '$20k Due diligence example',
    ]);
    for (const [section, entries] of [
      ['niches', kingroseNiches],
      ['services', kingroseServices],
      ['engagement', kingroseSteps],
      ['why-partner', kingrose.why.reasons],
    ] as const) {
      expect(textsOf(`#${section} h3`)).to.deep.equal(entries.map(({ title }) => title));
    }
  });
});

describe('the prices of KingRose in riyals', () => {
  it('are shown once the owner has entered them', async () => {
    const remove = await enterFacts({ kingroseRiyals: 'SAR 37,500 to 75,000' });
    try {
      await openPage('/kingrose');
      expect(document.getElementById('about')?.textContent).to.contain('SAR 37,500 to 75,000');
    } finally {
      remove();
    }
  });
});

describe('the project inquiry page', () => {
  it('has a link to the home page and its four steps, selections before long texts', async () => {
    await openPage('/project-inquiry');
    expect(textsOf('h1')).to.deep.equal(['Project Inquiry']);
    expect(screen.getByText('Back to Home').getAttribute('href')).to.equal('/');
    const steps = all('form [aria-labelledby^="step-"]').map((step) => [
      step.querySelector('h2')?.textContent,
      ...new Set(all('[name]', step).map((field) => field.getAttribute('name'))),
    ]);
    expect(steps).to.deep.equal([
      ['You', 'name', 'email', 'company', 'phone'],
      ['Scope and timing', 'serviceType', 'budget', 'timeframe', 'urgency'],
      ['The project', 'businessDescription', 'projectDescription', 'specificFeatures'],
      ['Success', 'successCriteria', 'competitors'],
    ]);
  });
});

describe('the page of a service', () => {
  for (const { slug, href } of services) {
    it(`${slug} shows its claims, what is included, a form with its own options, and a link home`, async () => {
      const { title, claims, included, steps, form } = servicePageContents[slug];
      const { service, budget, timeframe, urgency } = servicePages[slug];
      await openPage(href);
      expect(textsOf('h1')).to.deep.equal([title]);
      const information = document.querySelector('section') ?? document.body;
      expect(factsOf(information)).to.deep.equal(claims.map(({ value, label }) => `${value} ${label}`));
      expect(textsOf('h2', information)).to.include('What’s included');
      expect(textsOf('ul h3', information)).to.deep.equal(included.map((item) => item.title));
      for (const step of steps?.titles ?? []) within(information).getByText(step);
      const request = screen.getByRole('form', { name: form.heading });
      for (const [name, { label, options }] of Object.entries({ service, budget, timeframe, urgency })) {
        const select = request.querySelector<HTMLSelectElement>(`[name="${name}"]`);
        expect(select?.labels?.[0]?.textContent, name).to.match(new RegExp(`^${label}`));
        expect(textsOf('option', select ?? request).slice(1), name).to.deep.equal(options.map((each) => each.label));
      }
      expect(screen.getByText('Back to Home').getAttribute('href')).to.equal('/');
      expect(all('a').some((link) => link.getAttribute('href') === '#request')).to.equal(true);
    });

    it(`${slug} has a link to a case study below the list of what is included`, async () => {
      await openPage(href);
      const part = screen.getByText('What’s included').parentElement ?? expect.fail('no list');
      const link = part.querySelector('a[href^="/case-studies/"]') ?? expect.fail('no link');
      expect(isBelow(link, all('ul li', part).at(-1) ?? part)).to.equal(true);
    });
  }
});

describe('the page of a case study', () => {
  /** Case studies whose work starts with the discovery form. */
  const withDiscovery: ReadonlySet<string> = new Set(['wadi-sidr', 'sabkha-capital']);
  const forms = {
    'MVP Development': '/services/mvp-development#request',
    'UGC Campaign': '/services/ugc-creatives#request',
    'Lead Generation': '/services/lead-generation#request',
  } as const;

  for (const [index, { slug, title, metrics, category }] of caseStudies.entries()) {
    it(`${slug} tells the problem, the work with three screens, the result and the way on`, async () => {
      await openPage(`/case-studies/${slug}`);
      expect(textsOf('h1')).to.deep.equal([title]);
      expect(textsOf('h2')).to.deep.equal(['The problem', 'What we made', 'The result', caseStudyPage.service]);
      expect(all('figure').map((figure) => all('[role="img"]', figure).length)).to.deep.equal([1, 1, 1]);
      const result = screen.getByText('The result').closest('section') ?? document.body;
      expect(textsOf('dd', result)).to.deep.equal(metrics.map(({ value }) => value));
      expect(screen.getByText(caseStudyPage.start).getAttribute('href')).to.equal(
        withDiscovery.has(slug) ? '/kingrose#contact' : forms[category],
      );
      const next = caseStudies[(index + 1) % caseStudies.length];
      expect(linksOf(document).at(-1)?.[1]).to.equal(`/case-studies/${next?.slug}`);
    });
  }
});

describe('the guide of a form', () => {
  for (const path of ['/', '/project-inquiry', '/careers', '/kingrose', ...services.map(({ href }) => href)]) {
    it(`on ${path} has three steps, the readers and a line in Arabic`, async () => {
      await openPage(path);
      const guide = screen.getByText(formGuideTexts.heading).parentElement ?? document.body;
      expect(textsOf('li', guide)).to.have.length(3);
      expect(guide.textContent).to.include(formGuideTexts.reader);
      expect(textsOf('[lang="ar"][dir="rtl"]')).to.deep.equal([formGuideTexts.arabic]);
    });
  }

  const inHours = `Within ${brand.responsePromiseHours} hours`;
  for (const [path, promise] of [
    ['/', 'Soon'],
    ['/careers', 'Soon'],
    ['/project-inquiry', inHours],
    ['/kingrose', inHours],
    ...services.map(({ href }) => [href, inHours] as const),
  ] as const) {
    it(`on ${path} repeats the response promise of its form`, async () => {
      await openPage(path);
      const times = textsOf('li strong', screen.getByText(formGuideTexts.heading).parentElement ?? document.body);
      expect(times).to.have.length(3);
      expect(times[1]).to.equal(promise);
    });
  }

  for (const path of ['/', '/project-inquiry', '/kingrose']) {
    it(`on ${path} has a link to a case study below its steps`, async () => {
      await openPage(path);
      const guide = screen.getByText(formGuideTexts.heading).parentElement ?? document.body;
      const link = guide.querySelector('a[href^="/case-studies/"]') ?? expect.fail('no link');
      expect(isBelow(link, all('li', guide).at(-1) ?? guide)).to.equal(true);
    });
  }

  it('names the people who answer once the owner has entered them', async () => {
    const remove = await enterFacts({ readers: { contact: 'Layla Haddad' } });
    try {
      await openPage('/');
      const guide = screen.getByText(formGuideTexts.heading).parentElement;
      expect(guide?.textContent).to.contain('Layla Haddad').and.not.to.contain(formGuideTexts.reader);
    } finally {
      remove();
    }
  });
});
