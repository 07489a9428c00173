import { brand } from '@dune-tide/domain/brand';
import { careers, jobPostings, trainingPrograms } from '@dune-tide/domain/content/careers';
import { caseStudies, featuredCaseStudies, highlightCaseStudies } from '@dune-tide/domain/content/case-studies';
import { caseStudyPage } from '@dune-tide/domain/content/case-study-page';
import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import { home } from '@dune-tide/domain/content/home';
import { kingrose, kingroseNiches, kingroseServices, kingroseSteps } from '@dune-tide/domain/content/kingrose';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { services } from '@dune-tide/domain/content/services';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { MemoryRouter } from 'react-router-dom';
import { SiteFooter } from '../../src/layouts/site/SiteFooter.tsx';
import { SiteHeader } from '../../src/layouts/site/SiteHeader.tsx';

async function openPage(path: string): Promise<void> {
  // Imported as pages import their forms, because mocha requires this file, and its own imports are other instances.
  const [router, { pages }, { loadForms }] = await Promise.all([
    import('react-router-dom'),
    import('../../src/app/pages.ts'),
    import('../../src/form/lazy-form.tsx'),
  ]);
  const page = pages.find((each) => each.path === path) ?? expect.fail(`no page ${path}`);
  const Page = await page.load();
  await loadForms();
  render(
    <router.MemoryRouter initialEntries={[path]}>
      <Page />
    </router.MemoryRouter>,
  );
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
});
