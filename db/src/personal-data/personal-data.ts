import { erasure } from '@dune-tide/domain/limits';
import type { erasureResponse, personalDataResponse } from '@dune-tide/domain/responses/personal-data';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { auditLog, type AuditEntry } from '../audit-log/index.ts';
import { isEmail } from '../follow-ups/index.ts';
import { identifiersOf } from './identifiers-of.ts';
import { erasureList, type ErasedAt } from './erasure-list.ts';
import { eraseInViews, viewsThatName } from './saved-views.ts';

export type PersonalData = Presented<typeof personalDataResponse>;

/** The result of an erasure, with the follow-ups whose jobs can be removed. */
export interface Erased {
  readonly erased: Presented<typeof erasureResponse>;
  readonly followUpIds: readonly string[];
}

/**
 * Selects the leads of the address `:email`: those that were sent with it, and those of which staff have corrected the
 * address of an email to it. With `:before`, only leads that had been received by then.
 */
export const leadsOfAddress = `
  leads.id in (
    select id from leads where lower(email) = lower(:email)
    union
    select lead_id from lead_events where kind = 'address_corrected' and lower(details ->> 'to') = lower(:email)
  ) and (:before::timestamptz is null or leads.created_at <= :before::timestamptz)`;

/** An address, and the time up to which its data is erased; undefined for all of it. */
interface Person {
  readonly email: string;
  readonly before?: Date | undefined;
}

const none: PersonalData = {
  leads: 0,
  emails: 0,
  unsentEmails: 0,
  replies: 0,
  notes: 0,
  historyEntries: 0,
  webhooks: 0,
  savedViews: 0,
  optOuts: 0,
};

/**
 * Counts and erases what is held about people (docs/PRODUCT.md, "Erasure").
 * @param db - a pool or a transaction
 */
export function personalData(db: Knex) {
  return {
    /** Counts what `erase` would erase. */
    async count(email: string): Promise<PersonalData> {
      return db.transaction(async (transaction) => {
        const ids = await leadIds(transaction, leadsOfAddress, bindingsOf({ email }), maxLeads);
        const ofLeads = await countOfLeads(transaction, ids);
        const views = await viewsThatName(transaction, await identifiersOf(transaction, ids, email));
        const optOuts = await optOutsOf(transaction, { email }).select<object[]>('id');
        return { ...ofLeads, savedViews: views.length, optOuts: optOuts.length };
      });
    },

    /**
     * Erases everything that is held about an address, and lists the address as erased. Emails that wait are never sent;
     * an email that is being sent can still arrive. Each transaction erases some leads.
     * @param email - in upper or lower case
     * @throws {ErasureLimitReached} if a member of staff has erased too many other addresses within an hour; nothing was
     *   erased then
     */
    async erase(email: string, actor: AuditEntry['actor']): Promise<Erased> {
      return erasePerson(db, { email }, actor);
    },

    /**
     * Erases one lead for the person who sent it, and lists it as erased.
     * @returns undefined if the lead does not exist
     */
    async eraseLead(leadId: string): Promise<Erased | undefined> {
      return db.transaction(async (transaction) => {
        const ids = await leadIds(transaction, 'leads.id = :leadId', { leadId }, 1, 'for update');
        if (ids.length === 0) return undefined;
        const identifiers = await identifiersOf(transaction, ids);
        const ofLead = await eraseLeads(transaction, ids);
        const savedViews = await eraseInViews(transaction, identifiers);
        await erasureList(transaction).add([{ subject: 'lead', text: leadId }]);
        await auditLog(transaction).add({ action: 'lead_withdrawn', actor: 'unknown', subjectId: leadId });
        return {
          erased: { ...ofLead.counts, savedViews, isComplete: true },
          followUpIds: ofLead.followUpIds,
        };
      });
    },

    /**
     * Erases what is on the list of erasures but still held, e.g. because a backup was restored. What arrived after its
     * erasure stays.
     * @param actor - who restores
     * @returns the number of leads that were erased
     */
    async applyListed(actor: AuditEntry['actor']): Promise<number> {
      const erasedAt = await erasureList(db).lookup();
      if (!erasedAt) return 0;
      const people = new Map<string, Date>();
      const withdrawn: string[] = [];
      for await (const { id, address } of everyAddress(db)) {
        const before = erasedAt('address', address);
        if (before) people.set(address.toLowerCase(), before);
        if (id !== null && erasedAt('lead', id)) withdrawn.push(id);
      }
      let leads = 0;
      for (const id of withdrawn) if (await this.eraseLead(id)) leads++;
      for (const [email, before] of people) {
        for (let isComplete = false; !isComplete;) {
          const { erased } = await erasePerson(db, { email, before }, actor);
          leads += erased.leads;
          isComplete = erased.isComplete;
        }
      }
      await eraseOptOuts(db, erasedAt);
      return leads;
    },
  };
}

