import { composeProjectDetails, type ProjectInquiry } from '@dune-tide/domain/forms/project-inquiry';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { bodyBytes } from '../../form/body-bytes.ts';

/**
 * What /project-inquiry sends: the answers, `projectDetails` composed of five of them, and `goals`, a copy of
 * `successCriteria` (docs/PRODUCT.md, "Project inquiry form"). Answers that repeated would make the body larger than
 * the server takes go alone: the server composes the same texts of them.
 * @param answers - the valid form, its `service` included
 */
export function projectInquiryPayload(answers: ProjectInquiry): ProjectInquiry {
  const whole = { ...answers, projectDetails: composeProjectDetails(answers), goals: answers.successCriteria };
  return bodyBytes(whole) <= maxBodyBytes ? whole : answers;
}
