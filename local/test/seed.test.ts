import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connectDatabase } from '@dune-tide/db/connection';
import { followUpAdmin, followUpClaims } from '@dune-tide/db/follow-ups';
import { leadLists } from '@dune-tide/db/leads';
import { migrateTo, migrations } from '@dune-tide/db/schema';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { inquiryFormFor } from '@dune-tide/domain/forms/inquiry-rules';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { leadKinds, leadStatuses } from '@dune-tide/domain/leads';
import { errorsOf } from '@dune-tide/domain/test/check';
import { readSettings } from '@dune-tide/platform/settings';
import { createTestDatabase, withTestDatabase } from '@dune-tide/testkit/database';
import { copyInitialisedCluster, copyMigratedCluster } from '@dune-tide/testkit/initialised-cluster';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '../src/ports.ts';
import { clusterDirectory, runningDatabaseUrl, startLocalDatabase } from '../src/local-database.ts';
import { sampleLeads } from '../src/seed/sample-leads.ts';
import { requireUnlimitedMigration } from './unlimited-migration.ts';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../..', import.meta.url));
const latest = new Date(Date.UTC(2026, 10, 21, 12));

const seedInto = (databaseUrl: string) => {
  const { host, pathname } = new URL(databaseUrl);
  return { DATABASE_URL: databaseUrl, SEED_INTO: host + pathname };
};

/** Runs the command of `make seed`. */
async function runSeed(
  settings: Record<string, string>,
  words: readonly string[] = [],
): Promise<{ code: number; output: string; errors: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['local/dist/src/seed-main.js', ...words], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...settings },
    });
    return { code: 0, output: stdout, errors: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout, errors: stderr };
  }
}

