import type { ServiceInquiry } from '@dune-tide/domain/forms/service-inquiry';
import type { ServicePageQuestions } from '@dune-tide/domain/forms/service-pages';

/**
 * Returns the initial values of a service page's form: the `serviceType` that is sent with the values
 * (docs/PRODUCT.md, "Service forms").
 * @param questions - the page's questions
 */
export function initialServiceInquiry({ serviceType }: ServicePageQuestions): Pick<ServiceInquiry, 'serviceType'> {
  return { serviceType };
}
