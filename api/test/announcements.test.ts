import { request, type IncomingMessage } from 'node:http';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { announcements } from '@dune-tide/domain/limits';
import { searchVersion } from '@dune-tide/domain/search';
import { validExample } from '@dune-tide/domain/test/examples';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { noMarks, type Announcement, type LeadMarks } from '@dune-tide/db/leads';
import { openAnnouncements } from '../src/announcements/announcements.ts';
import { signIn, withSession } from './staff-support.ts';
import { withTestApi } from './support.ts';

interface OpenPage {
  readonly response: IncomingMessage;
  readonly text: () => string;
  readonly events: () => Announcement[];
  readonly isEnded: () => boolean;
  readonly close: () => void;
}

const numbers = (contact: number): Announcement => ({
  totals: { contact, service_inquiry: 0, career_application: 0 },
  needsAnswer: { overdue: 0, soon: 0, waiting: contact },
  unowned: contact,
  failedEmails: 0,
  indexing: null,
});

const announced = (contact: number, marked: LeadMarks = noMarks) => ({ ...numbers(contact), marked });

const eventsIn = (text: string): Announcement[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Announcement);

describe('the announcements', () => {
  const api = withTestApi({ announcementLimits: { ...announcements, intervalMs: 20 } });
  const staff = withSession(api);
  const opened: OpenPage[] = [];
  // No worker writes the search texts.
  before(() => api().database('lead_search_builds').insert({ version: searchVersion, completed_at: new Date() }));
  beforeEach(() => api().clear());
  afterEach(() => {
    for (const page of opened.splice(0)) page.close();
  });

  async function open(cookie: string): Promise<OpenPage> {
    const headers = { Cookie: cookie };
    const outgoing = request({ host: '127.0.0.1', port: api().port, path: '/api/admin/events', headers, agent: false });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject).end();
    });
    let [text, isEnded] = ['', false];
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.on('error', () => undefined);
    response.once('close', () => (isEnded = true));
    const page: OpenPage = {
      response,
      text: () => text,
      events: () => eventsIn(text),
      isEnded: () => isEnded,
      close: () => outgoing.destroy(),
    };
    opened.push(page);
    return page;
  }

  it('start with the current numbers, and follow with each change', async () => {
    await api().post('/api/contact', validExample(contactForm));
    const page = await open(staff().cookie);
    expect(page.response.statusCode).to.equal(200);
    expect(page.response.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await until('the first event', () => page.events().length === 1);
    expect(page.events()[0]).to.deep.equal(announced(1));
    await api().post('/api/contact', validExample(contactForm));
    await until('the second event', () => page.events().length === 2);
    expect(page.events()[1]).to.deep.equal(announced(2));
  });

  it('need a session', async () => {
    expect((await open('session=x')).response.statusCode).to.equal(401);
  });

  it('have headers only for HEAD', async () => {
    const response = await staff().send({ method: 'HEAD', path: '/api/admin/events' });
    expect([response.status, response.text]).to.deep.equal([200, '']);
  });

  it('log no error when a page is closed', async () => {
    const page = await open(staff().cookie);
    await until('the first event', () => page.events().length === 1);
    page.close();
    await until('the stream ends', page.isEnded);
    const other = await open(staff().cookie);
    await until('the first event', () => other.events().length === 1);
    expect(
      api()
        .logLines()
        .filter(({ msg }) => msg === 'response'),
    ).to.deep.equal([]);
  });

  it('end when the API closes', async () => {
    const session = await signIn(api());
    const page = await open(session.cookie);
    await api().close();
    await until('the stream ends', page.isEnded);
  });
});

