import { readFile } from 'node:fs/promises';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { tables } from '../src/schema/tables.ts';

describe('the registry of tables', () => {
  const test = withTestDatabase();

  it('names every table of the schema', async () => {
    const names = await test().database('pg_tables').where({ schemaname: 'public' }).pluck<string[]>('tablename');
    expect(Object.keys(tables)).to.have.members(names);
  });

  it('names the tables that the backup of a server leaves out', async () => {
    const script = await readFile(new URL('../../scripts/dump-database.sh', import.meta.url), 'utf8');
    const leftOut = [...script.matchAll(/--exclude-table-data=public\.(\w+)/g)].map(([, name]) => name);
    const none = Object.entries(tables).flatMap(([name, { backup }]) => (backup === 'none' ? [name] : []));
    expect(leftOut).to.have.members(none);
  });
});
