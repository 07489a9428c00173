import { expect } from 'chai';
import { experienceLevels, positions } from '../src/forms/career-application.ts';
import { contactServices } from '../src/forms/contact.ts';
import {
  discoveryInterests,
  discoveryTimeframes,
  investmentRanges,
  organizationTypes,
} from '../src/forms/discovery.ts';
import type { Option } from '../src/forms/option.ts';
import {
  projectBudgets,
  projectServiceTypes,
  projectTimeframes,
  projectUrgencies,
} from '../src/forms/project-inquiry.ts';
import { recipeCategories, recipeDifficulties } from '../src/forms/recipe.ts';
import { servicePages } from '../src/forms/service-pages.ts';
import { maxLength } from '../src/limits.ts';

const ugc = servicePages['ugc-creatives'];
const mvp = servicePages['mvp-development'];
const leads = servicePages['lead-generation'];
const consulting = servicePages['consulting'];

/** Selections that send their labels, with the agreed labels. */
const sentAsShown: readonly (readonly [name: string, options: readonly Option[], line: string])[] = [
  [
    'project inquiry: service types',
    projectServiceTypes,
    'MVP Development; UGC Content Creation; Lead Generation System; Business Strategy Consulting; Custom Web Development; Mobile App Development; AI Integration; Digital Transformation; Not Sure - Need Consultation',
  ],
  [
    'project inquiry: budgets',
    projectBudgets,
    "$2,500-$5,000; $5,000-$10,000; $10,000-$25,000; $25,000-$50,000; $50,000-$100,000; $100,000+; Let's discuss",
  ],
  [
    'project inquiry: timeframes',
    projectTimeframes,
    '1-2 weeks; 2-4 weeks; 4-6 weeks; 6-8 weeks; 2-3 months; 3-6 months; 6+ months; Flexible',
  ],
  ['project inquiry: urgency', projectUrgencies, 'Low; Medium; High; Critical'],
  [
    'discovery: organization types',
    organizationTypes,
    'VC Firm; Private Equity; Family Office; Municipality/Local Government; Regional Government Agency; Other Investment Firm',
  ],
  [
    'discovery: investment ranges',
    investmentRanges,
    "$10,000-$20,000; $20,000-$50,000; $50,000-$100,000; $100,000-$250,000; $250,000+; Let's discuss",
  ],
  [
    'discovery: timeframes',
    discoveryTimeframes,
    '1-2 months; 3-4 months; 5-6 months; 6-12 months; 12+ months; Flexible',
  ],
  [
    'discovery: interests',
    discoveryInterests,
    'Portfolio Monitoring & Deal Tracking; Automated Due Diligence Tools; Investment Scenario Planning; Municipal Workflow Automation; Citizen Service Enhancement; Data Analytics Dashboards; AI Strategy Consulting; Multiple Solutions',
  ],
  [
    'UGC page: services',
    ugc.service.options,
    'Video Testimonials; Product Unboxing Videos; Tutorial & How-to Content; Brand Story Videos; Social Media Campaigns; Influencer Partnerships; Product Reviews; Behind-the-Scenes Content',
  ],
  [
    'UGC page: budgets',
    ugc.budget.options,
    '$2,000-$5,000; $5,000-$10,000; $10,000-$25,000; $25,000-$50,000; $50,000+',
  ],
  ['UGC page: timeframes', ugc.timeframe.options, '1-2 weeks; 3-4 weeks; 1-2 months; 3-6 months; 6+ months'],
  [
    'UGC page: urgency',
    ugc.urgency.options,
    'Low - Flexible timeline; Medium - Standard priority; High - Rush delivery needed; Critical - ASAP required',
  ],
  [
    'MVP page: services',
    mvp.service.options,
    'Web Application MVP; Mobile App MVP (iOS/Android); SaaS Platform MVP; E-commerce Platform; API & Backend Development; AI/ML Integration; Internal AI Tools Development; Custom Dashboard Creation; AI Pilot Projects; Blockchain Application; IoT Solution MVP',
  ],
  [
    'MVP page: budgets',
    mvp.budget.options,
    '$5,000-$15,000; $15,000-$30,000; $30,000-$50,000; $50,000-$100,000; $100,000+',
  ],
  ['MVP page: timeframes', mvp.timeframe.options, '4-6 weeks; 6-8 weeks; 2-3 months; 3-6 months; 6+ months'],
  [
    'MVP page: urgency',
    mvp.urgency.options,
    'Low - Quality over speed; Medium - Balanced approach; High - Fast delivery needed; Critical - Launch ASAP',
  ],
  [
    'Lead Generation page: services',
    leads.service.options,
    'LinkedIn Lead Generation; B2B Email Marketing; Cold Outreach Campaigns; Sales Funnel Development; Lead Qualification Systems; CRM Integration & Automation; Multi-Channel Campaigns; Lead Nurturing Workflows',
  ],
  [
    'Lead Generation page: monthly budgets',
    leads.budget.options,
    '$1,500-$3,000/month; $3,000-$5,000/month; $5,000-$10,000/month; $10,000-$20,000/month; $20,000+/month',
  ],
  [
    'Lead Generation page: durations',
    leads.timeframe.options,
    '2-4 weeks setup; 1-2 months; 3-6 months; 6-12 months; 12+ months',
  ],
  [
    'Lead Generation page: priority',
    leads.urgency.options,
    'Low - Strategy focused; Medium - Steady growth; High - Aggressive scaling; Critical - Need leads now',
  ],
  [
    'Consulting page: areas',
    consulting.service.options,
    'Digital Strategy Consulting; Business Growth Planning; Marketing Optimization; Technology Roadmapping; Process Automation; Performance Analytics; Competitive Analysis; Market Research & Insights',
  ],
  [
    'Consulting page: budgets',
    consulting.budget.options,
    '$2,500-$5,000; $5,000-$10,000; $10,000-$25,000; $25,000-$50,000; $50,000+',
  ],
  [
    'Consulting page: timelines',
    consulting.timeframe.options,
    '2-4 weeks; 1-2 months; 3-6 months; 6-12 months; Ongoing partnership',
  ],
  [
    'Consulting page: priority',
    consulting.urgency.options,
    'Low - Strategic planning; Medium - Standard timeline; High - Urgent decisions needed; Critical - Crisis management',
  ],
];