describe('the streams of announcements', () => {
  const limits = { connections: 3, perSession: 2, intervalMs: 5, sessionCheckMs: 5 };
  let reads: number;
  let asked: string[][];
  let marks: Map<string, LeadMarks>;
  let read: () => Promise<Announcement>;
  let live: Set<string>;
  let log: ReturnType<typeof memoryLogger>;
  let streams: ReturnType<typeof openAnnouncements>;

  beforeEach(() => {
    reads = 0;
    asked = [];
    marks = new Map();
    read = async () => numbers(1);
    live = new Set(['a', 'b', 'c', 'd']);
    log = memoryLogger();
    streams = openAnnouncements(
      {
        read: () => {
          reads++;
          return read();
        },
        marksOf: async (ids) => {
          asked.push([...ids]);
          return marks;
        },
        liveSessions: async () => live,
        logger: log.logger,
      },
      limits,
    );
  });
  afterEach(() => streams.close());

  function open(sessionId: string, id = 'noura') {
    const stream = streams.open({ id, sessionId });
    if (!stream) return expect.fail('no stream');
    let [text, isClosed] = ['', false];
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    stream.once('close', () => (isClosed = true));
    return { stream, text: () => text, isClosed: () => isClosed };
  }

  it('share one query, which does not run while none is open', async () => {
    const pages = ['a', 'b', 'c'].map((session) => open(session));
    await until('all have the event', () => pages.every(({ text }) => eventsIn(text()).length === 1));
    const before = reads;
    await until('more queries', () => reads > before + 3);
    for (const { text } of pages) expect(eventsIn(text())).to.deep.equal([announced(1)]);
    for (const { stream } of pages) stream.destroy();
    await until('all are closed', () => pages.every(({ isClosed }) => isClosed()));
    const after = reads;
    // A query that is under way ends; another one would follow every 5 ms.
    await new Promise((resolve) => setTimeout(resolve, 20 * limits.intervalMs));
    expect(reads).to.be.at.most(after + 1);
    expect(new Set(asked.flat())).to.deep.equal(new Set(['noura']));
  });

  it('announce its marks to each account, and immediately to one that opens its first page', async () => {
    const longer = openAnnouncements(
      { read: async () => numbers(1), marksOf: async () => marks, liveSessions: async () => live, logger: log.logger },
      { ...limits, intervalMs: 60_000 },
    );
    marks.set('noura', { total: 1, leadIds: ['1'] });
    const texts = ['noura', 'thabo'].map((id) => {
      let text = '';
      const stream = longer.open({ id, sessionId: 'a' });
      stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
      return { text: () => text, opened: until('its event', () => eventsIn(text).length === 1) };
    });
    await texts[0]?.opened;
    await texts[1]?.opened;
    expect(texts.flatMap(({ text }) => eventsIn(text()))).to.deep.equal([
      announced(1, { total: 1, leadIds: ['1'] }),
      announced(1),
    ]);
    let late = '';
    longer.open({ id: 'lerato', sessionId: 'b' })?.on('data', (chunk: Buffer) => (late += chunk.toString()));
    await until('the event of a third account', () => eventsIn(late).length === 1);
    await longer.close();
  });

  it('are bounded', async () => {
    const [first] = ['a', 'b', 'c'].map((session) => open(session));
    expect(streams.open({ id: 'noura', sessionId: 'd' })).to.equal(undefined);
    first?.stream.destroy();
    await until('one is closed', () => first?.isClosed());
    open('d');
  });

  it('are bounded for each session', async () => {
    const [first] = ['a', 'a'].map((session) => open(session));
    expect(streams.open({ id: 'noura', sessionId: 'a' })).to.equal(undefined);
    open('b');
    first?.stream.destroy();
    await until('one is closed', () => first?.isClosed());
    open('a');
  });

  it('end with their session', async () => {
    const [kept, ended] = [open('a'), open('b')];
    live.delete('b');
    await until('it is closed', ended.isClosed);
    expect(kept.isClosed()).to.equal(false);
  });

  it('stay open while the database is unavailable', async () => {
    const page = open('a');
    await until('the first event', () => eventsIn(page.text()).length === 1);
    read = async () => Promise.reject(new RangeError('no database'));
    await until('the failure is logged', () => log.lines().some(({ msg }) => msg === 'nothing announced'));
    const soFar = page.text().length;
    await until('a sign of life', () => page.text().length > soFar);
    read = async () => numbers(2);
    await until('the second event', () => eventsIn(page.text()).length === 2);
    expect(log.lines().filter(({ msg }) => msg === 'nothing announced')).to.have.length(1);
  });

  it('are dropped if their page reads nothing', async () => {
    const stalled = streams.open({ id: 'noura', sessionId: 'a' });
    let isClosed = false;
    stalled?.once('close', () => (isClosed = true));
    let count = 0;
    const large = 'x'.repeat(40_000);
    read = async () => ({ ...numbers(++count), large }) as Announcement;
    await until('it is dropped', () => isClosed);
  });

  it('cannot be opened after they were closed', async () => {
    const page = open('a');
    await streams.close();
    await until('it is closed', page.isClosed);
    expect(streams.open({ id: 'noura', sessionId: 'a' })).to.equal(undefined);
  });
});
