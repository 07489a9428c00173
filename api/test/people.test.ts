import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectForMaintenance } from '@dune-tide/db/connection';
import { leadSearchIndex } from '@dune-tide/db/leads';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { maxLength } from '@dune-tide/domain/limits';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import type { erasureResponse, personalDataResponse } from '@dune-tide/domain/responses/personal-data';
import type { Json } from '@dune-tide/domain/responses/schema';
import { validExample } from '@dune-tide/domain/test/examples';
import type { OperatorCommand } from '@dune-tide/ops/command-line/run-command';
import { backupCommand, restoreCommand } from '@dune-tide/ops/commands/backup';
import { erasuresCommand } from '@dune-tide/ops/commands/erasures';
import { openProducer, type FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { contentOfRedis, findInDatabase } from '@dune-tide/testkit/find-text';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestRedis, type TestRedis } from '@dune-tide/testkit/redis';
import { expect } from 'chai';
import { signIn, testPassword, withSession, type TestSession } from './staff-support.ts';
import {
  publicForms,
  startTestApi,
  withTestApi,
  type ProblemBody,
  type TestApi,
  type TestResponse,
} from './support.ts';

const email = 'Zephyrine.Quackenbush@visitor.example';
const secret = 'The harbour film that only she wants.';

/** Texts that a search must not find after the erasure. */
const traces = [email, 'Zephyrine', 'Quackenbush', '918 2734', '9182734', secret, 'rang her office'];

/** Returns what the person enters in the fields of a form. */
function valuesFor(form: FormSchema): Record<string, unknown> {
  const own: Record<string, string> = {
    email,
    firstName: 'Zephyrine',
    lastName: 'Quackenbush',
    name: 'Zephyrine Quackenbush',
    phone: '+966 55 918 2734',
  };
  const fields = Object.entries(form.properties).flatMap(([field, rules]) => {
    const isLong = 'maxLength' in rules && rules.maxLength === maxLength.text;
    const value = own[field] ?? (isLong ? `${secret} ${secret} ${secret}` : undefined);
    return value === undefined ? [] : [[field, value]];
  });
  return { ...validExample(form), ...Object.fromEntries(fields) };
}

type Counts = Json<typeof personalDataResponse>;

/**
 * Stores a person with leads of all kinds and work of staff on them, and by default another person beside them.
 * @returns the ids of the person's leads
 */
async function storePerson(api: TestApi, staff: TestSession, { others = true } = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const { form, path } of publicForms) {
    const response = await api.post(path, valuesFor(form), { 'Idempotency-Key': `${email}-${randomUUID()}` });
    ids.push((response.json() as { readonly id: string }).id);
    if (others) await api.post(path, { ...validExample(form), email: 'lerato@visitor.example' });
  }
  const [, contact = '', application = ''] = ids;
  await staff.patch(`/leads/${contact}`, { status: 'contacted', ownerId: staff.account.id });
  const note = await staff.post(`/leads/${contact}/notes`, { text: 'I rang her office; Zephyrine calls back.' });
  const { id: noteId } = note.json() as { readonly id: string };
  await staff.patch(`/leads/${contact}/notes/${noteId}`, { text: 'I rang her office twice.' });
  await staff.post(`/leads/${application}/notes`, { text: 'Quackenbush again' });
  await staff.delete(
    `/leads/${application}/notes/${((await staff.post(`/leads/${application}/notes`, { text: `Call ${email}` })).json() as { id: string }).id}`,
  );
  const sent = await staff.post(`/leads/${contact}/replies`, {
    subject: 'Hello Zephyrine',
    text: `You wrote: ${secret}`,
  });
  expect(sent.status).to.equal(201);
  await staff.post(`/leads/${application}/spam`, undefined);
  const followUps = api.database('follow_ups').where({ recipient: email });
  const [failed, withheld] = await followUps.clone().where({ kind: 'acknowledgement' }).pluck<string[]>('id');
  const rejection = `550 <${email}>: no such user`;
  await api.database('follow_ups').where({ id: failed }).update({ state: 'failed', server_answer: rejection });
  await staff.post(`/follow-ups/${failed}/recipient`, { email: 'zq@elsewhere.example' });
  await api.database('follow_ups').where({ id: failed }).update({ state: 'failed', server_answer: rejection });
  await api
    .database('follow_ups')
    .where({ id: withheld })
    .update({ state: 'withheld', withheld_reason: 'mailbox_limit' });
  const mailbox = email.toLowerCase();
  await api
    .database('recent_emails')
    .insert({ id: randomUUID(), kind: 'acknowledgement', mailbox, domain: 'visitor.example' });
  await api.database('email_opt_outs').insert({ id: randomUUID(), mailbox });
  for (const [name, search] of [
    ['People with a first name', 'status=new'],
    [`Ask ${email}`, 'response=soon'],
    ['One address', `email=${encodeURIComponent(email.toUpperCase())}`],
    ['A number', 'q=00966559182734'],
    ['Overdue', 'response=overdue'],
  ]) {
    await staff.post('/views', { name, search });
  }
  const index = leadSearchIndex(api.database);
  await index.fillNewest();
  return ids;
}

