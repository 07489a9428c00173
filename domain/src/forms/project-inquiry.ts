import { maxLength, minLength } from '../limits.ts';
import { closedSelection, optionalText, text } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import { labelledParagraphs } from './labelled-paragraphs.ts';
import { options } from './option.ts';
import type { Option } from './option.ts';
import { serviceInquiryForm } from './service-inquiry.ts';

/** The `service` of every project inquiry. */
export const projectInquiryService = 'Project Inquiry';

export const projectServiceTypes = options(
  'MVP Development',
  'UGC Content Creation',
  'Lead Generation System',
  'Business Strategy Consulting',
  'Custom Web Development',
  'Mobile App Development',
  'AI Integration',
  'Digital Transformation',
  'Not Sure - Need Consultation',
);

export const projectBudgets = options(
  '$2,500-$5,000',
  '$5,000-$10,000',
  '$10,000-$25,000',
  '$25,000-$50,000',
  '$50,000-$100,000',
  '$100,000+',
  "Let's discuss",
);

export const projectTimeframes = options(
  '1-2 weeks',
  '2-4 weeks',
  '4-6 weeks',
  '6-8 weeks',
  '2-3 months',
  '3-6 months',
  '6+ months',
  'Flexible',
);

export const projectUrgencies = [
  { value: 'Low', label: 'Low', description: 'No fixed date: quality and fit come first' },
  { value: 'Medium', label: 'Medium', description: 'A date in mind, with some room to move' },
  { value: 'High', label: 'High', description: 'A firm date that other plans depend on' },
  { value: 'Critical', label: 'Critical', description: 'Work must start right away' },
] as const satisfies readonly Option[];

const { name, email, company, phone, budget, timeframe, urgency, serviceType } = serviceInquiryForm.properties;

/**
 * The form of /project-inquiry with the fields that it adds on submission (docs/PRODUCT.md, "Project inquiry form").
 * `projectDetails` and `goals` are optional, because the server composes them from other fields.
 */
export const projectInquiryForm = {
  $id: 'project-inquiry',
  description: 'A project inquiry',
  type: 'object',
  properties: {
    name,
    email,
    company,
    phone,
    serviceType,
    budget,
    timeframe,
    urgency,
    businessDescription: text('Business description', {
      min: minLength.shortText,
      message: `Please describe your business (minimum ${minLength.shortText} characters)`,
    }),
    projectDescription: text('Project description', {
      min: minLength.shortText,
      message: `Please describe your project (minimum ${minLength.shortText} characters)`,
    }),
    specificFeatures: text('Specific features', {
      min: minLength.longText,
      message: `Please describe the specific features you need (minimum ${minLength.longText} characters)`,
    }),
    successCriteria: text('Success criteria', {
      min: minLength.longText,
      message: `Please describe your success criteria (minimum ${minLength.longText} characters)`,
    }),
    competitors: text('Competitors', {
      min: minLength.shortText,
      message: `Please describe your competitors (minimum ${minLength.shortText} characters)`,
    }),
    service: {
      ...closedSelection('Service', 'Service must be Project Inquiry', [projectInquiryService]),
      default: projectInquiryService,
    },
    projectDetails: optionalText('Project details', maxLength.composedText),
    goals: optionalText('Goals'),
  },
  required: [
    'name',
    'email',
    'serviceType',
    'budget',
    'timeframe',
    'urgency',
    'businessDescription',
    'projectDescription',
    'specificFeatures',
    'successCriteria',
    'competitors',
    'service',
  ],
} as const satisfies FormSchema;

export type ProjectInquiry = FormValues<typeof projectInquiryForm>;

/** The fields that make up `projectDetails`, in the order of the form. */
export const projectFields = [
  'businessDescription',
  'projectDescription',
  'specificFeatures',
  'successCriteria',
  'competitors',
] as const;

export type ProjectValues = Pick<ProjectInquiry, (typeof projectFields)[number]>;

/** Composes `projectDetails` from five fields of a project inquiry. */
export function composeProjectDetails(values: ProjectValues): string {
  return labelledParagraphs(
    projectFields.map((field) => ({ label: projectInquiryForm.properties[field].description, text: values[field] })),
  );
}
