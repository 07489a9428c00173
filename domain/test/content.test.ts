import { expect } from 'chai';
import type { Art } from '@dune-tide/domain/art/art';
import { coverArt, heroArt, heroArtTall, heroLayers } from '@dune-tide/domain/art/hero';
import { notFoundArt } from '@dune-tide/domain/art/not-found';
import { projectInquiryArt } from '@dune-tide/domain/art/project-inquiry';
import { consultingArt, consultingArtTall } from '@dune-tide/domain/art/service-pages/consulting';
import { leadGenerationArt, leadGenerationArtTall } from '@dune-tide/domain/art/service-pages/lead-generation';
import { mvpDevelopmentArt, mvpDevelopmentArtTall } from '@dune-tide/domain/art/service-pages/mvp-development';
import { ugcCreativesArt, ugcCreativesArtTall } from '@dune-tide/domain/art/service-pages/ugc-creatives';
import { serviceArt } from '@dune-tide/domain/art/services';
import type { CaseStudyStory } from '@dune-tide/domain/content/case-study';
import {
  caseStudies,
  featuredCaseStudies,
  highlightCaseStudies,
  moreCaseStudies,
} from '@dune-tide/domain/content/case-studies';
import { caseStudyCategories, caseStudyHeads, caseStudySlugs } from '@dune-tide/domain/content/case-study-heads';
import { home } from '@dune-tide/domain/content/home';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { services } from '@dune-tide/domain/content/services';
import { checkDrawing, describeDrawing } from './describe-drawing.ts';

describe('case studies', () => {
  it('are two featured, three highlights and six more', () => {
    expect(featuredCaseStudies).to.have.length(2);
    expect(highlightCaseStudies).to.have.length(3);
    expect(moreCaseStudies).to.have.length(6);
    expect(caseStudies).to.have.length(11);
  });

  it('have unique slugs, titles, clients and drawings', () => {
    for (const key of ['slug', 'title', 'client', 'art'] as const) {
      expect(new Set(caseStudies.map((study) => study[key])).size, key).to.equal(caseStudies.length);
    }
    for (const { slug } of caseStudies) expect(slug).to.match(/^[a-z]+(-[a-z]+)*$/);
  });

  it('cover every category', () => {
    expect(new Set(caseStudies.map((study) => study.category))).to.deep.equal(new Set(caseStudyCategories));
  });

  for (const study of caseStudies) {
    describe(study.slug, () => {
      it('has a description of two or three sentences and at most 320 characters', () => {
        expect(study.description.length).to.be.at.most(320);
        expect(study.description.match(/[.!?](?=\s|$)/g)?.length).to.be.within(2, 3);
      });

      it('has two to four figures and three to five tags', () => {
        expect(study.metrics.length).to.be.within(2, 4);
        for (const { value, label } of study.metrics) {
          expect(value.length).to.be.within(1, 8);
          expect(label.length).to.be.within(1, 40);
        }
        expect(study.tags.length).to.be.within(3, 5);
        expect(new Set(study.tags).size).to.equal(study.tags.length);
      });

      it('has a drawing in 4:3', () => {
        expect(study.art.width * 3).to.equal(study.art.height * 4);
      });

      describeDrawing(study.art);
    });
  }
});

describe('the pages of the case studies', () => {
  it('have the slugs of the case studies, in their order', () => {
    expect(caseStudies.map(({ slug }) => slug)).to.deep.equal(caseStudySlugs);
    for (const slug of caseStudySlugs) expect(caseStudyHeads[slug].slug).to.equal(slug);
  });

  for (const slug of caseStudySlugs) {
    describe(slug, () => {
      let story: CaseStudyStory;
      before(async () => {
        ({ story } = (await import(`@dune-tide/domain/content/case-study-stories/${slug}`)) as {
          story: CaseStudyStory;
        });
      });

      it('belongs to its case study and to the service of its category', () => {
        expect(story.study.slug).to.equal(slug);
        expect(story.service).to.equal(
          {
            'MVP Development': 'mvp-development',
            'UGC Campaign': 'ugc-creatives',
            'Lead Generation': 'lead-generation',
          }[story.study.category],
        );
      });

      it('shows a wide, a tall and a wide screen whose texts are inside', () => {
        const screens = story.screens.map(({ screen }) => screen);
        expect(screens.map(({ width, height }) => width / height)).to.deep.equal([4 / 3, 2 / 3, 4 / 3]);
        for (const screen of screens) {
          checkDrawing(screen);
          for (const { x, y, size, text } of screen.texts) {
            expect(x, text).to.be.within(0, screen.width);
            expect(y, text).to.be.within(size * 0.7, screen.height);
          }
        }
      });
    });
  }
});

