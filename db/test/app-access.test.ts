import { startEmptyCluster, type EmptyCluster } from '@dune-tide/testkit/cluster';
import { migrateTestDatabase, withTestDatabase } from '@dune-tide/testkit/database';
import { contactMessage } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Knex } from 'knex';
import pg from 'pg';
import { connectForMaintenance } from '../src/connection/connect.ts';
import { describeOutage } from '../src/connection/describe-outage.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { roles } from '../src/schema/app-access.ts';
import { MigrationHistoryError, migrateUp, upgradeFirst } from '../src/schema/migrate.ts';
import { tables } from '../src/schema/tables.ts';

const insufficientPrivilege = '42501';

describe('the roles of the database', () => {
  const test = withTestDatabase();

  /** Runs a statement with a role. @returns the SQLSTATE of its error, or undefined */
  async function attempt(url: string, statement: string): Promise<string | undefined> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
      return undefined;
    } catch (error) {
      return error instanceof pg.DatabaseError ? error.code : String(error);
    } finally {
      await client.end();
    }
  }

  it('let migrate own every table, sequence, function and schema of the product', async () => {
    expect(await foreignObjects(test().database)).to.deep.equal([]);
  });

  it('are not superusers, and cannot create roles or databases or replicate', async () => {
    const attributes = await test()
      .database('pg_roles')
      .whereIn('rolname', Object.values(roles))
      .select('rolsuper', 'rolcreaterole', 'rolcreatedb', 'rolreplication', 'rolbypassrls');
    const none = {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    };
    expect(attributes).to.deep.equal([none, none, none]);
  });

  for (const [name, statement] of [
    ['read a file of the server', `select pg_read_file('/etc/hostname')`],
    ['list a folder of the server', `select pg_ls_dir('/')`],
    ['import a file of the server', `select lo_import('/etc/hostname')`],
    ['start a program on the server', `copy (select 1) to program 'true'`],
    ['read the output of a program', `copy recipes from program 'true'`],
    ['copy a file of the server into a table', `copy recipes from '/etc/hostname'`],
    ['write a file of the server', `copy recipes to '/tmp/recipes'`],
    ['create a table', 'create table public.planted (id integer)'],
    ['create a table in the schema of the queue', 'create table bullmq.planted (id integer)'],
    ['create a temporary table', 'create temporary table planted (id integer)'],
    ['create a schema', 'create schema planted'],
    ['create a function', `create function planted() returns integer language sql as 'select 1'`],
    ['drop an extension', 'drop extension plpgsql'],
    ['change a table', 'alter table leads add column planted text'],
    ['disable a trigger', 'alter table leads disable trigger all'],
    ['change a function', 'alter function count_leads() security definer'],
    ['drop a table', 'drop table recipes'],
    ['drop a table of the queue', 'drop table bullmq.job cascade'],
    ['truncate a table', 'truncate recipes'],
    ['truncate a table of the queue', 'truncate bullmq.job cascade'],
    ['add a trigger', 'create trigger planted after insert on leads execute function count_leads()'],
    ['add an index', 'create index planted on leads (email)'],
    ['become the owner', 'set role migrate'],
    ['become the superuser', 'set session authorization studio'],
    ['read the password hashes of roles', 'select * from pg_authid'],
    ['create a role', 'create role planted'],
    ['give itself a right', 'grant migrate to app'],
    ['create a database', 'create database planted'],
    ['change a setting of the server', `alter system set log_statement = 'all'`],
    [
      'end the connections of others',
      `select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user`,
    ],
    ['delete leads', 'delete from leads'],
    ['delete follow-ups', 'delete from follow_ups'],
    ['delete accounts', 'delete from staff'],
    ['change the history of a lead', `update lead_events set details = '{}'`],
    ['delete from the history of a lead', 'delete from lead_events'],
    ['change which leads staff were reminded of', `update lead_reminders set stage = 'soon'`],
    ['delete which leads staff were reminded of', 'delete from lead_reminders'],
    ['delete replies', 'delete from lead_replies'],
    ['change the audit log', `update audit_log set action = 'signed_in'`],
    ['delete from the audit log', 'delete from audit_log'],
    [
      'choose the place of an audit entry',
      `insert into audit_log (actor, action, position, hash) values ('system', 'a', 9223372036854775807, repeat('a', 64))`,
    ],
    ['choose the time of an audit entry', `insert into audit_log (actor, action, at) values ('system', 'a', now())`],
    [
      'choose the id of an audit entry',
      `insert into audit_log (actor, action, id) values ('system', 'a', gen_random_uuid())`,
    ],
    [
      'choose the time of the origin of an audit entry',
      `insert into audit_origins (entry_id, key, at) values (gen_random_uuid(), repeat('a', 64), now())`,
    ],
    ['change the origin of an audit entry', `update audit_origins set network = '192.0.2.0/24'`],
    ['delete the origin of an audit entry', 'delete from audit_origins'],
    ['change the list of migrations', 'delete from schema_migrations'],
    ["change the list of the queue's migrations", 'update bullmq.migration set version = 0'],
  ] as const) {
    it(`do not let the application ${name}`, async () => {
      // This query opens a connection that the statement could end.
      await test().database.raw('select 1');
      expect(await attempt(test().appUrl, statement)).to.equal(insufficientPrivilege);
      expect(await attempt(test().backupUrl, statement)).to.equal(insufficientPrivilege);
    });
  }

  it('let only the application and the owner do what needs the rights of the owner', async () => {
    for (const call of [
      `select erase_leads('{}')`,
      `select erase_former_address('noura@example.com')`,
      'select remove_old_audit_entries(12)',
      'select remove_old_audit_origins()',
    ]) {
      expect(await attempt(test().appUrl, call)).to.equal(undefined);
      expect(await attempt(test().backupUrl, call)).to.equal(insufficientPrivilege);
    }
  });

  it('give no other role a function that runs with the rights of the owner', async () => {
    const open = await test()
      .database('pg_proc')
      .where({ pronamespace: test().database.raw(`'public'::regnamespace`), prosecdef: true })
      // A function of a trigger cannot be called.
      .whereNot('prorettype', test().database.raw(`'trigger'::regtype`))
      .whereRaw(`has_function_privilege('public', oid, 'execute')`)
      .pluck<string[]>('proname');
    expect(open).to.deep.equal([]);
  });

  it('let backup read all rows and change none', async () => {
    for (const table of Object.keys(tables)) {
      expect(await attempt(test().backupUrl, `select * from ${table} limit 1`), table).to.equal(undefined);
      expect(await attempt(test().backupUrl, `insert into ${table} default values`), table).to.equal(
        insufficientPrivilege,
      );
    }
    expect(await attempt(test().backupUrl, 'select * from bullmq.job')).to.equal(insufficientPrivilege);
  });

  it('are named in the error if a right is missing, and the migration grants it again', async () => {
    await test().database.raw('revoke insert on leads from app');
    const intake = leadIntake(test().app, 'mail.example.com');
    const lead = { ...contactMessage, followUps: [], spamSign: null, idempotencyKey: null };
    const error: unknown = await intake.storeLead(lead).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(DatabaseUnavailableError);
    expect(describeOutage(error as DatabaseUnavailableError)).to.equal(
      'The database is unavailable (42501: the user lacks a right; see the runbook, "Database roles").',
    );

    const owner = connectForMaintenance({ url: test().ownerUrl, applicationName: 'test' });
    try {
      expect((await migrateUp(owner)).run).to.deep.equal([]);
    } finally {
      await owner.destroy();
    }
    expect((await intake.storeLead(lead)).outcome).to.equal('stored');
  });

  it('lose a right that is not in the list', async () => {
    await test().database.raw('grant delete on leads to app');
    await test().database.raw('grant insert on audit_log to app');
    // pg_restore leaves the functions open to all.
    await test().database.raw('grant execute on function erase_leads(uuid[]) to public');
    const owner = connectForMaintenance({ url: test().ownerUrl, applicationName: 'test' });
    try {
      await migrateUp(owner);
    } finally {
      await owner.destroy();
    }
    expect(await attempt(test().appUrl, 'delete from leads')).to.equal(insufficientPrivilege);
    const forged = `insert into audit_log (actor, action, position, hash) values ('system', 'a', 1, repeat('a', 64))`;
    expect(await attempt(test().appUrl, forged)).to.equal(insufficientPrivilege);
    expect(await attempt(test().backupUrl, `select erase_leads('{}')`)).to.equal(insufficientPrivilege);
  });
});

