import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { leadWork } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import type { TestSmtp } from '@dune-tide/testkit/smtp';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import pLimit from 'p-limit';
import { deliver } from '../src/delivery/deliver.ts';
import { mailLimits } from '../src/mail/mailer.ts';
import { openRetryLane } from '../src/delivery/retry-lane.ts';
import {
  deliveryDependencies,
  heldResponse,
  makeDue,
  shortPatience,
  requireFollowUp,
  type TestDelivery,
  withDelivery,
} from './support.ts';

describe('the delivery of a follow-up', () => {
  let smtp: TestSmtp;
  let dependencies: TestDelivery['dependencies'];
  const { test, row, send, sendAgain, acceptedFor } = withDelivery((delivery) => ({ smtp, dependencies } = delivery));

  const clock = performance.now.bind(performance);
  /** Milliseconds by which the clock of this process is ahead. */
  let passed: number;
  beforeEach(() => {
    passed = 0;
    performance.now = () => clock() + passed;
  });
  afterEach(() => void (performance.now = clock));

  describe('whose lease ends before the body is sent', () => {
    const losses: readonly (readonly [string, string])[] = [
      ['has expired', `available_at = now()`],
      ['belongs to another worker', `lease = gen_random_uuid()`],
    ];
    for (const [name, change] of losses) {
      it(`sends no byte of the body if the lease ${name}`, async () => {
        const required = await requireFollowUp(test().app, 'portfolio_request');
        let bodies = 0;
        smtp.script = {
          async onRecipient() {
            // The worker does not check a claim that is younger than a second.
            passed = 1_100;
            await test().database.raw(`update follow_ups set ${change} where id = ?`, [required.id]);
            return undefined;
          },
          cutsInsideBody: () => (bodies++, false),
        };
        await send(required);
        expect(smtp.accepted).to.have.length(0);
        expect(bodies).to.equal(0);
        smtp.script = {};
        await sendAgain(required);
        expect(await acceptedFor(required)).to.have.length(1);
        expect((await row(required)).state).to.equal('sent');
      });
    }
  });

  describe('that waits for a connection', () => {
    it('is released without using an attempt when the worker closes', async () => {
      const required = await requireFollowUp(test().app, 'portfolio_request');
      const [turn, closing] = [pLimit(1), new AbortController()];
      let letGo = (): void => undefined;
      void turn(() => new Promise<void>((resolve) => (letGo = resolve)));
      const delivery = deliver(required, { ...dependencies, sends: turn, closing: closing.signal });
      await until('it is claimed', async () => (await row(required)).state === 'sending');
      closing.abort();
      letGo();
      await delivery;
      expect(await row(required)).to.include({ state: 'pending', attempts: 0, lease: null });
      expect(smtp.recipientsTried).to.have.length(0);
    });

    it('is cancelled when the worker closes if staff have marked its lead as spam', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const actor = await addAccount(test().database);
      const [turn, closing] = [pLimit(1), new AbortController()];
      let letGo = (): void => undefined;
      void turn(() => new Promise<void>((resolve) => (letGo = resolve)));
      const delivery = deliver(required, { ...dependencies, sends: turn, closing: closing.signal });
      await until('it is claimed', async () => (await row(required)).state === 'sending');
      await leadWork(test().app, brand.mailDomain).markAsSpam(required.leadId, actor);
      closing.abort();
      letGo();
      await delivery;
      expect(await row(required)).to.include({ state: 'cancelled', attempts: 0, lease: null });
    });

    it('is released without a delay when the worker closes while the retry lane is full', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      await test().database('follow_ups').where({ id: required.id }).update({ attempts: 1 });
      const [retries, closing] = [openRetryLane(1, 100), new AbortController()];
      const { claim } = dependencies.followUps;
      const followUps: typeof dependencies.followUps = {
        ...dependencies.followUps,
        async claim(...args) {
          const claimed = await claim(...args);
          closing.abort();
          return claimed;
        },
      };
      let letGo = (): void => undefined;
      const first = retries.run(() => new Promise<void>((resolve) => (letGo = resolve)), undefined);
      await deliver(required, { ...dependencies, followUps, retries, closing: closing.signal });
      const waiting = await row(required);
      expect(waiting).to.include({ state: 'pending', attempts: 1, lease: null });
      expect(waiting.delay).to.equal(0);
      letGo();
      await first;
    });

    it('is not claimed after the worker has started to close', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      await deliver(required, { ...dependencies, closing: AbortSignal.abort() });
      expect(await row(required)).to.include({ state: 'pending', attempts: 0 });
    });

    it('is released if it has waited so long that its lease could expire during the send', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const turn = pLimit(1);
      let letGo = (): void => undefined;
      void turn(() => new Promise<void>((resolve) => (letGo = resolve)));
      const delivery = deliver(required, { ...dependencies, sends: turn });
      await until('it is claimed', async () => (await row(required)).state === 'sending');
      passed = 31_000;
      letGo();
      await delivery;
      expect(await row(required)).to.include({ state: 'pending', attempts: 0, lease: null });
      expect(smtp.recipientsTried).to.have.length(0);
      await sendAgain(required);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
    });
  });

  describe('to which the mail server responds late', () => {
    it('waits for the response with a prolonged lease and is sent once', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const response = heldResponse();
      smtp.script = { onBody: response.onBody };
      const patient = deliveryDependencies(test().app, smtp, {
        limits: { ...shortPatience, send: 2_000, response: 60_000 },
      });
      const delivery = deliver(required, patient);
      const others = deliveryDependencies(test().app, smtp);
      await until('the lease is prolonged', async () => (await row(required)).delay >= mailLimits.prolongedSeconds);
      await deliver(required, others);
      // Longer than the limit for sending the email.
      await pause(2_200);
      response.release();
      await delivery;
      await patient.mailer.close();
      await others.mailer.close();
      expect(await acceptedFor(required)).to.have.length(1);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
    });

    it('prolongs the lease as soon as the database is available again, and not after the response', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const response = heldResponse();
      smtp.script = { onBody: response.onBody };
      const patient = deliveryDependencies(test().app, smtp, {
        limits: { ...shortPatience, send: 5_000, response: 60_000 },
      });
      let tries = 0;
      let isBack = false;
      const prolong: typeof patient.followUps.prolong = (...claim) => {
        tries++;
        if (isBack) return patient.followUps.prolong(...claim);
        return Promise.reject(new DatabaseUnavailableError(new Error('unavailable')));
      };
      const delivery = deliver(required, { ...patient, followUps: { ...patient.followUps, prolong } });
      await until('it could not be prolonged', () => tries >= 3);
      expect((await row(required)).delay).to.be.below(mailLimits.prolongedSeconds);
      isBack = true;
      await until('the lease is prolonged', async () => (await row(required)).delay >= mailLimits.prolongedSeconds);
      const tried = tries;
      response.release();
      await delivery;
      await patient.mailer.close();
      expect(tries).to.equal(tried);
      expect(patient.lines().filter(({ msg }) => msg === 'lease not prolonged')).to.have.length(1);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
    });
  });

  describe("while the database's clock is changed", () => {
    it('is sent once by the worker that holds it, although its lease seems to have expired', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const response = heldResponse();
      smtp.script = { onBody: response.onBody };
      const delivery = deliver(required, dependencies);
      await until('the email is sent', response.isAwaited);
      await makeDue(test().database, [required.id]);
      await deliver(required, dependencies);
      response.release();
      await delivery;
      expect(await acceptedFor(required)).to.have.length(1);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
    });
  });
});
