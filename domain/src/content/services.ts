import type { Service } from './service.ts';
import { serviceHeads } from './service-heads.ts';

/** The service cards of the home page. */
export const services: readonly Service[] = [
  {
    ...serviceHeads['ugc-creatives'],
    description:
      'User-generated content: films and pictures made by people who use what you sell. We cast and brief the creators, and measure what each piece does.',
    features: ['Content Strategy & Planning', 'Creator Network Management', 'Performance Analytics'],
  },
  {
    ...serviceHeads['mvp-development'],
    description:
      'From a first sketch to software in use: MVPs, internal AI tools, dashboards and AI pilot projects, built to be kept.',
    features: ['MVP & Rapid Prototyping', 'Custom AI Tools & Automation', 'Data Dashboards & Analytics'],
  },
  {
    ...serviceHeads['lead-generation'],
    description:
      'A system that finds the right firms, starts the conversation and hands it to your team with the notes already in the CRM.',
    features: ['Automated Workflows', 'CRM Integration', 'Performance Tracking'],
  },
  {
    ...serviceHeads['consulting'],
    description:
      'A second pair of eyes on strategy, process and market, ending in a plan that names who does what, and by when.',
    features: ['Strategic Planning', 'Process Optimization', 'Market Analysis'],
  },
];
