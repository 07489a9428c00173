import { spawn, type ChildProcess } from 'node:child_process';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { followUpAdmin, webhookStore, type ClaimedFollowUp } from '@dune-tide/db/follow-ups';
import { leadWork } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { askedToWaitPattern, webhookBody, webhookTypes } from '@dune-tide/domain/webhooks';
import { freePort } from '@dune-tide/local/ports';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { Webhook } from 'standardwebhooks';
import { leaseSecondsOf, sendClaimed } from '../src/delivery/deliver.ts';
import type { Transport } from '../src/delivery/transport.ts';
import { post, PostError, RefusedAddressError, type Resolve } from '../src/webhooks/post.ts';
import { webhookTransport, type WebhookDependencies } from '../src/webhooks/transport.ts';
import {
  otherSecret,
  secret,
  startReceiver,
  testCertificate,
  type TestReceiver,
} from '@dune-tide/testkit/webhook-receiver';
import { deliveryOver, makeDue, readRow, requireFollowUps, typedByVisitor } from './support.ts';

const publicUrl = 'https://site.example';
const isBody = addFormats.default(new Ajv({ strict: false })).compile(webhookBody);

describe('webhooks', () => {
  const test = withTestDatabase();
  /** A pool of a process with a WEBHOOK_URL. */
  const writing = (): Knex => test().appWithWebhooks;
  let receiver: TestReceiver;
  let dependencies: ReturnType<typeof deliveryOver>;

  before(() => {});
  beforeEach(async () => {
    await test().database.raw('truncate leads, follow_ups cascade');
    receiver = await startReceiver();
    const unused: Transport = {
      limits: { sendSeconds: 1, prolongedSeconds: 0 },
      send: () => Promise.reject(new Error('no email is sent here')),
    };
    dependencies = deliveryOver(test().app, {
      portfolio_pdf: unused,
      acknowledgement: unused,
      staff_notice: unused,
      staff_digest: unused,
      reminder: unused,
      lead_notification: unused,
      account_notice: unused,
      erasure_notice: unused,
      reply: unused,
    });
  });
  afterEach(() => receiver.close());

  const store = () => webhookStore(test().app);
  const transportTo = (url: string, changes: Partial<WebhookDependencies> = {}): Transport =>
    webhookTransport({ url, secrets: [secret], publicUrl, webhooks: store(), ...changes });
  /** Stores a lead and returns the id of its webhook. */
  async function requireWebhook(): Promise<string> {
    await requireFollowUps(writing(), 'contact');
    const [id] = await test().database('follow_ups').where({ kind: 'webhook', state: 'pending' }).pluck<string[]>('id');
    return id ?? expect.fail('no webhook');
  }
  const claimNext = async (transport: Transport): Promise<ClaimedFollowUp> => {
    const { claimed } = await store().claimDue(1, leaseSecondsOf(transport), new Set());
    return claimed[0] ?? expect.fail('nothing is due');
  };
  async function send(transport: Transport): Promise<string> {
    const claimedAt = performance.now();
    const followUp = await claimNext(transport);
    return sendClaimed({ transport, followUp, claimedAt, leaseSeconds: leaseSecondsOf(transport) }, dependencies);
  }
  const row = (id: string) => readRow(test().database, id);
  const actor = { id: '01a20000-0000-7000-8000-000000000001', name: 'Reem' };
  const addActor = () =>
    test()
      .database('staff')
      .insert({ ...actor, username: 'reem', password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g' })
      .onConflict()
      .ignore();

  it('are posted as JSON, with a signature that the receiver verifies', async () => {
    const id = await requireWebhook();
    expect(await send(transportTo(receiver.url))).to.equal('sent');
    const [webhook] = receiver.received;
    if (!webhook) return expect.fail('nothing arrived');
    expect(new Webhook(secret).verify(webhook.raw, webhook.headers as Record<string, string>)).to.deep.equal(
      webhook.body,
    );
    expect(webhook.headers).to.include({ 'content-type': 'application/json', 'webhook-id': id });
    expect(isBody(webhook.body), JSON.stringify(isBody.errors)).to.equal(true);
    const { type, data } = webhook.body;
    if (type !== 'lead.created') return expect.fail(type);
    expect(data).to.deep.include({ status: 'new', owner: null, answeredAt: null, spam: false, version: 1 });
    expect(data.url).to.equal(`${publicUrl}/admin/leads/${data.id}`);
    expect(data.answers).to.include({ message: typedByVisitor });
    expect(Date.parse(data.dueAt ?? '') - Date.parse(data.createdAt)).to.equal(brand.responsePromiseHours * 3_600_000);
    expect(await row(id)).to.include({ state: 'sent', attempts: 1, server_answer: '204' });
    expect(JSON.stringify(dependencies.lines())).to.not.include(typedByVisitor);
  });

  it('have the shape of the schema for each type, with the previous values of an update', async () => {
    await requireWebhook();
    const { leadId } = await test().database('webhook_events').first<{ leadId: string }>('lead_id as leadId');
    await addActor();
    const work = leadWork(writing(), brand.mailDomain);
    await work.change(leadId, { ownerId: actor.id, status: 'contacted' }, actor);
    await work.markAsSpam(leadId, actor);
    const transport = transportTo(receiver.url);
    for (let count = 0; count < 4; count++) {
      expect(await send(transport)).to.equal('sent');
      await makeWebhooksDue(test().database);
    }
    await writing()('leads').where({ id: leadId }).first();
    await test().database.transaction(async (transaction) => {
      await transaction.raw(`set local app.webhooks = 'on'`);
      await transaction('leads').where({ id: leadId }).delete();
    });
    await makeWebhooksDue(test().database);
    expect(await send(transport)).to.equal('sent');
    const bodies = receiver.received.map(({ body }) => body);
    for (const body of bodies) expect(isBody(body), JSON.stringify(isBody.errors)).to.equal(true);
    const shown: readonly { readonly type: string; readonly data: { readonly version: number } }[] = bodies;
    expect(shown.map(({ type, data }) => [type, data.version])).to.deep.equal([
      ['lead.created', 1],
      ['lead.answered', 2],
      ['lead.updated', 2],
      ['lead.updated', 3],
      ['lead.erased', 4],
    ]);
    const [, , owned, held] = bodies;
    expect(owned?.type === 'lead.updated' && owned.data.previous).to.deep.equal({
      status: 'new',
      owner: null,
      answeredAt: null,
    });
    expect(held?.type === 'lead.updated' && Object.keys(held.data.previous)).to.have.members(['spam', 'dueAt']);
  });

  it('are signed with both secrets while there are two', async () => {
    await requireWebhook();
    await send(transportTo(receiver.url, { secrets: [otherSecret, secret] }));
    const [webhook] = receiver.received;
    for (const each of [secret, otherSecret]) {
      new Webhook(each).verify(webhook?.raw ?? '', webhook?.headers as Record<string, string>);
    }
    expect(String(webhook?.headers['webhook-signature']).split(' ')).to.have.length(2);
  });

  it('have the same id and body on each attempt', async () => {
    const id = await requireWebhook();
    receiver.respond = (response) => response.writeHead(503).end('later');
    const transport = transportTo(receiver.url);
    expect(await send(transport)).to.equal('temporary');
    expect(await row(id)).to.include({ state: 'pending', attempts: 1, server_answer: '503 later' });
    receiver.respond = (response) => response.writeHead(200).end('thanks');
    await makeWebhooksDue(test().database);
    expect(await send(transport)).to.equal('sent');
    const [first, second] = receiver.received;
    expect(second?.raw).to.equal(first?.raw);
    expect([first?.id, second?.id]).to.deep.equal([id, id]);
    expect(await row(id)).to.include({ state: 'sent', attempts: 2, server_answer: '200 thanks' });
  });

  for (const status of [408, 425, 429, 500, 502, 503, 504]) {
    it(`are retried after ${status}`, async () => {
      const id = await requireWebhook();
      receiver.respond = (response) => response.writeHead(status).end();
      expect(await send(transportTo(receiver.url))).to.equal('temporary');
      expect(await row(id)).to.include({ state: 'pending', attempts: 1, server_answer: String(status) });
      expect((await row(id)).delay).to.be.within(7.5, 15);
    });
  }

  for (const [status, name, retryAfter, seconds] of [
    [429, 'seconds', () => '3600', 3_600],
    [503, 'a date', () => new Date(Date.now() + 7_200_000).toUTCString(), 7_200],
    [503, 'a date by a clock that is an hour ahead', () => new Date(Date.now() + 7_200_000).toUTCString(), 3_600],
    [503, 'a date in the obsolete form', () => asctime(new Date(Date.now() + 7_200_000)), 7_200],
    [429, 'more than a day', () => '9'.repeat(30), 86_400],
  ] as const) {
    it(`wait as long as the receiver asks after ${status}: ${name}`, async () => {
      const id = await requireWebhook();
      const date = new Date(Date.now() + (name.includes('ahead') ? 3_600_000 : 0)).toUTCString();
      receiver.respond = (response) => response.writeHead(status, { 'retry-after': retryAfter(), date }).end('busy');
      expect(await send(transportTo(receiver.url))).to.equal('temporary');
      const { delay, state, server_answer: answer } = await row(id);
      expect(state).to.equal('pending');
      expect(delay).to.be.within(seconds - 10, seconds + 2);
      const [, end = ''] = askedToWaitPattern.exec(String(answer)) ?? [];
      expect(Date.parse(end) - Date.now()).to.be.within((seconds - 10) * 1_000, (seconds + 2) * 1_000);
      expect(answer).to.equal(`${status} (asked to wait until ${end}) busy`);
    });
  }

  for (const retryAfter of ['', '0', '-5', '1.5', 'soon', 'Infinity', '1e5', 'Sun, 06 Nov 1994 08:49:37 GMT']) {
    it(`keep the usual delay after the Retry-After ${JSON.stringify(retryAfter)}`, async () => {
      const id = await requireWebhook();
      receiver.respond = (response) => response.writeHead(503, { 'retry-after': retryAfter }).end();
      expect(await send(transportTo(receiver.url))).to.equal('temporary');
      expect(await row(id)).to.include({ server_answer: '503' });
      expect((await row(id)).delay).to.be.within(7.5, 15);
    });
  }

  it('of one lead keep their order while the receiver asks to wait', async () => {
    const id = await requireWebhook();
    await addActor();
    const { leadId } = await test().database('webhook_events').first<{ leadId: string }>('lead_id as leadId');
    receiver.respond = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    const transport = transportTo(receiver.url);
    expect(await send(transport)).to.equal('temporary');
    await leadWork(writing(), brand.mailDomain).markAsSpam(leadId, actor);
    expect((await store().claimDue(5, leaseSecondsOf(transport), new Set())).claimed).to.deep.equal([]);
    receiver.respond = (response) => response.writeHead(204).end();
    for (let count = 0; count < 2; count++) {
      await makeWebhooksDue(test().database);
      expect(await send(transport)).to.equal('sent');
    }
    expect(receiver.received.map((webhook) => webhook.body.type)).to.deep.equal([
      'lead.created',
      'lead.created',
      'lead.updated',
    ]);
    expect(receiver.received[1]?.id).to.equal(id);
  });

  for (const status of [300, 304, 400, 401, 404, 409, 410, 422]) {
    it(`fail immediately after ${status}, and staff can retry them`, async () => {
      const id = await requireWebhook();
      receiver.respond = (response) => response.writeHead(status).end();
      expect(await send(transportTo(receiver.url))).to.equal('permanent');
      expect(await row(id)).to.include({ state: 'failed', attempts: 1 });
      receiver.respond = (response) => response.writeHead(204).end();
      expect((await followUpAdmin(test().app).retry(id)).outcome).to.equal('changed');
      expect(await send(transportTo(receiver.url))).to.equal('sent');
    });
  }

  it('do not follow a redirect', async () => {
    const id = await requireWebhook();
    const target = await startReceiver();
    try {
      receiver.respond = (response) => response.writeHead(307, { location: target.url }).end();
      expect(await send(transportTo(receiver.url))).to.equal('permanent');
      expect(target.received).to.deep.equal([]);
      expect(await row(id)).to.include({ state: 'failed', server_answer: '307' });
    } finally {
      await target.close();
    }
  });

  it('are retried if the receiver never responds', async () => {
    const id = await requireWebhook();
    receiver.respond = () => undefined;
    expect(await send(transportTo(receiver.url, { connecting: { limitMs: 3_000 } }))).to.equal('temporary');
    expect(await row(id)).to.include({ state: 'pending', attempts: 1, server_answer: 'ETIMEDOUT' });
  });

  it('are retried if the connection breaks', async () => {
    const id = await requireWebhook();
    receiver.respond = (response) => response.destroy();
    expect(await send(transportTo(receiver.url))).to.equal('temporary');
    expect(await row(id)).to.include({ state: 'pending', attempts: 1, server_answer: 'ECONNRESET' });
  });

  it('use up no attempt while the receiver cannot be reached', async () => {
    const id = await requireWebhook();
    await receiver.close();
    expect(await send(transportTo(receiver.url))).to.equal('outage');
    expect(await row(id)).to.include({ state: 'pending', attempts: 0, server_answer: 'ECONNREFUSED' });
    receiver = await startReceiver();
  });

  it('use up no attempt while TLS fails, and reach a receiver whose certificate is trusted', async () => {
    const id = await requireWebhook();
    const secure = await startReceiver(0, testCertificate);
    try {
      const url = secure.url.replace('127.0.0.1', 'localhost');
      expect(await send(transportTo(url))).to.equal('outage');
      expect(await row(id)).to.include({ state: 'pending', attempts: 0, server_answer: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
      await makeWebhooksDue(test().database);
      expect(await send(transportTo(url, { connecting: { ca: testCertificate.cert } }))).to.equal('sent');
    } finally {
      await secure.close();
    }
  });

  it('are sent with the status alone if the body of the response is slow, cut off or endless', async () => {
    const transport = transportTo(receiver.url, { connecting: { limitMs: 3_000 } });
    let written = 0;
    const responses: readonly TestReceiver['respond'][] = [
      (response) => response.writeHead(200).write('part'),
      (response) => response.writeHead(200, { 'content-length': 100 }).write('part', () => response.destroy()),
      (response) => {
        response.writeHead(200);
        const more = (): void => {
          written += 65_536;
          if (!response.destroyed) response.write('a'.repeat(65_536), more);
        };
        more();
      },
    ];
    for (const respond of responses) {
      receiver.respond = respond;
      const id = await requireWebhook();
      expect(await send(transport)).to.equal('sent');
      expect(await row(id)).to.include({ state: 'sent' });
      expect((await row(id)).server_answer).to.match(/^200 (?:part|a{496})$/);
    }
    expect(written, 'read before the connection was closed').to.be.below(50_000_000);
  });

  it('settle without a request if their lead was erased in the meantime', async () => {
    await requireWebhook();
    const transport = transportTo(receiver.url);
    const followUp = await claimNext(transport);
    await test().database('leads').delete();
    const held = { transport, followUp, claimedAt: performance.now(), leaseSeconds: leaseSecondsOf(transport) };
    expect(await sendClaimed(held, dependencies)).to.equal('permanent');
    expect(receiver.received).to.deep.equal([]);
    expect(await test().database('follow_ups')).to.deep.equal([]);
  });

  it('are not sent by a worker that was suspended until its lease had expired', async () => {
    const id = await requireWebhook();
    const transport = transportTo(receiver.url);
    const followUp = await claimNext(transport);
    await makeDue(test().database, [id]);
    const held = { transport, followUp, claimedAt: performance.now() - 60_000, leaseSeconds: 50 };
    expect(await sendClaimed(held, dependencies)).to.equal('temporary');
    expect(receiver.received).to.deep.equal([]);
  });

  describe('the address of the receiver', () => {
    /** Responds to look-ups with the next of several lists of addresses. */
    const resolving = (...responses: readonly (readonly string[])[]): Resolve => {
      const left = [...responses];
      return (_hostname, _options, callback) => {
        const addresses = left.shift() ?? [];
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      };
    };
    const postTo = (url: string, resolve: Resolve) =>
      post(new URL(url), { headers: {}, body: '{}', limitMs: 2_000, resolve });
    async function refusalOf(url: string, ...addresses: readonly string[]): Promise<unknown> {
      const error: unknown = await postTo(url, resolving(addresses)).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(PostError).with.property('wasConnected', false);
      return (error as PostError).cause;
    }

    for (const address of [
      '127.0.0.1',
      '10.0.0.7',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      '::',
      'fd00::7',
      'fe80::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
    ]) {
      it(`is refused if a public name leads to ${address}`, async () => {
        const cause = await refusalOf('https://hooks.example:9/', address);
        expect(cause).to.be.instanceOf(RefusedAddressError);
        expect(String(cause)).to.include(address);
      });
    }

    it('is looked up and checked on each attempt, so that a name cannot change to a private address', async () => {
      const { port } = new URL(receiver.url);
      const resolve = resolving(['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['93.184.216.34']);
      const url = `http://crm.internal:${port}/`;
      receiver.respond = (response) => response.writeHead(204).end();
      expect(await postTo(url, resolve), 'private at first').to.include({ status: 204 });
      expect(await postTo(url, resolve), 'only the private address is used').to.include({ status: 204 });
      const error: unknown = await postTo(url, resolve).catch((reason: unknown) => reason);
      expect((error as PostError).cause, 'public over http').to.be.instanceOf(RefusedAddressError);
    });

    it('may be private if WEBHOOK_URL itself is', async () => {
      const { port } = new URL(receiver.url);
      for (const host of ['127.0.0.1', 'localhost']) {
        expect(await postTo(`http://${host}:${port}/`, lookup)).to.include({ status: 204 });
      }
    });

    it('counts as an outage if it is refused', async () => {
      const id = await requireWebhook();
      const transport = transportTo('https://hooks.example/', { connecting: { resolve: resolving(['10.0.0.7']) } });
      expect(await send(transport)).to.equal('outage');
      expect(await row(id)).to.include({ state: 'pending', attempts: 0, server_answer: 'REFUSED_ADDRESS' });
    });

    it('counts as an outage if the name is unknown', async () => {
      const id = await requireWebhook();
      const failing: Resolve = (_hostname, _options, callback) =>
        callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
      expect(await send(transportTo('https://hooks.example/', { connecting: { resolve: failing } }))).to.equal(
        'outage',
      );
      expect(await row(id)).to.include({ attempts: 0, server_answer: 'ENOTFOUND' });
    });

    it('uses up no attempt if it accepts no TLS handshake', async () => {
      await requireWebhook();
      const silent = createTcpServer(() => undefined);
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const sockets = new Set<{ destroy(): void }>();
      silent.on('connection', (socket) => sockets.add(socket));
      try {
        const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
        expect(await send(transportTo(url, { connecting: { limitMs: 3_000 } }))).to.equal('outage');
      } finally {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => silent.close(resolve));
      }
    });
  });

  describe('as docs/WEBHOOKS.md describes them', () => {
    let document: string;
    before(async () => {
      document = await readFile(new URL('../../docs/WEBHOOKS.md', import.meta.url), 'utf8');
    });
    const blocks = (language: string): string[] =>
      [...document.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '');

    it('have a line of each type, and a valid example of each shape of data', () => {
      const types = [...document.matchAll(/^\| `(lead\.\w+)`/gm)].map(([, type]) => type);
      expect(types).to.deep.equal(webhookTypes);
      const examples = blocks('json').map((code): unknown => JSON.parse(code));
      for (const example of examples) expect(isBody(example), JSON.stringify(isBody.errors)).to.equal(true);
      const shapeOf = (type: string): string =>
        JSON.stringify(webhookBody.oneOf.find(({ properties }) => properties.type.const === type)?.properties.data);
      const shapes = new Set(examples.map((example) => shapeOf((example as { type: string }).type)));
      expect([...shapes]).to.have.members([...new Set(webhookTypes.map(shapeOf))]);
    });

    async function startDocumented(
      environment: Record<string, string>,
    ): Promise<ChildProcess & { output: () => string }> {
      const [code = ''] = blocks('js');
      const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      return Object.assign(child, { output: () => output });
    }

    it('reach the receiver of the document, which rejects others and reports a copy once', async () => {
      const port = await freePort(0, '127.0.0.1');
      const child = await startDocumented({ WEBHOOK_SECRET: secret, PORT: String(port) });
      try {
        const url = `http://127.0.0.1:${port}/`;
        await until('the receiver listens', async () =>
          post(new URL(url), { headers: {}, body: '{}', limitMs: 1_000 }).then(
            ({ status }) => status === 401,
            () => false,
          ),
        );
        const id = await requireWebhook();
        expect(await send(transportTo(url, { secrets: [otherSecret] })), 'another secret').to.equal('permanent');
        expect(await row(id)).to.include({ state: 'failed', server_answer: '401' });
        for (const secrets of [[secret], [otherSecret, secret]]) {
          await followUpAdmin(test().app).retry(id);
          expect(await send(transportTo(url, { secrets }))).to.equal('sent');
          await test().database('follow_ups').where({ id }).update({ state: 'failed', sent_at: null });
        }
        await until('it reports the event', async () => child.output().includes('\n'));
        const { lead_id: leadId } = await test()
          .database('webhook_events')
          .where({ id })
          .first<{ lead_id: string }>('lead_id');
        expect(child.output()).to.equal(`${id} lead.created ${leadId}\n`);
      } finally {
        child.kill();
        await once(child, 'exit');
      }
    });
  });
});

/** Formats a time as C programs do (RFC 9110 §5.6.7). */
function asctime(time: Date): string {
  const [, weekday, day, month, year, clock] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(time.toUTCString()) ?? [];
  return `${weekday} ${month} ${day?.replace(/^0/, ' ')} ${clock} ${year}`;
}

/** Makes webhooks due whose delay has not passed. */
async function makeWebhooksDue(database: Knex): Promise<void> {
  await database('follow_ups')
    .where({ kind: 'webhook', state: 'pending' })
    .update({ available_at: database.raw(`now() - interval '1 second'`) });
}
