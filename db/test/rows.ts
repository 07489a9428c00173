import { randomUUID } from 'node:crypto';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { leadDefinitions, type LeadKind } from '@dune-tide/domain/leads';
import { validExample } from '@dune-tide/domain/test/examples';
import type { Knex } from 'knex';
import type { NewLead } from '../src/leads/intake.ts';

type Row = Record<string, unknown>;

const forms: Readonly<Record<LeadKind, FormSchema>> = {
  contact: contactForm,
  service_inquiry: serviceInquiryForm,
  career_application: careerApplicationForm,
  portfolio_request: portfolioRequestForm,
};

/** Returns valid values of every field of the kind's form. */
export const fieldsOf = (kind: LeadKind): Row => validExample(forms[kind]);

/** Returns a lead for `leadIntake`; by default, a contact message that requires its acknowledgement. */
export function newLead(overrides: Partial<NewLead> = {}): NewLead {
  const kind = overrides.kind ?? 'contact';
  return {
    kind,
    email: 'noura@example.com',
    fields: fieldsOf(kind),
    followUps: [{ kind: 'acknowledgement', recipient: 'noura@example.com' }],
    spamSign: null,
    idempotencyKey: null,
    ...overrides,
  };
}

/** Returns a row of `leads` that the database accepts. */
export function leadRow(kind: LeadKind = 'contact', overrides: Row = {}): Row {
  const { email, fields } = newLead({ kind });
  return {
    id: randomUUID(),
    kind,
    email,
    status: leadDefinitions[kind].initialStatus,
    answers: JSON.stringify(fields),
    ...overrides,
  };
}

/** Returns a row of `follow_ups` that the database accepts if its lead is stored. */
export function followUpRow(leadId: unknown, overrides: Row = {}): Row {
  const id = randomUUID();
  const isEmail = overrides['kind'] !== 'webhook';
  return {
    id,
    lead_id: leadId,
    kind: 'acknowledgement',
    recipient: isEmail ? 'noura@example.com' : null,
    message_id: isEmail ? `<${id}@example.com>` : null,
    ...overrides,
  };
}

/** Returns a row of `staff` that the database accepts. */
export function staffRow(overrides: Row = {}): Row {
  const id = randomUUID();
  return {
    id,
    username: `noura-${id}`,
    name: 'Noura al-Harbi',
    password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    ...overrides,
  };
}

/** Returns a row of `recipes` that the database accepts. */
export function recipeRow(overrides: Row = {}): Row {
  return {
    id: randomUUID(),
    title: 'Ship a landing page in a day',
    description: 'From brief to live page.',
    instructions: 'Read the brief. Draw the page. Build it.',
    category: 'development',
    ...overrides,
  };
}

/** Returns a row of `lead_views` that the database accepts if its account is stored. */
export function viewRow(staffId: unknown, overrides: Row = {}): Row {
  return {
    id: randomUUID(),
    staff_id: staffId,
    name: 'Overdue',
    search: 'response=overdue',
    position: 1,
    ...overrides,
  };
}

/**
 * Inserts a row.
 * @returns the stored row, with its defaults
 */
export async function insert(db: Knex, table: string, row: Row): Promise<Row> {
  const [stored] = await db<Row>(table).insert(row).returning<Row[]>('*');
  if (!stored) throw new Error(`Nothing was stored in ${table}`);
  return stored;
}
