import type { ServiceInquiry } from '@dune-tide/domain/forms/service-inquiry';
import type { ServicePageQuestions } from '@dune-tide/domain/forms/service-pages';

/**
 * What a service page's form holds before anything is typed: the `serviceType` that is sent along with the answers
 * (docs/PRODUCT.md, "Service forms").
 * @param questions - the page's questions
 */
export function initialServiceInquiry({ serviceType }: ServicePageQuestions): Pick<ServiceInquiry, 'serviceType'> {
  return { serviceType };
}
