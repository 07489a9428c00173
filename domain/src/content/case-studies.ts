import { jabalTrail } from '../art/case-studies/jabal-trail.ts';
import { lulwaSkincare } from '../art/case-studies/lulwa-skincare.ts';
import { marsaFreight } from '../art/case-studies/marsa-freight.ts';
import { naraSolar } from '../art/case-studies/nara-solar.ts';
import { quaysideWorks } from '../art/case-studies/quayside-works.ts';
import { rutabGrowers } from '../art/case-studies/rutab-growers.ts';
import { sabkhaCapital } from '../art/case-studies/sabkha-capital.ts';
import { tamraMarket } from '../art/case-studies/tamra-market.ts';
import { umoyaSurf } from '../art/case-studies/umoya-surf.ts';
import { wadiSidr } from '../art/case-studies/wadi-sidr.ts';
import { witklipRoasters } from '../art/case-studies/witklip-roasters.ts';
import type { CaseStudy } from './case-study.ts';

/** Every case study, in the order of the site and of the portfolio PDF. */
export const caseStudies: readonly CaseStudy[] = [
  {
    slug: 'tamra-market',
    placement: 'featured',
    title: 'Groceries at the gate in forty minutes',
    category: 'MVP Development',
    client: 'Tamra Market, Riyadh',
    description:
      'A family grocer with four shops was taking evening orders by phone and losing one in six. We built an ordering app and a driver view that routes each basket from the nearest shop. The first district went live in seven weeks, the other three a month later.',
    art: tamraMarket,
    metrics: [
      { value: '7 weeks', label: 'from blueprint to first order' },
      { value: '38 min', label: 'median time to the gate' },
      { value: '1 in 50', label: 'orders lost, down from one in six' },
      { value: '2,400', label: 'orders a week by month four' },
    ],
    tags: ['Mobile app', 'Route planning', 'Payments', 'Arabic and English'],
  },
  {
    slug: 'witklip-roasters',
    placement: 'featured',
    title: 'Sixty kitchens, one coffee',
    category: 'UGC Campaign',
    client: 'Witklip Roasters, Cape Town',
    description:
      'Witklip sold well in cafés but hardly at all online. Sixty home brewers each received the same plain box and filmed the first cup in their own kitchen, with no script. The forty best cuts ran as paid posts for eight weeks and now carry the product pages.',
    art: witklipRoasters,
    metrics: [
      { value: '60', label: 'creators in eleven towns' },
      { value: '2.9×', label: 'online orders in eight weeks' },
      { value: '41%', label: 'lower cost per first order' },
    ],
    tags: ['Unboxing', 'Paid social', 'Product pages', 'Creator casting'],
  },
  {
    slug: 'wadi-sidr',
    placement: 'highlight',
    title: 'A town that reads its own numbers',
    category: 'MVP Development',
    client: 'Wadi Sidr Municipality',
    description:
      'Street lights, water leaks and permits each lived in a different spreadsheet. One dashboard now shows every open request by quarter and age, and tells the duty officer which to close first.',
    art: wadiSidr,
    metrics: [
      { value: '9 days', label: 'to close a request, down from 23' },
      { value: '14', label: 'spreadsheets retired' },
    ],
    tags: ['Dashboard', 'Municipal', 'Workflow automation'],
  },
  {
    slug: 'marsa-freight',
    placement: 'highlight',
    title: 'A clear channel for freight inquiries',
    category: 'Lead Generation',
    client: 'Marsa Freight, Dammam',
    description:
      'Four salespeople chased every inquiry alike, from one pallet to a chartered ship. We scored them by lane, volume and date, answered the small ones automatically and put the rest into the CRM with a named owner.',
    art: marsaFreight,
    metrics: [
      { value: '3.1×', label: 'qualified inquiries a month' },
      { value: '25 min', label: 'to a first answer, down from a day' },
    ],
    tags: ['Lead scoring', 'CRM integration', 'B2B email'],
  },
  {
    slug: 'lulwa-skincare',
    placement: 'highlight',
    title: 'Thirty mornings with Lulwa',
    category: 'UGC Campaign',
    client: 'Lulwa Skincare, Jeddah',
    description:
      'A new serum needed proof rather than polish. Twelve women filmed the same minute of their morning for thirty days, in their own light, and the series became the launch.',
    art: lulwaSkincare,
    metrics: [
      { value: '360', label: 'clips from twelve creators' },
      { value: '6.8%', label: 'engagement, up from 2.1%' },
    ],
    tags: ['Launch', 'Vertical video', 'Testimonials'],
  },
  {
    slug: 'nara-solar',
    placement: 'more',
    title: 'Site surveys for flat roofs',
    category: 'Lead Generation',
    client: 'Nara Solar, Windhoek',
    description:
      'Nara fits panels on warehouses, and most inquiries came from houses. We mapped 3,100 commercial roofs from open aerial imagery and wrote to their owners with the yield of their own roof. A short call replaced the brochure.',
    art: naraSolar,
    metrics: [
      { value: '212', label: 'site surveys booked in a year' },
      { value: '1 in 4', label: 'surveys became an order' },
      { value: '−54%', label: 'cost per survey' },
    ],
    tags: ['Outreach', 'Data enrichment', 'Landing pages'],
  },
  {
    slug: 'sabkha-capital',
    placement: 'more',
    title: 'A data room read by lunchtime',
    category: 'MVP Development',
    client: 'Sabkha Capital, Abu Dhabi',
    description:
      'Two analysts spent their first week on each deal reading contracts. An internal tool now reads the data room overnight, marks the clauses that matter and cites the page for each finding. The analysts start with the questions.',
    art: sabkhaCapital,
    metrics: [
      { value: '5 h', label: 'to a first memo, down from five days' },
      { value: '100%', label: 'of findings cite their page' },
      { value: '31', label: 'deals read in the first six months' },
    ],
    tags: ['Internal AI tool', 'Due diligence', 'Private equity'],
  },
  {
    slug: 'jabal-trail',
    placement: 'more',
    title: 'A desert race, filmed from inside',
    category: 'UGC Campaign',
    client: 'Jabal Trail Series, AlUla',
    description:
      'A second-year trail race had fine aerial films and few entries. Twenty-five runners carried a phone and a short shot list over the course, and their clips told the next field what the climb feels like.',
    art: jabalTrail,
    metrics: [
      { value: '1,150', label: 'entries, up from 420' },
      { value: '25', label: 'runners with a phone' },
      { value: '4.2M', label: 'views before entries closed' },
    ],
    tags: ['Event', 'Behind the scenes', 'Short video'],
  },
  {
    slug: 'quayside-works',
    placement: 'more',
    title: 'Nine floors leased before the scaffolding came down',
    category: 'Lead Generation',
    client: 'Quayside Works, Durban',
    description:
      'A converted grain store had nine floors to lease and a list of cold contacts. We traced 640 firms whose leases were about to end, wrote to each about the floor that fit it, and sent replies straight into the agents’ calendar.',
    art: quaysideWorks,
    metrics: [
      { value: '9 of 9', label: 'floors leased in five months' },
      { value: '86', label: 'viewings from 640 firms' },
    ],
    tags: ['Commercial property', 'Email sequences', 'CRM integration'],
  },
  {
    slug: 'rutab-growers',
    placement: 'more',
    title: 'Water where the roots are',
    category: 'MVP Development',
    client: 'Rutab Growers, Al-Ahsa',
    description:
      'A cooperative of date farmers watered by the calendar. We paired soil sensors with a phone app that works on a weak signal and says which plot is thirsty tonight. Forty plots took part in the pilot through one summer.',
    art: rutabGrowers,
    metrics: [
      { value: '−27%', label: 'water used over the summer' },
      { value: '40', label: 'plots in the pilot' },
      { value: '8 weeks', label: 'to the first reading' },
    ],
    tags: ['IoT pilot', 'Works offline', 'Agriculture'],
  },
  {
    slug: 'umoya-surf',
    placement: 'more',
    title: 'First waves, kept honest',
    category: 'UGC Campaign',
    client: 'Umoya Surf School, Muizenberg',
    description:
      'Beginners’ own clips, falls included, did what the glossy reel had not: they showed that anyone can start. We set up one consent form, one upload link and a weekly cut that the school makes itself.',
    art: umoyaSurf,
    metrics: [
      { value: '74%', label: 'of winter lessons filled, up from 46%' },
      { value: '520', label: 'clips in one season' },
      { value: '2 h', label: 'a week to run it' },
    ],
    tags: ['Social media', 'Consent and upload', 'Tourism'],
  },
];

/** The two large cards. */
export const featuredCaseStudies = caseStudies.filter((study) => study.placement === 'featured');

/** The three small cards. */
export const highlightCaseStudies = caseStudies.filter((study) => study.placement === 'highlight');

/** The six behind Show More. */
export const moreCaseStudies = caseStudies.filter((study) => study.placement === 'more');
