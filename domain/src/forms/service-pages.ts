import type { Service } from '../content/service.ts';
import { options } from './option.ts';
import type { Option } from './option.ts';

/** A select field of a service page's form. */
export interface ServicePageSelection {
  readonly label: string;
  readonly options: readonly Option[];
}

/** The labels and options of a service page's form. The rules of all four are in `serviceInquiryForm`. */
export interface ServicePageQuestions {
  /** Sent with the visitor's fields. */
  readonly serviceType: string;
  readonly service: ServicePageSelection;
  readonly budget: ServicePageSelection;
  readonly timeframe: ServicePageSelection;
  readonly urgency: ServicePageSelection;
}

/** The forms of the four service pages, by slug (docs/PRODUCT.md, "Service forms"). */
export const servicePages = {
  'ugc-creatives': {
    serviceType: 'UGC Creatives',
    service: {
      label: 'Service',
      options: options(
        'Video Testimonials',
        'Product Unboxing Videos',
        'Tutorial & How-to Content',
        'Brand Story Videos',
        'Social Media Campaigns',
        'Influencer Partnerships',
        'Product Reviews',
        'Behind-the-Scenes Content',
      ),
    },
    budget: {
      label: 'Budget',
      options: options('$2,000-$5,000', '$5,000-$10,000', '$10,000-$25,000', '$25,000-$50,000', '$50,000+'),
    },
    timeframe: {
      label: 'Timeframe',
      options: options('1-2 weeks', '3-4 weeks', '1-2 months', '3-6 months', '6+ months'),
    },
    urgency: {
      label: 'Urgency',
      options: options(
        'Low - Flexible timeline',
        'Medium - Standard priority',
        'High - Rush delivery needed',
        'Critical - ASAP required',
      ),
    },
  },
  'mvp-development': {
    serviceType: 'MVP Development',
    service: {
      label: 'Service',
      options: options(
        'Web Application MVP',
        'Mobile App MVP (iOS/Android)',
        'SaaS Platform MVP',
        'E-commerce Platform',
        'API & Backend Development',
        'AI/ML Integration',
        'Internal AI Tools Development',
        'Custom Dashboard Creation',
        'AI Pilot Projects',
        'Blockchain Application',
        'IoT Solution MVP',
      ),
    },
    budget: {
      label: 'Budget',
      options: options('$5,000-$15,000', '$15,000-$30,000', '$30,000-$50,000', '$50,000-$100,000', '$100,000+'),
    },
    timeframe: {
      label: 'Timeframe',
      options: options('4-6 weeks', '6-8 weeks', '2-3 months', '3-6 months', '6+ months'),
    },
    urgency: {
      label: 'Urgency',
      options: options(
        'Low - Quality over speed',
        'Medium - Balanced approach',
        'High - Fast delivery needed',
        'Critical - Launch ASAP',
      ),
    },
  },
  'lead-generation': {
    serviceType: 'Lead Generation',
    service: {
      label: 'Service',
      options: options(
        'LinkedIn Lead Generation',
        'B2B Email Marketing',
        'Cold Outreach Campaigns',
        'Sales Funnel Development',
        'Lead Qualification Systems',
        'CRM Integration & Automation',
        'Multi-Channel Campaigns',
        'Lead Nurturing Workflows',
      ),
    },
    budget: {
      label: 'Monthly budget',
      options: options(
        '$1,500-$3,000/month',
        '$3,000-$5,000/month',
        '$5,000-$10,000/month',
        '$10,000-$20,000/month',
        '$20,000+/month',
      ),
    },
    timeframe: {
      label: 'Duration',
      options: options('2-4 weeks setup', '1-2 months', '3-6 months', '6-12 months', '12+ months'),
    },
    urgency: {
      label: 'Priority',
      options: options(
        'Low - Strategy focused',
        'Medium - Steady growth',
        'High - Aggressive scaling',
        'Critical - Need leads now',
      ),
    },
  },
  consulting: {
    serviceType: 'Consulting',
    service: {
      label: 'Area',
      options: options(
        'Digital Strategy Consulting',
        'Business Growth Planning',
        'Marketing Optimization',
        'Technology Roadmapping',
        'Process Automation',
        'Performance Analytics',
        'Competitive Analysis',
        'Market Research & Insights',
      ),
    },
    budget: {
      label: 'Budget',
      options: options('$2,500-$5,000', '$5,000-$10,000', '$10,000-$25,000', '$25,000-$50,000', '$50,000+'),
    },
    timeframe: {
      label: 'Timeline',
      options: options('2-4 weeks', '1-2 months', '3-6 months', '6-12 months', 'Ongoing partnership'),
    },
    urgency: {
      label: 'Priority',
      options: options(
        'Low - Strategic planning',
        'Medium - Standard timeline',
        'High - Urgent decisions needed',
        'Critical - Crisis management',
      ),
    },
  },
} as const satisfies Readonly<Record<Service['slug'], ServicePageQuestions>>;
