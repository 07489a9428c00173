import { expect } from 'chai';
import { leadDefinitions, requiredFollowUps, type LeadKind } from '../src/leads.ts';

describe('a lead', () => {
  const table: readonly (readonly [LeadKind, 'new' | null, string])[] = [
    ['contact', null, 'acknowledgement'],
    ['service_inquiry', 'new', 'acknowledgement'],
    ['career_application', null, 'acknowledgement'],
    ['portfolio_request', null, 'portfolio_pdf'],
  ];
  for (const [kind, status, toVisitor] of table) {
    it(`of the kind ${kind} is stored with the status ${status}`, () => {
      expect(leadDefinitions[kind].initialStatus).to.equal(status);
    });

    it(`of the kind ${kind} requires the ${toVisitor}, and a notice if staff have an address`, () => {
      const visitor = { kind: toVisitor, recipient: 'noura@example.com' };
      const lead = { kind, email: 'noura@example.com' };
      expect(requiredFollowUps(lead, undefined)).to.deep.equal([visitor]);
      expect(requiredFollowUps(lead, 'staff@example.com')).to.deep.equal([
        visitor,
        { kind: 'staff_notice', recipient: 'staff@example.com' },
      ]);
    });
  }
});
