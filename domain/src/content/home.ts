import { brand } from '../brand.ts';
import { homeHero } from './home-hero.ts';
import { portfolioFile } from './portfolio-file.ts';

/** The texts of the home page, in the order of the page (docs/PRODUCT.md, "Home page"). */
export const home = {
  hero: homeHero,
  services: {
    heading: 'Our Expertise',
    introduction: 'Four crafts under one roof. Take one on its own, or let them work toward the same goal.',
    learnMore: 'Learn More',
  },
  engagement: {
    heading: 'How we work',
    introduction: 'Every engagement follows the same five steps, and you see the end of each one before it starts.',
    steps: [
      {
        title: 'Discovery',
        description: 'We listen, look at the figures and write down the problem in words that you agree with.',
      },
      {
        title: 'Strategic Blueprint',
        description: 'What we will make, what we will leave out, how success is measured, and what it costs.',
      },
      {
        title: 'Development',
        description: 'We build in short rounds. You see working pieces early and steer with them.',
      },
      {
        title: 'Training',
        description: 'Your people learn to run what we made, with their own data and their own questions.',
      },
      {
        title: 'Partnership',
        description: 'We stay within reach, read the results with you, and decide together what to do next.',
      },
    ],
    promise: {
      value: `${brand.responsePromiseHours} hours`,
      text: `Tell us about a project and you will have an answer within ${brand.responsePromiseHours} hours.`,
    },
  },
  audiences: {
    heading: 'Who we work with',
    introduction: 'Five kinds of client. We start from how your day works now.',
    groups: [
      {
        title: 'Companies',
        href: '/project-inquiry',
        description: 'Brands and firms with something to launch, to sell or to stop doing by hand.',
      },
      {
        title: 'VC firms',
        href: '/kingrose',
        description: 'Deals and portfolio figures in one place, and MVPs for the founders you back.',
      },
      {
        title: 'Private equity',
        href: '/kingrose',
        description: 'Tools for due diligence and portfolio reporting, built around how your team decides.',
      },
      {
        title: 'Family offices',
        href: '/kingrose',
        description: 'A quiet, complete view of holdings and scenarios, made for a small team.',
      },
      {
        title: 'Municipalities',
        href: '/kingrose',
        description: 'Requests, permits and services that residents can follow and officials can finish.',
      },
    ],
  },
  portfolio: {
    heading: 'Portfolio',
    introduction: 'Work we can put numbers to, from a grocer in Riyadh to a surf school in Muizenberg.',
    showMore: 'Show More',
    more: 'More case studies',
    showLess: 'Show Less',
    viewAll: 'View All Projects',
    viewAllHint: 'All eleven as a PDF, by email',
    viewAllSize: `${portfolioFile.pages} pages, ${portfolioFile.kilobytes} kB`,
    invitation: 'Is yours the next one?',
  },
  contact: {
    heading: 'Tell us what you have in mind',
    introduction: 'A few lines are enough to start. We’ll get back to you soon.',
    messageHint: 'What you have in mind, in a sentence or two',
  },
} as const;
