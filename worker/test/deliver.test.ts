import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectDatabase } from '@dune-tide/db/connect';
import { DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { followUpClaims } from '@dune-tide/db/follow-up-claims';
import { brand } from '@dune-tide/domain/brand';
import type { LeadKind } from '@dune-tide/domain/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { testService } from '@dune-tide/testkit/environment';
import { startTestSmtp, type Answer, type SmtpScript, type TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import pLimit from 'p-limit';
import pg from 'pg';
import { deliver, settleNotes } from '../src/delivery/deliver.ts';
import { openGate } from '../src/delivery/gate.ts';
import { mailLimits } from '../src/mail/mailer.ts';
import { maxAttempts } from '../src/delivery/retry-delay.ts';
import { openRetryLane } from '../src/delivery/retry-lane.ts';
import { openSentNotes } from '../src/delivery/sent-notes.ts';
import { portfolioFileName } from '../src/portfolio/file-name.ts';
import {
  countStates,
  deliveryDependencies,
  makeDue,
  only,
  readRow,
  shortPatience,
  smallPortfolio,
  staffAddress,
  takeIn,
  takeInOne,
  type OwedRow,
} from './support.ts';

describe('the delivery of a follow-up', () => {
  const test = withTestDatabase();
  let smtp: TestSmtp;
  let dependencies: ReturnType<typeof deliveryDependencies>;

  beforeEach(async () => {
    smtp = await startTestSmtp();
    dependencies = deliveryDependencies(test().app, smtp);
  });

  afterEach(async () => {
    await dependencies.mailer.close();
    await smtp.close();
  });

  const row = ({ id }: OwedRow) => readRow(test().database, id);
  const send = (owed: OwedRow) => deliver(owed, dependencies);
  /** Makes the row due and delivers it. */
  const sendAgain = async (owed: OwedRow): Promise<void> => {
    await makeDue(test().database, [owed.id]);
    await deliver(owed, dependencies);
  };
  const acceptedFor = async (owed: OwedRow) => {
    const { message_id: messageId } = await row(owed);
    return smtp.accepted.filter((mail) => mail.messageId === messageId);
  };

  describe('with a mail server that accepts it', () => {
    const kinds: readonly (readonly [LeadKind, string])[] = [
      ['contact', 'acknowledgement'],
      ['service_inquiry', 'acknowledgement'],
      ['career_application', 'acknowledgement'],
      ['portfolio_request', 'portfolio_pdf'],
    ];
    for (const [leadKind, toVisitor] of kinds) {
      it(`sends one email to the visitor and one to staff for a ${leadKind}`, async () => {
        const email = `${leadKind}@visitor.example`;
        const owed = await takeIn(test().app, leadKind, { email, tellsStaff: true });
        expect(owed.map(({ kind }) => kind)).to.deep.equal([toVisitor, 'staff_notice']);
        for (const each of owed) await send(each);

        expect(smtp.accepted.map(({ to }) => to)).to.deep.equal([email, staffAddress]);
        for (const each of owed) {
          const accepted = only(await acceptedFor(each));
          const mail = await smtp.parse(accepted);
          const { message_id: messageId } = await row(each);
          const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
          expect(mail.to?.map(({ address }) => address)).to.deep.equal([each.recipient]);
          expect(mail.from).to.include({ name: brand.name, address: 'mail@studio.example' });
          const toVisitorOrStudio =
            each.kind === 'staff_notice' ? { name: '', address: email } : { name: brand.name, address: brand.email };
          expect(mail.replyTo?.[0]).to.include(toVisitorOrStudio);
          expect(mail.messageId).to.equal(messageId);
          expect(messageId).to.equal(`<${each.id}@${brand.mailDomain}>`);
          expect(headers.get('auto-submitted')).to.equal(
            each.kind === 'staff_notice' ? 'auto-generated' : 'auto-replied',
          );
          expect(mail.subject).to.be.a('string').that.includes(brand.name);
          expect(mail.html).to.include('<!doctype html>');
          expect(mail.text).to.include(brand.name);
        }
      });
    }

    it('acknowledges each kind of inquiry with the promise of its form', async () => {
      const forms = [
        [{ serviceType: 'Consulting', service: 'Strategy Workshop' }, 'with a detailed proposal'],
        [{ service: 'Project Inquiry', serviceType: 'AI Solutions' }, 'with a detailed proposal'],
        [
          { serviceType: 'KingRose Discovery', service: 'AI Transformation Discovery' },
          'to schedule your ROI assessment session',
        ],
      ] as const;
      for (const [says, promise] of forms) {
        const owed = await takeInOne(test().app, 'service_inquiry', { says });
        await send(owed);
        const { text } = await smtp.parse(only(await acceptedFor(owed)));
        expect(text?.replaceAll(/\s+/g, ' ')).to.include(`within 24 hours ${promise}.`);
      }
    });

    it('stores the response of the server and the time in the row', async () => {
      const owed = await takeInOne(test().app, 'contact');
      await send(owed);
      const sent = await row(owed);
      expect(sent).to.include({ state: 'sent', attempts: 1, lease: null });
      expect(sent.server_answer).to.match(/^250 /);
      expect(Math.abs(Date.now() - Number(sent.sent_at))).to.be.below(60_000);
    });

    it('attaches the portfolio as a PDF', async () => {
      const owed = await takeInOne(test().app, 'portfolio_request');
      await send(owed);
      const { attachments } = await smtp.parse(only(smtp.accepted));
      const attachment = only(attachments);
      expect(attachment).to.include({ filename: portfolioFileName, mimeType: 'application/pdf' });
      expect(Buffer.from(attachment.content as ArrayBuffer).equals(smallPortfolio)).to.equal(true);
    });

    it('links staff to the lead', async () => {
      const owed = await takeIn(test().app, 'contact', { tellsStaff: true });
      const notice = only(owed.filter(({ kind }) => kind === 'staff_notice'));
      await send(notice);
      const { html, text } = await smtp.parse(only(smtp.accepted));
      for (const part of [html, text]) expect(part).to.include('https://site.example/').and.include(notice.leadId);
    });

    it('sends nothing on a second wake-up', async () => {
      const owed = await takeInOne(test().app, 'contact');
      await send(owed);
      await sendAgain(owed);
      expect(smtp.accepted).to.have.length(1);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
    });

    it('sends once on ten concurrent wake-ups', async () => {
      for (const kind of ['contact', 'portfolio_request'] as const) {
        const owed = await takeInOne(test().app, kind);
        await Promise.all(Array.from({ length: 10 }, () => send(owed)));
        expect(await acceptedFor(owed), kind).to.have.length(1);
        expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
      }
    });

    it('does nothing for a row that does not exist', async () => {
      for (const kind of ['acknowledgement', 'portfolio_pdf'] as const) {
        await deliver({ id: '0198c2f4-0000-7000-8000-000000000001', kind }, dependencies);
      }
      expect(smtp.recipientsTried).to.deep.equal([]);
    });

    it('does nothing for a row that is not due', async () => {
      const owed = await takeInOne(test().app, 'contact');
      await test().database.raw(`update follow_ups set available_at = now() + interval '1 minute' where id = ?`, [
        owed.id,
      ]);
      await send(owed);
      expect(smtp.recipientsTried).to.deep.equal([]);
      expect(await row(owed)).to.include({ state: 'pending', attempts: 0 });
    });

    it('logs one line with ids and without personal data', async () => {
      const owed = await takeInOne(test().app, 'contact', { email: 'secret-name@visitor.example' });
      await send(owed);
      const lines = dependencies.lines();
      expect(lines.map(({ msg }) => msg)).to.deep.equal(['follow-up']);
      expect(lines[0]).to.include({ followUpId: owed.id, leadId: owed.leadId, kind: owed.kind, outcome: 'sent' });
      expect(JSON.stringify(lines)).to.not.include('secret-name');
    });
  });

  describe('that the server defers', () => {
    const temporary: readonly (readonly [string, SmtpScript])[] = [
      ['450 for the recipient (greylisting)', { onRecipient: () => ({ code: 450, text: 'Greylisted, come back' }) }],
      ['451 after the body', { onBody: () => ({ code: 451, text: 'Local error' }) }],
    ];
    for (const [name, script] of temporary) {
      it(`uses one attempt and waits after ${name}, then sends the same email`, async () => {
        const owed = await takeInOne(test().app, 'contact');
        smtp.script = script;
        await send(owed);
        const waiting = await row(owed);
        expect(waiting).to.include({ state: 'pending', attempts: 1, lease: null, sent_at: null });
        expect(waiting.server_answer).to.match(/^45[01] /);
        expect(waiting.delay).to.be.within(7.5, 15);

        smtp.script = {};
        await send(owed);
        expect(smtp.accepted, 'before it is due').to.have.length(0);
        await sendAgain(owed);
        expect(await acceptedFor(owed)).to.have.length(1);
        expect(await row(owed)).to.include({ state: 'sent', attempts: 2, message_id: waiting.message_id });
      });
    }

    it('waits longer after each attempt', async () => {
      const owed = await takeInOne(test().app, 'contact');
      smtp.script = { onRecipient: () => ({ code: 450, text: 'Greylisted' }) };
      await send(owed);
      for (const [attempts, most] of [
        [2, 30],
        [3, 60],
        [4, 120],
      ] as const) {
        await sendAgain(owed);
        const { attempts: tries, delay } = await row(owed);
        expect(tries).to.equal(attempts);
        expect(delay).to.be.within(most / 2, most);
      }
    });

    it('fails after the last attempt and keeps the response', async () => {
      const owed = await takeInOne(test().app, 'contact');
      await test()
        .database('follow_ups')
        .where({ id: owed.id })
        .update({ attempts: maxAttempts - 1 });
      smtp.script = { onRecipient: () => ({ code: 450, text: 'Still greylisted' }) };
      await send(owed);
      const failed = await row(owed);
      expect(failed).to.include({ state: 'failed', attempts: maxAttempts });
      expect(failed.server_answer).to.include('Still greylisted');
    });

    it('fails without another send if the worker died on every attempt', async () => {
      const owed = await takeInOne(test().app, 'contact');
      await test().database('follow_ups').where({ id: owed.id }).update({ attempts: maxAttempts });
      await send(owed);
      expect(await row(owed)).to.include({ state: 'failed', server_answer: 'Out of attempts' });
      expect(smtp.recipientsTried).to.deep.equal([]);
    });
  });

  describe('that the server rejects permanently', () => {
    const refusals: readonly (readonly [string, string, SmtpScript])[] = [
      ['550 for the recipient', 'No such user', { onRecipient: () => ({ code: 550, text: 'No such user' }) }],
      ['554 after the body', 'Looks like spam', { onBody: () => ({ code: 554, text: 'Looks like spam' }) }],
    ];
    for (const [name, words, script] of refusals) {
      it(`fails after one attempt on ${name} and keeps the response`, async () => {
        const owed = await takeInOne(test().app, 'contact');
        smtp.script = script;
        await send(owed);
        const failed = await row(owed);
        expect(failed).to.include({ state: 'failed', attempts: 1, lease: null });
        expect(failed.server_answer)
          .to.match(/^55[04] /)
          .and.include(words);

        smtp.script = {};
        await sendAgain(owed);
        expect(smtp.accepted).to.have.length(0);
      });
    }

    it('keeps at most 500 characters of the response', async () => {
      const owed = await takeInOne(test().app, 'contact');
      smtp.script = { onRecipient: () => ({ code: 550, text: 'long '.repeat(300) }) };
      await send(owed);
      expect((await row(owed)).server_answer).to.have.length(500);
    });

    it('removes U+0000 from the response, because PostgreSQL cannot store it', async () => {
      const odd = await startRawServer(['220 hello', '250 odd.example', '250 ok', '550 No such\0 user']);
      const owed = await takeInOne(test().app, 'contact');
      const speaking = deliveryDependencies(test().app, { url: `smtp://127.0.0.1:${odd.port}` });
      await deliver(owed, speaking);
      await speaking.mailer.close();
      await odd.close();
      expect(await row(owed)).to.include({ state: 'failed', lease: null, server_answer: '550 No such user' });
    });

    it('does not stop others on the same connection', async () => {
      const [unknown, known] = [await takeInOne(test().app, 'contact'), await takeInOne(test().app, 'contact')];
      smtp.script = {
        onRecipient: (address) => (address === unknown.recipient ? { code: 550, text: 'No such user' } : undefined),
      };
      await send(unknown);
      await send(known);
      expect(await row(known)).to.include({ state: 'sent' });
    });
  });

  describe('while the mail server is unavailable', () => {
    const isLeftForLater = async (owed: OwedRow): Promise<void> => {
      const waiting = await row(owed);
      expect(waiting).to.include({ state: 'pending', attempts: 0, lease: null });
      expect(waiting.delay).to.be.within(15, 30);
      expect(smtp.accepted).to.have.length(0);
    };

    const closing: Answer = { code: 421, text: 'Shutting down' };
    const outages: readonly (readonly [string, SmtpScript])[] = [
      ['421 for the sender', { onMail: () => closing }],
      ['421 for the recipient', { onRecipient: () => closing }],
      ['421 after the body', { onBody: () => closing }],
      ['550 for the sender', { onMail: () => ({ code: 550, text: 'Sender not allowed' }) }],
      ['451 for the sender', { onMail: () => ({ code: 451, text: 'Too much mail from you' }) }],
      ['a connection dropped at the sender', { onMail: () => 'drop' }],
      ['a connection dropped at the recipient', { onRecipient: () => 'drop' }],
    ];
    for (const [name, script] of outages) {
      it(`uses no attempt on ${name}`, async () => {
        const owed = await takeInOne(test().app, 'contact');
        smtp.script = script;
        await send(owed);
        await isLeftForLater(owed);

        smtp.script = {};
        await sendAgain(owed);
        expect(await acceptedFor(owed)).to.have.length(1);
        expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
      });
    }

    it('uses no attempt on a refused connection, however often', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const port = await freePort(0, '127.0.0.1');
      const away = deliveryDependencies(test().app, { url: `smtp://127.0.0.1:${port}` });
      for (let tries = 0; tries < 3; tries++) {
        await makeDue(test().database, [owed.id]);
        await deliver(owed, away);
      }
      await away.mailer.close();
      await isLeftForLater(owed);
      expect((await row(owed)).server_answer).to.equal('ECONNREFUSED');
      const said = away.lines().find(({ msg }) => msg === 'not sent');
      expect(said?.['error']).to.include({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' });
      await sendAgain(owed);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
    });

    it('uses no attempt if the server sends no greeting, stops responding or rejects us', async () => {
      for (const said of [[], ['220 hello'], ['554 go away']]) {
        const silent = await startRawServer(said);
        const owed = await takeInOne(test().app, 'contact');
        const waiting = deliveryDependencies(
          test().database,
          { url: `smtp://127.0.0.1:${silent.port}` },
          { limits: shortPatience },
        );
        await deliver(owed, waiting);
        await waiting.mailer.close();
        await silent.close();
        await isLeftForLater(owed);
      }
    });

    it('uses no attempt if our credentials are rejected', async () => {
      const guarded = await startTestSmtp({ credentials: { user: 'studio', password: 'right' } });
      const owed = await takeInOne(test().app, 'contact');
      const signedIn = deliveryDependencies(test().app, guarded);
      guarded.script = { credentials: { user: 'studio', password: 'changed' } };
      await deliver(owed, signedIn);
      await isLeftForLater(owed);
      expect((await row(owed)).server_answer).to.match(/^535 /);

      guarded.script = { credentials: { user: 'studio', password: 'right' } };
      await makeDue(test().database, [owed.id]);
      await deliver(owed, signedIn);
      expect(guarded.accepted).to.have.length(1);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
      await signedIn.mailer.close();
      await guarded.close();
    });
  });

  describe('with a mail server on another machine that offers no encryption', () => {
    it('waits and does not send our credentials', async () => {
      const plain = await startTestSmtp({ credentials: { user: 'studio', password: 'right' } });
      const owed = await takeInOne(test().app, 'contact');
      // This address connects to this machine but does not count as local.
      const elsewhere = deliveryDependencies(test().app, { url: plain.url.replace('127.0.0.1', '0.0.0.0') });
      await deliver(owed, elsewhere);
      await elsewhere.mailer.close();
      await plain.close();
      expect(await row(owed)).to.include({ state: 'pending', attempts: 0 });
      expect((await row(owed)).server_answer).to.match(/^50[02] /);
      expect(plain.accepted).to.have.length(0);
    });
  });

  describe('on which the mail server stalls while it accepts others', () => {
    it('uses an attempt, so that a few such addresses cannot occupy all connections', async () => {
      const [stalled, other] = [
        await takeInOne(test().app, 'contact', { email: 'stalled@visitor.example' }),
        await takeInOne(test().app, 'contact'),
      ];
      let letGo = (): void => undefined;
      const never = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
      let isAsked = false;
      smtp.script = {
        onRecipient: (address) => {
          if (address !== 'stalled@visitor.example') return undefined;
          isAsked = true;
          return never;
        },
      };
      const impatient = deliveryDependencies(test().app, smtp, { limits: shortPatience });
      const delivery = deliver(stalled, impatient);
      await until('the server stalls', () => isAsked);
      await deliver(other, impatient);
      await delivery;
      letGo();
      await impatient.mailer.close();
      expect(await row(other)).to.include({ state: 'sent', attempts: 1 });
      expect(await row(stalled)).to.include({ state: 'pending', attempts: 1 });
    });
  });

  describe('on which the mail server disconnects while it accepts others', () => {
    it('uses an attempt, although a disconnect is otherwise an outage', async () => {
      const [dropped, other] = [
        await takeInOne(test().app, 'contact', { email: 'dropped@visitor.example' }),
        await takeInOne(test().app, 'contact'),
      ];
      let hangUp = (): void => undefined;
      const hungUp = new Promise<Answer>((resolve) => (hangUp = () => resolve('drop')));
      smtp.script = { onRecipient: (address) => (address === dropped.recipient ? hungUp : undefined) };
      const delivery = send(dropped);
      await until('the recipient is sent', () => smtp.recipientsTried.includes(dropped.recipient));
      await send(other);
      hangUp();
      await delivery;
      expect(await row(other)).to.include({ state: 'sent', attempts: 1 });
      expect(await row(dropped)).to.include({ state: 'pending', attempts: 1 });
    });
  });

  describe('on which the mail server stalls without accepting others', () => {
    let letGo = (): void => undefined;
    beforeEach(() => {
      const never = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
      smtp.script = { onRecipient: (address) => (address.endsWith('@stalled.example') ? never : undefined) };
    });
    afterEach(() => letGo());
    const stalled = () => takeInOne(test().app, 'contact', { email: `${randomUUID()}@stalled.example` });

    it('uses an attempt, even on a connection that sent emails before', async () => {
      const [first, other, second] = [await stalled(), await takeInOne(test().app, 'contact'), await stalled()];
      const impatient = deliveryDependencies(test().app, smtp, { limits: shortPatience });
      for (const owed of [first, other, second]) await deliver(owed, impatient);
      letGo();
      await impatient.mailer.close();
      expect(await row(first)).to.include({ state: 'pending', attempts: 1 });
      expect(await row(other)).to.include({ state: 'sent' });
      expect(await row(second)).to.include({ state: 'pending', attempts: 1 });
    });

    it('times out early on the first attempt, so that others do not wait for it', async () => {
      const limits = { ...shortPatience, firstOffer: 300, send: 60_000 };
      const brief = deliveryDependencies(test().app, smtp, { limits });
      const [first, other] = [await stalled(), await takeInOne(test().app, 'contact')];
      await Promise.all([first, other].map((owed) => deliver(owed, { ...brief, sends: pLimit(1) })));
      expect(await row(first)).to.include({ state: 'pending', attempts: 1 });
      expect(await row(other)).to.include({ state: 'sent' });

      const before = smtp.recipientsTried.length;
      await makeDue(test().database, [first.id]);
      const again = deliver(first, brief);
      await until('it is retried', () => smtp.recipientsTried.length > before);
      await pause(2 * limits.firstOffer);
      expect(await row(first), 'a retry has the full time').to.include({ state: 'sending', attempts: 2 });
      letGo();
      await again;
      await brief.mailer.close();
      expect(await row(first)).to.include({ state: 'sent' });
    });

    it('leaves a connection to first attempts when it is retried', async () => {
      const again = [await stalled(), await stalled(), await stalled()];
      // The lane never times out here: first attempts must get a connection anyway.
      const patient = { ...dependencies, sends: pLimit(2), retries: openRetryLane(1, 600_000), claims: openGate(2) };
      const ids = again.map(({ id }) => id);
      await test().database('follow_ups').whereIn('id', ids).update({ attempts: 1 });
      const under = again.map((owed) => deliver(owed, patient));
      await until('one is in progress', () => smtp.recipientsTried.length === 1);
      const other = await takeInOne(test().app, 'contact');
      await deliver(other, patient);
      expect(await row(other)).to.include({ state: 'sent' });
      letGo();
      await Promise.all(under);
    });

    it('is released with its attempts and its response while the retry lane is full', async () => {
      const [first, second] = [await stalled(), await stalled()];
      const full = { ...dependencies, sends: pLimit(2), retries: openRetryLane(1, 100) };
      const ids = [first.id, second.id];
      await test().database('follow_ups').whereIn('id', ids).update({ attempts: 3, server_answer: '450 Mailbox busy' });
      const under = deliver(first, full);
      await until('it is in progress', () => smtp.recipientsTried.length === 1);
      await deliver(second, full);
      const waiting = await row(second);
      expect(waiting).to.include({ state: 'pending', attempts: 3, server_answer: '450 Mailbox busy', lease: null });
      expect(waiting.delay).to.be.within(15, 30);
      letGo();
      await under;
      expect(smtp.recipientsTried).to.deep.equal([first.recipient]);
    });
  });

  describe('whose lease ends before the body is sent', () => {
    const losses: readonly (readonly [string, string])[] = [
      ['has expired', `available_at = now()`],
      ['belongs to another worker', `lease = gen_random_uuid()`],
    ];
    for (const [name, change] of losses) {
      it(`sends no byte of the body if the lease ${name}`, async () => {
        const owed = await takeInOne(test().app, 'portfolio_request');
        let bodies = 0;
        smtp.script = {
          async onRecipient() {
            // The worker does not check a claim that is younger than a second.
            await pause(1_100);
            await test().database.raw(`update follow_ups set ${change} where id = ?`, [owed.id]);
            return undefined;
          },
          cutsInsideBody: () => (bodies++, false),
        };
        await send(owed);
        expect(smtp.accepted).to.have.length(0);
        expect(bodies).to.equal(0);
        smtp.script = {};
        await sendAgain(owed);
        expect(await acceptedFor(owed)).to.have.length(1);
        expect((await row(owed)).state).to.equal('sent');
      });
    }
  });

  describe('that waits for a connection', () => {
    it('is released without using an attempt when the worker closes', async () => {
      const owed = await takeInOne(test().app, 'portfolio_request');
      const [turn, closing] = [pLimit(1), new AbortController()];
      let letGo = (): void => undefined;
      void turn(() => new Promise<void>((resolve) => (letGo = resolve)));
      const delivery = deliver(owed, { ...dependencies, sends: turn, closing: closing.signal });
      await until('it is claimed', async () => (await row(owed)).state === 'sending');
      closing.abort();
      letGo();
      await delivery;
      expect(await row(owed)).to.include({ state: 'pending', attempts: 0, lease: null });
      expect(smtp.recipientsTried).to.have.length(0);
    });

    it('is released without a delay when the worker closes while the retry lane is full', async () => {
      const owed = await takeInOne(test().app, 'contact');
      await test().database('follow_ups').where({ id: owed.id }).update({ attempts: 1 });
      const [retries, closing] = [openRetryLane(1, 100), new AbortController()];
      let letGo = (): void => undefined;
      const first = retries.run(() => new Promise<void>((resolve) => (letGo = resolve)), undefined);
      const delivery = deliver(owed, { ...dependencies, retries, closing: closing.signal });
      await until('it is claimed', async () => (await row(owed)).state === 'sending');
      closing.abort();
      await delivery;
      const waiting = await row(owed);
      expect(waiting).to.include({ state: 'pending', attempts: 1, lease: null });
      expect(waiting.delay).to.equal(0);
      letGo();
      await first;
    });

    it('is not claimed after the worker has started to close', async () => {
      const owed = await takeInOne(test().app, 'contact');
      await deliver(owed, { ...dependencies, closing: AbortSignal.abort() });
      expect(await row(owed)).to.include({ state: 'pending', attempts: 0 });
    });

    it('is released if it has waited so long that its lease could expire during the send', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const clock = performance.now.bind(performance);
      let passed = 0;
      performance.now = () => clock() + passed;
      try {
        const turn = pLimit(1);
        let letGo = (): void => undefined;
        void turn(() => new Promise<void>((resolve) => (letGo = resolve)));
        const delivery = deliver(owed, { ...dependencies, sends: turn });
        await until('it is claimed', async () => (await row(owed)).state === 'sending');
        passed = 31_000;
        letGo();
        await delivery;
      } finally {
        performance.now = clock;
      }
      expect(await row(owed)).to.include({ state: 'pending', attempts: 0, lease: null });
      expect(smtp.recipientsTried).to.have.length(0);
      await sendAgain(owed);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
    });
  });

  describe('whose connection breaks during the body', () => {
    it('uses one attempt and is sent again after a cut inside the body', async () => {
      for (const kind of ['contact', 'portfolio_request'] as const) {
        const owed = await takeInOne(test().app, kind);
        smtp.script = { cutsInsideBody: () => true };
        await send(owed);
        const waiting = await row(owed);
        expect(waiting, kind).to.include({ state: 'pending', attempts: 1 });
        expect(waiting.delay).to.be.within(7.5, 15);

        smtp.script = {};
        await sendAgain(owed);
        expect(await acceptedFor(owed)).to.have.length(1);
        expect(await row(owed)).to.include({ state: 'sent', attempts: 2 });
      }
    });

    it('is sent again with the same Message-ID if the response was lost', async () => {
      const owed = await takeInOne(test().app, 'contact');
      smtp.script = { onBody: () => 'drop' };
      await send(owed);
      expect(await row(owed)).to.include({ state: 'pending', attempts: 1 });

      smtp.script = {};
      await sendAgain(owed);
      expect(await acceptedFor(owed)).to.have.length(2);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 2 });
    });

    it('uses an attempt if the server does not respond after the body, to limit the copies', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const answer = heldAnswer();
      smtp.script = { onBody: answer.onBody };
      const impatient = deliveryDependencies(test().app, smtp, { limits: shortPatience });
      await deliver(owed, impatient);
      answer.release();
      await impatient.mailer.close();
      expect(await row(owed)).to.include({ state: 'pending', attempts: 1, server_answer: 'ETIMEDOUT' });
    });
  });

  describe('to which the mail server responds late', () => {
    it('waits for the response with a prolonged lease and is sent once', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const answer = heldAnswer();
      smtp.script = { onBody: answer.onBody };
      const patient = deliveryDependencies(test().app, smtp, {
        limits: { ...shortPatience, send: 1_000, answer: 60_000 },
      });
      const delivery = deliver(owed, patient);
      const others = deliveryDependencies(test().app, smtp);
      await until('the lease is prolonged', async () => (await row(owed)).delay >= mailLimits.prolongedSeconds);
      await deliver(owed, others);
      // Longer than the limit for sending the email.
      await pause(1_200);
      answer.release();
      await delivery;
      await patient.mailer.close();
      await others.mailer.close();
      expect(await acceptedFor(owed)).to.have.length(1);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
    });

    it('prolongs the lease as soon as the database is available again, and not after the response', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const answer = heldAnswer();
      smtp.script = { onBody: answer.onBody };
      const patient = deliveryDependencies(test().app, smtp, {
        limits: { ...shortPatience, send: 1_000, answer: 60_000 },
      });
      let tries = 0;
      let isBack = false;
      const prolong: typeof patient.followUps.prolong = (...hold) => {
        tries++;
        if (isBack) return patient.followUps.prolong(...hold);
        return Promise.reject(new DatabaseUnavailableError(new Error('unavailable')));
      };
      const delivery = deliver(owed, { ...patient, followUps: { ...patient.followUps, prolong } });
      await until('it could not be prolonged', () => tries >= 3);
      expect((await row(owed)).delay).to.be.below(mailLimits.prolongedSeconds);
      isBack = true;
      await until('the lease is prolonged', async () => (await row(owed)).delay >= mailLimits.prolongedSeconds);
      const tried = tries;
      answer.release();
      await delivery;
      await patient.mailer.close();
      expect(tries).to.equal(tried);
      expect(patient.lines().filter(({ msg }) => msg === 'lease not prolonged')).to.have.length(1);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
    });
  });

  describe("while the database's clock is changed", () => {
    it('is sent once by the worker that holds it, although its lease seems to have expired', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const answer = heldAnswer();
      smtp.script = { onBody: answer.onBody };
      const delivery = deliver(owed, dependencies);
      await until('the email is sent', answer.isAwaited);
      await makeDue(test().database, [owed.id]);
      await deliver(owed, dependencies);
      answer.release();
      await delivery;
      expect(await acceptedFor(owed)).to.have.length(1);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
    });
  });

  describe('that cannot be composed', () => {
    it('does not stop others, keeps its error and is sent once after the error is fixed', async () => {
      const poisoned = await takeInOne(test().app, 'portfolio_request');
      const others = [await takeInOne(test().app, 'contact'), await takeInOne(test().app, 'contact')];
      const broken = deliveryDependencies(test().app, smtp, {
        readPortfolio: () => Promise.reject(new TypeError('Cannot read properties of undefined')),
      });
      for (const owed of [poisoned, ...others]) await deliver(owed, broken);
      await broken.mailer.close();
      expect(await row(poisoned)).to.include({ state: 'pending', attempts: 1, server_answer: 'TypeError' });
      expect(
        await countStates(
          test().database,
          others.map(({ id }) => id),
        ),
      ).to.deep.equal({ sent: 2 });

      await sendAgain(poisoned);
      await sendAgain(poisoned);
      expect(await acceptedFor(poisoned)).to.have.length(1);
      expect(await row(poisoned)).to.include({ state: 'sent', attempts: 2 });
    });
  });

  describe('while the database is unavailable', () => {
    it('writes the outcome on a later attempt, without another email', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const followUps = followUpClaims(test().app);
      let failures = 0;
      await deliver(owed, {
        ...dependencies,
        followUps: {
          ...followUps,
          markSent: (...outcome) =>
            ++failures <= 2
              ? Promise.reject(new DatabaseUnavailableError(new Error('unavailable')))
              : followUps.markSent(...outcome),
        },
      });
      expect(failures).to.equal(3);
      expect(await acceptedFor(owed)).to.have.length(1);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
    });

    it('writes the outcome however late, and does not claim the row again until then', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const clock = performance.now.bind(performance);
      let passed = 0;
      let isBack = false;
      let failures = 0;
      const warnings = () => dependencies.lines().filter(({ msg }) => msg === 'outcome not written');
      const away = {
        ...dependencies,
        followUps: {
          ...dependencies.followUps,
          markSent: (...outcome: Parameters<typeof dependencies.followUps.markSent>) => {
            if (isBack) return dependencies.followUps.markSent(...outcome);
            failures++;
            return Promise.reject(new DatabaseUnavailableError(new Error('unavailable')));
          },
        },
      };
      performance.now = () => clock() + passed;
      try {
        const delivery = deliver(owed, away);
        await until('the outcome could not be written', () => failures >= 3);
        expect(only(warnings())).to.deep.include({ level: 'warn', followUpId: owed.id });
        expect(only(warnings()).error).to.include({ name: 'DatabaseUnavailableError' });
        // The lease expires, both by the worker's clock and in the database.
        passed = 3_600_000;
        const earlier = failures;
        await makeDue(test().database, [owed.id]);
        await deliver(owed, away);
        await until('it is retried', () => failures >= earlier + 3);
        expect(warnings(), 'one more after a minute').to.have.length(2);
        isBack = true;
        await delivery;
      } finally {
        performance.now = clock;
      }
      expect(await acceptedFor(owed)).to.have.length(1);
      expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
      expect(dependencies.inProgress).to.have.property('size', 0);
    });

    describe('and a worker ends', () => {
      let directory = '';
      beforeEach(async () => {
        directory = await mkdtemp(join(tmpdir(), 'notes-'));
      });
      afterEach(() => rm(directory, { recursive: true, force: true }));

      /** Returns claims whose database fails this many times. */
      const awayFor = (failures: number) => {
        const followUps = followUpClaims(test().app);
        let tries = 0;
        return {
          ...followUps,
          tries: () => tries,
          markSent: (...outcome: Parameters<typeof followUps.markSent>) =>
            ++tries <= failures
              ? Promise.reject(new DatabaseUnavailableError(new Error('unavailable')))
              : followUps.markSent(...outcome),
        };
      };

      it('notes the outcome, which the next worker writes however late, without another email', async () => {
        const owed = await takeInOne(test().app, 'contact');
        // The database stays unavailable for this worker.
        const ending = new Error('the worker ends');
        const followUps = awayFor(Infinity);
        const markSent: typeof followUps.markSent = async (...outcome) => {
          if ((await readdir(directory)).some((name) => name.endsWith('.json'))) throw ending;
          return followUps.markSent(...outcome);
        };
        const delivered = await deliver(owed, {
          ...dependencies,
          sentNotes: openSentNotes(directory),
          followUps: { ...followUps, markSent },
        }).catch((error: unknown) => error);
        expect(delivered).to.equal(ending);
        expect(await row(owed)).to.include({ state: 'sending' });

        const next = awayFor(2);
        await settleNotes({ ...dependencies, sentNotes: openSentNotes(directory), followUps: next });
        expect(next.tries()).to.equal(3);
        expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
        expect(await readdir(directory)).to.deep.equal([]);
        await makeDue(test().database, [owed.id]);
        await deliver(owed, dependencies);
        expect(await acceptedFor(owed)).to.have.length(1);
      });

      it('starts the next worker even if notes cannot be read', async () => {
        const noDirectory = join(directory, 'file');
        await writeFile(noDirectory, '');
        await writeFile(join(directory, 'sent-00000000.json'), 'not a note');
        for (const path of [noDirectory, directory]) {
          await settleNotes({ ...dependencies, sentNotes: openSentNotes(path) });
        }
        expect(dependencies.lines().map(({ level, msg }) => [level, msg])).to.deep.equal([
          ['error', 'notes of sent follow-ups not read'],
          ['error', 'note of a sent follow-up not read'],
        ]);
      });

      it('retries a note that could not be written', async () => {
        const owed = await takeInOne(test().app, 'contact');
        const clock = performance.now.bind(performance);
        let passed = 0;
        let tries = 0;
        let isBack = false;
        performance.now = () => clock() + passed;
        try {
          const followUps = followUpClaims(test().app);
          const delivery = deliver(owed, {
            ...dependencies,
            sentNotes: {
              ...dependencies.sentNotes,
              add: () => (++tries === 1 ? Promise.reject(new Error('full')) : Promise.resolve()),
            },
            followUps: {
              ...followUps,
              markSent: (...outcome) =>
                isBack
                  ? followUps.markSent(...outcome)
                  : Promise.reject(new DatabaseUnavailableError(new Error('unavailable'))),
            },
          });
          await until('it could not be noted', () => tries === 1);
          passed = 61_000;
          await until('it is noted', () => tries === 2);
          isBack = true;
          await delivery;
        } finally {
          performance.now = clock;
        }
      });
    });

    it('writes the outcome after the database has rejected connections during the send', async () => {
      const owed = await takeInOne(test().app, 'contact');
      const pool = connectDatabase({ url: test().appUrl, applicationName: 'worker', poolSize: 2 });
      const name = new URL(test().url).pathname.slice(1);
      const administrator = new pg.Client({ connectionString: testService('TEST_DATABASE_URL') });
      await administrator.connect();
      let isAway = false;
      try {
        smtp.script = {
          async onBody() {
            await administrator.query(`alter database ${name} allow_connections false`);
            await administrator.query(
              `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'worker'`,
              [name],
            );
            isAway = true;
            return undefined;
          },
        };
        let isSettled = false;
        const delivery = deliver(owed, { ...dependencies, followUps: followUpClaims(pool) });
        void delivery.then(() => (isSettled = true));
        await until('the email is accepted', () => isAway && smtp.accepted.length === 1);
        expect(isSettled).to.equal(false);
        await administrator.query(`alter database ${name} allow_connections true`);
        await delivery;
        expect(await row(owed)).to.include({ state: 'sent', attempts: 1 });
        expect(smtp.accepted).to.have.length(1);
      } finally {
        await administrator.query(`alter database ${name} allow_connections true`);
        await administrator.end();
        await pool.destroy();
      }
    });

    it('does not overwrite the row if another worker has claimed it', async () => {
      const owed = await takeInOne(test().app, 'contact');
      smtp.script = {
        async onBody() {
          await test()
            .database('follow_ups')
            .where({ id: owed.id })
            .update({ lease: '0198c2f4-0000-7000-8000-000000000002' });
          return undefined;
        },
      };
      await send(owed);
      expect(await row(owed)).to.include({ state: 'sending', lease: '0198c2f4-0000-7000-8000-000000000002' });
      expect(dependencies.lines().at(-1)).to.include({ outcome: 'sent', leaseLost: true });
    });
  });
});

/** A response to a complete email that is held until `release` is called. */
function heldAnswer() {
  let release = (): void => undefined;
  let isAwaited = false;
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  return {
    onBody: () => {
      isAwaited = true;
      return held;
    },
    isAwaited: () => isAwaited,
    release: () => release(),
  };
}

/** Starts a TCP server that sends the first line immediately, one more after each input, and then nothing. */
async function startRawServer(lines: readonly string[]): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const left = [...lines];
    const sayNext = (): void => {
      const line = left.shift();
      if (line !== undefined) socket.write(`${line}\r\n`);
    };
    socket.on('data', sayNext);
    sayNext();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