const counts: Counts = {
  leads: publicForms.length,
  emails: 2 * publicForms.length + 1,
  unsentEmails: 2 * publicForms.length - 1,
  replies: 1,
  notes: 3,
  historyEntries: 6,
  webhooks: 0,
  savedViews: 3,
  optOuts: 1,
};

for (const backend of ['PostgreSQL', 'Redis'] as const) {
  describe(`the erasure of a person, with the queue on ${backend}`, () => {
    let test: TestDatabase;
    let redis: TestRedis | undefined;
    let producer: FollowUpProducer;
    let api: TestApi;
    let staff: TestSession;
    let folder: string;

    beforeEach(async () => {
      test = await createTestDatabase();
      // Every change of a lead writes webhooks, as with a WEBHOOK_URL.
      await test.database.raw('alter database ?? set app.webhooks = on', [new URL(test.url).pathname.slice(1)]);
      redis = backend === 'Redis' ? await startTestRedis() : undefined;
      producer = openProducer({ databaseUrl: test.appUrl, redisUrl: redis?.url }, memoryLogger().logger);
      api = await startTestApi(test, { producer, replyMode: 'mail', staffEmail: 'team@studio.example' });
      staff = await signIn(api);
      folder = await mkdtemp(join(tmpdir(), 'erasure-'));
    });
    afterEach(async () => {
      await api.close();
      await redis?.stop();
      await test.drop();
      await rm(folder, { recursive: true, force: true });
    });

    const queued = () => producer.depth().then(({ waiting, delayed }) => waiting + delayed);

    const contentOfQueue = async (): Promise<string> => (redis ? contentOfRedis(redis.url) : '');

    /** Runs an operator's command. @returns what it printed */
    async function run(command: OperatorCommand, words: readonly string[], url = test.ownerUrl): Promise<string> {
      const database = connectForMaintenance({ url, applicationName: 'test' });
      const lines: string[] = [];
      try {
        await command(words)({ database, say: (line) => void lines.push(line) });
      } finally {
        await database.destroy();
      }
      return lines.join('\n');
    }

    it('leaves no trace in the database, the queue and the log, and nothing of others is lost', async () => {
      await storePerson(api, staff);
      await api.untilQueued();
      expect(await queued()).to.be.above(0);
      const before = await findInDatabase(test.database, traces);
      for (const trace of traces)
        expect(
          before.some((found) => found.endsWith(`: ${trace}`)),
          trace,
        ).to.equal(true);
      const others = await test.database('leads').where({ email: 'lerato@visitor.example' }).pluck('id');

      const path = `/people?email=${encodeURIComponent(email.toLowerCase())}`;
      const counted = (await staff.get(path)).json() as Counts;
      expect({ ...counted, webhooks: 0 }).to.deep.equal(counts);
      expect(counted.webhooks).to.be.above(publicForms.length);
      const response = await staff.post('/people/erase', { email: email.toUpperCase() });
      expect(response.status).to.equal(200);
      expect(response.json()).to.deep.equal({ ...counted, isComplete: true });

      expect(await findInDatabase(test.database, traces)).to.deep.equal([]);
      expect(JSON.stringify(api.logLines()).toLowerCase()).to.not.include('quackenbush').and.not.include('harbour');
      const content = (await contentOfQueue()).toLowerCase();
      for (const trace of traces) expect(content).to.not.include(trace.toLowerCase());
      expect(await test.database('leads').pluck('id')).to.have.members(others);
      expect(await test.database('lead_views').orderBy('name').select('name', 'search')).to.deep.equal([
        { name: 'A number', search: '' },
        { name: 'Ask', search: 'response=soon' },
        { name: 'One address', search: '' },
        { name: 'Overdue', search: 'response=overdue' },
        { name: 'People with a first name', search: 'status=new' },
      ]);
      expect((await staff.get(path)).json()).to.deep.equal(
        Object.fromEntries(Object.keys(counts).map((key) => [key, 0])),
      );
      expect(((await staff.post('/people/erase', { email })).json() as Json<typeof erasureResponse>).leads).to.equal(0);
    });

    it('removes the jobs, reports each lead to the receiver of webhooks, and is in the audit log', async () => {
      const ids = await storePerson(api, staff, { others: false });
      await api.untilQueued();
      expect(await queued()).to.be.above(0);
      await staff.post('/people/erase', { email });
      expect(await queued()).to.equal(0);
      const events = await test.database('webhook_events').where({ type: 'lead.erased' }).whereIn('lead_id', ids);
      expect(events).to.have.length(ids.length);
      expect(await test.database('webhook_events').whereIn('lead_id', ids)).to.have.length(ids.length);
      const [entry] = await test.database('audit_log').where({ action: 'person_erased' });
      expect(entry).to.include({ actor: 'staff', actor_id: staff.account.id, subject_id: null });
      expect(entry.details).to.include({ leads: ids.length, notes: 3 });
    });

    // A backup does not contain the queue.
    if (backend === 'Redis') return;

    it('is repeated by the restore of an older backup, from the list of the replaced database', async () => {
      await storePerson(api, staff);
      const backup = join(folder, 'older.sql.gz');
      await run(backupCommand, [backup], test.backupUrl);
      await staff.post('/people/erase', { email });
      const output = await run(restoreCommand, ['--replace', backup]);
      expect(output).to.include(`Erased ${counts.leads} leads of people on the list of erasures.`);
      const day = new Date().toISOString().slice(0, 10);
      const { username } = staff.account;
      expect(output).to.include(`DAY (UTC)   ERASURES  BY\n${day}  1         ${username}\n`);
      expect(output).to.include('restore again with SKIP_ERASURES_BY=NAME SINCE=TIME');
      expect(await findInDatabase(test.database, traces)).to.deep.equal([]);
      expect(await test.database('leads')).to.have.length(publicForms.length);

      const restored = await run(restoreCommand, ['--replace', '--skip-by', username, '--since', day, backup]);
      expect(restored).to.include(`Removed 1 address that ${username} has erased since ${day}T00:00:00.000Z`);
      expect(restored).to.not.include('Erased').and.not.include('DAY');
      expect(await test.database('leads')).to.have.length(2 * publicForms.length);
    });

    it('is repeated by a restore into another database, from the list in a file', async () => {
      await storePerson(api, staff);
      const [backup, list] = [join(folder, 'older.sql.gz'), join(folder, 'erasures.json')];
      await run(backupCommand, [backup], test.backupUrl);
      await staff.post('/people/erase', { email });
      await run(erasuresCommand, [list], test.appUrl);
      expect((await stat(list)).mode & 0o777).to.equal(0o600);
      expect((await readFile(list, 'utf8')).toLowerCase()).to.not.include('quackenbush');
      const before = await readFile(list, 'utf8');
      const words = ['--skip-by', staff.account.username, '--since', '2026-01-01T00:00Z', list];
      await run(erasuresCommand, words);
      expect(JSON.parse(await readFile(list, 'utf8'))).to.deep.equal({ format: 1, erasures: [] });
      await writeFile(list, before);

      for (const isLater of [false, true]) {
        const other = await createTestDatabase();
        try {
          await run(restoreCommand, isLater ? [backup] : ['--erasures', list, backup], other.ownerUrl);
          if (isLater) {
            expect(await findInDatabase(other.database, [email])).to.not.deep.equal([]);
            expect(await run(erasuresCommand, [list], other.appUrl)).to.include(`Erased ${counts.leads} leads`);
          }
          expect(await findInDatabase(other.database, traces)).to.deep.equal([]);
        } finally {
          await other.drop();
        }
      }
    });
  });
}

