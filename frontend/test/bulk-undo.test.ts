import { expect } from 'chai';
import { undoing } from '../src/features/leads/bulk-undo.ts';
import type { ListedLead } from '../src/features/leads/lead.ts';

const lead = (id: string, status: string, response: string, owner: string | null = null) =>
  ({ id, status, response, owner: owner === null ? null : { id: owner, name: owner } }) as unknown as ListedLead;

const before = [
  lead('1', 'new', 'overdue', 'noura'),
  lead('2', 'new', 'waiting'),
  lead('3', 'new', 'answered'),
  lead('4', 'won', 'answered', 'noura'),
  lead('5', 'lost', 'none', 'thabo'),
];

describe('The undo of a change of several leads', () => {
  it('gives each lead its earlier status, and its clock if the change has answered it', () => {
    expect(undoing(before, { status: 'won' })).to.deep.equal([
      { ids: ['1', '2'], status: 'new', answered: false },
      { ids: ['3'], status: 'new' },
      { ids: ['5'], status: 'lost' },
    ]);
  });

  it('gives each lead its earlier owner', () => {
    expect(undoing(before, { ownerId: 'noura' })).to.deep.equal([
      { ids: ['2', '3'], ownerId: null },
      { ids: ['5'], ownerId: 'thabo' },
    ]);
  });

  it('is empty for answers and spam', () => {
    expect(undoing(before, { answered: true })).to.deep.equal([]);
    expect(undoing(before, { spam: true })).to.deep.equal([]);
  });
});
