import type { jobTitles } from '../forms/career-application.ts';

export interface JobPosting {
  readonly title: (typeof jobTitles)[number];
  readonly department: 'Creative' | 'Development' | 'Marketing';
  /** Places of work, shown with slashes between them. */
  readonly locations: readonly ('Riyadh' | 'Cape Town' | 'Remote')[];
  readonly type: 'Full-time' | 'Internship';
  readonly salary: string;
  readonly description: string;
  readonly requirements: readonly string[];
}

export interface TrainingProgram {
  readonly title: 'UGC Mastery Program' | 'MVP Development Bootcamp' | 'Lead Generation Certification';
  readonly weeks: number;
  readonly level: string;
  readonly description: string;
  readonly modules: readonly string[];
}

export const jobPostings: readonly JobPosting[] = [
  {
    title: 'Senior UGC Content Creator',
    department: 'Creative',
    locations: ['Riyadh'],
    type: 'Full-time',
    salary: '15,000-25,000 SAR',
    description:
      'You lead the short films that carry our brand work, from the first idea to the last cut. You cast and brief creators, hold the camera when it matters, and read the figures afterward to make the next piece better.',
    requirements: [
      'Five years or more of making video for brands, with pieces we can watch',
      'A sure hand with hooks, pacing and sound in vertical formats',
      'Experience briefing creators and giving notes that help them',
      'You can say why a piece worked, and show it in the numbers',
      'Arabic and English, spoken and written',
    ],
  },
  {
    title: 'Full Stack Developer',
    department: 'Development',
    locations: ['Cape Town', 'Remote'],
    type: 'Full-time',
    salary: 'R45,000-R65,000',
    description:
      'You build MVPs, dashboards and internal AI tools from database to user interface, in short rounds that the client sees. You choose plain solutions, test what matters and hand over code that others enjoy reading.',
    requirements: [
      'Two years or more with TypeScript, in the browser and on the server',
      'React, a SQL database and an HTTP API that you designed yourself',
      'You write tests because you want to change things later',
      'An eye for interfaces: keyboard, small screens, slow networks',
      'You explain a trade-off to a founder without jargon',
    ],
  },
  {
    title: 'Lead Generation Specialist',
    department: 'Marketing',
    locations: ['Riyadh'],
    type: 'Full-time',
    salary: '12,000-20,000 SAR',
    description:
      'You build the systems that find the right firms, start the conversation and hand it to our clients’ teams with the notes in place. You care more about ten good replies than a thousand sent messages.',
    requirements: [
      'Two years or more in B2B outreach, by email and on LinkedIn',
      'Confident with at least one CRM and with automating around it',
      'You write short messages that people answer',
      'You read a funnel, find the leak and test one change at a time',
      'Arabic and English, spoken and written',
    ],
  },
  {
    title: 'Junior Developer Internship',
    department: 'Development',
    locations: ['Riyadh', 'Cape Town'],
    type: 'Internship',
    salary: 'Paid',
    description:
      'You learn the trade on real projects, beside a developer who reviews every change with you. You start with small repairs, move on to whole features and finish with something in use that you can show.',
    requirements: [
      'You have built something with HTML, CSS and JavaScript and can walk us through it',
      'Basic Git: branches, commits, a pull request',
      'You ask when you are stuck, and say what you have tried',
      'English for daily work; Arabic is welcome in Riyadh',
    ],
  },
];

export const trainingPrograms: readonly TrainingProgram[] = [
  {
    title: 'UGC Mastery Program',
    weeks: 8,
    level: 'Beginner to intermediate',
    description: 'For people with a phone and a good eye who want to make pieces that brands use.',
    modules: [
      'Hooks, stories and formats',
      'Light, sound and framing with a phone',
      'Editing for vertical screens',
      'Briefs, rights and fees',
      'Reading results and improving on them',
    ],
  },
  {
    title: 'MVP Development Bootcamp',
    weeks: 12,
    level: 'Intermediate',
    description: 'For developers who want to take a product from a first sketch to its first users.',
    modules: [
      'From an idea to a scope that fits',
      'Data models and APIs',
      'Interfaces with React',
      'Tests and continuous delivery',
      'AI features that earn their place',
      'Launch, measure, decide',
    ],
  },
  {
    title: 'Lead Generation Certification',
    weeks: 6,
    level: 'All levels',
    description: 'For marketers and founders who want a pipeline that they understand.',
    modules: [
      'Who to reach, and who to leave alone',
      'Messages that get answered',
      'Automated workflows and CRM integration',
      'Qualifying, tracking and handing over',
    ],
  },
];

/** The other texts of the careers page, in the order of the page. */
export const careers = {
  name: 'Careers and Training',
  hero: {
    headline: 'Grow where the dune meets the tide',
    introduction:
      'Join the people who make our creatives, software and lead generation systems, or learn their crafts in one of our training programs.',
    toPositions: 'See Open Positions',
    toTraining: 'See Training Programs',
    benefits: [
      {
        title: 'Two cities, one studio',
        description: 'Riyadh and Cape Town work on the same projects, so you learn how both think.',
      },
      {
        title: 'The pay is in the posting',
        description: 'You know the range before you write to us, and the internship is paid.',
      },
      {
        title: 'Learning is part of the work',
        description: 'Three programs teach what we practice, from the first week to the last.',
      },
    ],
  },
  positions: {
    heading: 'Open Positions',
    introduction: 'Four seats at the table. If none of them is yours, write to us anyway.',
    requirements: 'What you bring',
    apply: 'Apply Now',
  },
  training: {
    heading: 'Training Programs',
    introduction: 'Three courses, one layer a week. To join one, send us a general application.',
    modules: 'Modules',
    apply: 'Apply for a Program',
  },
  application: {
    heading: 'Apply',
    introduction:
      'Tell us who you are and show us what you have made. We review every application and get back to you.',
    sections: { person: 'About you', role: 'The position', work: 'Your work' },
    portfolioHint: 'A site, reel or repository, starting with https://',
    coverLetterHint: 'Why this position, and what to look at first',
  },
} as const;

/** The posting date of the positions, for search engines. */
export const jobPostingsOpenedOn = '2026-11-01';
