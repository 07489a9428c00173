import { createHmac, randomUUID } from 'node:crypto';
import { erasure } from '@dune-tide/domain/limits';
import type { erasureResponse, personalDataResponse } from '@dune-tide/domain/responses/personal-data';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { auditLog, type AuditEntry } from '../audit-log/index.ts';
import { isEmail } from '../follow-ups/index.ts';
import { eraseViews, viewsThatName, type NamedLead } from './saved-views.ts';

export type PersonalData = Presented<typeof personalDataResponse>;

/** An entry of the list of erasures, which a restore applies. */
export interface ListedErasure {
  /** HMAC-SHA256 of an address or of the id of a lead, in hexadecimal digits. */
  readonly hash: string;
  /** The key of the hash, a UUID. */
  readonly key: string;
  readonly erasedAt: Date;
}

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
        const leads = await namedLeads(transaction, leadsOfAddress, bindingsOf({ email }), maxLeads);
        const ofLeads = await countOfLeads(
          transaction,
          leads.map(({ id }) => id),
        );
        const views = await viewsThatName(transaction, email, leads);
        const optOuts = await optOutsOf(transaction, { email }).select<object[]>('id');
        return { ...ofLeads, savedViews: views.length, optOuts: optOuts.length };
      });
    },

    /**
     * Erases everything that is held about an address, and lists the address as erased. Emails that wait are never sent;
     * an email that is being sent can still arrive. Each transaction erases some leads.
     * @param email - in upper or lower case
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
        const [lead] = await namedLeads(transaction, 'leads.id = :leadId', { leadId }, 1, 'for update');
        if (!lead) return undefined;
        const { rows } = await transaction.raw<{ rows: { email: string; isLast: boolean }[] }>(
          `select email, not exists (
             select from leads other where lower(other.email) = lower(leads.email) and other.id <> leads.id
           ) as "isLast"
           from leads where id = ?`,
          [leadId],
        );
        const ofLead = await eraseLeads(transaction, [leadId]);
        const email = rows[0]?.email ?? '';
        // Saved views may name the person because of another lead.
        const savedViews = rows[0]?.isLast === true ? await eraseViews(transaction, email, [lead]) : 0;
        await listErasure(transaction, leadText(leadId));
        await auditLog(transaction).add({ action: 'lead_withdrawn', actor: 'unknown', subjectId: leadId });
        return {
          erased: { ...ofLead.counts, savedViews, isComplete: true },
          followUpIds: ofLead.followUpIds,
        };
      });
    },

    /** Returns the list of erasures, in the order in which they were made. */
    async listed(): Promise<ListedErasure[]> {
      return db('erasures').orderBy(['erased_at', 'hash']).select<ListedErasure[]>({
        hash: 'hash',
        key: 'key',
        erasedAt: 'erased_at',
      });
    },

    /** Adds entries to the list of erasures. An entry that the list has keeps the later time. */
    async addListed(entries: readonly ListedErasure[]): Promise<void> {
      for (let from = 0; from < entries.length; from += rowsTogether) {
        const rows = entries.slice(from, from + rowsTogether);
        await db.raw(
          `insert into erasures (hash, key, erased_at)
           select hash, key, "erasedAt" from jsonb_to_recordset(?::jsonb) as added (
             hash text, key uuid, "erasedAt" timestamptz
           )
           on conflict (hash) do update set erased_at = greatest(erasures.erased_at, excluded.erased_at)`,
          [JSON.stringify(rows)],
        );
      }
    },

    /**
     * Erases what is on the list of erasures but still held, e.g. because a backup was restored. What arrived after its
     * erasure stays.
     * @param actor - who restores
     * @returns the number of leads that were erased
     */
    async applyListed(actor: AuditEntry['actor']): Promise<number> {
      const listed = await this.listed();
      if (listed.length === 0) return 0;
      const times = new Map(listed.map(({ hash, erasedAt }) => [hash, erasedAt]));
      const keys = [...new Set(listed.map(({ key }) => key))];
      const erasedAt = (text: string): Date | undefined =>
        keys.map((key) => times.get(hashOf(key, text))).find((time) => time !== undefined);
      const people = new Map<string, Date>();
      const withdrawn: string[] = [];
      for await (const { id, address } of everyAddress(db)) {
        const before = erasedAt(addressText(address));
        if (before) people.set(address.toLowerCase(), before);
        if (id !== null && erasedAt(leadText(id))) withdrawn.push(id);
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

/** The texts that are hashed. Their beginnings differ, so that none can be mistaken for another. */
const addressText = (email: string): string => `email:${email.toLowerCase()}`;
const mailboxText = (mailbox: string): string => `mailbox:${mailbox}`;
const leadText = (id: string): string => `lead:${id}`;

/** The largest number of leads that one call counts or erases. */
const maxLeads = erasure.leads;
/** Entries of the list that one statement writes, and addresses that one statement reads. */
const rowsTogether = 5_000;

function hashOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Adds an address, a mailbox or a lead to the list of erasures. */
async function listErasure(transaction: Knex.Transaction, text: string): Promise<void> {
  const earlier = await transaction('erasures').orderBy('erased_at').first<{ key: string } | undefined>('key');
  const key = earlier?.key ?? randomUUID();
  await transaction('erasures')
    .insert({ hash: hashOf(key, text), key })
    .onConflict('hash')
    .merge({ erased_at: transaction.fn.now() });
}

/** Erases the first leads of an address, and what is held about it besides leads. */
async function eraseSome(transaction: Knex.Transaction, person: Person, actor: AuditEntry['actor']) {
  const { email } = person;
  const leads = await namedLeads(
    transaction,
    leadsOfAddress,
    bindingsOf(person),
    erasure.leadsTogether,
    'for update of leads',
  );
  const { counts: ofLeads, followUpIds } = await eraseLeads(
    transaction,
    leads.map(({ id }) => id),
  );
  await transaction.raw('select erase_former_address(?)', [email]);
  await transaction('recent_emails').whereRaw('mailbox = mailbox_of(?)', [email]).delete();
  const counts = {
    ...ofLeads,
    savedViews: await eraseViews(transaction, email, leads),
    optOuts: await optOutsOf(transaction, person).delete(),
  };
  // A restore must not move the time of the erasure.
  if (!person.before) {
    await listErasure(transaction, addressText(email));
    const { rows } = await transaction.raw<{ rows: { mailbox: string }[] }>('select mailbox_of(?) as mailbox', [email]);
    await listErasure(transaction, mailboxText(rows[0]?.mailbox ?? ''));
  }
  await auditLog(transaction).add({ action: 'person_erased', actor, details: counts });
  return { counts, followUpIds };
}

function bindingsOf({ email, before }: Person) {
  return { email, before: before?.toISOString() ?? null };
}

/**
 * Returns leads, in the order of all changes of leads.
 * @param lock - with it, no email of them is written in the meantime
 */
async function namedLeads(
  transaction: Knex.Transaction,
  condition: string,
  bindings: Readonly<Record<string, string | null>>,
  limit: number,
  lock = '',
): Promise<NamedLead[]> {
  const { rows } = await transaction.raw<{ rows: NamedLead[] }>(
    `select id, concat_ws(' ', answers ->> 'name', answers ->> 'firstName', answers ->> 'lastName') as names,
            coalesce(answers ->> 'phone', '') as phone
     from leads where ${condition} order by id limit :limit ${lock}`,
    { ...bindings, limit },
  );
  return rows;
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
async function eraseOptOuts(db: Knex, erasedAt: (text: string) => Date | undefined): Promise<void> {
  const optOuts = await db('email_opt_outs').select<{ id: string; mailbox: string; created_at: Date }[]>(
    'id',
    'mailbox',
    'created_at',
  );
  const ids = optOuts
    .filter(({ mailbox, created_at }) => created_at.getTime() <= (erasedAt(mailboxText(mailbox))?.getTime() ?? 0))
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
