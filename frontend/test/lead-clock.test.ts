import { expect } from 'chai';
import { formatDue, responseAt } from '../src/features/leads/lead-clock.ts';
import { authorsOf, leadDifferences } from '../src/features/leads/work/lead-differences.ts';
import type { HistoryEntry } from '../src/features/leads/leads-api.ts';
import { ownerChoices } from '../src/features/leads/work/owner-choices.ts';
import { initialsOf } from '../src/staff-ui/lists/Initials.tsx';

const now = Date.parse('2026-03-07T12:00:00.000Z');
const due = (minutes: number) => ({
  dueAt: new Date(now + minutes * 60_000).toISOString(),
  response: 'waiting' as const,
});

describe('The time until a lead is due', () => {
  for (const [minutes, text] of [
    [24 * 60, 'due in 24 h'],
    [3 * 60 + 59, 'due in 3 h'],
    [60, 'due in 1 h'],
    [59.9, 'due in 59 min'],
    [0.5, 'due in 1 min'],
    [0, 'overdue by 1 min'],
    [-150, 'overdue by 2 h'],
    [-47 * 60, 'overdue by 47 h'],
    [-49 * 60, 'overdue by 2 d'],
  ] as const) {
    it(`is "${text}" ${minutes} minutes before it`, () => {
      expect(formatDue(due(minutes), now)?.replace('\u{A0}', ' ')).to.equal(text);
    });
  }

  it('is not shown while no clock runs', () => {
    expect(formatDue({ dueAt: null, response: 'none' }, now)).to.equal(undefined);
    expect(formatDue({ ...due(-60), response: 'answered' }, now)).to.equal(undefined);
  });

  it('changes the response without a request', () => {
    expect(responseAt(due(241), now)).to.equal('waiting');
    expect(responseAt(due(240), now)).to.equal('soon');
    expect(responseAt(due(0), now)).to.equal('overdue');
    expect(responseAt({ ...due(0), response: 'answered' }, now)).to.equal('answered');
  });
});

describe('A conflict of two changes of a lead', () => {
  const before = { status: 'new', owner: null, response: 'waiting', spamSign: null } as const;

  it('lists what the other user changed', () => {
    const after = { ...before, status: 'won', owner: { id: '1', name: 'Thabo' }, response: 'answered' } as const;
    expect(leadDifferences(before, after)).to.deep.equal([
      { label: 'Status', before: 'New', after: 'Won' },
      { label: 'Owner', before: 'No owner', after: 'Thabo' },
      { label: 'Answer', before: 'Not answered', after: 'Answered' },
    ]);
  });

  it('is empty if the other user restored the values', () => {
    expect(leadDifferences(before, { ...before })).to.deep.equal([]);
  });

  it('names each author of a difference once', () => {
    const entry = (kind: string, actor: object | null) => ({ kind, actor }) as HistoryEntry;
    const [layla, omar] = [
      { id: '1', name: 'Layla' },
      { id: '2', name: 'Omar' },
    ];
    const history = [
      entry('received', null),
      entry('owner', omar),
      entry('status', omar),
      entry('status', layla),
      entry('note', omar),
    ];
    const differences = leadDifferences(before, { ...before, status: 'won', response: 'answered' });
    expect(authorsOf(differences, history)).to.deep.equal([layla]);
    const owned = leadDifferences(before, { ...before, status: 'won', owner: layla });
    expect(authorsOf(owned, history)).to.deep.equal([layla, omar]);
    expect(authorsOf(differences, [entry('received', null), entry('status', null)]), 'an operator').to.deep.equal([
      null,
    ]);
    expect(authorsOf(owned, []), 'a history that could not be loaded').to.deep.equal([]);
  });
});

describe('The menu of owners', () => {
  const me = { id: '1', name: 'Thabo Nkosi', username: 'thabo' };
  const people = [{ id: '3', name: 'Zoë', username: 'zoe' }, me, { id: '2', name: 'Noura', username: 'noura' }];

  it('has the user first, then the others by name, then no owner', () => {
    expect(ownerChoices({ me, people }, null).map(({ label }) => label)).to.deep.equal([
      'Thabo Nkosi (you)',
      'Noura',
      'Zoë',
      'No owner',
    ]);
  });

  it('keeps an owner who was deactivated, and tells namesakes apart', () => {
    const labels = ownerChoices({ me, people }, { id: '4', name: 'Noura' }).map(({ label }) => label);
    expect(labels).to.include('Noura (2)');
  });
});

describe('The initials of a person', () => {
  for (const [name, initials] of [
    ['Noura al-Harbi', 'NA'],
    ['thabo', 'T'],
    ['Hubert Blaine van der Merwe', 'HM'],
    ['نورة الحربي', 'نا'],
  ] as const) {
    it(`of ${name} are ${initials}`, () => {
      expect(initialsOf(name)).to.equal(initials);
    });
  }
});
