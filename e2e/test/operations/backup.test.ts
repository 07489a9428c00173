import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { backupCommand, restoreCommand } from '@dune-tide/ops/commands/backup';
import type { OperatorCommand } from '@dune-tide/ops/command-line/run-command';
import { OperatorError } from '@dune-tide/ops/command-line/operator-error';
import { accountNotices } from '@dune-tide/db/accounts';
import { connectForMaintenance } from '@dune-tide/db/connection';
import { leadNotificationStore, leadTextStore, replyStore, reminderStore } from '@dune-tide/db/follow-ups';
import { erasureNotices } from '@dune-tide/db/personal-data';
import { idTokens } from '@dune-tide/platform/id-tokens';
import { digestLeads, leadLookup, leadIntake } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { migrations, previousRelease, releases, requiredStop, upgradeFirst } from '@dune-tide/db/schema';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { openMailer } from '@dune-tide/worker/mail/mailer';
import { openTransports } from '@dune-tide/worker/transports';
import { startWorker } from '@dune-tide/worker/worker';
import { createTestDatabase, withTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { contactMessage } from '@dune-tide/testkit/leads';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestSmtp } from '@dune-tide/testkit/smtp';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Path of the program behind a `make` command. */
const programOf = (command: string): string => join(root, `ops/dist/src/${command}.js`);

