import { composeProjectDetails, type ProjectInquiry } from '@dune-tide/domain/forms/project-inquiry';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { bodyBytes } from '../../form/body-bytes.ts';

/**
 * Returns the body that /project-inquiry sends: the answers, `projectDetails` composed of five of them, and `goals`, a
 * copy of `successCriteria` (docs/PRODUCT.md, "Project inquiry form"). If the body would exceed the server's limit,
 * only the answers are sent, and the server composes the same texts.
 * @param answers - the valid form, including its `service`
 */
export function projectInquiryPayload(answers: ProjectInquiry): ProjectInquiry {
  const whole = { ...answers, projectDetails: composeProjectDetails(answers), goals: answers.successCriteria };
  return bodyBytes(whole) <= maxBodyBytes ? whole : answers;
}
