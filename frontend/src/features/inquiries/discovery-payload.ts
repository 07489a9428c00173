import { type DiscoveryInquiry, type DiscoveryRequest, toServiceInquiry } from '@dune-tide/domain/forms/discovery';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { bodyBytes } from '../../form/body-bytes.ts';

/**
 * What /kingrose sends: the service inquiry that a discovery request is mapped to (docs/PRODUCT.md, "Discovery form").
 * Where the body would be larger than the server takes, the two long answers go in `projectDetails` alone, which holds
 * them whole.
 * @param request - the valid form
 */
export function discoveryPayload(request: DiscoveryRequest): DiscoveryInquiry {
  const whole = toServiceInquiry(request);
  if (bodyBytes(whole) <= maxBodyBytes) return whole;
  const { currentChallenges: _challenges, aiGoals: _goals, ...rest } = whole;
  return rest;
}
