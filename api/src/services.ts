import { dashboardQueries, leadIntake, leadMarks } from '@dune-tide/db/leads';
import { checkReadiness as checkDatabase } from '@dune-tide/db/schema';
import { replyStore } from '@dune-tide/db/follow-ups';
import { staffSessions } from '@dune-tide/db/accounts';
import { brand } from '@dune-tide/domain/brand';
import type { ReplyMode } from '@dune-tide/domain/replies';
import { openPasswords, type Passwords } from '@dune-tide/platform/accounts/password';
import type { Logger } from '@dune-tide/platform/log';
import type { Outage } from '@dune-tide/platform/outage';
import type { BoardQueue } from '@dune-tide/platform/queue/board';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { idTokens, type IdTokens } from '@dune-tide/platform/id-tokens';
import type { Knex } from 'knex';
import { openAnnouncements, type AnnouncementLimits, type Announcements } from './announcements/announcements.ts';
import { knownDevices, type KnownDevices } from './auth/known-devices.ts';
import { readinessCheck, type CheckReadiness } from './health/readiness.ts';
import { fileExports, type FileExports } from './http/file-exports.ts';
import { clientNetworks, type ClientNetworksOf } from './http/server/client-networks.ts';
import { formTokens, type FormTokens } from './leads/form-tokens.ts';
import { wakeUps, type WakeUps } from './leads/wake-up.ts';
import { jobRemoval, type JobRemoval } from './people/remove-jobs.ts';
import type { RateLimitStore } from './rate-limits/rate-limit-store.ts';
import { openPasskeys, type Passkeys } from './second-factor/passkeys.ts';
import { secretSeal } from './second-factor/sealed-secret.ts';
import { totpCodes, type TotpCodes } from './second-factor/totp-codes.ts';

/** The settings of the API, and what its process opens and closes. */
export interface AppDependencies {
  readonly database: Knex;
  /** The state of the database, if the process logs its outages. */
  readonly databaseOutage?: Outage | undefined;
  readonly producer: FollowUpProducer;
  readonly rateLimits: RateLimitStore;
  /** The queue that the board shows. */
  readonly boardQueue: BoardQueue;
  readonly logger: Logger;
  readonly publicUrl: string;
  /**
   * The keys that sign the session cookie. The keys of form tokens and unsubscribe tokens are derived from them. The first one signs.
   */
  readonly sessionKeys: readonly string[];
  readonly trustedProxies: string;
  /** Hashes and checks passwords, by default at the specified cost. */
  readonly passwords?: Passwords | undefined;
  /** Limits of the announcements, by default those of the product. */
  readonly announcementLimits?: AnnouncementLimits | undefined;
  /** Time in milliseconds after which an export that its client does not read is given up. */
  readonly exportStallMs?: number | undefined;
  /** Submissions per form and address in ten minutes; 0 disables the limit. */
  readonly publicPostLimit: number;
  readonly staffEmail?: string | undefined;
  /** Whether replies of staff are sent; `simulated` by default. */
  readonly replyMode?: ReplyMode | undefined;
  /** Whether every account must set up a second factor. If undefined, a column of the oldest account decides. */
  readonly requiresSecondFactor?: boolean | undefined;
}

/** The services of the routes. Each route picks its part. */
export interface Services extends Pick<
  AppDependencies,
  | 'database'
  | 'rateLimits'
  | 'boardQueue'
  | 'logger'
  | 'publicUrl'
  | 'publicPostLimit'
  | 'requiresSecondFactor'
  | 'staffEmail'
> {
  readonly announcements: Announcements;
  readonly checkReadiness: CheckReadiness;
  /** Aborted when the streams must end, which would keep the server from closing. */
  readonly closing: AbortController;
  readonly devices: KnownDevices;
  readonly fileExports: FileExports;
  readonly formTokens: FormTokens;
  readonly intake: ReturnType<typeof leadIntake>;
  readonly networksOf: ClientNetworksOf;
  readonly passkeys: Passkeys;
  readonly passwords: Passwords;
  readonly receiptTokens: IdTokens;
  readonly removeJobs: JobRemoval;
  readonly replies: ReturnType<typeof replyStore>;
  readonly replyMode: ReplyMode;
  readonly totp: TotpCodes;
  readonly unsubscribeTokens: IdTokens;
  readonly emailTokens: IdTokens;
  readonly wakeUps: WakeUps;
}

/** Builds the services once. */
export function openServices(dependencies: AppDependencies): Services {
  const { database, logger, producer, publicUrl, sessionKeys } = dependencies;
  const closing = new AbortController();
  return {
    ...dependencies,
    announcements: openAnnouncements(
      {
        read: () => dashboardQueries(database).announcement(),
        marksOf: (staffIds) => leadMarks(database).of(staffIds),
        liveSessions: (ids) => staffSessions(database).live(ids),
        logger,
      },
      dependencies.announcementLimits,
    ),
    checkReadiness: readinessCheck(
      [
        { name: 'database', check: () => checkDatabase(database) },
        { name: 'queue', check: () => producer.check() },
      ],
      logger,
    ),
    closing,
    devices: knownDevices({ database, sessionKeys, publicUrl }),
    fileExports: fileExports(closing.signal, dependencies.exportStallMs),
    formTokens: formTokens(sessionKeys),
    intake: leadIntake(database, brand.mailDomain),
    networksOf: clientNetworks(dependencies.trustedProxies, logger),
    passkeys: openPasskeys({ database, publicUrl, logger }),
    passwords: dependencies.passwords ?? openPasswords(),
    receiptTokens: idTokens(sessionKeys, 'receipt-token'),
    removeJobs: jobRemoval(producer, logger),
    replies: replyStore(database, brand.mailDomain),
    replyMode: dependencies.replyMode ?? 'simulated',
    totp: totpCodes(database, secretSeal(sessionKeys), logger, dependencies.rateLimits),
    unsubscribeTokens: idTokens(sessionKeys, 'unsubscribe-token'),
    emailTokens: idTokens(sessionKeys, 'email-token'),
    wakeUps: wakeUps(producer, logger),
  };
}