describe('sample leads', () => {
  const staff = [
    { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c001', name: 'Reem' },
    { id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c002', name: 'Lerato' },
  ];
  const leads = [...sampleLeads({ count: 2_000, seed: 1, until: latest, staff })];

  it('are the same for the same seed and different for another', () => {
    expect([...sampleLeads({ count: 2_000, seed: 1, until: latest, staff })]).to.deep.equal(leads);
    const ids = new Set(leads.map(({ id }) => id));
    expect([...sampleLeads({ count: 2_000, seed: 2, until: latest })].some(({ id }) => ids.has(id))).to.equal(false);
  });

  it('are valid values of their forms', () => {
    const forms: Readonly<Record<string, FormSchema>> = {
      contact: contactForm,
      career_application: careerApplicationForm,
      portfolio_request: portfolioRequestForm,
    };
    for (const { kind, email, fields } of leads) {
      const { portfolioUrl, resumeUrl, ...others } = fields;
      const sent = { ...others, portfolio: portfolioUrl, resume: resumeUrl };
      expect(errorsOf(forms[kind] ?? inquiryFormFor(sent), sent), JSON.stringify(fields)).to.deep.equal([]);
      expect(fields['email']).to.equal(email);
    }
  });

  it('have all kinds, forms and statuses, and vary', () => {
    expect(new Set(leads.map(({ kind }) => kind))).to.have.all.keys(...leadKinds);
    expect(new Set(leads.map(({ status }) => status))).to.deep.equal(new Set([null, ...leadStatuses]));
    const inquiries = leads.filter(({ kind }) => kind === 'service_inquiry');
    expect(new Set(inquiries.map(({ fields }) => inquiryFormFor(fields).$id)).size).to.equal(3);
    expect(new Set(leads.map(({ email }) => email)).size).to.be.above(1_900);
  });

  it('arrive over two years, oldest first and none in the future', () => {
    const times = leads.map(({ createdAt }) => createdAt.getTime());
    expect(times.toSorted((a, b) => a - b)).to.deep.equal(times);
    expect(times.at(-1)).to.be.at.most(latest.getTime());
    const years = (latest.getTime() - (times[0] ?? 0)) / 86_400_000 / 365;
    expect(years).to.be.within(1.9, 2.1);
    for (const { createdAt, updatedAt, answeredAt, events, followUps } of leads) {
      for (const time of [
        updatedAt,
        answeredAt ?? createdAt,
        ...events.map(({ at }) => at),
        ...followUps.map(({ sentAt }) => sentAt),
      ]) {
        expect(time).to.be.within(createdAt, latest);
      }
    }
  });

  it('have owners, notes and answers, and histories that end in their status', () => {
    const worked = leads.filter(({ events }) => events.length > 0);
    expect(worked.length).to.be.within(1_300, 1_750);
    expect(new Set(worked.flatMap(({ events }) => events.map(({ kind }) => kind)))).to.have.all.keys(
      'status',
      'owner',
      'answered',
      'note',
    );
    expect(new Set(leads.map(({ ownerId }) => ownerId))).to.deep.equal(new Set([null, ...staff.map(({ id }) => id)]));
    for (const { status, events, answeredAt } of worked) {
      const steps = events.filter(({ kind }) => kind === 'status');
      expect(steps.at(-1)?.details['to'] ?? 'new').to.equal(status ?? 'new');
      expect(answeredAt).to.deep.equal((steps[0] ?? events.find(({ kind }) => kind === 'answered'))?.at ?? null);
      const times = events.map(({ at }) => at.getTime());
      expect(times.toSorted((a, b) => a - b)).to.deep.equal(times);
    }
  });

  it('are answered mostly in time, and a few are due soon', () => {
    const hours = (lead: (typeof leads)[number], end: Date) => (end.getTime() - lead.createdAt.getTime()) / 3_600_000;
    const answered = leads.filter(({ answeredAt }) => answeredAt !== null);
    const inTime = answered.filter((lead) => lead.answeredAt && hours(lead, lead.answeredAt) <= 24);
    expect(inTime.length / answered.length).to.be.within(0.85, 0.99);
    const soon = leads.filter(
      (lead) => lead.answeredAt === null && hours(lead, latest) > 20 && hours(lead, latest) < 24,
    );
    expect(soon.length).to.be.within(5, 40);
  });

  it('wait for an answer with and without an owner, and a few are held as spam without emails', () => {
    const waiting = leads.filter((lead) => lead.kind === 'contact' && lead.answeredAt === null && !lead.spamSign);
    expect(waiting.filter(({ ownerId }) => ownerId !== null).length).to.be.within(3, waiting.length - 3);
    const held = leads.filter(({ spamSign }) => spamSign !== null);
    expect(held.length).to.be.within(2, 20);
    for (const { kind, events, followUps } of held) {
      expect(kind).to.not.equal('portfolio_request');
      expect([...events, ...followUps]).to.deep.equal([]);
    }
  });

  it('have no owners and no notes without accounts', () => {
    const alone = [...sampleLeads({ count: 500, seed: 1, until: latest })];
    const kinds = new Set(alone.flatMap(({ events }) => events.map(({ kind }) => kind)));
    expect(kinds).to.have.all.keys('status', 'answered');
    expect(
      alone.every(({ ownerId, events }) => ownerId === null && events.every(({ actor }) => actor === null)),
    ).to.equal(true);
  });

  it('have only addresses that cannot receive email', () => {
    for (const { email } of leads) expect(email).to.match(/@(mail\.)?example\.(com|org|net)$/);
  });
});

describe('make seed', function () {
  const test = withTestDatabase();
  beforeEach(() => test().database.raw('truncate leads cascade'));

  it('adds the requested number of leads and reports it in one line', async () => {
    for (const total of ['300', '600']) {
      const { code, output } = await runSeed({ ...seedInto(test().url), N: '300' });
      expect(code).to.equal(0);
      expect(output).to.match(
        /^Stored 300 leads in [\d.:]+\/test_\w+ \(seed 1, [\d.]+ s\); their emails count as sent\.\n$/,
      );
      const counts = await leadLists(test().database).counts();
      expect(String(counts.reduce((sum, { count }) => sum + count, 0))).to.equal(total);
    }
    expect(await test().database('leads').count<{ count: string }[]>()).to.deep.equal([{ count: '600' }]);
  });

  it('reports how many leads it stored when it is interrupted', async () => {
    const child = spawn(process.execPath, ['local/dist/src/seed-main.js'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...seedInto(test().url), N: '1000000' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const count = async () => Number((await test().database('leads').count<{ count: string }[]>())[0]?.count);
    await until('leads are stored', async () => (await count()) > 0);
    child.kill('SIGINT');
    expect(await ended).to.deep.equal([130, null]);
    const [, stored = ''] =
      /^Interrupted\. Stored ([\d,]+) of 1,000,000 leads in .*; their emails count as sent\.\n$/.exec(output) ?? [];
    expect(Number(stored.replaceAll(',', '')), output).to.equal(await count());
  });

  it('may take longer for a statement than a request', async () => {
    await test().database.raw(
      `create function require_unlimited() returns trigger language plpgsql as $$
       begin
         if current_setting('statement_timeout')::interval < interval '1 hour' then raise exception 'limited'; end if;
         return null;
       end $$`,
    );
    await test().database.raw(
      'create trigger unlimited after insert on leads for each statement execute function require_unlimited()',
    );
    try {
      expect(await runSeed({ ...seedInto(test().url), N: '10' })).to.include({ code: 0, errors: '' });
    } finally {
      await test().database.raw('drop function require_unlimited cascade');
    }
  });

  it('leaves no emails for a worker to send', async () => {
    await runSeed({ ...seedInto(test().url), N: '50' });
    const sent = await test().database('follow_ups').pluck<string[]>('state');
    expect(sent.length).to.be.within(90, 100);
    expect(await followUpAdmin(test().database).countByState()).to.deep.equal({ sent: sent.length });
    await test()
      .database('follow_ups')
      .update({ sweep_at: new Date(0), available_at: new Date(0) });
    expect(await followUpClaims(test().database).postponeDue(1_000)).to.deep.equal([]);
    for (const kind of ['acknowledgement', 'portfolio_pdf', 'staff_notice'] as const) {
      const { id } = await test().database('follow_ups').where({ kind }).first<{ id: string }>();
      expect(await followUpClaims(test().database).claim(id, 60)).to.deep.equal({ outcome: 'taken' });
    }
  });

  it('rejects an invalid number in one line and stores nothing', async () => {
    for (const N of ['0', '1000001', 'many', '1.5']) {
      expect(() => readSettings({ N }, { required: [], optional: ['N'] }), N).to.throw('N is invalid');
    }
    const { code, output, errors } = await runSeed({ DATABASE_URL: test().url, N: '1.5', SEED: '-1' });
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.match(/^The settings are invalid:\n {2}N is invalid: [^\n]+\n {2}SEED is invalid: [^\n]+\n$/);
    expect(await test().database('leads').select('id')).to.deep.equal([]);
  });

  it('stores nothing in a database other than that of make run unless SEED_INTO names it too', async () => {
    for (const settings of [{}, { SEED_INTO: 'studio' }]) {
      const { code, output, errors } = await runSeed({ DATABASE_URL: test().url, ...settings });
      expect([code, output]).to.deep.equal([1, '']);
      expect(errors).to.match(/^DATABASE_URL is set, [^\n]+: make seed SEED_INTO=[\d.:]+\/test_\w+\n$/);
    }
    expect(await test().database('leads').select('id')).to.deep.equal([]);
  });

  it('rejects arguments and stores nothing', async () => {
    const { code, output, errors } = await runSeed(seedInto(test().url), ['--help']);
    expect([code, output]).to.deep.equal([1, '']);
    expect(errors).to.match(/^Unknown argument "--help": [^\n]+\n$/);
    expect(await test().database('leads').select('id')).to.deep.equal([]);
  });

  it('reports that the database is unavailable and why', async () => {
    const port = await freePort(0, '127.0.0.1');
    const { code, errors } = await runSeed(seedInto(`postgres://stranger:secret@127.0.0.1:${port}/studio`));
    expect(code).to.equal(1);
    expect(errors).to.equal('The database is unavailable (ECONNREFUSED: no server is listening there).\n');
  });

  it('does not limit the time of a migration', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'seed-'));
    try {
      await copyInitialisedCluster(clusterDirectory(directory));
      const running = await startLocalDatabase(directory, 0);
      try {
        await requireUnlimitedMigration(directory, 'seed');
        expect(await runSeed({ DATA_DIRECTORY: directory, N: '10' })).to.include({ code: 0, errors: '' });
      } finally {
        await running.stop();
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('does not migrate a database other than that of make run', async () => {
    const empty = await createTestDatabase('template0');
    try {
      const { code, output, errors } = await runSeed({ ...seedInto(empty.url), N: '10' });
      expect([code, output]).to.deep.equal([1, '']);
      expect(errors).to.equal('Tables are missing in the database. Run the migration first.\n');
      expect(await empty.database('pg_tables').where({ schemaname: 'public' })).to.deep.equal([]);

      await migrateTo(empty.database, String(migrations.at(-2)?.name));
      const before = await empty.database('schema_migrations').pluck<string[]>('name');
      expect(await runSeed({ ...seedInto(empty.url), N: '10' })).to.deep.equal({ code, output, errors });
      expect(await empty.database('schema_migrations').pluck<string[]>('name')).to.deep.equal(before);
      expect(await empty.database('leads').select('id')).to.deep.equal([]);
    } finally {
      await empty.drop();
    }
  });

  it('fills the database of make run, whether make run is running or not', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'seed-'));
    try {
      await copyMigratedCluster(clusterDirectory(directory));
      const settings = { DATA_DIRECTORY: directory, DATABASE_PORT: String(await freePort(0, '127.0.0.1')), N: '20' };
      expect(await runSeed(settings)).to.include({ code: 0, errors: '' });
      expect(await runningDatabaseUrl(directory, 'migrate')).to.equal(undefined);

      const running = await startLocalDatabase(directory, 0);
      const database = connectDatabase({ url: running.url('migrate'), applicationName: 'test', poolSize: 2 });
      try {
        expect(await runningDatabaseUrl(directory, 'migrate')).to.equal(running.url('migrate'));
        expect(await runSeed(settings)).to.include({ code: 0, errors: '' });
        expect(await database('leads').count<{ count: string }[]>()).to.deep.equal([{ count: '40' }]);
      } finally {
        await database.destroy();
        await running.stop();
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
