import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { staffAccounts } from '../src/accounts/accounts.ts';
import { auditLog, checkAuditLog } from '../src/audit-log/log.ts';
import { BackupError, readBackup, restoreBackup } from '../src/backup/backup.ts';
import { connectForMaintenance } from '../src/connection/connect.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import { followUpAdmin } from '../src/follow-ups/admin.ts';
import { followUpClaims } from '../src/follow-ups/claims.ts';
import { reminderStore } from '../src/follow-ups/reminders.ts';
import { replyStore } from '../src/follow-ups/replies.ts';
import { leadHistory } from '../src/leads/history.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { leadLists } from '../src/leads/lists.ts';
import { leadSearchIndex } from '../src/leads/search-index.ts';
import { leadWork } from '../src/leads/work.ts';
import { migrateTo, migrateUp, upgradeFirst } from '../src/schema/migrate.ts';
import { migrations } from '../src/schema/migrations.ts';
import { previousRelease, releases } from '../src/schema/releases.ts';
import { isBackedUp, tables } from '../src/schema/tables.ts';
import { fieldsOf, followUpRow, leadRow, newLead, recipeRow, staffRow, viewRow } from './rows.ts';

type Row = Record<string, unknown>;

/** A text with all kinds of line ends, the marks of COPY, and characters that end a text or a column. */
const awkward = 'a\tb\\N\n\\.\nCOPY leads (id) FROM stdin;\r\n-- end {}\u2028\u2029\u0085 \\ \u{1F30A} مرحبا "\'\u0001';

