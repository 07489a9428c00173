import { maxLength, minLength } from '../limits.ts';
import { emailAddress, line, optionalLine, optionalPhone, optionalText, selection, text } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';

/**
 * The field for project details, which visitors type or a form composes from other fields.
 * @param max - maximum length
 */
export function projectDetails(max: number) {
  return text('Project details', {
    min: minLength.projectDetails,
    message: `Please provide project details (minimum ${minLength.projectDetails} characters)`,
    max,
  });
}

/** The form of all four service pages (docs/PRODUCT.md, "Service forms"). */
export const serviceInquiryForm = {
  $id: 'service-inquiry',
  description: 'An inquiry from a service page',
  type: 'object',
  properties: {
    name: line('Name', { min: minLength.name, message: `Name must be at least ${minLength.name} characters` }),
    email: emailAddress('Please enter a valid email address'),
    company: optionalLine('Company', maxLength.name),
    phone: optionalPhone(),
    service: selection('Service', 'Please select a service'),
    budget: selection('Budget range', 'Please select your budget range'),
    timeframe: selection('Timeframe', 'Please select your timeframe'),
    urgency: selection('Urgency level', 'Please select urgency level'),
    projectDetails: projectDetails(maxLength.text),
    goals: optionalText('Goals'),
    serviceType: selection('Service type', 'Please select a service type'),
  },
  required: ['name', 'email', 'service', 'budget', 'timeframe', 'urgency', 'projectDetails', 'serviceType'],
} as const satisfies FormSchema;

export type ServiceInquiry = FormValues<typeof serviceInquiryForm>;
