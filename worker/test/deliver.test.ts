import { leadWork } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { requiredFollowUps, type LeadKind } from '@dune-tide/domain/leads';
import { readMailRejection, type MailRejection } from '@dune-tide/domain/mail-rejections';
import { smallPortfolio } from '@dune-tide/testkit/portfolio';
import type { SmtpScript, TestSmtp } from '@dune-tide/testkit/smtp';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { expect } from 'chai';
import { deliver } from '../src/delivery/deliver.ts';
import { maxAttempts } from '../src/delivery/retry-delay.ts';
import { portfolioFileName } from '../src/portfolio/file-name.ts';
import {
  countStates,
  deliveryDependencies,
  only,
  staffAddress,
  startRawServer,
  requireFollowUps,
  requireFollowUp,
  type TestDelivery,
  withDelivery,
} from './support.ts';

describe('the delivery of a follow-up', () => {
  let smtp: TestSmtp;
  let dependencies: TestDelivery['dependencies'];
  const { test, row, send, sendAgain, acceptedFor } = withDelivery((delivery) => ({ smtp, dependencies } = delivery));

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
        const required = await requireFollowUps(test().app, leadKind, { email, tellsStaff: true });
        expect(required.map(({ kind }) => kind)).to.deep.equal([toVisitor, 'staff_notice']);
        for (const each of required) await send(each);

        expect(smtp.accepted.map(({ to }) => to)).to.deep.equal([email, staffAddress]);
        for (const each of required) {
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
      for (const [fields, promise] of forms) {
        const required = await requireFollowUp(test().app, 'service_inquiry', { fields });
        await send(required);
        const { text } = await smtp.parse(only(await acceptedFor(required)));
        expect(text?.replaceAll(/\s+/g, ' ')).to.include(`within 24 hours ${promise}.`);
      }
    });

    it('stores the response of the server and the time in the row', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      await send(required);
      const sent = await row(required);
      expect(sent).to.include({ state: 'sent', attempts: 1, lease: null });
      expect(sent.server_answer).to.match(/^250 /);
      expect(Math.abs(Date.now() - Number(sent.sent_at))).to.be.below(60_000);
    });

    it('attaches the portfolio as a PDF', async () => {
      const required = await requireFollowUp(test().app, 'portfolio_request');
      await send(required);
      const { attachments } = await smtp.parse(only(smtp.accepted));
      const attachment = only(attachments);
      expect(attachment).to.include({ filename: portfolioFileName, mimeType: 'application/pdf' });
      expect(Buffer.from(attachment.content as ArrayBuffer).equals(smallPortfolio)).to.equal(true);
    });

    it('links staff to the lead', async () => {
      const required = await requireFollowUps(test().app, 'contact', { tellsStaff: true });
      const notice = only(required.filter(({ kind }) => kind === 'staff_notice'));
      await send(notice);
      const { html, text } = await smtp.parse(only(smtp.accepted));
      for (const part of [html, text]) expect(part).to.include('https://site.example/').and.include(notice.leadId);
    });

    it('sends nothing on a second wake-up', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      await send(required);
      await sendAgain(required);
      expect(smtp.accepted).to.have.length(1);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
    });

    it('sends once on ten concurrent wake-ups', async () => {
      for (const kind of ['contact', 'portfolio_request'] as const) {
        const required = await requireFollowUp(test().app, kind);
        await Promise.all(Array.from({ length: 10 }, () => send(required)));
        expect(await acceptedFor(required), kind).to.have.length(1);
        expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
      }
    });

    it('does nothing for a row that does not exist', async () => {
      for (const kind of ['acknowledgement', 'portfolio_pdf'] as const) {
        await deliver({ id: '0198c2f4-0000-7000-8000-000000000001', kind }, dependencies);
      }
      expect(smtp.recipientsTried).to.deep.equal([]);
    });

    it('does nothing for a row that is not due', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      await test().database.raw(`update follow_ups set available_at = now() + interval '1 minute' where id = ?`, [
        required.id,
      ]);
      await send(required);
      expect(smtp.recipientsTried).to.deep.equal([]);
      expect(await row(required)).to.include({ state: 'pending', attempts: 0 });
    });

    it('logs one line with ids and without personal data', async () => {
      const required = await requireFollowUp(test().app, 'contact', { email: 'secret-name@visitor.example' });
      await send(required);
      const lines = dependencies.lines();
      expect(lines.map(({ msg }) => msg)).to.deep.equal(['follow-up']);
      expect(lines[0]).to.include({
        followUpId: required.id,
        leadId: required.leadId,
        kind: required.kind,
        outcome: 'sent',
      });
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
        const required = await requireFollowUp(test().app, 'contact');
        smtp.script = script;
        await send(required);
        const waiting = await row(required);
        expect(waiting).to.include({ state: 'pending', attempts: 1, lease: null, sent_at: null });
        expect(waiting.server_answer).to.match(/^45[01] /);
        expect(waiting.delay).to.be.within(7.5, 15);

        smtp.script = {};
        await send(required);
        expect(smtp.accepted, 'before it is due').to.have.length(0);
        await sendAgain(required);
        expect(await acceptedFor(required)).to.have.length(1);
        expect(await row(required)).to.include({ state: 'sent', attempts: 2, message_id: waiting.message_id });
      });
    }

    it('waits longer after each attempt', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      smtp.script = { onRecipient: () => ({ code: 450, text: 'Greylisted' }) };
      await send(required);
      for (const [attempts, most] of [
        [2, 30],
        [3, 60],
        [4, 120],
      ] as const) {
        await sendAgain(required);
        const { attempts: tries, delay } = await row(required);
        expect(tries).to.equal(attempts);
        expect(delay).to.be.within(most / 2, most);
      }
    });

    it('is cancelled if staff mark its lead as spam during the attempt, and sent after a release', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const actor = await addAccount(test().database);
      const work = leadWork(test().app, brand.mailDomain);
      smtp.script = {
        onRecipient: async () => {
          await work.markAsSpam(required.leadId, actor);
          return { code: 450, text: 'Greylisted' };
        },
      };
      await send(required);
      expect(await row(required)).to.include({ state: 'cancelled', lease: null, server_answer: '450 Greylisted' });
      smtp.script = {};
      await sendAgain(required);
      expect(smtp.accepted).to.have.length(0);

      const release = await work.release(required.leadId, (lead) => requiredFollowUps(lead, undefined), actor);
      expect(release).to.deep.equal({ outcome: 'released', followUps: [{ id: required.id, kind: required.kind }] });
      await sendAgain(required);
      expect(await acceptedFor(required)).to.have.length(1);
    });

    it('fails without another send if the worker died on every attempt', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      await test().database('follow_ups').where({ id: required.id }).update({ attempts: maxAttempts });
      await send(required);
      expect(await row(required)).to.include({ state: 'failed', server_answer: 'Out of attempts' });
      expect(smtp.recipientsTried).to.deep.equal([]);
    });
  });

  describe('that the server rejects', () => {
    /** A response of each kind, and the attempt after which the follow-up has failed. */
    const rejections: readonly (readonly [MailRejection, response: string, lastAttempt: number])[] = [
      ['unknownAddress', '550 No such user', 1],
      ['disabledMailbox', '550 5.2.1 Mailbox disabled', 1],
      ['tooLarge', '552 Message size exceeds maximum permitted', 1],
      ['other', '554 Transaction failed', 1],
      ['temporary', '554 Message refused for now, come back later', 10],
      ['fullMailbox', '552 Mailbox full', 56],
      ['limit', '550 Too many mails from your host today', 56],
      ['sender', '550 SPF check failed', 56],
      ['policy', '554 Blocked using zen.spamhaus.org', 56],
      ['greylisting', '550 Greylisted, come back', 56],
      ['unavailable', '554 5.3.2 STOREDRV.Deliver; not accepting messages', 56],
      ['greylisting', '450 Greylisted, come back', 56],
    ];
    const stages: Readonly<Record<string, (response: { code: number; text: string }) => SmtpScript>> = {
      'its recipient': (response) => ({ onRecipient: () => response }),
      'its body': (response) => ({ onBody: () => response }),
    };
    for (const [kind, response, lastAttempt] of rejections) {
      for (const [stage, script] of Object.entries(stages)) {
        it(`by ${response.slice(0, 3)} (${kind}) at ${stage} fails after attempt ${lastAttempt}`, async () => {
          expect(readMailRejection(response)).to.equal(kind);
          smtp.script = script({ code: Number(response.slice(0, 3)), text: response.slice(4) });
          const required = await requireFollowUp(test().app, 'contact');
          await send(required);
          const first = await row(required);
          expect(first).to.include({ attempts: 1, lease: null, state: lastAttempt === 1 ? 'failed' : 'pending' });
          expect(first.server_answer).to.include(response);
          if (lastAttempt > 1) expect(first.delay).to.be.within(7.5, 15);

          const stored = test().database('follow_ups').where({ id: required.id });
          for (const [attempt, state] of [
            [lastAttempt - 1, 'pending'],
            [lastAttempt, 'failed'],
          ] as const) {
            if (attempt < 2) continue;
            await stored.clone().update({ attempts: attempt - 1 });
            await sendAgain(required);
            expect(await row(required), `attempt ${attempt}`).to.include({ attempts: attempt, state });
          }

          smtp.script = {};
          await sendAgain(required);
          expect(smtp.accepted).to.have.length(0);
        });
      }
    }

    it('keeps at most 500 characters of the response', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      smtp.script = { onRecipient: () => ({ code: 550, text: 'long '.repeat(300) }) };
      await send(required);
      expect((await row(required)).server_answer).to.have.length(500);
    });

    it('removes U+0000 from the response, because PostgreSQL cannot store it', async () => {
      const odd = await startRawServer(['220 hello', '250 odd.example', '250 ok', '550 No such\0 user']);
      const required = await requireFollowUp(test().app, 'contact');
      const speaking = deliveryDependencies(test().app, { url: `smtp://127.0.0.1:${odd.port}` });
      await deliver(required, speaking);
      await speaking.mailer.close();
      await odd.close();
      expect(await row(required)).to.include({ state: 'failed', lease: null, server_answer: '550 No such user' });
    });

    it('does not stop others on the same connection', async () => {
      const [unknown, known] = [
        await requireFollowUp(test().app, 'contact'),
        await requireFollowUp(test().app, 'contact'),
      ];
      smtp.script = {
        onRecipient: (address) => (address === unknown.recipient ? { code: 550, text: 'No such user' } : undefined),
      };
      await send(unknown);
      await send(known);
      expect(await row(known)).to.include({ state: 'sent' });
    });
  });

  describe('that cannot be composed', () => {
    it('does not stop others, keeps its error and is sent once after the error is fixed', async () => {
      const poisoned = await requireFollowUp(test().app, 'portfolio_request');
      const others = [await requireFollowUp(test().app, 'contact'), await requireFollowUp(test().app, 'contact')];
      const broken = deliveryDependencies(test().app, smtp, {
        readPortfolio: () => Promise.reject(new TypeError('Cannot read properties of undefined')),
      });
      for (const required of [poisoned, ...others]) await deliver(required, broken);
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
});