async function erasePerson(db: Knex, person: Person, actor: AuditEntry['actor']): Promise<Erased> {
  let erased = none;
  const followUpIds: string[] = [];
  let isComplete = false;
  for (let batches = 0; !isComplete && batches < maxLeads / erasure.leadsTogether; batches++) {
    const batch = await db.transaction(async (transaction) => eraseSome(transaction, person, actor));
    erased = sum(erased, batch.counts);
    followUpIds.push(...batch.followUpIds);
    isComplete = batch.counts.leads < erasure.leadsTogether;
  }
  return { erased: { ...erased, isComplete }, followUpIds };
}

/** The largest number of leads that one call counts or erases. */
const maxLeads = erasure.leads;
/** Addresses that one statement reads. */
const rowsTogether = 5_000;

/** Erases the first leads of an address, and what is held about it besides leads. */
async function eraseSome(transaction: Knex.Transaction, person: Person, actor: AuditEntry['actor']) {
  const { email } = person;
  // A restore must not move the time of the erasure.
  const isCounted = person.before ? false : await listPerson(transaction, email, actor);
  const ids = await leadIds(
    transaction,
    leadsOfAddress,
    bindingsOf(person),
    erasure.leadsTogether,
    'for update of leads',
  );
  const identifiers = await identifiersOf(transaction, ids, email);
  const { counts: ofLeads, followUpIds } = await eraseLeads(transaction, ids);
  await transaction.raw('select erase_former_address(?)', [email]);
  await transaction('recent_emails').whereRaw('mailbox = mailbox_of(?)', [email]).delete();
  const counts = {
    ...ofLeads,
    savedViews: await eraseInViews(transaction, identifiers),
    optOuts: await optOutsOf(transaction, person).delete(),
  };
  await auditLog(transaction).add({
    action: 'person_erased',
    actor,
    details: { ...counts, ...(isStaff(actor) && { addresses: isCounted ? 1 : 0 }) },
  });
  return { counts, followUpIds };
}

const isStaff = (actor: AuditEntry['actor']): actor is { readonly id: string } => typeof actor !== 'string';

/**
 * Lists an address and its mailbox as erased.
 * @returns whether the address counts in the hour of a member of staff, because it was not erased within it
 * @throws {ErasureLimitReached}
 */
async function listPerson(transaction: Knex.Transaction, email: string, actor: AuditEntry['actor']): Promise<boolean> {
  const list = erasureList(transaction);
  const { rows } = await transaction.raw<{ rows: { mailbox: string }[] }>('select mailbox_of(?) as mailbox', [email]);
  const author = isStaff(actor) ? await list.authorOf(actor.id, email) : undefined;
  await list.add(
    [
      { subject: 'address', text: email },
      { subject: 'mailbox', text: rows[0]?.mailbox ?? '' },
    ],
    author?.username,
  );
  return author?.isCounted ?? false;
}

function bindingsOf({ email, before }: Person) {
  return { email, before: before?.toISOString() ?? null };
}

/**
 * Returns the ids of leads, in the order of all changes of leads.
 * @param lock - with it, no email of them is written in the meantime
 */