describe('a database whose tables the superuser owns', () => {
  let server: EmptyCluster;
  let earlier: pg.Client;

  before(async () => {
    server = await startEmptyCluster();
    const { cluster } = server;
    await cluster.createDatabase('studio');
    await migrateTestDatabase(cluster.url('studio'));
    earlier = new pg.Client({ connectionString: cluster.url('studio') });
    await earlier.connect();
  });
  after(async () => {
    await earlier.end();
    await server.drop();
  });

  it('gets the roles while the earlier release serves, and both can write afterwards', async () => {
    const { cluster } = server;
    const store = (client: pg.Client): Promise<unknown> =>
      client.query(
        `insert into recipes (title, description, instructions, category)
       values ('a title', 'a text', 'a text', 'design')`,
      );
    // A transaction of the earlier release holds a lock that the change of the owner needs.
    await earlier.query('begin');
    await store(earlier);
    const prepared = cluster.prepareRoles('studio');
    const database = connectForMaintenance({ url: cluster.url('studio'), applicationName: 'test' });
    try {
      await until('the change of the owner waits', async () => {
        const { rows } = await database.raw<{ rows: unknown[] }>(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '-- Creates the roles%'`,
        );
        return rows.length > 0;
      });
      await earlier.query('commit');
      await prepared;
      await store(earlier);

      await migrateTestDatabase(cluster.url('studio', 'migrate'));
      const app = new pg.Client({ connectionString: cluster.url('studio', 'app') });
      await app.connect();
      await store(app);
      await app.end();
      await store(earlier);
      // The migration and the queue of the earlier release still work.
      await migrateTestDatabase(cluster.url('studio'));
      expect(await database('recipes').count<{ count: string }[]>()).to.deep.equal([{ count: '4' }]);
      expect(await foreignObjects(database)).to.deep.equal([]);
      // A second run changes nothing.
      await cluster.prepareRoles('studio');
      await store(earlier);
    } finally {
      await database.destroy();
    }
  });
});

describe('the roles of a database of a release before the required stop', () => {
  it('are not prepared, and nothing is changed', async () => {
    const server = await startEmptyCluster();
    const { cluster } = server;
    try {
      await cluster.createDatabase('studio');
      await migrateTestDatabase(cluster.url('studio'));
      const superuser = connectForMaintenance({ url: cluster.url('studio'), applicationName: 'test' });
      await superuser('schema_migrations').where('name', '>', '20261123-12-retried-at').delete();
      const refusal: unknown = await cluster.prepareRoles('studio').catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(MigrationHistoryError).with.property('message', upgradeFirst);
      expect(await superuser('pg_roles').whereIn('rolname', Object.values(roles))).to.deep.equal([]);
      await superuser.destroy();
    } finally {
      await server.drop();
    }
  });
});

/** Returns the tables, sequences, functions, types and schemas of the product that `migrate` does not own. */
async function foreignObjects(database: Knex): Promise<{ object: string; owner: string }[]> {
  const { rows } = await database.raw<{ rows: { object: string; owner: string }[] }>(`
    with ours as (select oid from pg_namespace where nspname in ('public', 'bullmq'))
    select object, owner::regrole::text as owner from (
      select oid::regclass::text, relowner from pg_class where relnamespace in (table ours)
      union all
      select oid::regprocedure::text, proowner from pg_proc where pronamespace in (table ours)
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      union all
      select oid::regtype::text, typowner from pg_type where typnamespace in (table ours)
        and not exists (select from pg_depend where objid in (pg_type.oid, pg_type.typelem) and deptype = 'e')
      union all
      select nspname, nspowner from pg_namespace where nspname = 'bullmq'
      union all
      select datname, datdba from pg_database where datname = current_database()
    ) as objects (object, owner)
    where owner <> 'migrate'::regrole
  `);
  return rows;
}
