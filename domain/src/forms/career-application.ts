import { minLength } from '../limits.ts';
import { contactForm } from './contact.ts';
import { closedSelection, phone, selection, text, webLink } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import { options } from './option.ts';
import type { Option } from './option.ts';

/** The titles of the open positions. */
export const jobTitles = [
  'Senior UGC Content Creator',
  'Full Stack Developer',
  'Lead Generation Specialist',
  'Junior Developer Internship',
] as const;

/** The options of the field `position`. */
export const positions = [
  ...options(...jobTitles),
  { value: 'other', label: 'Other / General Application' },
] as const satisfies readonly Option[];

export const experienceLevels = [
  { value: 'entry', label: 'Entry Level (0-2 years)' },
  { value: 'mid', label: 'Mid Level (2-5)' },
  { value: 'senior', label: 'Senior Level (5+)' },
  { value: 'lead', label: 'Lead/Manager (8+)' },
] as const satisfies readonly Option[];

/** The application form of the careers page (docs/PRODUCT.md, "Application form"). */
export const careerApplicationForm = {
  $id: 'career-application',
  description: 'A job application',
  type: 'object',
  properties: {
    firstName: contactForm.properties.firstName,
    lastName: contactForm.properties.lastName,
    email: contactForm.properties.email,
    phone: phone({
      min: minLength.phone,
      message: `Phone number must be at least ${minLength.phone} digits`,
    }),
    position: selection('Position', 'Please select a position'),
    experience: closedSelection(
      'Experience level',
      'Please select your experience level',
      experienceLevels.map((level) => level.value),
    ),
    portfolio: webLink('Portfolio', 'Please enter a web address, e.g. https://example.com'),
    coverLetter: text('Cover letter', {
      min: minLength.coverLetter,
      message: `Cover letter must be at least ${minLength.coverLetter} characters`,
    }),
    resume: webLink('Resume', 'Please enter a web address, e.g. https://example.com'),
  },
  required: ['firstName', 'lastName', 'email', 'phone', 'position', 'experience', 'coverLetter'],
} as const satisfies FormSchema;

export type CareerApplication = FormValues<typeof careerApplicationForm>;