async function leadIds(
  transaction: Knex.Transaction,
  condition: string,
  bindings: Readonly<Record<string, string | null>>,
  limit: number,
  lock = '',
): Promise<string[]> {
  const { rows } = await transaction.raw<{ rows: { id: string }[] }>(
    `select id from leads where ${condition} order by id limit :limit ${lock}`,
    { ...bindings, limit },
  );
  return rows.map(({ id }) => id);
}

/** Erases leads, with all that belongs to them. They are locked. */
async function eraseLeads(
  transaction: Knex.Transaction,
  ids: readonly string[],
): Promise<{ readonly counts: PersonalData; readonly followUpIds: readonly string[] }> {
  const counts = await countOfLeads(transaction, ids);
  const followUpIds = await transaction('follow_ups')
    .whereIn('lead_id', [...ids])
    .pluck<string[]>('id');
  await transaction.raw('select erase_leads(?::uuid[])', [[...ids]]);
  return { counts, followUpIds };
}

async function countOfLeads(transaction: Knex.Transaction, ids: readonly string[]): Promise<PersonalData> {
  const { rows } = await transaction.raw<{ rows: Omit<PersonalData, 'savedViews' | 'optOuts'>[] }>(
    `select cardinality(:ids::uuid[]) as leads,
            email.emails, email."unsentEmails", email.replies, email.webhooks, event.notes, event."historyEntries"
     from (
       select (count(*) filter (where ${isEmail()}))::integer as emails,
              (count(*) filter (where ${isEmail()} and state in ('pending', 'failed', 'withheld')))::integer
                as "unsentEmails",
              (count(*) filter (where kind = 'reply'))::integer as replies,
              (count(*) filter (where kind = 'webhook'))::integer as webhooks
       from follow_ups where lead_id = any (:ids::uuid[])
     ) as email, (
       select (count(*) filter (where kind = 'note'))::integer as notes,
              (count(*) filter (where kind <> 'note'))::integer as "historyEntries"
       from lead_events where lead_id = any (:ids::uuid[])
     ) as event`,
    { ids: [...ids] },
  );
  return { ...none, ...rows[0] };
}

function sum(one: PersonalData, other: PersonalData): PersonalData {
  const names = Object.keys(none) as (keyof PersonalData)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as PersonalData;
}

function optOutsOf(transaction: Knex.Transaction, { email, before }: Person) {
  const optOuts = transaction('email_opt_outs').whereRaw('mailbox = mailbox_of(?)', [email]);
  return before ? optOuts.where('created_at', '<=', before) : optOuts;
}

/** Erases the opt-outs of mailboxes that are on the list of erasures. */
async function eraseOptOuts(db: Knex, erasedAt: ErasedAt): Promise<void> {
  const optOuts = await db('email_opt_outs').select<{ id: string; mailbox: string; created_at: Date }[]>(
    'id',
    'mailbox',
    'created_at',
  );
  const ids = optOuts
    .filter(({ mailbox, created_at }) => created_at.getTime() <= (erasedAt('mailbox', mailbox)?.getTime() ?? 0))
    .map(({ id }) => id);
  if (ids.length > 0) await db('email_opt_outs').whereIn('id', ids).delete();
}

/** Yields the address of every lead with its id, and every corrected address with the id null. */
async function* everyAddress(db: Knex): AsyncGenerator<{ readonly id: string | null; readonly address: string }> {
  for (let last: string | undefined; ;) {
    const { rows } = await db.raw<{ rows: { id: string; address: string }[] }>(
      `select id, email as address from leads ${last === undefined ? '' : 'where id > :last'}
       order by id limit ${rowsTogether}`,
      { ...(last !== undefined && { last }) },
    );
    yield* rows;
    last = rows.at(-1)?.id;
    if (rows.length < rowsTogether) break;
  }
  const { rows } = await db.raw<{ rows: { address: string }[] }>(
    `select distinct address from lead_events
     cross join lateral (values (details ->> 'from'), (details ->> 'to')) as corrected (address)
     where kind = 'address_corrected' and address is not null`,
  );
  yield* rows.map(({ address }) => ({ id: null, address }));
}