describe('a backup', () => {
  const made: (TestDatabase | Knex)[] = [];
  afterEach(async () => {
    for (const each of made.splice(0).reverse()) await ('drop' in each ? each.drop() : each.destroy());
  });

  async function newDatabase(template?: string): Promise<{ readonly database: Knex; readonly maintenance: Knex }> {
    const test = await createTestDatabase(template);
    const maintenance = connectForMaintenance({ url: test.url, applicationName: 'backup' });
    made.push(test, maintenance);
    return { database: test.database, maintenance };
  }

  const backUp = (db: Knex): Promise<Buffer> =>
    buffer(Readable.from(readBackup(db, () => undefined)).map((part: Buffer | string) => Buffer.from(part)));
  const restore = (db: Knex, backup: Buffer | string, replace = false) =>
    restoreBackup(db, Readable.from([Buffer.from(backup)]), replace).then(({ rows }) => rows);

  async function contentOf(db: Knex): Promise<Record<string, Row[]>> {
    const content: Record<string, Row[]> = {};
    for (const table of Object.keys(tables).filter(isBackedUp)) {
      content[table] = await db<Row>(table).orderByRaw('??::text', [table]);
    }
    // The restore itself is recorded.
    content['audit_log'] = content['audit_log']?.filter(({ action }) => action !== 'backup_restored') ?? [];
    return content;
  }

  async function fill(db: Knex): Promise<void> {
    const fields = { ...fieldsOf('contact'), message: awkward };
    const leads = [leadRow('contact', { answers: JSON.stringify(fields) }), leadRow('service_inquiry')];
    await db<Row>('leads').insert(leads);
    await db<Row>('follow_ups').insert([
      followUpRow(leads[0]?.['id']),
      followUpRow(leads[1]?.['id'], { state: 'failed', server_answer: awkward }),
    ]);
    await db<Row>('recipes').insert(recipeRow({ instructions: awkward }));
    await db<Row>('staff').insert(staffRow({ last_sign_in_at: new Date() }));
  }

  /** Fills the tables that `fill` leaves empty, because earlier releases do not have them. */
  async function fillLaterTables(db: Knex): Promise<void> {
    const digest = followUpRow(null, { kind: 'staff_digest' });
    const notice = await db<Row>('follow_ups').where({ state: 'pending' }).first();
    await db<Row>('follow_ups').insert(digest);
    await db<Row>('digest_entries').insert({ id: notice?.['id'], digest_id: digest['id'] });
    await db<Row>('notice_texts').insert({ id: notice?.['id'], subject: 'Two new leads', text: awkward });
    await db<Row>('email_texts').insert({ id: randomUUID(), subject: 'Your message', text: awkward });
    await db<Row>('email_opt_outs').insert({ id: randomUUID(), mailbox: 'noura@example.com' });
    await db<Row>('erasures').insert({ hash: '0'.repeat(64), key: randomUUID() });
    await db<Row>('erasure_skips').insert({ erased_by: 'mallory', since: new Date() });
    const erasureNotice = followUpRow(null, { kind: 'erasure_notice' });
    await db<Row>('follow_ups').insert(erasureNotice);
    await db<Row>('erasure_notices').insert({ id: erasureNotice['id'], position: 1 });
    const webhook = followUpRow(null, { kind: 'webhook', sweep_at: 'infinity' });
    await db<Row>('follow_ups').insert(webhook);
    const event = { lead_id: randomUUID(), lead_version: 2, lead_kind: 'contact', type: 'lead.erased' };
    await db<Row>('webhook_events').insert({ id: webhook['id'], ...event });
  }

  /** Also fills the tables of the work of staff. */
  async function fillAll(db: Knex): Promise<void> {
    await fill(db);
    const author = await db('staff').first<{ id: string; name: string }>('id', 'name');
    const [leadId = ''] = await db('leads').where({ kind: 'contact' }).pluck<string[]>('id');
    await leadWork(db, 'mail.example.com').change(leadId, { status: 'contacted', ownerId: author.id }, author);
    const history = leadHistory(db);
    await history.addNote(randomUUID(), leadId, awkward, author);
    const noteId = randomUUID();
    await history.addNote(noteId, leadId, 'A note', author);
    await history.changeNote(leadId, noteId, awkward, author);
    await db('leads')
      .where({ kind: 'service_inquiry' })
      .update({ created_at: new Date(Date.now() - 22 * 3_600_000) });
    await reminderStore(db, 'mail.example.com').write('staff@example.com');
    await db<Row>('lead_notifications').insert({ staff_id: author.id, lead_id: leadId, waits_for_email: true });
    await db<Row>('lead_views').insert(viewRow(author.id, { name: 'A view' }));
    const reply = { id: randomUUID(), leadId, subject: 'Your film', text: awkward };
    await replyStore(db, 'mail.example.com').add(reply, author);
    await db<Row>('staff').update({ requires_second_factor: true });
    await db<Row>('totp_factors').insert({ staff_id: author.id, secret: awkward });
    await db<Row>('recovery_codes').insert({ staff_id: author.id, code_hash: 'a1'.repeat(32) });
    await db<Row>('passkeys').insert({
      staff_id: author.id,
      credential_id: 'a_-1',
      public_key: Buffer.from([0, 9, 10, 13, 92, 255]),
      counter: 4_294_967_295,
      transports: ['internal', 'hybrid'],
      name: '\\ "quoted"',
    });
    await staffAccounts(db).change(author.id, { email: 'noura@studio.example' });
    await staffAccounts(db).change(author.id, { isActive: true, email: null });
    const origin = { network: '192.0.2.0/24', device: awkward };
    await auditLog(db).addRefusedSignIn(origin, author.id);
  }

  it('restores an empty database to the same content and counts', async () => {
    const from = await newDatabase();
    await fillAll(from.database);
    await fillLaterTables(from.database);
    const backup = await backUp(from.maintenance);

    for (const template of [undefined, 'template0']) {
      const to = await newDatabase(template);
      expect(await restore(to.maintenance, backup)).to.deep.equal({
        staff: 1,
        leads: 2,
        follow_ups: 8,
        digest_entries: 1,
        email_opt_outs: 1,
        lead_events: 5,
        lead_notifications: 1,
        lead_reminders: 1,
        lead_views: 1,
        lead_replies: 1,
        webhook_events: 1,
        email_texts: 1,
        notice_texts: 1,
        account_notices: 1,
        erasure_notices: 1,
        totp_factors: 1,
        recovery_codes: 1,
        passkeys: 1,
        recipes: 1,
        audit_log: 10,
        audit_origins: 1,
        erasures: 1,
        erasure_skips: 1,
      });
      expect((await checkAuditLog(to.database)).outcome).to.equal('whole');
      expect(await to.database('audit_log').where({ action: 'backup_restored' })).to.have.length(1);
      expect(await contentOf(to.database)).to.deep.equal(await contentOf(from.database));
      expect(await leadLists(to.database).total('contact')).to.equal(1);
      expect(await leadLists(to.database).total('service_inquiry')).to.equal(1);
      expect(await followUpAdmin(to.database).countByState()).to.deep.equal({ pending: 7, failed: 1 });
    }
  });

  it('leaves a line in the log of PostgreSQL before its first row', async () => {
    const test = await createTestDatabase();
    const asBackup = connectForMaintenance({ url: test.backupUrl, applicationName: 'backup' });
    made.push(test, asBackup);
    const { rows } = await test.database.raw<{ rows: { name: string; directory: string }[] }>(
      `select current_database() as name, current_setting('data_directory') as directory`,
    );
    const line = `LOG:  role "backup" backs up database "${rows[0]?.name}"`;
    const log = () => readFile(join(rows[0]?.directory ?? '', '../postgresql.log'), 'utf8');
    expect(await log()).to.not.include(line);
    for await (const part of readBackup(asBackup, () => undefined)) {
      expect(String(part)).to.match(/^-- Dune & Tide backup /);
      break;
    }
    await until('the line is written', async () => (await log()).includes(line));
  });

  it('is a snapshot, although leads are stored at the same time', async () => {
    const from = await newDatabase();
    const intake = leadIntake(from.database, 'mail.example.com');
    const store = () => intake.storeLead(newLead());
    for (let lead = 0; lead < 50; lead++) await store();
    const before = (await from.database('leads').pluck<string[]>('id')).sort();

    const visit = { isOver: false };
    const visitors = Array.from({ length: 3 }, async () => {
      while (!visit.isOver) await store();
    });
    const parts: Buffer[] = [];
    for await (const part of readBackup(from.maintenance, () => undefined)) {
      parts.push(Buffer.from(part));
      // New leads are stored between any two parts.
      for (let lead = 0; lead < 5; lead++) await store();
    }
    visit.isOver = true;
    await Promise.all(visitors);

    const to = await newDatabase();
    await restore(to.maintenance, Buffer.concat(parts));
    const restored = await contentOf(to.database);
    const ids = restored['leads']?.map(({ id }) => id) ?? [];
    expect(ids).to.include.members(before);
    expect(restored['follow_ups']?.map((row) => row['lead_id'])).to.have.members(ids);
    expect(restored['leads']).to.deep.equal(
      await from
        .database<Row>('leads')
        .whereIn('id', ids as string[])
        .orderBy('id'),
    );
    expect(await leadLists(to.database).total('contact')).to.equal(ids.length);
    expect(ids.length).to.be.below((await contentOf(from.database))['leads']?.length ?? 0);
  });

  it('that is interrupted within a table closes its connection, and the next backup succeeds', async () => {
    const { database, maintenance } = await newDatabase();
    await fill(database);
    // More data than the buffers between server and reader hold, with texts that compress badly.
    await maintenance.raw(
      `insert into recipes (id, title, description, instructions, category)
       select gen_random_uuid(), 'A recipe', 'Large.', repeat(gen_random_uuid()::text, 100), 'development'
       from generate_series(1, 10000)`,
    );
    for await (const part of readBackup(maintenance, () => undefined)) {
      if (part.length > 10_000) break;
    }
    await until('its connection has ended', async () => {
      const { rows } = await database.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where application_name = 'backup' and datname = current_database()`,
      );
      return rows.length === 0;
    });
    expect((await backUp(maintenance)).toString()).to.include(
      '-- end {"staff":1,"leads":2,"follow_ups":2,"digest_entries":0,"email_opt_outs":0,"lead_events":0,"lead_notifications":0,"lead_reminders":0,"lead_views":0,"lead_replies":0,"webhook_events":0,"email_texts":0,"notice_texts":0,"totp_factors":0,"recovery_codes":0,"passkeys":0,"account_notices":0,"erasure_notices":0,"recipes":10001,"audit_log":0,"audit_origins":0,"erasures":0,"erasure_skips":0}',
    );
  });

  it('is restored only into a database with no more than the first account, or with `replace`', async () => {
    const from = await newDatabase();
    await fill(from.database);
    const backup = await backUp(from.maintenance);

    const used = await newDatabase();
    await fill(used.database);
    const [staff] = await used.database('staff').pluck<string[]>('id');
    await used.database<Row>('sessions').insert({
      id_hash: 'a'.repeat(64),
      staff_id: staff,
      expires_at: used.database.raw(`now() + interval '1 hour'`),
    });
    await leadSearchIndex(used.database).unfinishedBuild();
    const held = await contentOf(used.database);
    const refusal: unknown = await restore(used.maintenance, backup).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(BackupError);
    expect(await contentOf(used.database)).to.deep.equal(held);

    await restore(used.maintenance, backup, true);
    expect(await contentOf(used.database)).to.deep.equal(await contentOf(from.database));
    expect(await leadLists(used.database).total('contact')).to.equal(1);
    expect(await used.database('sessions').pluck('id_hash'), 'sessions').to.deep.equal([]);
    expect(await used.database('lead_search_builds'), 'a worker starts a build').to.deep.equal([]);

    const first = staffRow();
    const others: readonly Row[][] = [
      [first, staffRow()],
      [{ ...first, is_active: false }],
      [{ ...first, last_sign_in_at: new Date() }],
    ];
    for (const staffThere of others) {
      const kept = await newDatabase();
      await kept.database<Row>('staff').insert(staffThere);
      const refused: unknown = await restore(kept.maintenance, backup).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(BackupError);
      expect(await kept.database('staff')).to.have.length(staffThere.length);
    }

    const fresh = await newDatabase();
    await fresh.database<Row>('staff').insert(staffRow());
    await restore(fresh.maintenance, backup);
    expect(await contentOf(fresh.database)).to.deep.equal(await contentOf(from.database));
  });

  it('is not restored over a lead that is being stored when the restore starts', async () => {
    const from = await newDatabase();
    const backup = await backUp(from.maintenance);
    const used = await newDatabase();
    const visit = await used.database.transaction();
    await visit<Row>('leads').insert(leadRow('contact'));
    const restored = restore(used.maintenance, backup).then(
      () => undefined,
      (error: unknown) => error,
    );
    await until('the restore waits for the visitor', async () => {
      const { rows } = await used.database.raw<{ rows: unknown[] }>(
        `select from pg_locks join pg_database d on d.oid = database where not granted and datname = current_database()`,
      );
      return rows.length > 0;
    });
    await visit.commit();
    expect(await restored).to.be.instanceOf(BackupError);
    expect(await used.database('leads')).to.have.length(1);
  });

  it('restores follow-ups that were being sent as pending', async () => {
    const from = await newDatabase();
    const lead = leadRow('contact');
    await from.database<Row>('leads').insert(lead);
    const leaseEnds = new Date(Date.now() + 600_000);
    const held = { state: 'sending', lease: randomUUID(), attempts: 2, available_at: leaseEnds, sweep_at: leaseEnds };
    const sending = followUpRow(lead['id'], held);
    await from.database<Row>('follow_ups').insert(sending);
    const to = await newDatabase();
    await restore(to.maintenance, await backUp(from.maintenance));
    const [row] = await to.database<Row>('follow_ups');
    expect(row).to.include({ state: 'pending', lease: null, attempts: 2, message_id: sending['message_id'] });
    expect(await followUpAdmin(to.database).countByState()).to.deep.equal({ pending: 1 });
    const followUps = followUpClaims(to.database);
    expect(await followUps.postponeDue(10)).to.have.length(1);
    expect(await followUps.claim(String(sending['id']), 60)).to.include({ outcome: 'claimed' });
  });

  it('of the previous release is migrated like the database that it was read from', async () => {
    const from = await newDatabase();
    await migrateTo(from.maintenance, previousRelease.lastMigration);
    await fill(from.database);
    const backup = await backUp(from.maintenance);
    await migrateUp(from.maintenance);

    const to = await newDatabase();
    await to.database<Row>('staff').insert(staffRow({ requires_second_factor: true }));
    await restore(to.maintenance, backup);
    expect(await contentOf(to.database)).to.deep.equal(await contentOf(from.database));
    expect(await staffAccounts(to.database).requiresSecondFactor(), 'as in the previous release').to.equal(false);
    expect(await leadLists(to.database).total('contact')).to.equal(1);
    expect(await followUpAdmin(to.database).countByState()).to.deep.equal({ pending: 1, failed: 1 });
  });

  it('of a database that a later release has migrated is complete, and only that release restores it', async () => {
    const from = await newDatabase();
    await fill(from.database);
    const ours = await backUp(from.maintenance);
    const later = '20991231-99-later';
    await from.database('schema_migrations').insert({ name: later, batch: 2, migration_time: new Date() });
    await from.database.raw(`alter table leads add column later text default 'a text'`);

    const backup = await backUp(from.maintenance);
    expect(backup.toString())
      .to.include(`"${later}"`)
      .and.match(/^COPY leads \(.*, later\)/m);
    const held = await contentOf(from.database);
    for (const each of [backup, ours]) {
      const refusal: unknown = await restore(from.maintenance, each, true).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(BackupError);
      expect(await contentOf(from.database)).to.deep.equal(held);
    }

    await from.database.raw('create table later_rows (id integer)');
    const refusal: unknown = await backUp(from.maintenance).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(BackupError);
    expect(String(refusal)).to.include('later_rows').and.not.include('sessions');
  });

  it('of a release before the required stop changes nothing and names the stop', async () => {
    const to = await newDatabase();
    await fill(to.database);
    const held = await contentOf(to.database);
    const whole = (await backUp(to.maintenance)).toString();
    for (const { lastMigration } of releases.slice(0, 2)) {
      const last = migrations.findIndex(({ name }) => name === lastMigration);
      const names = migrations.slice(0, last + 1).map(({ name }) => name);
      const backup = whole.replace(/"migrations":\[.*?\]/, `"migrations":${JSON.stringify(names)}`);
      const refusal: unknown = await restore(to.maintenance, backup, true).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(BackupError).with.property('message', upgradeFirst);
    }
    expect(await contentOf(to.database)).to.deep.equal(held);
  });

  it('of a database without a migration is rejected with a message about the migration', async () => {
    const from = await newDatabase('template0');
    const error: unknown = await backUp(from.maintenance).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(BackupError).with.property('message').that.includes('migration');
  });

  it('throws a DatabaseUnavailableError if the database cannot be reached', async () => {
    const url = `postgres://a:b@127.0.0.1:${await freePort(0, '127.0.0.1')}/c`;
    const away = connectForMaintenance({ url, applicationName: 'backup' });
    made.push(away);
    const names = JSON.stringify(migrations.map(({ name }) => name));
    const header = `-- Dune & Tide backup {"format":1,"takenAt":"","migrations":${names}}\n`;
    for (const [name, call] of Object.entries({
      readBackup: () => backUp(away),
      restoreBackup: () => restore(away, header),
      migrateUp: () => migrateUp(away),
      migrateTo: () => migrateTo(away, previousRelease.lastMigration),
    })) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error, name).to.be.instanceOf(DatabaseUnavailableError);
    }
  });

  it('that is damaged, incomplete or of a later release changes nothing', async () => {
    const from = await newDatabase();
    await fillAll(from.database);
    const whole = (await backUp(from.maintenance)).toString();
    const last = migrations.at(-1)?.name ?? '';
    const to = await newDatabase();
    await fill(to.database);
    const held = await contentOf(to.database);
    for (const [what, backup] of [
      ['empty', ''],
      ['something else', 'select 1;\n'],
      ['damaged in its first line', whole.replace('"format"', 'format')],
      ['without a header', whole.replace(/\{.*\}/, 'null')],
      ['without its migrations', whole.replace(/"migrations":\[.*?\]/, '"migrations":3')],
      ['with migrations that are not names', whole.replace(/"migrations":\[/, '"migrations":[3,')],
      ['cut inside a table', whole.slice(0, whole.indexOf('COPY recipes') - 20)],
      ['cut between tables', whole.slice(0, whole.indexOf('COPY recipes'))],
      ['without one of its rows', whole.replace(/(COPY lead_reminders .*\n).*\n/, '$1')],
      ['without a row that others need', whole.replace(/(COPY staff .*\n).*\n/, '$1')],
      ['with a table that is not backed up', whole.replace('COPY staff', 'COPY sessions')],
      ['of a later release', whole.replace(`"${last}"`, `"${last}","20991231-01-later"`)],
    ] as const) {
      const refusal: unknown = await restore(to.maintenance, backup, true).catch((error: unknown) => error);
      expect(refusal, what).to.be.instanceOf(BackupError);
      expect(await contentOf(to.database), what).to.deep.equal(held);
    }
    await restore(to.maintenance, whole, true);
  });
});

describe('migrating to a release', () => {
  it('reverts later migrations, newest first, and can run them again', async () => {
    const test = await createTestDatabase();
    try {
      const later = migrations.map(({ name }) => name).filter((name) => name > previousRelease.lastMigration);
      const back = await migrateTo(test.database, previousRelease.lastMigration);
      expect(back).to.deep.equal({ run: [], takenBack: later.toReversed() });
      expect(await migrateTo(test.database, later.at(-1) ?? '')).to.deep.equal({ run: later, takenBack: [] });
      expect(await migrateUp(test.database)).to.deep.equal({ run: [], later: [] });
      const unknown: unknown = await migrateTo(test.database, 'nothing').catch((error: unknown) => error);
      expect(unknown).to.be.instanceOf(RangeError);
    } finally {
      await test.drop();
    }
  });
});
