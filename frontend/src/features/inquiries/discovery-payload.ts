import { type DiscoveryInquiry, type DiscoveryRequest, toServiceInquiry } from '@dune-tide/domain/forms/discovery';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { bodyBytes } from '../../form/body-bytes.ts';

/**
 * Maps a discovery request to the service inquiry that /kingrose sends (docs/PRODUCT.md, "Discovery form"). If the body
 * would exceed the server's limit, the two long values are sent only as part of `projectDetails`, which contains them
 * in full.
 * @param request - the valid form
 */
export function discoveryPayload(request: DiscoveryRequest): DiscoveryInquiry {
  const whole = toServiceInquiry(request);
  if (bodyBytes(whole) <= maxBodyBytes) return whole;
  const { currentChallenges: _challenges, aiGoals: _goals, ...rest } = whole;
  return rest;
}