/** Runs a command as an operator does. @param cwd - a folder without the database of a `make run` */
async function run(command: string, url: string, words: readonly string[] = [], cwd = tmpdir()): Promise<Ended> {
  const child = spawn(process.execPath, [programOf(command), ...words], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

const noOthers =
  '0 notices in digests, 0 opt-outs, 0 history entries, 0 notifications, 0 reminded leads, 0 saved views, 0 replies, 0 webhooks, 0 texts of emails, 0 texts of notices, 0 authenticator apps, 0 recovery codes, 0 passkeys, 0 notices about accounts, 0 notices of erasures, 0 staff accounts, 0 recipes, 0 audit entries, 0 origins of audit entries, 0 erasures, 0 left-out accounts';

describe('backup and restore', () => {
  const from = withTestDatabase();

  /** @returns the command's output */
  async function inProcess(command: OperatorCommand, words: readonly string[], url = from().ownerUrl): Promise<string> {
    const database = connectForMaintenance({ url, applicationName: 'backup' });
    const said: string[] = [];
    try {
      await command(words)({ database, say: (line) => void said.push(line) });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      said.push(error.message);
    } finally {
      await database.destroy();
    }
    return said.join('\n');
  }

  let directory: string;
  let file: string;
  afterEach(() => rm(directory, { recursive: true }));
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'backup-'));
    file = join(directory, 'backup.sql.gz');
    await from().database('leads').delete();
    await leadIntake(from().database, 'mail.example.com').storeLead({
      ...contactMessage,
      followUps: [{ kind: 'acknowledgement', recipient: contactMessage.email }],
      spamSign: null,
      idempotencyKey: null,
    });
  });

  it('accept a name with a space and quotes from make, and reject two names', async () => {
    const named = join(directory, `x "monday's".sql.gz`);
    const env = { PATH: process.env['PATH'], DATABASE_URL: from().ownerUrl };
    const made = await promisify(execFile)('make', ['--old-file=.stamps/build', 'backup', `FILE=${named}`], {
      cwd: root,
      env,
    });
    expect(made.stdout).to.equal(`Backed up 1 lead, 1 follow-up, ${noOthers} to ${named}\n`);
    const restore = ['--old-file=.stamps/build', 'restore', 'REPLACE=1', `FILE=${named}`];
    expect((await promisify(execFile)('make', restore, { cwd: root, env })).stdout).to.match(/^Restored 1 lead,/);

    const two = [file, 'monday.sql.gz'];
    const refusal = `Name only one file instead of: ${file}, monday.sql.gz`;
    expect(await inProcess(backupCommand, two)).to.equal(refusal);
    expect(await inProcess(restoreCommand, ['--replace', ...two])).to.equal(refusal);
    expect(await readdir(directory)).to.deep.equal([basename(named)]);
  });

  it('restore a lead, and a worker emails its follow-up with the original Message-ID', async () => {
    // An earlier test has restored a backup, which is recorded.
    const entries = (await from().database('audit_log')).length;
    const others = entries === 1 ? noOthers.replace('0 audit entries', '1 audit entry') : noOthers;
    const backedUp = await run('backup', from().backupUrl, [file]);
    expect(backedUp.output).to.equal(`Backed up 1 lead, 1 follow-up, ${others} to ${file}\n`);
    expect(backedUp.code).to.equal(0);
    const rows = await from().database<{ message_id: string }>('follow_ups').select('message_id');

    const to: TestDatabase = await createTestDatabase('template0');
    const smtp = await startTestSmtp();
    try {
      const restored = await run('restore', to.ownerUrl, [file]);
      expect(restored).to.deep.include({ code: 0 });
      expect((await run('migrate', to.ownerUrl)).output).to.match(/^The database is up to date\.\nFirst staff account/);

      const { logger } = memoryLogger();
      const queue = { databaseUrl: to.appUrl };
      const producer = openProducer(queue, logger);
      const mailer = openMailer(smtp.url, 'hello@studio.example', 1);
      const worker = await startWorker({
        database: to.app,
        producer,
        queue,
        transports: openTransports({
          mailer,
          storeLeadTexts: leadTextStore(to.app),
          portfolio: { read: async () => Buffer.from('%PDF-1.7\n') },
          publicUrl: 'https://site.example',
          leadOf: leadLookup(to.app),
          digestLeads: digestLeads(to.app),
          unsubscribeTokens: idTokens(['a-key-that-signs-nothing-outside-this-test'], 'unsubscribe-token'),
          emailTokens: idTokens(['a-key-that-signs-nothing-outside-this-test'], 'email-token'),
          receiptTokens: idTokens(['a-key-that-signs-nothing-outside-this-test'], 'receipt-token'),
          accountNoticeOf: (id) => accountNotices(to.app).of(id),
          erasureNoticeOf: (id) => erasureNotices(to.app, brand.mailDomain).of(id),
          replyToSend: (id) => replyStore(to.app, brand.mailDomain).toSend(id),
          leadNotificationOf: (id, limit) => leadNotificationStore(to.app, brand.mailDomain).of(id, limit),
          remindedLeads: (id, limit) => reminderStore(to.app, brand.mailDomain).leadsOf(id, limit),
        }),
        sentNotes: { add: async () => async () => undefined, adopt: async () => undefined },
        concurrency: 1,
        limits: null,
        logger,
      });
      await until(
        'the email is sent',
        async () => (await to.database('follow_ups').where({ state: 'sent' })).length === 1,
      );
      await worker.close();
      await mailer.close();
      await producer.close();
      expect(smtp.accepted.map(({ messageId }) => messageId)).to.deep.equal(rows.map((row) => row.message_id));
    } finally {
      await smtp.close();
      await to.drop();
    }
  });

  it('make a backup readable by its owner only, and do not overwrite an existing file', async () => {
    await inProcess(backupCommand, [file]);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const before = await readFile(file);
    expect(await inProcess(backupCommand, [file])).to.equal(`${file} already exists. Choose another name.`);
    expect(await readFile(file)).to.deep.equal(before);
    const below = join(file, 'backup.sql.gz');
    expect(await inProcess(backupCommand, [below])).to.equal(`${below} cannot be written: ENOTDIR`);
    const unmounted = join(directory, 'unmounted', 'backup.sql.gz');
    expect(await inProcess(backupCommand, [unmounted])).to.equal(`${unmounted} cannot be written: ENOENT`);
    const loop = join(directory, 'loop');
    await symlink(loop, loop);
    const looped = join(loop, 'backup.sql.gz');
    expect(await inProcess(backupCommand, [looped])).to.equal(`${looped} cannot be written: ELOOP`);
    // Valid as a name, but too long for the temporary name during the backup.
    const long = join(directory, `${'x'.repeat(230)}.sql.gz`);
    expect(await inProcess(backupCommand, [long])).to.equal(`${long} cannot be written: ENAMETOOLONG`);
  });

  it('leave no file when they are interrupted, so that the same name can be used again', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const interrupted = await from().database.transaction(async (holder) => {
        // The backup waits for this lock after it has created its file.
        await holder.raw('lock table leads in access exclusive mode');
        const child = spawn(process.execPath, [programOf('backup'), file], {
          env: { PATH: process.env['PATH'], DATABASE_URL: from().ownerUrl },
          stdio: 'ignore',
        });
        const ended = new Promise((resolve) => child.once('close', (own, by) => resolve(by ?? own)));
        await until('the file exists', async () => (await readdir(directory)).length > 0);
        child.kill(signal);
        return ended;
      });
      expect(interrupted, signal).to.equal(code);
      expect(await readdir(directory), signal).to.deep.equal([]);
    }

    expect(await inProcess(backupCommand, [file])).to.match(/^Backed up 1 lead,/);
    const restored = await inProcess(restoreCommand, ['--replace', file]);
    expect(restored)
      .to.match(/^Restored 1 lead,/)
      .and.to.match(/make the leads searchable, which takes about a minute\./);
  });

  it('do not overwrite a file that was created under the same name during the backup', async () => {
    const [[said]] = await from().database.transaction(async (holder) => {
      await holder.raw('lock table leads in access exclusive mode');
      const backingUp = inProcess(backupCommand, [file]);
      await until('the file exists', async () => (await readdir(directory)).length > 0);
      await writeFile(file, 'of another');
      return [[backingUp]] as const;
    });
    expect(await said).to.equal(`${file} already exists. Choose another name.`);
    expect(await readFile(file, 'utf8')).to.equal('of another');
    expect(await readdir(directory)).to.deep.equal([basename(file)]);
  });

  it('let one of two concurrent backups to the same file succeed', async () => {
    const runs = await Promise.all([inProcess(backupCommand, [file]), inProcess(backupCommand, [file])]);
    expect(runs.filter((said) => said === `${file} already exists. Choose another name.`)).to.have.length(1);
    expect(await readdir(directory)).to.deep.equal([basename(file)]);
    expect(await inProcess(restoreCommand, ['--replace', file])).to.match(/^Restored 1 lead,/);
  });

  it('report an unreachable database in one line, as the migration does, and leave no file', async () => {
    const away = 'postgres://none@127.0.0.1:1/nothing';
    const said = { code: 1, output: 'The database is unavailable (ECONNREFUSED: no server is listening there).\n' };
    expect(await run('backup', away, [file])).to.deep.equal(said);
    expect(await readdir(directory)).to.deep.equal([]);
    expect(await run('migrate', away)).to.deep.equal(said);
    expect(await inProcess(backupCommand, [file])).to.match(/^Backed up/);
    expect(await run('restore', away, [file])).to.deep.equal(said);
  });

  it('report in one line which table of a later release a backup would omit', async () => {
    const to = await createTestDatabase();
    try {
      const later = { name: '20991231-99-later', batch: 2, migration_time: new Date() };
      await to.database('schema_migrations').insert(later);
      const { code: migrated, output: last } = await run('migrate', to.ownerUrl);
      expect(last)
        .to.include(`and added ${later.name}.`)
        .and.to.include(`last one is ${migrations.at(-1)?.name}.`);
      expect(migrated).to.equal(0);
      expect(await to.database('staff').pluck('requires_second_factor'), 'the first account').to.deep.equal([true]);
      await to.database.raw('create table later_rows (id integer)');
      expect(await inProcess(backupCommand, [file], to.url)).to.match(
        /^Nothing was backed up\. .* later_rows\. Use that release\.$/,
      );
      expect(await readdir(directory)).to.deep.equal([]);
      const { code, output } = await run('migrate', to.ownerUrl, ['--back-to-release', previousRelease.version]);
      expect(output).to.match(
        new RegExp(`^A later release has migrated the database and added ${later.name}\\..*\\n$`),
      );
      expect(code).to.equal(1);
    } finally {
      await to.drop();
    }
  });

  it('replace existing data only if make is called with REPLACE=1', () => {
    // Only prints the command that make would run, without building.
    const make = (...words: string[]): string =>
      spawnSync('make', ['--dry-run', '--old-file=.stamps/build', 'restore', 'FILE=f', ...words], {
        cwd: root,
        encoding: 'utf8',
        timeout: hangLimitSeconds * 1000,
      }).stdout;
    expect(make('REPLACE=1')).to.include('--replace');
    expect(make()).to.include('ops/dist/src/restore.js').and.to.not.include('--replace');
    for (const other of ['0', 'no', '1 0']) expect(make(`REPLACE=${other}`)).to.not.include('restore.js');
  });

  it('change nothing in a database of a release before the required stop, and name that release', async () => {
    const to = await createTestDatabase();
    try {
      await to.database('schema_migrations').where('name', '>', '20261125-14-email-bounds').delete();
      const before = await to.database<object>('schema_migrations').orderBy('id');
      for (const words of [[], ['--back-to-release', previousRelease.version, '--yes']]) {
        expect(await run('migrate', to.ownerUrl, words)).to.deep.equal({ code: 1, output: `${upgradeFirst}\n` });
      }
      expect(await to.database<object>('schema_migrations').orderBy('id')).to.deep.equal(before);
    } finally {
      await to.drop();
    }
  });

  it('change nothing on an empty database, and for a release that is unknown or before the required stop', async () => {
    const to = await createTestDatabase('template0');
    try {
      const upTo = migrations.findIndex(({ name }) => name === previousRelease.lastMigration) + 1;
      const missing = migrations.slice(0, upTo).map(({ name }) => name);
      const known = releases.slice(releases.findIndex(({ version }) => version === requiredStop.version));
      for (const words of [[], ['--yes']]) {
        expect(
          await run('migrate', to.ownerUrl, ['--back-to-release', previousRelease.version, ...words]),
        ).to.deep.equal({
          code: 1,
          output: `Nothing was changed. --back-to-release does not run migrations, and these have not run: ${missing.join(', ')}\n`,
        });
        for (const version of ['0.1.0', '9.9.9', previousRelease.lastMigration]) {
          expect(await run('migrate', to.ownerUrl, ['--back-to-release', version, ...words])).to.deep.equal({
            code: 1,
            output: `Nothing was changed. The release ${version} is unknown. Known releases: ${known.map((each) => each.version).join(', ')}\n`,
          });
        }
      }
      expect(await to.database('pg_tables').where({ schemaname: 'public' })).to.deep.equal([]);
    } finally {
      await to.drop();
    }
  });

  it('print their usage without a database, with exit code 0 on request and 1 on an error', async () => {
    for (const command of ['migrate', 'backup', 'restore', 'erasures', 'staff', 'follow-ups']) {
      const noDatabase = '';
      const asked = await run(command, noDatabase, ['--help']);
      expect(asked.output, command).to.match(/^Usage: /);
      expect(asked.code, command).to.equal(0);
      expect(await run(command, noDatabase, ['list', '-h']), command).to.deep.equal(asked);
      expect(await run(command, noDatabase, ['--unknown']), command).to.deep.equal({
        code: 1,
        output: `Invalid command: unknown option.\n\n${asked.output}`,
      });
    }
    for (const [command, words, said] of [
      ['follow-ups', ['list', 'unknown'], /^The state must be one of /],
      ['follow-ups', ['list', 'failed', '--limit=0'], /^The limit must be a number /],
      ['follow-ups', ['cancel', 'unknown'], /^The follow-up unknown does not exist\.$/m],
      ['restore', [], /^Name the backup file,/],
    ] as const) {
      expect((await run(command, '', words)).output, command).to.match(said);
    }
  });

  it('treat any argument as a file name', async () => {
    expect((await run('backup', from().backupUrl, ['help'], directory)).output).to.match(/^Backed up /);
    expect(await readdir(directory)).to.deep.equal(['help']);
  });

  it('go back to the previous release only with --yes, and first list what that deletes', async () => {
    const to = await createTestDatabase();
    try {
      const ran = async (): Promise<unknown> =>
        (await to.database('schema_migrations').max('name as name').first<{ name: string }>())?.name;
      const last = await ran();
      const stays = migrations.findIndex(({ name }) => name === previousRelease.lastMigration);
      const newer = migrations.slice(stays + 1).map(({ name }) => name);
      newer.reverse();
      const words = ['--back-to-release', previousRelease.version];
      expect(await run('migrate', to.ownerUrl, words)).to.deep.equal({
        code: 1,
        output: `Nothing was changed. --yes rolls back these migrations and deletes their data: ${newer.join(', ')}\n`,
      });
      expect(await ran()).to.equal(last);
      expect(await run('migrate', to.ownerUrl, [...words, '--yes'])).to.deep.equal({
        code: 0,
        output: `Rolled back: ${newer.join(', ')}\n`,
      });
      expect(await ran()).to.equal(previousRelease.lastMigration);
      expect(await run('migrate', to.ownerUrl, [...words, '--yes'])).to.deep.equal({
        code: 0,
        output: `Nothing to roll back: the database has the schema of ${previousRelease.version}.\n`,
      });
    } finally {
      await to.drop();
    }
  });

  it('report in one line why a file is not restored', async () => {
    await inProcess(backupCommand, [file]);
    const cut = join(directory, 'cut');
    await writeFile(cut, (await readFile(file)).subarray(0, -40));
    const text = join(directory, 'README.md');
    await writeFile(text, '# Dune & Tide\n');
    const other = join(directory, 'other.gz');
    await writeFile(other, gzipSync('select 1;\n'));
    const damaged = /^Nothing was restored\. The file is damaged\.$/;
    const noBackup = /^Nothing was restored\. The file is not a backup of this program\.$/;
    for (const [words, refusal] of [
      [['--replace', text], damaged],
      [['--replace', other], noBackup],
      [[file], /^Nothing was restored\. The database is not empty\./],
      [['--replace', cut], damaged],
      [[join(directory, 'nothing')], /cannot be read: ENOENT$/],
      [[], /^Name the backup file,/],
      [['--replaces', file], /^Invalid command: unknown option\.\n\nUsage: make restore/],
      [[directory], /is a folder\.$/],
    ] as const) {
      expect(await inProcess(restoreCommand, words)).to.match(refusal);
    }
    expect(await from().database('leads')).to.have.lengthOf(1);
  });
});
