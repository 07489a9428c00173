import { randomUUID } from 'node:crypto';
import type { Lead, LeadOf } from '@dune-tide/domain/responses/lead';
import type { HistoryEntry, LeadChange } from '../../src/features/leads/leads-api.ts';
import { type Call, listOf, me, refusal, serveStaff } from './staff-area.tsx';

/** Another member of the team. */
export const colleague = { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c0cc', name: 'Thandi Zulu' };

const everyLead = {
  email: 'noura@example.com',
  spamSign: null,
  status: 'new',
  owner: null,
  dueAt: null,
  answeredAt: null,
  response: 'none',
  version: 1,
  activity: 0,
  createdAt: '2026-03-07T12:00:00.000Z',
} as const;

export const contact = (more: Partial<LeadOf<'contact'>> = {}): LeadOf<'contact'> => ({
  ...everyLead,
  id: randomUUID(),
  kind: 'contact',
  firstName: 'Noura',
  lastName: 'al-Harbi',
  service: 'leadgen',
  message: 'First line\nsecond line',
  ...more,
});

export const inquiry = (more: Partial<LeadOf<'service_inquiry'>> = {}): LeadOf<'service_inquiry'> => ({
  ...everyLead,
  id: randomUUID(),
  kind: 'service_inquiry',
  email: 'thabo@example.com',
  name: 'Thabo Nkosi',
  company: 'Cape Roasters',
  phone: '+27 21 555 0102',
  service: 'Video Testimonials',
  serviceType: 'UGC Creatives',
  urgency: 'Critical - ASAP required',
  budget: '$50,000+',
  timeframe: '1-2 weeks',
  projectDetails: 'Ten films.\n\nThen ten more.',
  goals: 'More calls.',
  updatedAt: '2026-03-07T15:30:00.000Z',
  ...more,
});

export const application = (more: Partial<LeadOf<'career_application'>> = {}): LeadOf<'career_application'> => ({
  ...everyLead,
  id: randomUUID(),
  kind: 'career_application',
  email: 'zoe@example.com',
  firstName: 'Zoë',
  lastName: 'Botha',
  phone: '+27 21 555 0101',
  position: 'other',
  experience: 'senior',
  portfolioUrl: 'https://work.example.com/zoe',
  resumeUrl: null,
  coverLetter: 'Dear studio,\n\nI finish what I begin.',
  ...more,
});

const kindCalls = {
  contact: 'GET /api/admin/contacts',
  service_inquiry: 'GET /api/admin/service-inquiries',
  career_application: 'GET /api/admin/careers',
} as const;

/** Serves the leads, with a part of the filters of the API. */
export function serveLeads() {
  let stored: readonly Lead[] = [];
  let histories = new Map<string, readonly HistoryEntry[]>();
  const find = (id: string | undefined) => stored.find((each) => each.id === id);
  const change = (id: string | undefined, changes: object) => {
    stored = stored.map((each) => (each.id === id ? { ...each, version: each.version + 1, ...changes } : each));
    return find(id);
  };
  const historyOf = (id: string | undefined) => histories.get(id ?? '') ?? [];
  /** Adds an entry to the history of a lead. */
  const note = (id: string | undefined, entry: object, actor: HistoryEntry['actor'] = me) => {
    const activity = actor ? (find(id)?.activity ?? 0) + 1 : 0;
    const added = { id: randomUUID(), at: '2026-03-07T13:00:00.000Z', actor, activity, ...entry } as HistoryEntry;
    if (actor) stored = stored.map((each) => (each.id === id ? { ...each, activity } : each));
    histories.set(id ?? '', [...historyOf(id), added]);
    return added;
  };
  const peopleById = [me, colleague];
  /** Changes a lead as the API does, in the name of a member. */
  const work = (id: string | undefined, wanted: LeadChange, actor: HistoryEntry['actor'] = me): Lead | undefined => {
    const { status, ownerId, answered } = wanted;
    const before = find(id);
    const owner = ownerId === undefined ? before?.owner : (peopleById.find((each) => each.id === ownerId) ?? null);
    if (status !== undefined) note(id, { kind: 'status', from: before?.status, to: status }, actor);
    if (ownerId !== undefined) note(id, { kind: 'owner', from: before?.owner, to: owner }, actor);
    if (answered !== undefined) note(id, { kind: answered ? 'answered' : 'not_answered' }, actor);
    const isAnswer = answered ?? (status !== undefined ? true : before?.response === 'answered');
    return change(id, {
      ...(status !== undefined && { status }),
      owner: owner ? { id: owner.id, name: owner.name } : null,
      ...(before?.response !== 'none' && { response: isAnswer ? 'answered' : 'waiting' }),
    });
  };

  const matching = (search: string): readonly Lead[] => {
    const params = new URLSearchParams(search);
    const words = (params.get('q') ?? '').toLowerCase().split(' ').filter(Boolean);
    const owner = params.get('owner');
    return stored.filter((lead) => {
      if (params.has('email')) return lead.email.toLowerCase() === params.get('email')?.toLowerCase();
      const text = JSON.stringify(Object.values(lead))
        .normalize('NFD')
        .replaceAll(/\p{Mn}/gu, '')
        .toLowerCase();
      const isOf = (name: string, value: string | null) =>
        !params.has(name) || (value !== null && params.getAll(name).includes(value));
      return (
        lead.kind !== 'portfolio_request' &&
        isOf('kind', lead.kind) &&
        isOf('status', lead.status) &&
        isOf('response', lead.response) &&
        words.every((word) => text.includes(word)) &&
        (owner === null || (lead.owner?.id ?? 'none') === (owner === 'me' ? me.id : owner)) &&
        (params.get('spam') === 'with' || (params.get('spam') === 'only') === (lead.spamSign !== null))
      );
    });
  };

  const server = serveStaff(() => ({
    'GET /api/admin/team': () =>
      peopleById.map((each) => ({
        ...each,
        username: each.name.toLowerCase().replaceAll(' ', '.'),
        email: null,
        lastSignInAt: null,
        isActive: true,
      })),
    'GET /api/admin/leads': ({ search }) => listOf(matching(search)),
    ...Object.fromEntries(
      Object.entries(kindCalls).map(([kind, call]) => [
        call,
        () => listOf(stored.filter((each) => each.kind === kind)),
      ]),
    ),
    'GET /api/admin/leads/:id': ({ ids: [id] }) => find(id) ?? refusal(404),
    'GET /api/admin/leads/:id/history': ({ ids: [id] }) => (find(id) ? listOf(historyOf(id)) : refusal(404)),
    'PATCH /api/admin/leads/:id': ({ ids: [id], body }: Call) => {
      const { seenStatus, seenOwnerId, seenAnswered, ...wanted } = body as LeadChange & Record<string, unknown>;
      const { status, owner, response } = find(id) ?? {};
      const isAsSeen =
        [status, undefined].includes(seenStatus as Lead['status']) &&
        (owner?.id ?? null) === seenOwnerId &&
        [response === 'answered', undefined].includes(seenAnswered as boolean);
      if (!find(id)) return refusal(404);
      return isAsSeen ? work(id, wanted) : refusal(412);
    },
  }));

  beforeEach(() => {
    stored = [];
    histories = new Map();
    // happy-dom has no layout, and the table renders the rows that fit into the window.
    HTMLTableRowElement.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 1000, 30);
  });

  return {
    server,
    /** Stores leads, newest first. */
    store: <Stored extends Lead>(...leads: Stored[]): Stored[] => {
      stored = [...stored, ...leads];
      for (const { id } of leads) note(id, { kind: 'received' }, null);
      return leads;
    },
    find,
    change,
    work,
    note,
    historyOf,
    /** Replaces the history of a lead. */
    setHistory: (id: string, entries: readonly HistoryEntry[]) => void histories.set(id, entries),
    remove: (id: string) => void (stored = stored.filter((each) => each.id !== id)),
  };
}
