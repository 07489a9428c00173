import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { fileExport, leadExport } from '@dune-tide/domain/limits';
import { leadItems } from '@dune-tide/domain/responses/lead';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { contactMessage, storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { addStaff, signIn, testPassword, withSession, type TestSession } from './staff-support.ts';
import { cancelWaiting, startTestApi, withTestApi, type ProblemBody, type TestApi } from './support.ts';

const run = promisify(execFile);

type Item = Record<string, unknown>;

const byteOrderMark = '\ufeff';

const withMessage = (message: string): Partial<TestLead> => ({ fields: { ...contactMessage.fields, message } });

/** Stores leads, the newest first. */
const store = async (api: TestApi, ...leads: readonly Partial<TestLead>[]): Promise<void> =>
  storeLeads(
    api.database,
    leads.map((lead, index) => ({ ...contactMessage, createdAt: new Date(Date.now() - index * 1_000), ...lead })),
  );

const exportsOf = (api: TestApi) => api.logLines().filter(({ msg }) => msg === 'leads exported');

describe('GET /leads.csv', () => {
  const api = withTestApi();
  const staff = withSession(api);
  beforeEach(() => api().clear());

  const ended = () => exportsOf(api());
  const exported = async (search = ''): Promise<string> => {
    const response = await staff().get(`/leads.csv${search}`);
    expect(response.status, response.text).to.equal(200);
    return response.text;
  };
  const rowsOf = (text: string): Record<string, string>[] =>
    parse(text, { bom: true, columns: true, recordDelimiter: '\r\n' });
  const inquiry: Partial<TestLead> = {
    kind: 'service_inquiry',
    status: 'new',
    fields: {
      name: 'سارة القحطاني',
      company: 'Maison d’Oud, “the” perfume',
      phone: '+966 55 123 4567',
      service: 'B2B Email Marketing',
      serviceType: 'Lead Generation',
      budget: '$3,000-$5,000/month',
      timeframe: '3-6 months',
      urgency: 'Medium - Steady growth',
      projectDetails: 'One "line"\nand another; with,\r\nseparators 🌙',
    },
  };
  const application: Partial<TestLead> = {
    kind: 'career_application',
    fields: {
      firstName: 'Lerato',
      lastName: 'Nkosi',
      phone: '021 555 0134',
      position: 'Full Stack Developer',
      experience: 'senior',
      coverLetter: 'Dear studio,\n\nHello.',
    },
  };

  const formulas = [
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    '＝1+1',
    '=HYPERLINK("https://evil.example","x")',
  ];
  /** Texts that have a formula in a cell of their own if another character separates the cells. */
  const hiddenFormulas = [
    "Acme;=cmd|'/c calc'!A1;x",
    'a;=1+1',
    'a;+1+1',
    'a;-1+1',
    'a;@SUM(1)',
    'a; =1+1',
    'a;"=1+1"',
    'a"b;=1+1;c"d',
    ';=1+1;=2+2',
    'a|=1+1',
    'a\t=1+1',
    'a\n=1+1;=2+2',
    'a\r\n=1+1',
    'a\u2028=1+1',
  ];

  it('has each lead with the values of the list, cell by cell', async () => {
    await store(api(), { ...contactMessage, ownerId: staff().account.id }, inquiry, application, {
      kind: 'portfolio_request',
      fields: { source: 'portfolio_view' },
    });
    const rows = rowsOf(await exported());
    const leads = (await staff().get('/leads')).json() as Item[];
    expect(rows).to.have.length(3);
    for (const [index, lead] of leads.entries()) {
      const { owner, version: _, activity: __, ...members } = lead;
      const row = rows[index] ?? {};
      expect(row['owner']).to.equal((owner as { name: string } | null)?.name ?? '');
      for (const [name, value] of Object.entries(members)) {
        const cell = row[name] ?? expect.fail(`no column ${name}`);
        if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
          expect(cell).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+03:00$/);
          expect(new Date(cell).toISOString()).to.equal(value);
        } else expect(cell.replace(/^'/, '')).to.equal(value === null ? '' : value);
      }
    }
  });

  it('has a column for each field of all kinds', async () => {
    const [first] = (await exported()).slice(1).split('\r\n');
    const fields = [leadItems.contact, leadItems.service_inquiry, leadItems.career_application].flatMap((item) =>
      Object.keys(item.properties ?? {}),
    );
    expect(first?.split(',')).to.have.members(
      ['kind', ...new Set(fields)]
        .filter((field) => field !== 'version' && field !== 'activity')
        .map((field) => `"${field}"`),
    );
  });

  it('is UTF-8 with a byte order mark, CRLF and the name of a file', async () => {
    await store(api(), inquiry);
    const response = await staff().get('/leads.csv');
    expect(response.headers['content-type']).to.equal('text/csv; charset=utf-8; header=present');
    expect(response.headers['content-disposition']).to.match(/^attachment; filename="leads-\d{4}-\d\d-\d\d\.csv"$/);
    expect(response.headers['cache-control']).to.equal('no-store');
    expect(response.bytes.subarray(0, 3)).to.deep.equal(Buffer.from(byteOrderMark));
    expect(response.text)
      .to.match(/^[^\r\n]*\r\n/)
      .and.to.match(/\r\n$/);
    expect(response.text).to.include('سارة القحطاني');
  });

  it('neutralises what a spreadsheet would run', async () => {
    await store(api(), ...[...formulas, ...hiddenFormulas].map(withMessage));
    const messages = rowsOf(await exported()).map(({ message }) => message);
    expect(messages.slice(0, formulas.length)).to.deep.equal(
      formulas.map((text) => `'${text.replace(/^([\t\r])/, "$1'")}`),
    );
    expect(messages.slice(formulas.length)).to.deep.equal([
      "Acme;'=cmd|'/c calc'!A1;x",
      "a;'=1+1",
      "a;'+1+1",
      "a;'-1+1",
      "a;'@SUM(1)",
      "a; '=1+1",
      'a;"\'=1+1"',
      'a"b;\'=1+1;c"d',
      ";'=1+1;'=2+2",
      "a|'=1+1",
      "a\t'=1+1",
      "a\n'=1+1;'=2+2",
      "a\r\n'=1+1",
      "a\u2028'=1+1",
    ]);
  });

  it('quotes every field', async () => {
    await store(api(), inquiry, application);
    const text = (await exported()).slice(1);
    expect(text.replaceAll(/"(?:[^"]|"")*"/g, '""')).to.match(/^(?:""(?:,""){10,}\r\n){3}$/);
  });

  /**
   * Opens a file in LibreOffice Calc and saves what it shows.
   * @param separator - the character that separates the cells, as a code
   */
  async function openInCalc(file: string, separator: number, format: string): Promise<string> {
    // The user's own profile may be open in another LibreOffice.
    const profile = `-env:UserInstallation=${pathToFileURL(join(dirname(file), 'profile')).href}`;
    const outcome = join(dirname(file), `opened-${separator}`);
    // Double quotes and UTF-8: what the import dialog finds out.
    const from = `--infilter=CSV:${separator},34,76`;
    const words = [profile, '--headless', from, '--convert-to', format, '--outdir', outcome, file];
    await run(process.env['SOFFICE'] ?? 'soffice', words, { timeout: hangLimitSeconds * 1_000 });
    const [name = ''] = await readdir(outcome);
    return readFile(join(outcome, name), 'utf8');
  }

  it('opens in LibreOffice Calc, cell by cell equal to the file, and without a formula where ";" separates', async () => {
    const withPhones = ['0215550134', '1.50', '2e3'].map((phone) => ({
      ...application,
      fields: { ...application.fields, phone },
    }));
    await store(api(), inquiry, application, ...withPhones, ...[...formulas, ...hiddenFormulas].map(withMessage));
    const folder = await mkdtemp(join(tmpdir(), 'export-'));
    try {
      const file = join(folder, 'leads.csv');
      await writeFile(file, await exported());
      const shown = await openInCalc(file, 44, 'csv:Text - txt - csv (StarCalc):44,34,76');
      const opened = parse(shown, { bom: true, columns: true });
      // A cell has one kind of line break.
      const inCell = ([name, text]: [string, string]) => [name, text.replaceAll(/\r\n?/g, '\n')];
      const wanted = rowsOf(await readFile(file, 'utf8')).map((row) =>
        Object.fromEntries(Object.entries(row).map(inCell)),
      );
      expect(opened).to.deep.equal(wanted);
      const cells = await openInCalc(file, 59, 'fods');
      expect(cells.match(/<table:table-cell/g)?.length).to.be.above(30);
      expect(cells.match(/table:formula="[^"]*"/g)).to.equal(null);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has what the query selects, over several pages, each lead once', async () => {
    const count = leadExport.leadsTogether + 5;
    await store(api(), ...Array.from({ length: count }, (_, index) => ({ email: `n${index}@example.com` })), {
      status: 'won',
      email: 'won@example.com',
    });
    const rows = rowsOf(await exported('?status=new'));
    expect(rows.map(({ email }) => email)).to.deep.equal(
      Array.from({ length: count }, (_, index) => `n${index}@example.com`),
    );
    expect(rowsOf(await exported('?status=won')).map(({ email }) => email)).to.deep.equal(['won@example.com']);
    expect(rowsOf(await exported('?status=lost'))).to.deep.equal([]);
  });

  it('is recorded in the audit log, without the search', async () => {
    await store(api(), {}, {});
    await exported('?q=noura');
    await exported();
    await until('both have ended', () => ended().length >= 2);
    const [searched, all] = ended().slice(-2);
    const staffId = staff().account.id;
    expect(searched).to.include({ leads: 0, isComplete: true });
    expect(all).to.include({ leads: 2, isComplete: true });
    expect(JSON.stringify(searched)).to.not.include('noura');
    const entries = await api().database('audit_log').where({ action: 'leads_exported', actor_id: staffId });
    expect(entries.length).to.be.at.least(2);
    expect(JSON.stringify(entries)).to.not.include('noura');
  });

  it('requires a session, and a valid query', async () => {
    expect((await api().send({ path: '/api/admin/leads.csv?status=wrong' })).status).to.equal(401);
    const response = await staff().get('/leads.csv?status=wrong');
    expect((response.json() as ProblemBody).errors?.map(({ field }) => field)).to.deep.equal(['status']);
    expect((await staff().send({ method: 'HEAD', path: '/api/admin/leads.csv' })).status).to.equal(200);
  });

  const { perHour, rowsForMembers } = staffCalls.exportLeads;
  const member = async () => signIn(api(), await addStaff(api(), { role: 'member' }));
  const storeMany = async (count: number) => {
    await store(api(), {});
    await api().database.raw(
      `insert into leads (id, kind, email, status, answers)
       select gen_random_uuid(), kind, email, status, answers from (select * from leads limit 1) as stored,
              generate_series(2, ?)`,
      [count],
    );
  };
  const entriesOf = (session: TestSession) =>
    api().database('audit_log').where({ action: 'leads_exported', actor_id: session.account.id });

  it(`has up to ${rowsForMembers} leads for a member, and is refused above that before its first byte`, async () => {
    const session = await member();
    await storeMany(rowsForMembers + 1);
    const refused = await session.get('/leads.csv');
    expect([refused.status, (refused.json() as ProblemBody).type]).to.deep.equal([403, problemTypes.owner_needed]);
    expect(refused.headers).to.not.have.property('content-disposition');
    expect(await entriesOf(session)).to.deep.equal([]);
    await api()
      .database('leads')
      .whereIn('id', api().database('leads').select('id').limit(1))
      .update({ status: 'won' });
    const allowed = await session.get('/leads.csv?status=new');
    expect([allowed.status, rowsOf(allowed.text).length]).to.deep.equal([200, rowsForMembers]);
  });

  it(`needs a fresh password of an owner above ${rowsForMembers} leads`, async () => {
    const session = await signIn(api());
    await storeMany(rowsForMembers);
    await api()
      .database('sessions')
      .where({ staff_id: session.account.id })
      .update({ password_at: api().database.raw(`now() - interval '11 minutes'`) });
    expect((await session.get('/leads.csv')).status).to.equal(200);
    await storeMany(1);
    const refused = await session.get('/leads.csv');
    expect([refused.status, (refused.json() as ProblemBody).type]).to.deep.equal([403, problemTypes.password_needed]);
    expect(refused.headers).to.not.have.property('content-disposition');
    await session.post('/account/confirm', { password: testPassword });
    expect(rowsOf((await session.get('/leads.csv')).text)).to.have.length(rowsForMembers + 1);
  });

  it(`is written ${perHour} times an hour for a member, and more often for an owner`, async () => {
    const sessions = [await member(), await signIn(api())] as const;
    const statuses = async (session: TestSession) => {
      const got = [];
      for (let count = 0; count <= perHour; count++) got.push((await session.get('/leads.csv')).status);
      return got;
    };
    const allowed = Array.from({ length: perHour }, () => 200);
    expect(await statuses(sessions[0])).to.deep.equal([...allowed, 429]);
    expect(await statuses(sessions[1])).to.deep.equal([...allowed, 200]);
    const refused = await sessions[0].get('/leads.csv');
    expect(Number(refused.headers['retry-after'])).to.be.within(3_500, 3_600);
    expect(refused.json()).to.include({
      type: problemTypes.limit_reached,
      detail: 'You can export 5 files in an hour.',
    });
    expect(await entriesOf(sessions[0])).to.have.length(perHour);
  });

  it('responds with 503 if the database fails before the first row', async () => {
    await api().database.transaction(async (transaction) => {
      await transaction.raw('lock table leads in access exclusive mode');
      const exporting = staff().get('/leads.csv');
      await cancelWaiting(api());
      const response = await exporting;
      expect(response.status).to.equal(503);
      expect(response.headers).to.include({ 'content-type': 'application/problem+json' });
      expect(response.headers).to.not.have.property('content-disposition');
    });
    expect(await exported()).to.include('createdAt');
  });
});

describe('GET /leads.csv with a client that does not read', () => {
  let database: TestDatabase;
  let running: TestApi;
  /** Gives up on a client sooner. */
  let impatient: TestApi;
  before(async () => {
    database = await createTestDatabase();
    running = await startTestApi(database);
    impatient = await startTestApi(database, { exportStallMs: 1_000 });
  });
  after(async () => {
    await Promise.all([running.close(), impatient.close()]);
    await database.drop();
  });
  const api = () => running;
  const staff = withSession(api);
  const others = [withSession(api), withSession(api)];
  const ended = () => exportsOf(api());
  /**
   * Requests an export that is too large for the buffers of a connection, and reads none of it. On a busy machine the
   * database may not respond in time.
   */
  const start = (session = staff(), at = api()): Promise<IncomingMessage> =>
    until('an export starts', async () => {
      const response = await requestExport(session, at).catch(() => undefined);
      if (response?.statusCode === 200) return response;
      response?.destroy();
      return false;
    });
  function sendRequest(session = staff(), at = api()): ClientRequest {
    const outgoing = request({
      port: at.port,
      host: '127.0.0.1',
      path: '/api/admin/leads.csv',
      headers: { Cookie: session.cookie },
      agent: false,
    });
    outgoing.on('error', () => undefined);
    outgoing.end();
    return outgoing;
  }
  async function requestExport(session: TestSession, at: TestApi): Promise<IncomingMessage> {
    const outgoing = sendRequest(session, at);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return response;
  }

  before(async () => {
    await store(api(), withMessage('x'.repeat(4_900)));
    await api().database.raw(
      `insert into leads (id, kind, email, status, answers)
       select gen_random_uuid(), kind, email, status, answers from leads, generate_series(1, 4000)`,
    );
  });

  it('allows one export of an account and some of all, and frees them when the client goes away', async () => {
    const before = ended().length;
    const open = [await start()];
    for (const path of ['/leads.csv', '/people/export?email=noura@example.com']) {
      const own = await staff().get(path);
      expect([own.status, own.headers['retry-after']], path).to.deep.equal([429, '60']);
    }
    const [second, third] = others.map((session) => session());
    for (let count = 1; count < fileExport.concurrent; count++) open.push(await start(second));
    for (const path of ['/leads.csv', '/people/export?email=noura@example.com']) {
      const refused = await third?.get(path);
      expect([refused?.status, refused?.headers['retry-after']], path).to.deep.equal([503, '60']);
    }
    for (const response of open) response.destroy();
    await until('both exports have ended', () => ended().length === before + fileExport.concurrent);
    for (const line of ended().slice(before)) {
      expect(line).to.include({ isComplete: false });
      expect(line['leads']).to.be.below(4_001);
    }
    expect((await staff().get('/leads.csv?status=won')).status).to.equal(200);
  });

  it('frees its place when the client goes away before the first row', async () => {
    await api().database.transaction(async (transaction) => {
      await transaction.raw('lock table leads in access exclusive mode');
      const outgoing = sendRequest();
      await until('the export waits for the first row', async () => {
        const { rows } = await api().database.raw<{ rows: unknown[] }>(
          `select pid from pg_stat_activity
           where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      outgoing.destroy();
    });
    (await start()).destroy();
  });

  it('is cut off if it takes nothing for a while, and its place is free again', async () => {
    const stalled = await start(staff(), impatient);
    await until('the export is given up', () => exportsOf(impatient).some(({ isComplete }) => isComplete === false));
    stalled.resume();
    await until('the connection is closed', () => stalled.destroyed);
    expect(stalled.complete).to.equal(false);
    (await start(staff(), impatient)).destroy();
  });

  it('closes the connection if the database fails, so that the file is not taken for complete', async () => {
    const response = await start();
    await api().database.raw('alter table leads rename to hidden_leads');
    try {
      response.resume();
      await new Promise((resolve) => response.once('close', resolve));
      expect(response.complete).to.equal(false);
    } finally {
      await api().database.raw('alter table hidden_leads rename to leads');
    }
  });
});