/** Selections that send other values than their labels. */
const sentByValue: readonly (readonly [
  name: string,
  options: readonly Option[],
  pairs: readonly [string, string][],
])[] = [
  [
    'contact: services',
    contactServices,
    [
      ['ugc', 'UGC Brand Creatives'],
      ['mvp', 'MVP Development'],
      ['leadgen', 'Lead Generation Systems'],
      ['all', 'All Services'],
    ],
  ],
  [
    'careers: positions',
    positions,
    [
      ['Senior UGC Content Creator', 'Senior UGC Content Creator'],
      ['Full Stack Developer', 'Full Stack Developer'],
      ['Lead Generation Specialist', 'Lead Generation Specialist'],
      ['Junior Developer Internship', 'Junior Developer Internship'],
      ['other', 'Other / General Application'],
    ],
  ],
  [
    'careers: experience',
    experienceLevels,
    [
      ['entry', 'Entry Level (0-2 years)'],
      ['mid', 'Mid Level (2-5)'],
      ['senior', 'Senior Level (5+)'],
      ['lead', 'Lead/Manager (8+)'],
    ],
  ],
  [
    'recipes: categories',
    recipeCategories,
    [
      ['development', 'Development'],
      ['design', 'Design'],
      ['marketing', 'Marketing'],
      ['process', 'Process'],
      ['client-management', 'Client Management'],
    ],
  ],
  [
    'recipes: difficulty',
    recipeDifficulties,
    [
      ['easy', 'Easy'],
      ['medium', 'Medium'],
      ['hard', 'Hard'],
      ['expert', 'Expert'],
    ],
  ],
];

describe('the option lists', () => {
  for (const [name, list, line] of sentAsShown) {
    it(`${name} have the agreed labels and send them`, () => {
      expect(list.map(({ label }) => label)).to.deep.equal(line.split('; '));
      expect(list.map(({ value }) => value)).to.deep.equal(line.split('; '));
    });
  }

  for (const [name, list, pairs] of sentByValue) {
    it(`${name} have the agreed values and labels`, () => {
      expect(list.map(({ value, label }) => [value, label])).to.deep.equal(pairs);
    });
  }

  for (const [name, list] of [...sentAsShown, ...sentByValue]) {
    it(`${name} have unique values within the length limit`, () => {
      for (const { value } of list) expect(Array.from(value).length, value).to.be.within(1, maxLength.selection);
      expect(new Set(list.map(({ value }) => value)).size).to.equal(list.length);
    });
  }

  it('describe each urgency of a project inquiry', () => {
    for (const { value, description } of projectUrgencies) expect(description, value).to.have.length.above(10);
  });

  it('exist for four service pages, each with its service type', () => {
    expect(Object.entries(servicePages).map(([slug, page]) => [slug, page.serviceType])).to.deep.equal([
      ['ugc-creatives', 'UGC Creatives'],
      ['mvp-development', 'MVP Development'],
      ['lead-generation', 'Lead Generation'],
      ['consulting', 'Consulting'],
    ]);
  });
});
