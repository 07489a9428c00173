import { randomUUID } from 'node:crypto';
import { storeSettledLeads, type SettledLead } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions } from '@dune-tide/domain/leads';
import { sampleLeads } from '@dune-tide/local/seed/sample-leads';
import type { Knex } from 'knex';

/** A lead for a test. The other fields get default values. */
export type TestLead = Pick<SettledLead, 'kind' | 'email' | 'fields'> &
  Partial<Pick<SettledLead, 'id' | 'status' | 'createdAt' | 'updatedAt' | 'answeredAt' | 'ownerId'>>;

/** A lead for tests that need any lead. */
export const contactMessage: TestLead = {
  kind: 'contact',
  email: 'noura@example.com',
  fields: { firstName: 'Noura', lastName: 'al-Harbi', service: 'leadgen', message: 'We look for leads in the Gulf.' },
};

/** Stores leads without follow-ups. */
export async function storeLeads(database: Knex, leads: readonly TestLead[]): Promise<void> {
  const settled = leads.map((lead): SettledLead => {
    const createdAt = lead.createdAt ?? new Date();
    const status = leadDefinitions[lead.kind].initialStatus;
    const untouched = { spamSign: null, answeredAt: null, ownerId: null, version: 1, events: [], followUps: [] };
    return { id: randomUUID(), status, createdAt, updatedAt: createdAt, ...untouched, ...lead };
  });
  await storeSettledLeads(database, brand.mailDomain, settled);
}

const fiveDays = 5 * 24 * 60 * 60_000;

/** Stores sample leads without follow-ups. Many have the same time, so that only their ids determine their order. */
export async function storeLeadsOfManyDays(database: Knex, count: number): Promise<void> {
  const leads = [...sampleLeads({ count, seed: 7, until: new Date() })].map((lead) => {
    const createdAt = new Date(lead.createdAt.getTime() - (lead.createdAt.getTime() % fiveDays));
    return { ...lead, createdAt, followUps: [] };
  });
  for (let from = 0; from < leads.length; from += 1000) {
    await storeSettledLeads(database, brand.mailDomain, leads.slice(from, from + 1000));
  }
}

/** Deletes all leads. */
export async function deleteLeads(database: Knex): Promise<void> {
  await database('leads').delete();
}
