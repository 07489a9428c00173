import { randomBytes } from 'node:crypto';
import { connectDatabase, connectForMaintenance, servingLimits, type DatabaseOptions } from '@dune-tide/db/connection';
import { grantQueueAccess, migrateUp } from '@dune-tide/db/schema';
import { localDatabaseName } from '@dune-tide/local/local-database';
import { queueSchema } from '@dune-tide/platform/queue/bullmq-internals';
import { migrateQueue } from '@dune-tide/platform/queue/migrate';
import type { Knex } from 'knex';
import pg from 'pg';
import { testService, type TestService } from './environment.ts';

/** Creates a pool for tests. Only locks have the product's limit: on a busy machine, a statement can take seconds. */
export function connectForTest(url: string, options: Pick<DatabaseOptions, 'writesWebhooks'> = {}): Knex {
  const timeLimits = { ...servingLimits, connect: 30_000, query: 30_000, statement: 30_000 };
  return connectDatabase({ url, applicationName: 'test', poolSize: 5, timeLimits, ...options });
}

export interface TestDatabase {
  /** The connection string of the superuser, with which tests prepare and check data. */
  readonly url: string;
  /** A pool of the superuser. */
  readonly database: Knex;
  /** The connection string of the role `app`, with which the API and the workers run. */
  readonly appUrl: string;
  /** A pool of the role `app`. */
  readonly app: Knex;
  /** A pool of the role `app` as a process with a WEBHOOK_URL has it: its changes write webhooks. */
  readonly appWithWebhooks: Knex;
  /** The connection string of the role `migrate`, which owns the tables. */
  readonly ownerUrl: string;
  /** The connection string of the role `backup`. */
  readonly backupUrl: string;
  /** Drops the database. @throws if a connection is still open, so that a leak fails the test */
  drop(): Promise<void>;
}

/**
 * Creates a database for one test file.
 * @param template - the migrated database, or `template0` for an empty one
 */
export async function createTestDatabase(template: string = localDatabaseName): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} template ${template} owner migrate`);
  await administer(`revoke create, temporary on database ${name} from public`);
  const urlOf = (service: TestService): string => {
    const url = new URL(testService(service));
    url.pathname = `/${name}`;
    return url.href;
  };
  const url = urlOf('TEST_DATABASE_URL');
  const appUrl = urlOf('TEST_APP_URL');
  const database = connectForTest(url);
  const app = connectForTest(appUrl);
  const appWithWebhooks = connectForTest(appUrl, { writesWebhooks: true });
  return {
    url,
    database,
    appUrl,
    app,
    appWithWebhooks,
    ownerUrl: urlOf('TEST_OWNER_URL'),
    backupUrl: urlOf('TEST_BACKUP_URL'),
    async drop() {
      await Promise.all([database, app, appWithWebhooks].map((pool) => pool.destroy()));
      await administer(`drop database ${name}`);
    },
  };
}

/**
 * Creates a database before the tests of a `describe` and drops it after them.
 * @returns a function that returns the database while the tests run
 */
export function withTestDatabase(): () => TestDatabase {
  let current: TestDatabase | undefined;
  before(async () => {
    current = await createTestDatabase();
  });
  after(() => current?.drop());
  return () => {
    if (!current) throw new Error('The test database exists only while tests run');
    return current;
  };
}

/** Migrates a database and its queue, and grants the roles their rights. @param ownerUrl - with the role `migrate` */
export async function migrateTestDatabase(ownerUrl: string): Promise<void> {
  const maintenance = connectForMaintenance({ url: ownerUrl, applicationName: 'test' });
  try {
    await migrateUp(maintenance);
    await migrateQueue({ databaseUrl: ownerUrl });
    await grantQueueAccess(maintenance, queueSchema);
  } finally {
    await maintenance.destroy();
  }
}

/** Runs a statement that stores many rows, without the time limit of a serving pool. */
export async function fillDatabase(
  url: string,
  statement: string,
  bindings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const maintenance = connectForMaintenance({ url, applicationName: 'test' });
  try {
    await maintenance.raw(statement, bindings);
  } finally {
    await maintenance.destroy();
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testService('TEST_DATABASE_URL') });
  await client.connect();
  try {
    // The server waits five seconds for connections that are being closed. A leaked connection stays open.
    await client.query(statement);
  } finally {
    await client.end();
  }
}