describe('the picture of the studio', () => {
  it('exists in landscape and portrait format', () => {
    expect([heroArt.width, heroArt.height]).to.deep.equal([1600, 900]);
    expect([heroArtTall.width, heroArtTall.height]).to.deep.equal([900, 1200]);
  });

  it('is the sky with the layers of the home page', () => {
    for (const [art, layers] of [
      [heroArt, heroLayers.wide],
      [heroArtTall, heroLayers.tall],
    ] as const) {
      expect(art.shapes.slice(1)).to.deep.equal(layers.flatMap((layer) => layer.art.shapes));
    }
  });

  describe('wide', () => describeDrawing(heroArt));
  describe('tall', () => describeDrawing(heroArtTall));
  describe('on the cover', () => describeDrawing(coverArt));
});

describe('services', () => {
  it('have the agreed texts', () => {
    expect(services.map(({ title, features }) => [title, ...features])).to.deep.equal([
      ['UGC Creatives', 'Content Strategy & Planning', 'Creator Network Management', 'Performance Analytics'],
      [
        'Development Services',
        'MVP & Rapid Prototyping',
        'Custom AI Tools & Automation',
        'Data Dashboards & Analytics',
      ],
      ['Lead Generation', 'Automated Workflows', 'CRM Integration', 'Performance Tracking'],
      ['Consulting', 'Strategic Planning', 'Process Optimization', 'Market Analysis'],
    ]);
  });

  it('link to the pages of their services', () => {
    expect(services.map(({ href }) => href)).to.deep.equal([
      '/services/ugc-creatives',
      '/services/mvp-development',
      '/services/lead-generation',
      '/services/consulting',
    ]);
  });

  for (const { slug } of services) {
    describe(slug, () => {
      it('has a square drawing', () => {
        expect(serviceArt[slug].width).to.equal(serviceArt[slug].height);
      });

      describeDrawing(serviceArt[slug]);
    });
  }
});

describe('home page', () => {
  it('has the agreed headline and calls to action', () => {
    expect(home.hero.headline.toLowerCase()).to.contain('impactful digital solutions');
    expect([home.hero.startProject, home.hero.viewWork]).to.deep.equal(['Start Your Project', 'View Our Work']);
    expect(home.services.heading).to.equal('Our Expertise');
  });

  it('has the five steps of the engagement and the five audiences', () => {
    expect(home.engagement.steps.map(({ title }) => title)).to.deep.equal([
      'Discovery',
      'Strategic Blueprint',
      'Development',
      'Training',
      'Partnership',
    ]);
    expect(home.audiences.groups).to.have.length(5);
  });
});

describe('the service pages', () => {
  it('have the agreed titles', () => {
    expect(Object.values(servicePageContents).map(({ title }) => title)).to.deep.equal([
      'UGC Creatives',
      'Development Services',
      'Lead Generation',
      'Strategic Consulting',
    ]);
  });

  it('contain only the agreed figures', () => {
    const claims = Object.values(servicePageContents).flatMap((page) =>
      page.claims.map(({ value, label }) => `${value} ${label}`),
    );
    expect(claims).to.deep.equal([
      '500+ verified creators',
      '340% engagement',
      '180% conversion',
      '4-8 weeks to your MVP',
      '95% targeting accuracy',
      '300% more qualified leads',
      '45% better conversion in 90 days',
      '150% average ROI in 12 months',
    ]);
    expect(servicePageContents['ugc-creatives'].included.map(({ title }) => title)).to.include(
      '30-day campaign support',
    );
    expect(servicePageContents.consulting.steps).to.deep.equal({
      heading: 'A 5-step engagement',
      titles: ['Discovery', 'Strategic Blueprint', 'Development', 'Training', 'Partnership'],
    });
  });

  const drawings = {
    'UGC Creatives': [ugcCreativesArt, ugcCreativesArtTall],
    'Development Services': [mvpDevelopmentArt, mvpDevelopmentArtTall],
    'Lead Generation': [leadGenerationArt, leadGenerationArtTall],
    'Strategic Consulting': [consultingArt, consultingArtTall],
  };
  for (const [title, [wide, tall]] of Object.entries(drawings) as [string, [Art, Art]][]) {
    describe(`the wide drawing of ${title}`, () => describeDrawing(wide));
    describe(`the drawing of ${title} beside the form`, () => describeDrawing(tall));
  }
});

describe('the drawing of the project inquiry', () => describeDrawing(projectInquiryArt));

describe('the drawing for unknown addresses', () => describeDrawing(notFoundArt));
