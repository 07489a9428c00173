/** Levels of rights on the rows of a table. Each level includes the ones before it. */
export const privileges = {
  read: 'select',
  append: 'select, insert',
  change: 'select, insert, update',
  delete: 'select, insert, update, delete',
} as const;

export interface Table {
  /**
   * The rights of the role `app` (ADR 0017). A trigger runs with the rights of the statement that fires it, so the tables
   * that triggers fill are included.
   */
  readonly app: keyof typeof privileges;
  /** The only columns that an insert of `app` may name, for a table whose other columns the database fills. */
  readonly appInserts?: readonly string[];
  /**
   * Whether backups contain the rows (ADR 0012):
   *
   * - a singular and a plural noun for the rows: both kinds of backup contain them
   * - `server`: only the backup of a server contains them, because pg_restore fires no triggers and runs no migrations
   * - `none`: no backup contains them
   */
  readonly backup: readonly [one: string, several: string] | 'server' | 'none';
}

/** Every table of the product. A backup has them in this order after `staff`, each after those that it references. */
export const tables = {
  leads: { app: 'change', backup: ['lead', 'leads'] },
  follow_ups: { app: 'change', backup: ['follow-up', 'follow-ups'] },
  digest_entries: { app: 'delete', backup: ['notice in a digest', 'notices in digests'] },
  email_opt_outs: { app: 'delete', backup: ['opt-out', 'opt-outs'] },
  lead_events: { app: 'append', backup: ['history entry', 'history entries'] },
  lead_notifications: { app: 'delete', backup: ['notification', 'notifications'] },
  lead_reminders: { app: 'append', backup: ['reminded lead', 'reminded leads'] },
  lead_views: { app: 'delete', backup: ['saved view', 'saved views'] },
  lead_replies: { app: 'change', backup: ['reply', 'replies'] },
  webhook_events: { app: 'append', backup: ['webhook', 'webhooks'] },
  email_texts: { app: 'append', backup: ['text of emails', 'texts of emails'] },
  notice_texts: { app: 'change', backup: ['text of a notice', 'texts of notices'] },
  totp_factors: { app: 'delete', backup: ['authenticator app', 'authenticator apps'] },
  recovery_codes: { app: 'delete', backup: ['recovery code', 'recovery codes'] },
  passkeys: { app: 'delete', backup: ['passkey', 'passkeys'] },
  account_notices: { app: 'append', backup: ['notice about an account', 'notices about accounts'] },
  erasure_notices: { app: 'append', backup: ['notice of erasures', 'notices of erasures'] },
  staff: { app: 'change', backup: ['staff account', 'staff accounts'] },
  recipes: { app: 'delete', backup: ['recipe', 'recipes'] },
  audit_log: {
    app: 'append',
    appInserts: ['actor', 'actor_id', 'action', 'subject_id', 'details'],
    backup: ['audit entry', 'audit entries'],
  },
  audit_origins: {
    app: 'append',
    appInserts: ['entry_id', 'key', 'network', 'device'],
    backup: ['origin of audit entries', 'origins of audit entries'],
  },
  erasures: { app: 'change', backup: ['erasure', 'erasures'] },
  // Only an operator leaves erasures out.
  erasure_skips: { app: 'read', backup: ['left-out account', 'left-out accounts'] },
  // A restore must not sign a member in again, nor bring back a device that has ended.
  sessions: { app: 'delete', backup: 'none' },
  pending_sign_ins: { app: 'delete', backup: 'none' },
  pending_emails: { app: 'delete', backup: 'none' },
  known_devices: { app: 'delete', backup: 'none' },
  device_failures: { app: 'delete', backup: 'none' },
  // These rows matter for a short time only.
  rate_limits: { app: 'delete', backup: 'none' },
  recent_emails: { app: 'delete', backup: 'none' },
  bulk_requests: { app: 'append', backup: 'none' },
  // Triggers maintain the counts, and the workers write the search texts.
  lead_counts: { app: 'change', backup: 'server' },
  follow_up_counts: { app: 'change', backup: 'server' },
  lead_search: { app: 'delete', backup: 'server' },
  lead_search_builds: { app: 'change', backup: 'server' },
  schema_migrations: { app: 'read', backup: 'server' },
  schema_migrations_lock: { app: 'read', backup: 'server' },
} as const satisfies Readonly<Record<string, Table>>;

type TableName = keyof typeof tables;
export type BackedUpTable = {
  [Name in TableName]: (typeof tables)[Name]['backup'] extends string ? never : Name;
}[TableName];

/** Returns whether the product of this release has a table with the name. */
export function isTable(name: string): name is TableName {
  return Object.hasOwn(tables, name);
}

/** Returns whether a backup by the program contains the rows of a table. */
export function isBackedUp(name: string): name is BackedUpTable {
  return isTable(name) && typeof tables[name].backup !== 'string';
}
