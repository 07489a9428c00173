import type { CareerApplication } from './forms/career-application.ts';
import type { ContactMessage } from './forms/contact.ts';
import type { PortfolioRequest } from './forms/portfolio-request.ts';
import type { ProjectAnswers } from './forms/project-inquiry.ts';
import type { ServiceInquiry } from './forms/service-inquiry.ts';

/** A stored application. Its links have other names than in the form (docs/PRODUCT.md, "Lead kinds"). */
type StoredApplication = Omit<CareerApplication, 'portfolio' | 'resume'> & {
  readonly portfolioUrl?: string;
  readonly resumeUrl?: string;
};

/** The answers that are stored with a lead, by kind. */
export interface LeadAnswers {
  readonly contact: ContactMessage;
  readonly service_inquiry: ServiceInquiry & Partial<ProjectAnswers>;
  readonly career_application: StoredApplication;
  readonly portfolio_request: PortfolioRequest;
}
