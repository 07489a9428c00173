import { discoveryInquiry, discoveryInquiryForm } from './discovery.ts';
import { projectInquiryForm, projectInquiryService } from './project-inquiry.ts';
import { serviceInquiryForm } from './service-inquiry.ts';

/** The forms that POST /api/service-inquiry accepts. */
export type InquiryForm = typeof projectInquiryForm | typeof discoveryInquiryForm | typeof serviceInquiryForm;

/**
 * Selects the form whose rules apply to a body of POST /api/service-inquiry (docs/PRODUCT.md, "Inquiry rules").
 * @param body - parsed JSON, not validated
 */
export function inquiryFormFor(body: unknown): InquiryForm {
  if (textOf(body, 'service') === projectInquiryService) return projectInquiryForm;
  if (textOf(body, 'serviceType') === discoveryInquiry.serviceType) return discoveryInquiryForm;
  return serviceInquiryForm;
}

function textOf(body: unknown, field: string): string | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, field)) return undefined;
  const value: unknown = (body as Record<string, unknown>)[field];
  return typeof value === 'string' ? value.trim() : undefined;
}
