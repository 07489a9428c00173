import { randomBytes } from 'node:crypto';
import { connectDatabase } from '@dune-tide/db/connect';
import type { Knex } from 'knex';
import pg from 'pg';
import { testService } from './environment.ts';

/** All tables, migrated once; every test file works on a copy of its own. */
export const templateDatabase = 'studio_template';

export interface TestDatabase {
  readonly url: string;
  readonly database: Knex;
  /** @throws when a connection was left open: a leak fails the test */
  drop(): Promise<void>;
}

/**
 * Makes a database of its own.
 * @param template - `template0` for an empty one
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
 * A database for the tests of one `describe`, made before them and dropped after.
 * @returns a function that gives it while tests run
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

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testService('TEST_DATABASE_URL') });
  await client.connect();
  try {
    // A closing connection takes the server a moment to notice; a leaked one is still there after it.
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