describe('the calls for personal data', () => {
  const api = withTestApi({ replyMode: 'mail' });
  const staff = withSession(api);

  it('export everything that is held about an address as one JSON file', async () => {
    const ids = await storePerson(api(), staff());
    const response = await staff().get(`/people/export?email=${encodeURIComponent(email.toLowerCase())}`);
    expect(response.status).to.equal(200);
    expect(response.headers['content-disposition']).to.match(
      /^attachment; filename="personal-data-\d{4}-\d\d-\d\d\.json"$/,
    );
    const { leads, optOuts, savedViews } = response.json() as {
      readonly savedViews: readonly { readonly name: string }[];
      readonly optOuts: readonly object[];
      readonly leads: readonly {
        readonly id: string;
        readonly answers: object;
        readonly emails: readonly object[];
        readonly history: readonly { readonly kind: string }[];
      }[];
    };
    expect(leads.map(({ id }) => id)).to.have.members(ids);
    expect(optOuts).to.have.length(1);
    for (const trace of [secret, 'I rang her office twice.', '+966 55 918 2734', `550 <${email}>: no such user`]) {
      expect(response.text).to.include(trace);
    }
    expect(response.text).to.include('It repeats nothing that you sent.');
    expect(savedViews.map(({ name }) => name)).to.have.members(['A number', `Ask ${email}`, 'One address']);
    expect(response.text).to.not.include('lerato');
    const entries = await api().database('audit_log').where({ action: 'person_exported' });
    expect(entries.map(({ actor_id }) => actor_id)).to.deep.equal([staff().account.id]);
  });

  it('export an empty list for an unknown address', async () => {
    const response = await staff().get('/people/export?email=unknown@visitor.example');
    expect(response.json()).to.deep.include({ email: 'unknown@visitor.example', leads: [] });
  });

  it('refuse a text that is not one address', async () => {
    for (const query of [
      '',
      '?email=',
      '?email=noura',
      '?email=a@example.com&email=b@example.com',
      `?email=${'a'.repeat(300)}@example.com`,
    ]) {
      for (const path of ['/people', '/people/export'])
        expect((await staff().get(path + query)).status, query).to.equal(422);
    }
    expect((await staff().post('/people/erase', { email: 'noura' })).status).to.equal(422);
  });

  it('are refused in a stale session, and erase 20 people an hour with the password', async () => {
    const owner = await signIn(api());
    const { perHour } = staffCalls.erasePerson;
    const erase = (person: string): Promise<TestResponse> => owner.post('/people/erase', { email: person });
    await api()
      .database('sessions')
      .where({ staff_id: owner.account.id })
      .update({ password_at: api().database.raw("now() - interval '11 minutes'") });
    for (const answer of [await erase(email), await owner.get(`/people/export?email=${email}`)]) {
      const { type } = answer.json() as ProblemBody;
      expect([answer.status, type]).to.deep.equal([403, 'urn:problem-type:password-needed']);
    }

    await owner.post('/account/confirm', { password: testPassword });
    const emails = Array.from({ length: perHour }, (_, index) => `listed-${index}@visitor.example`);
    for (const each of emails) expect((await erase(each)).status).to.equal(200);
    const refused = await erase('one-more@visitor.example');
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers['retry-after'])).to.be.within(3_500, 3_600);
    expect(refused.json()).to.include({
      type: 'urn:problem-type:limit-reached',
      detail: 'You can erase the data of 20 people in an hour.',
    });
    // A repeated call for an erased address counts once, and a refused one is not recorded as an erasure.
    expect((await erase(emails[0] ?? '')).status).to.equal(200);
    const entries = api().database('audit_log').where({ action: 'person_erased', actor_id: owner.account.id });
    expect(await entries).to.have.length(perHour + 1);
  });

  it('need a session', async () => {
    for (const path of ['/people?email=a@example.com', '/people/export?email=a@example.com']) {
      expect((await api().send({ method: 'GET', path: `/api/admin${path}` })).status).to.equal(401);
    }
    expect((await api().post('/api/admin/people/erase', { email: 'a@example.com' })).status).to.equal(401);
  });
});
