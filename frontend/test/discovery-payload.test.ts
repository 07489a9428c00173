import { type DiscoveryRequest, toServiceInquiry } from '@dune-tide/domain/forms/discovery';
import { maxBodyBytes, maxLength } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import { discoveryPayload } from '../src/features/inquiries/discovery-payload.ts';

const request: DiscoveryRequest = {
  name: 'Faisal al-Otaibi',
  email: 'faisal@example.com',
  company: 'Sabkha Capital',
  organizationType: 'Private Equity',
  investmentRange: '$10,000-$20,000',
  timeframe: '3-4 months',
  specificSolutions: 'Automated Due Diligence Tools',
  currentChallenges: 'Data rooms take our analysts three weeks.',
  aiGoals: 'A first reading within a day, with sources.',
};

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns a request whose mapped body is `size` bytes long. */
function requestOfSize(size: number): DiscoveryRequest {
  const filled = (aiGoals: string, company: string): DiscoveryRequest => ({
    ...request,
    currentChallenges: '🌊'.repeat(maxLength.text),
    aiGoals,
    company,
  });
  // A three-byte letter is in the body twice. `company` is in it once, so it fills the rest.
  const letters = '海'.repeat(Math.floor((size - bytes(toServiceInquiry(filled('', '')))) / 6));
  return filled(letters, 'a'.repeat(size - bytes(toServiceInquiry(filled(letters, '')))));
}

describe('The body that /kingrose sends', () => {
  it('is the service inquiry of the request, including the raw values', () => {
    expect(discoveryPayload(request)).to.deep.equal({
      ...request,
      serviceType: 'KingRose Discovery',
      service: 'AI Transformation Discovery',
      budget: '$10,000-$20,000',
      urgency: 'High - Discovery Session',
      projectDetails:
        'Organization type:\nPrivate Equity\n\n' +
        'Current challenges:\nData rooms take our analysts three weeks.\n\n' +
        'AI goals:\nA first reading within a day, with sources.\n\n' +
        'Area of interest:\nAutomated Due Diligence Tools',
    });
  });

  it('is complete up to the largest body that the server accepts', () => {
    const largest = requestOfSize(maxBodyBytes);
    expect(bytes(discoveryPayload(largest))).to.equal(maxBodyBytes);
    expect(discoveryPayload(largest)).to.deep.equal(toServiceInquiry(largest));
  });

  it('sends the two long values only inside the details if it would be too large otherwise', () => {
    const tooLarge = requestOfSize(maxBodyBytes + 1);
    const { currentChallenges, aiGoals, ...rest } = toServiceInquiry(tooLarge);
    expect(discoveryPayload(tooLarge)).to.deep.equal(rest);
    expect(rest.projectDetails).to.contain(currentChallenges).and.contain(aiGoals);
  });

  it("fits the server's limit with the longest values in four-byte characters", () => {
    const longest = '🌊'.repeat(maxLength.text);
    expect(bytes(discoveryPayload({ ...request, currentChallenges: longest, aiGoals: longest }))).to.be.at.most(
      maxBodyBytes,
    );
  });
});
