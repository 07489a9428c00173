import type { Knex } from 'knex';
import * as baseline from '../../migrations/baseline.ts';
import * as formerReleases from '../../migrations/20261127-30-former-releases.ts';
import * as leadActivity from '../../migrations/20261128-31-lead-activity.ts';
import * as searchVersions from '../../migrations/20261128-32-search-versions.ts';
import * as staffRoles from '../../migrations/20261128-33-staff-roles.ts';
import * as knownDevices from '../../migrations/20261128-34-known-devices.ts';
import * as auditOrigins from '../../migrations/20261128-35-audit-origins.ts';
import * as erasureAuthors from '../../migrations/20261128-36-erasure-authors.ts';
import * as assignmentEmails from '../../migrations/20261128-37-assignment-emails.ts';
import * as staffEmailLimits from '../../migrations/20261128-38-staff-email-limits.ts';
import * as pendingEmails from '../../migrations/20261128-39-pending-emails.ts';
import * as secondFactorDefault from '../../migrations/20261128-40-second-factor-default.ts';
import type { LargeIndex } from './large-indexes.ts';
import type { LateCheck } from './late-checks.ts';
import { requiredStop } from './releases.ts';

export interface Migration extends Knex.Migration {
  /** Indexes that are built before the transaction of the migrations, while the previous release is running. */
  readonly largeIndexes?: readonly LargeIndex[];
  /** Indexes on columns that the migration adds. They are built after the transaction, so that inserts do not wait. */
  readonly lateIndexes?: readonly LargeIndex[];
  /** CHECKs that the migration adds as `not valid`. They are validated after the transaction, as when it is reverted. */
  readonly lateChecks?: readonly LateCheck[];
}

export interface NamedMigration {
  readonly name: string;
  readonly migration: Migration;
}

/**
 * Returns whether migrations are not those of the required stop, or not all of them, so that this release cannot work
 * with their database.
 */
export const isBeforeRequiredStop = (completed: readonly string[]): boolean =>
  baseline.names.some((name, index) => completed[index] !== name);

/**
 * All migrations in their order. They are listed here, not read from the folder, so that source and build have one
 * list.
 */
export const migrations: readonly NamedMigration[] = [
  ...baseline.names.map((name) => ({
    name,
    migration: name === requiredStop.lastMigration ? baseline : { up: async () => undefined, down: baseline.down },
  })),
  { name: '20261127-30-former-releases', migration: formerReleases },
  { name: '20261128-31-lead-activity', migration: leadActivity },
  { name: '20261128-32-search-versions', migration: searchVersions },
  { name: '20261128-33-staff-roles', migration: staffRoles },
  { name: '20261128-34-known-devices', migration: knownDevices },
  { name: '20261128-35-audit-origins', migration: auditOrigins },
  { name: '20261128-36-erasure-authors', migration: erasureAuthors },
  { name: '20261128-37-assignment-emails', migration: assignmentEmails },
  { name: '20261128-38-staff-email-limits', migration: staffEmailLimits },
  { name: '20261128-39-pending-emails', migration: pendingEmails },
  { name: '20261128-40-second-factor-default', migration: secondFactorDefault },
];
