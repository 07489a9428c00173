import type { Knex } from 'knex';
import { Redis } from 'ioredis';

/**
 * Searches every column of every table of a database for texts, in upper or lower case. Texts of JSON are found as well.
 * @param db - a pool of the superuser
 * @returns where each text was found, e.g. `public.leads: noura@example.com`
 */
export async function findInDatabase(db: Knex, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by name`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.raw<{ rows: { text: string }[] }>(
      `select wanted.text from unnest(?::text[]) as wanted (text)
       where exists (select from ${name} as row_of where strpos(lower(row_of::text), lower(wanted.text)) > 0)`,
      [[...texts]],
    );
    found.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return found;
}

/** Returns everything that a Redis server stores, as one text. */
export async function contentOfRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const parts: string[] = [];
    for (const key of await redis.keys('*')) {
      const dump = await redis.dumpBuffer(key);
      parts.push(key, dump?.toString('latin1') ?? '');
    }
    return parts.join('\n');
  } finally {
    redis.disconnect();
  }
}
