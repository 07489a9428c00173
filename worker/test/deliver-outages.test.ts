import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestSmtp, type SmtpReply, type SmtpScript, type TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import pLimit from 'p-limit';
import { deliver } from '../src/delivery/deliver.ts';
import { openGate } from '../src/delivery/gate.ts';
import { openRetryLane } from '../src/delivery/retry-lane.ts';
import {
  deliveryDependencies,
  heldResponse,
  makeDue,
  type RequiredRow,
  shortPatience,
  startRawServer,
  requireFollowUp,
  type TestDelivery,
  withDelivery,
} from './support.ts';

describe('the delivery of a follow-up', () => {
  let smtp: TestSmtp;
  let dependencies: TestDelivery['dependencies'];
  const { test, row, send, sendAgain, acceptedFor } = withDelivery((delivery) => ({ smtp, dependencies } = delivery));

  describe('while the mail server is unavailable', () => {
    const isLeftForLater = async (required: RequiredRow): Promise<void> => {
      const waiting = await row(required);
      expect(waiting).to.include({ state: 'pending', attempts: 0, lease: null });
      expect(waiting.delay).to.be.within(2.5, 5);
      expect(smtp.accepted).to.have.length(0);
    };

    const closing: SmtpReply = { code: 421, text: 'Shutting down' };
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
        const required = await requireFollowUp(test().app, 'contact');
        smtp.script = script;
        await send(required);
        await isLeftForLater(required);

        smtp.script = {};
        await sendAgain(required);
        expect(await acceptedFor(required)).to.have.length(1);
        expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
      });
    }

    it('uses no attempt on a refused connection, however often', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const port = await freePort(0, '127.0.0.1');
      const away = deliveryDependencies(test().app, { url: `smtp://127.0.0.1:${port}` });
      for (let tries = 0; tries < 3; tries++) {
        await makeDue(test().database, [required.id]);
        await deliver(required, away);
      }
      await away.mailer.close();
      await isLeftForLater(required);
      expect((await row(required)).server_answer).to.equal('ECONNREFUSED');
      const said = away.lines().find(({ msg }) => msg === 'not sent');
      expect(said?.['error']).to.include({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' });
      await sendAgain(required);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
    });

    it('uses no attempt if the server sends no greeting, stops responding or rejects us', async () => {
      for (const said of [[], ['220 hello'], ['554 go away']]) {
        const silent = await startRawServer(said);
        const required = await requireFollowUp(test().app, 'contact');
        const waiting = deliveryDependencies(
          test().database,
          { url: `smtp://127.0.0.1:${silent.port}` },
          { limits: shortPatience },
        );
        await deliver(required, waiting);
        await waiting.mailer.close();
        await silent.close();
        await isLeftForLater(required);
      }
    });

    it('uses no attempt if our credentials are rejected', async () => {
      const guarded = await startTestSmtp({ credentials: { user: 'studio', password: 'right' } });
      const required = await requireFollowUp(test().app, 'contact');
      const signedIn = deliveryDependencies(test().app, guarded);
      guarded.script = { credentials: { user: 'studio', password: 'changed' } };
      await deliver(required, signedIn);
      await isLeftForLater(required);
      expect((await row(required)).server_answer).to.match(/^535 /);

      guarded.script = { credentials: { user: 'studio', password: 'right' } };
      await makeDue(test().database, [required.id]);
      await deliver(required, signedIn);
      expect(guarded.accepted).to.have.length(1);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
      await signedIn.mailer.close();
      await guarded.close();
    });
  });

  describe('with a mail server on another machine that offers no encryption', () => {
    it('waits and does not send our credentials', async () => {
      const plain = await startTestSmtp({ credentials: { user: 'studio', password: 'right' } });
      const required = await requireFollowUp(test().app, 'contact');
      // This address connects to this machine but does not count as local.
      const elsewhere = deliveryDependencies(test().app, { url: plain.url.replace('127.0.0.1', '0.0.0.0') });
      await deliver(required, elsewhere);
      await elsewhere.mailer.close();
      await plain.close();
      expect(await row(required)).to.include({ state: 'pending', attempts: 0 });
      expect((await row(required)).server_answer).to.match(/^50[02] /);
      expect(plain.accepted).to.have.length(0);
    });
  });

  describe('on which the mail server stalls while it accepts others', () => {
    it('uses an attempt, so that a few such addresses cannot occupy all connections', async () => {
      const [stalled, other] = [
        await requireFollowUp(test().app, 'contact', { email: 'stalled@visitor.example' }),
        await requireFollowUp(test().app, 'contact'),
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

  describe('on which the mail server stops altogether', () => {
    it('uses no attempt, although it had opened a session for the email', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const never = (): Promise<undefined> => new Promise(() => undefined);
      smtp.script = {
        onRecipient() {
          smtp.script = { onConnect: never };
          return never();
        },
      };
      const impatient = deliveryDependencies(test().app, smtp, { limits: shortPatience });
      await deliver(required, impatient);
      await impatient.mailer.close();
      expect(await row(required)).to.include({ state: 'pending', attempts: 0, server_answer: 'ETIMEDOUT' });
    });
  });

  describe('on which the mail server disconnects while it accepts others', () => {
    it('uses an attempt, although a disconnect is otherwise an outage', async () => {
      const [dropped, other] = [
        await requireFollowUp(test().app, 'contact', { email: 'dropped@visitor.example' }),
        await requireFollowUp(test().app, 'contact'),
      ];
      let hangUp = (): void => undefined;
      const hungUp = new Promise<SmtpReply>((resolve) => (hangUp = () => resolve('drop')));
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
    const stalled = () => requireFollowUp(test().app, 'contact', { email: `${randomUUID()}@stalled.example` });

    it('uses an attempt, even on a connection that sent emails before', async () => {
      const [first, other, second] = [await stalled(), await requireFollowUp(test().app, 'contact'), await stalled()];
      const impatient = deliveryDependencies(test().app, smtp, { limits: shortPatience });
      for (const required of [first, other, second]) await deliver(required, impatient);
      letGo();
      await impatient.mailer.close();
      expect(await row(first)).to.include({ state: 'pending', attempts: 1 });
      expect(await row(other)).to.include({ state: 'sent' });
      expect(await row(second)).to.include({ state: 'pending', attempts: 1 });
    });

    it('times out early on the first attempt, so that others do not wait for it', async () => {
      const limits = { ...shortPatience, firstOffer: 1_500, send: 60_000 };
      const brief = deliveryDependencies(test().app, smtp, { limits });
      const [first, other] = [await stalled(), await requireFollowUp(test().app, 'contact')];
      const sends = pLimit(1);
      await Promise.all([first, other].map((required) => deliver(required, { ...brief, sends })));
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
      const under = again.map((required) => deliver(required, patient));
      await until('one is in progress', () => smtp.recipientsTried.length === 1);
      const other = await requireFollowUp(test().app, 'contact');
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

  describe('whose connection breaks during the body', () => {
    it('uses one attempt and is sent again after a cut inside the body', async () => {
      for (const kind of ['contact', 'portfolio_request'] as const) {
        const required = await requireFollowUp(test().app, kind);
        smtp.script = { cutsInsideBody: () => true };
        await send(required);
        const waiting = await row(required);
        expect(waiting, kind).to.include({ state: 'pending', attempts: 1 });
        expect(waiting.delay).to.be.within(7.5, 15);

        smtp.script = {};
        await sendAgain(required);
        expect(await acceptedFor(required)).to.have.length(1);
        expect(await row(required)).to.include({ state: 'sent', attempts: 2 });
      }
    });

    it('is sent again with the same Message-ID if the response was lost', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      smtp.script = { onBody: () => 'drop' };
      await send(required);
      expect(await row(required)).to.include({ state: 'pending', attempts: 1 });

      smtp.script = {};
      await sendAgain(required);
      expect(await acceptedFor(required)).to.have.length(2);
      expect(await row(required)).to.include({ state: 'sent', attempts: 2 });
    });

    it('uses an attempt if the server does not respond after the body, to limit the copies', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const response = heldResponse();
      smtp.script = { onBody: response.onBody };
      const impatient = deliveryDependencies(test().app, smtp, { limits: shortPatience });
      await deliver(required, impatient);
      response.release();
      await impatient.mailer.close();
      expect(await row(required)).to.include({ state: 'pending', attempts: 1, server_answer: 'ETIMEDOUT' });
    });
  });
});
