import type { AuditAction } from '@dune-tide/domain/audit-actions';
import type { Knex } from 'knex';

/** Numbers that operators are alerted of (docs/RUNBOOK.md, "Metrics and alerts"). */
export type AuditAlarms = Readonly<Record<'erasures' | 'exports' | 'owners' | 'passwords' | 'codes', number>>;

/** No number is counted further than this, so that a scrape reads few entries during an attack. */
const countedAtMost = 1_000;

const inLastHour = (condition: string, ...actions: readonly AuditAction[]): string => `(
  select count(*)::integer from (
    ${actions
      .map(
        (action) =>
          `(select * from audit_log where action = '${action}' order by position desc limit ${countedAtMost})`,
      )
      .join(' union all ')}
  ) as newest where at > now() - interval '1 hour' and ${condition}
)`;
const byStaff = `actor = 'staff'`;
const ofOwner = `(action = 'made_owner' or details ->> 'role' = 'owner')`;

/** The most of one account that exists. */
const ofOneAccount = (...actions: readonly AuditAction[]): string => `(
  select coalesce(max(refused.count), 0)::integer from staff cross join lateral (
    select count(*) from (
      select from audit_log
      where subject_id = staff.id and action in (${actions.map((action) => `'${action}'`).join(', ')})
        and at > now() - interval '1 day'
      limit ${countedAtMost}
    ) as recent
  ) as refused
)`;

/**
 * Returns what the audit log reports. Of the last hour: how often staff erased and exported, and how many accounts became
 * owners. Of the last day: the most wrong passwords, and the most wrong codes after a right password, of one account.
 */
export async function auditAlarms(db: Knex): Promise<AuditAlarms> {
  const { rows } = await db.raw<{ rows: AuditAlarms[] }>(
    `select ${inLastHour(byStaff, 'person_erased')} as erasures,
            ${inLastHour(byStaff, 'person_exported', 'leads_exported')} as exports,
            ${inLastHour(ofOwner, 'made_owner', 'member_added')} as owners,
            ${ofOneAccount('sign_in_refused', 'password_refused')} as passwords,
            ${ofOneAccount('second_factor_refused')} as codes`,
  );
  const [alarms] = rows;
  if (!alarms) throw new Error('A query that always returns a row returned none');
  return alarms;
}
