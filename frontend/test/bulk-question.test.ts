import { expect } from 'chai';
import { bulkQuestion } from '../src/features/leads/list/bulk-question.ts';
import type { ListedLead } from '../src/features/leads/lead.ts';

const lead = (changes: Partial<ListedLead>) =>
  ({ status: 'new', owner: null, answeredAt: null, response: 'waiting', spamSign: null, ...changes }) as ListedLead;

const leads = [
  lead({}),
  lead({ status: 'won', owner: { id: '1', name: 'Noura' }, response: 'answered' }),
  lead({ status: 'won', spamSign: 'honeypot', response: 'none' }),
  lead({ status: 'won', response: 'none', answeredAt: '2026-03-07T12:00:00.000Z' }),
];
const staff = { me: undefined, people: [{ id: '1', name: 'Noura', username: 'noura' }] };
const question = (change: Parameters<typeof bulkQuestion>[1]) => bulkQuestion(leads, change, staff);

describe('The question before a change of several leads', () => {
  it('has the new value, and the number of leads with each value now', () => {
    expect(question({ status: 'won' })).to.equal('New status: Won. Current: Won (3), New (1).');
    expect(question({ ownerId: '1' })).to.equal('New owner: Noura. Current: No owner (3), Noura (1).');
    expect(question({ ownerId: null })).to.equal('New owner: none. Current: No owner (3), Noura (1).');
    expect(question({ answered: true })).to.equal(
      'They will count as answered. Current: Not answered (2), Answered (2).',
    );
  });

  it('has the consequence of a spam mark for the emails', () => {
    expect(question({ spam: true })).to.equal(
      'Their waiting emails will not be sent. Current: Not spam (3), Held as spam (1).',
    );
    expect(question({ spam: false })).to.contain('Their emails will be sent.');
  });
});
