import { randomBytes } from 'node:crypto';
import { connectDatabase, connectForMaintenance } from '@dune-tide/db/connect';
import type { Knex } from 'knex';
import pg from 'pg';
import { testService } from './environment.ts';

/** A migrated database. Every test file works on its own copy. */
export const templateDatabase = 'studio_template';

export interface TestDatabase {
  readonly url: string;
  readonly database: Knex;
  /** Drops the database. @throws if a connection is still open, so that a leak fails the test */
  drop(): Promise<void>;
}

/**
 * Creates a database for one test file.
 * @param template - `template0` for an empty database
 */
export async function createTestDatabase(template: string = templateDatabase): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} template ${template}`);
  const url = new URL(testService('TEST_DATABASE_URL'));
  url.pathname = `/${name}`;
  const database = connectDatabase({ url: url.href, applicationName: 'test', poolSize: 5 });
  return {
    url: url.href,
    database,
    async drop() {
      await database.destroy();
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
    // The server needs a moment to notice a closed connection. A leaked connection stays open.
    for (let tries = 0; ; tries++) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        const isInUse = error instanceof pg.DatabaseError && error.code === '55006';
        if (!isInUse || tries === 20) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  } finally {
    await client.end();
  }
}
