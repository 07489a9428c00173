import { composeProjectDetails, type ProjectInquiry } from '@dune-tide/domain/forms/project-inquiry';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { bodyBytes } from '../../form/body-bytes.ts';

/**
 * Returns the body that /project-inquiry sends: the fields, `projectDetails` composed of five of them, and `goals`, a
 * copy of `successCriteria` (docs/PRODUCT.md, "Project inquiry form"). If the body would exceed the server's limit,
 * only the fields are sent, and the server composes the same texts.
 * @param fields - the valid form, including its `service`
 */
export function projectInquiryPayload(fields: ProjectInquiry): ProjectInquiry {
  const whole = { ...fields, projectDetails: composeProjectDetails(fields), goals: fields.successCriteria };
  return bodyBytes(whole) <= maxBodyBytes ? whole : fields;
}
