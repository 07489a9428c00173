import { randomUUID } from 'node:crypto';
import { limitedKinds, type FollowUpKind } from '@dune-tide/domain/follow-ups';
import { emailLimits } from '@dune-tide/domain/limits';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { followUpAdmin } from '../src/follow-ups/admin.ts';
import { followUpClaims, type Claim, type ClaimedFollowUp, type EmailLimits } from '../src/follow-ups/claims.ts';
import { emailOptOuts } from '../src/follow-ups/opt-outs.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { newLead } from './rows.ts';

/** Limits that tests reach with few emails. */
const small = {
  ...emailLimits,
  portfolioPerHour: 2,
  mailboxPerHour: 4,
  mailboxPerDay: 6,
  domainPerHour: 8,
  sharedDomainPerHour: 12,
  totalPerHour: 15,
} satisfies EmailLimits;

describe('the email limits', () => {
  const test = withTestDatabase();
  const followUps = (limits: EmailLimits | null = small) => followUpClaims(test().database, limits);
  const admin = () => followUpAdmin(test().database);
  const optOuts = () => emailOptOuts(test().database);

  beforeEach(async () => {
    for (const table of ['leads', 'recent_emails', 'email_opt_outs']) await test().database(table).delete();
  });

  /** Stores a lead with one email, which is due, and returns the email's id. */
  async function addFollowUp(recipient: string, kind: FollowUpKind = 'acknowledgement'): Promise<string> {
    const taken = await leadIntake(test().database, 'mail.example.com').storeLead(
      newLead({
        kind: kind === 'portfolio_pdf' ? 'portfolio_request' : 'contact',
        followUps: [{ kind, recipient }],
      }),
    );
    const [followUp] = taken.outcome === 'stored' ? taken.followUps : [];
    return followUp?.id ?? expect.fail('no follow-up is required');
  }
  const claim = (id: string, limits: EmailLimits | null = small): Promise<Claim> => followUps(limits).claim(id, 60);
  /** Claims an email and returns the outcome, or the reason why it is withheld. */
  async function fate(recipient: string, kind?: FollowUpKind): Promise<string> {
    const claimed = await claim(await addFollowUp(recipient, kind));
    return claimed.outcome === 'withheld' ? claimed.reason : claimed.outcome;
  }
  async function fates(count: number, recipientOf: (index: number) => string): Promise<string[]> {
    const all: string[] = [];
    for (let index = 0; index < count; index++) all.push(await fate(recipientOf(index)));
    return all;
  }
  const times = (count: number, what: string): string[] => Array<string>(count).fill(what);
  const row = (id: string) => test().database('follow_ups').where({ id }).first<Record<string, unknown> | undefined>();
  /** Moves all recent emails into the past. */
  const age = (by: string) =>
    test().database.raw('update recent_emails set claimed_at = claimed_at - ?::interval', [by]);
  const held = (claimed: Claim): ClaimedFollowUp =>
    claimed.outcome === 'claimed' ? claimed.followUp : expect.fail(claimed.outcome);

  it('withhold emails to a mailbox above its limit, with the reason and without an attempt', async () => {
    expect(await fates(4, () => 'noura@example.com')).to.deep.equal(times(4, 'claimed'));
    const id = await addFollowUp('noura@example.com');
    expect(await claim(id)).to.include({ outcome: 'withheld', reason: 'mailbox_limit' });
    expect(await row(id)).to.include({
      state: 'withheld',
      withheld_reason: 'mailbox_limit',
      lease: null,
      attempts: 0,
      sent_at: null,
    });
    expect(await claim(id)).to.deep.equal({ outcome: 'taken' });
    expect((await admin().page('withheld', 'newest', 1))[0]).to.include({ id, withheldReason: 'mailbox_limit' });
  });

  it('count all spellings of a mailbox together', async () => {
    const spellings = ['noura@example.com', 'NOURA@example.com', 'noura+a@example.com', 'Noura+b+c@Example.com'];
    expect(await fates(4, (index) => spellings[index] ?? '')).to.deep.equal(times(4, 'claimed'));
    expect(await fate('nOuRa+new@EXAMPLE.com')).to.equal('mailbox_limit');
    expect(await fate('noura.k@example.com'), 'another mailbox').to.equal('claimed');
    expect(await fate('+noura@example.com'), 'a tag without a name before it').to.equal('claimed');
  });

  it('ignore dots in addresses of Gmail', async () => {
    const spellings = ['noura@gmail.com', 'n.oura@gmail.com', 'N.o.u.r.a+x@googlemail.com', 'nour.a@gmail.com'];
    expect(await fates(4, (index) => spellings[index] ?? '')).to.deep.equal(times(4, 'claimed'));
    expect(await fate('no.ura@gmail.com')).to.equal('mailbox_limit');
  });

  it('allow emails to a mailbox again after an hour, up to the limit of a day', async () => {
    await fates(4, () => 'noura@example.com');
    await age('59 minutes');
    expect(await fate('noura@example.com')).to.equal('mailbox_limit');
    await age('2 minutes');
    expect(await fates(3, () => 'noura@example.com')).to.deep.equal(['claimed', 'claimed', 'mailbox_limit']);
    await age('22 hours');
    expect(await fates(1, () => 'noura@example.com')).to.deep.equal(['mailbox_limit']);
    await age('2 hours');
    expect(await fate('noura@example.com')).to.equal('claimed');
  });

  it('withhold portfolio emails earlier than others', async () => {
    expect(await fate('noura@example.com', 'portfolio_pdf')).to.equal('claimed');
    expect(await fate('noura+2@example.com', 'portfolio_pdf')).to.equal('claimed');
    expect(await fate('noura@example.com', 'portfolio_pdf')).to.equal('portfolio_limit');
    expect(await fate('noura@example.com')).to.equal('claimed');
  });

  it('withhold emails to a domain above its limit, which is higher for mail providers', async () => {
    expect(await fates(9, (index) => `visitor-${index}@example.com`)).to.deep.equal([
      ...times(8, 'claimed'),
      'domain_limit',
    ]);
    expect(await fate('visitor@other.example')).to.equal('claimed');
    await age('1 hour');
    expect(await fates(13, (index) => `visitor-${index}@Outlook.com`)).to.deep.equal([
      ...times(12, 'claimed'),
      'domain_limit',
    ]);
  });

  it('withhold all emails to visitors above the total limit, but no notices to staff', async () => {
    expect(await fates(16, (index) => `visitor@example-${index}.com`)).to.deep.equal([
      ...times(15, 'claimed'),
      'total_limit',
    ]);
    expect(await fate('staff@studio.example', 'staff_notice')).to.equal('claimed');
  });

  it('do not count a row against itself when it is retried', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push(await addFollowUp('noura@example.com'));
    for (let attempt = 0; attempt < 3; attempt++) {
      const claims = await Promise.all(ids.map((id) => claim(id)));
      expect(claims.map(({ outcome }) => outcome)).to.deep.equal(times(4, 'claimed'));
      await test()
        .database('follow_ups')
        .update({ available_at: test().database.raw(`now() - interval '1 second'`) });
    }
  });

  for (const isOneWorker of [true, false]) {
    it(`hold for concurrent claims of ${isOneWorker ? 'one worker' : 'several workers'}`, async () => {
      const ids: string[] = [];
      for (let i = 0; i < 12; i++) ids.push(await addFollowUp(`noura+${i}@example.com`));
      const worker = followUps();
      const claims = await Promise.all(ids.map((id) => (isOneWorker ? worker : followUps()).claim(id, 60)));
      expect(claims.filter(({ outcome }) => outcome === 'claimed')).to.have.length(4);
      expect(claims.filter(({ outcome }) => outcome === 'withheld')).to.have.length(8);
      expect(await admin().countByState()).to.deep.equal({ sending: 4, withheld: 8 });
    });
  }

  it('count nothing if the worker has no limits', async () => {
    for (let i = 0; i < 12; i++) {
      expect(await claim(await addFollowUp('noura@example.com'), null)).to.include({ outcome: 'claimed' });
    }
    expect(await test().database('recent_emails')).to.deep.equal([]);
  });

  it('forget emails that are older than a day', async () => {
    await fates(3, () => 'noura@example.com');
    await age('25 hours');
    await fate('lerato@example.com');
    expect(await test().database('recent_emails').pluck('mailbox')).to.deep.equal(['lerato@example.com']);
  });

  it('do not apply to emails that staff have retried, singly or all together', async () => {
    await fates(4, () => 'noura@example.com');
    const [one, two] = [await addFollowUp('noura@example.com'), await addFollowUp('noura@example.com')];
    for (const id of [one, two]) expect(await claim(id)).to.include({ outcome: 'withheld' });
    expect(await admin().retry(one)).to.have.nested.include({
      outcome: 'changed',
      'followUp.state': 'pending',
      'followUp.withheldReason': null,
    });
    expect(await claim(one)).to.include({ outcome: 'claimed' });
    const batch = { limit: 10, notAfter: await admin().now() };
    expect((await admin().retrySome('withheld', batch)).map(({ id }) => id)).to.deep.equal([two]);
    expect(await claim(two)).to.include({ outcome: 'claimed' });
    expect(await fate('noura@example.com'), 'a further email').to.equal('mailbox_limit');
  });

  describe('and an opt-out', () => {
    it('withholds all further emails to every spelling of the mailbox, even without limits', async () => {
      const id = await addFollowUp('Noura+list@example.com');
      expect(await optOuts().add(id)).to.equal(true);
      for (const limits of [small, null]) {
        for (const recipient of ['noura@example.com', 'NOURA+x@example.com']) {
          expect(await claim(await addFollowUp(recipient), limits)).to.include({
            outcome: 'withheld',
            reason: 'opted_out',
          });
        }
        expect(await claim(await addFollowUp('lerato@example.com'), limits)).to.include({ outcome: 'claimed' });
      }
      expect(await claim(await addFollowUp('noura@example.com', 'staff_notice'))).to.include({ outcome: 'claimed' });
    });

    it('is listed once if it is requested several times', async () => {
      const ids = [
        await addFollowUp('noura@example.com'),
        await addFollowUp('noura+1@example.com'),
        await addFollowUp('lerato@example.com'),
      ];
      for (const id of ids) expect(await optOuts().add(id)).to.equal(true);
      const listed = await optOuts().page(10);
      expect(listed.map(({ mailbox }) => mailbox)).to.deep.equal(['lerato@example.com', 'noura@example.com']);
      expect(await optOuts().total()).to.equal(2);
      expect((await optOuts().page(10, listed[0])).map(({ mailbox }) => mailbox)).to.deep.equal(['noura@example.com']);
    });

    it('is not possible with an email to staff or one that does not exist', async () => {
      expect(await optOuts().add(await addFollowUp('staff@studio.example', 'staff_notice'))).to.equal(false);
      expect(await optOuts().add(randomUUID())).to.equal(false);
      expect(await optOuts().total()).to.equal(0);
    });

    it('forbids a retry until staff allow emails again', async () => {
      const id = await addFollowUp('noura@example.com');
      await optOuts().add(id);
      await claim(id);
      expect(await admin().retry(id)).to.deep.equal({ outcome: 'opted_out' });
      const batch = { limit: 10, notAfter: await admin().now() };
      expect(await admin().retrySome('withheld', batch)).to.deep.equal([]);
      expect(await row(id)).to.include({ state: 'withheld', withheld_reason: 'opted_out' });

      const [optOut] = await optOuts().page(1);
      expect(await optOuts().remove(optOut?.id ?? '')).to.equal(true);
      expect(await optOuts().remove(optOut?.id ?? ''), 'twice').to.equal(false);
      expect(await admin().retry(id)).to.include({ outcome: 'changed' });
      expect(await claim(id)).to.include({ outcome: 'claimed' });
    });

    it('also withholds an email that staff retried before', async () => {
      const id = await addFollowUp('noura@example.com');
      await test().database('follow_ups').where({ id }).update({ state: 'failed' });
      await admin().retry(id);
      await optOuts().add(id);
      expect(await claim(id)).to.include({ outcome: 'withheld', reason: 'opted_out' });
    });
  });

  it('apply to every kind of email to visitors', async () => {
    for (const kind of limitedKinds) {
      await optOuts().add(await addFollowUp(`${kind}@example.com`, kind));
      expect(await fate(`${kind}@example.com`, kind)).to.equal('opted_out');
    }
  });

  describe('of notices to staff', () => {
    const staff = 'staff@studio.example';
    const few = { ...small, noticesPerHour: 3, digestMinutes: 10 };
    const addNotice = () => addFollowUp(staff, 'staff_notice');

    beforeEach(() => test().database('follow_ups').where({ kind: 'staff_digest' }).delete());

    /** Claims notices until `count` of them are collected, and returns these. */
    async function collect(count: number): Promise<string[]> {
      const ids: string[] = [];
      for (let i = 0; i < 3 + count; i++) ids.push(await addNotice());
      const claims = await Promise.all(ids.map((id) => claim(id, few)));
      expect(claims.map(({ outcome }) => outcome).sort()).to.deep.equal([
        ...times(3, 'claimed'),
        ...times(count, 'collected'),
      ]);
      return ids.filter((_, index) => claims[index]?.outcome === 'collected');
    }
    const digests = () =>
      test().database('follow_ups').where({ kind: 'staff_digest' }).select<Record<string, unknown>[]>('*');
    const onlyDigest = async (): Promise<string> => {
      const all = await digests();
      expect(all).to.have.length(1);
      return String(all[0]?.['id']);
    };
    const makeDue = (id: string) =>
      test().database('follow_ups').where({ id }).update({ available_at: test().database.fn.now() });
    const states = async (ids: readonly string[]): Promise<unknown[]> =>
      (await Promise.all(ids.map(row))).map((found) => found?.['state']);

    it('collect those above the limit in one digest, which is due later', async () => {
      const ids = await collect(4);
      const [digest] = await digests();
      expect(digest).to.include({ lead_id: null, recipient: staff, state: 'pending', attempts: 0 });
      expect(digest?.['message_id']).to.equal(`<${String(digest?.['id'])}@mail.example.com>`);
      const minutes = (Number(digest?.['available_at']) - Date.now()) / 60_000;
      expect(minutes).to.be.within(9, 10.1);
      expect(await test().database('digest_entries').pluck('id')).to.have.members(ids);
      expect(await states(ids)).to.deep.equal(times(4, 'pending'));
      for (const id of ids) expect(await claim(id, few)).to.deep.equal({ outcome: 'taken' });
    });

    it('show the time of the digest as the next attempt of its notices, and no waiting email', async () => {
      const [id = ''] = await collect(1);
      const [digest] = await digests();
      const listed = (await admin().page('pending', 'oldest', 10)).find((found) => found.id === id);
      expect(listed?.nextTryAt).to.deep.equal(digest?.['available_at']);
      await test().database('follow_ups').where({ kind: 'staff_digest' }).delete();
      await test().database('follow_ups').where({ state: 'sending' }).delete();
      expect(await admin().ages()).to.deep.equal({ oldestWaitingSeconds: null, oldestUntriedSeconds: null });
    });

    it('are settled once, together with their digest', async () => {
      const ids = await collect(3);
      const digest = await onlyDigest();
      await makeDue(digest);
      const claimed = held(await claim(digest, few));
      expect(claimed).to.include({ kind: 'staff_digest', leadId: null, recipient: staff });
      expect(await followUps().markSent(claimed, '250 Ok')).to.equal(true);
      expect(await states([digest, ...ids])).to.deep.equal(times(4, 'sent'));
      for (const id of ids) expect(await row(id)).to.include({ server_answer: '250 Ok', attempts: 0 });
      const before = await row(ids[0] ?? '');
      expect(await followUps().markSent(claimed, '250 again')).to.equal(false);
      expect(await row(ids[0] ?? '')).to.deep.equal(before);
    });

    it('fail, are retried and are cancelled together with their digest', async () => {
      const ids = await collect(2);
      const digest = await onlyDigest();
      await makeDue(digest);
      expect(await followUps().markFailed(held(await claim(digest, few)), '550 No')).to.equal(true);
      expect(await states([digest, ...ids])).to.deep.equal(times(3, 'failed'));
      const batch = { limit: 10, notAfter: await admin().now() };
      expect(await admin().retrySome('failed', batch)).to.deep.equal([{ id: digest, kind: 'staff_digest' }]);
      expect(await states([digest, ...ids])).to.deep.equal(times(3, 'pending'));
      expect(await claim(ids[0] ?? '', few), 'waits for the digest').to.deep.equal({ outcome: 'taken' });
      expect(await admin().cancel(digest)).to.include({ outcome: 'changed' });
      expect(await states([digest, ...ids])).to.deep.equal(times(3, 'cancelled'));
    });

    it('leave their digest when staff retry one of them', async () => {
      const [alone = '', other = ''] = await collect(2);
      await admin().cancel(alone);
      expect(await admin().retry(alone)).to.include({ outcome: 'changed' });
      expect(await test().database('digest_entries').pluck('id')).to.deep.equal([other]);
      expect(held(await claim(alone, few))).to.include({ id: alone, kind: 'staff_notice' });
    });

    it('are collected in a second digest after a worker has claimed the first', async () => {
      await collect(2);
      const first = await onlyDigest();
      await makeDue(first);
      await claim(first, few);
      expect(await claim(await addNotice(), few)).to.include({ outcome: 'collected' });
      expect(await digests()).to.have.length(2);
      expect(await test().database('digest_entries').where({ digest_id: first })).to.have.length(2);
    });

    it('are collected in a second digest while the first is retried, because it may have been delivered', async () => {
      await collect(1);
      const first = await onlyDigest();
      await makeDue(first);
      const claimed = held(await claim(first, few));
      await followUps().release(claimed, { delaySeconds: 60, usesTry: true, serverResponse: '451' });
      await claim(await addNotice(), few);
      expect(await digests()).to.have.length(2);
    });

    it('are never collected after an attempt', async () => {
      await collect(1);
      const id = await addNotice();
      await test().database('follow_ups').where({ id }).update({ attempts: 1 });
      expect(await claim(id, few)).to.include({ outcome: 'claimed' });
    });

    it('are sent one by one again after the hour', async () => {
      await collect(1);
      await age('61 minutes');
      expect(await claim(await addNotice(), few)).to.include({ outcome: 'claimed' });
    });

    it('are in one digest even if several workers claim them', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 13; i++) ids.push(await addNotice());
      const claims = await Promise.all(ids.map((id) => claim(id, few)));
      expect(claims.filter(({ outcome }) => outcome === 'collected')).to.have.length(10);
      const digest = await onlyDigest();
      expect(await test().database('digest_entries').where({ digest_id: digest })).to.have.length(10);
    });
  });
});
