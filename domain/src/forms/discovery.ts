import { maxLength, minLength } from '../limits.ts';
import { line, selection, text } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import { labelledParagraphs } from './labelled-paragraphs.ts';
import { options } from './option.ts';
import { projectDetails, serviceInquiryForm } from './service-inquiry.ts';

/** The values that every discovery request sends in addition to its fields (docs/PRODUCT.md, "Discovery form"). */
export const discoveryInquiry = {
  serviceType: 'KingRose Discovery',
  service: 'AI Transformation Discovery',
  urgency: 'High - Discovery Session',
} as const;

export const organizationTypes = options(
  'VC Firm',
  'Private Equity',
  'Family Office',
  'Municipality/Local Government',
  'Regional Government Agency',
  'Other Investment Firm',
);

export const investmentRanges = options(
  '$10,000-$20,000',
  '$20,000-$50,000',
  '$50,000-$100,000',
  '$100,000-$250,000',
  '$250,000+',
  "Let's discuss",
);

export const discoveryTimeframes = options(
  '1-2 months',
  '3-4 months',
  '5-6 months',
  '6-12 months',
  '12+ months',
  'Flexible',
);

export const discoveryInterests = options(
  'Portfolio Monitoring & Deal Tracking',
  'Automated Due Diligence Tools',
  'Investment Scenario Planning',
  'Municipal Workflow Automation',
  'Citizen Service Enhancement',
  'Data Analytics Dashboards',
  'AI Strategy Consulting',
  'Multiple Solutions',
);

/** The form of /kingrose (docs/PRODUCT.md, "Discovery form"). */
export const discoveryForm = {
  $id: 'discovery',
  description: 'A discovery request',
  type: 'object',
  properties: {
    name: serviceInquiryForm.properties.name,
    email: serviceInquiryForm.properties.email,
    company: line('Company/Organization name', {
      min: minLength.company,
      message: 'Company/Organization name is required',
    }),
    phone: serviceInquiryForm.properties.phone,
    organizationType: selection('Organization type', 'Please select organization type'),
    investmentRange: selection('Investment range', 'Please select investment range'),
    timeframe: selection('Timeframe', 'Please select timeframe'),
    specificSolutions: selection('Area of interest', 'Please select area of interest'),
    currentChallenges: text('Current challenges', {
      min: minLength.longText,
      message: `Please describe your current challenges (minimum ${minLength.longText} characters)`,
    }),
    aiGoals: text('AI goals', {
      min: minLength.longText,
      message: `Please describe your AI goals (minimum ${minLength.longText} characters)`,
    }),
  },
  required: [
    'name',
    'email',
    'company',
    'organizationType',
    'investmentRange',
    'timeframe',
    'specificSolutions',
    'currentChallenges',
    'aiGoals',
  ],
} as const satisfies FormSchema;

export type DiscoveryRequest = FormValues<typeof discoveryForm>;

/**
 * A discovery request as POST /api/service-inquiry receives it (docs/PRODUCT.md, "Inquiry rules"). The mapped fields
 * are required. The original fields are optional; the form includes them so that they are not removed as unknown keys.
 */
export const discoveryInquiryForm = {
  $id: 'discovery-inquiry',
  description: 'A discovery request, mapped to a service inquiry',
  type: 'object',
  properties: {
    ...discoveryForm.properties,
    budget: discoveryForm.properties.investmentRange,
    projectDetails: projectDetails(maxLength.composedText),
    goals: serviceInquiryForm.properties.goals,
    service: { ...selection('Service', 'Please select a service'), default: discoveryInquiry.service },
    serviceType: selection('Service type', 'Please select a service type'),
    urgency: { ...selection('Urgency level', 'Please select urgency level'), default: discoveryInquiry.urgency },
  },
  required: ['name', 'email', 'company', 'timeframe', 'budget', 'projectDetails', 'service', 'serviceType', 'urgency'],
} as const satisfies FormSchema;

export type DiscoveryInquiry = FormValues<typeof discoveryInquiryForm>;

const fields = ['organizationType', 'currentChallenges', 'aiGoals', 'specificSolutions'] as const;

/** Composes `projectDetails` from four fields of a discovery request. */
export function composeDiscoveryDetails(values: Pick<DiscoveryRequest, (typeof fields)[number]>): string {
  return labelledParagraphs(
    fields.map((field) => ({ label: discoveryForm.properties[field].description, text: values[field] })),
  );
}

/** Maps a valid discovery request to the body that POST /api/service-inquiry receives. */
export function toServiceInquiry(values: DiscoveryRequest): DiscoveryInquiry {
  return {
    ...values,
    ...discoveryInquiry,
    budget: values.investmentRange,
    projectDetails: composeDiscoveryDetails(values),
  };
}
