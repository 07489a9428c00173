import { emailOptOuts } from '@dune-tide/db/follow-ups';
import { emailLimits } from '@dune-tide/domain/limits';
import { idTokens } from '@dune-tide/platform/id-tokens';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { expect } from 'chai';
import { deliver } from '../src/delivery/deliver.ts';
import { maxDoubtfulAttempts } from '../src/delivery/retry-delay.ts';
import { encodedContent } from '../src/mail/encoded-parts.ts';
import { acknowledgementMail } from '../src/mail/templates/acknowledgement-mail.ts';
import { receiptPlaceholder, tokenPlaceholder } from '../src/mail/templates/mail-content.ts';
import {
  countStates,
  deliveryDependencies,
  makeDue,
  only,
  readRow,
  staffAddress,
  requireFollowUps,
  requireFollowUp,
  testKey,
  typedByVisitor,
  type RequiredRow,
} from './support.ts';

describe('automatic emails', () => {
  const test = withTestDatabase();
  let smtp: TestSmtp;
  let dependencies: ReturnType<typeof deliveryDependencies>;

  beforeEach(async () => {
    for (const table of ['leads', 'follow_ups', 'recent_emails']) await test().database(table).delete();
    smtp = await startTestSmtp();
    dependencies = deliveryDependencies(test().app, smtp, { emailLimits });
  });
  afterEach(async () => {
    await dependencies.mailer.close();
    await smtp.close();
  });

  const send = (required: RequiredRow) => deliver(required, dependencies);
  const row = ({ id }: RequiredRow) => readRow(test().database, id);
  const headersOf = async (): Promise<ReadonlyMap<string, string>> => {
    const { headers } = await smtp.parse(only(smtp.accepted));
    return new Map(headers.map(({ key, value }) => [key, value]));
  };

  it('to one mailbox are sent up to the limit and then withheld, even after another wake-up', async () => {
    const required: RequiredRow[] = [];
    for (let times = 0; times < emailLimits.mailboxPerHour + 3; times++) {
      required.push(await requireFollowUp(test().app, 'contact', { email: `again+${times}@visitor.example` }));
    }
    await Promise.all(required.map(send));
    const ids = required.map(({ id }) => id);
    const bounded = { sent: emailLimits.mailboxPerHour, withheld: 3 };
    expect(await countStates(test().database, ids)).to.deep.equal(bounded);
    await makeDue(test().database, ids);
    for (const each of required) await send(each);
    expect(smtp.accepted).to.have.length(emailLimits.mailboxPerHour);
    expect(await countStates(test().database, ids)).to.deep.equal(bounded);
    const withheld = dependencies.lines().filter(({ outcome }) => outcome === 'withheld');
    expect(withheld).to.have.length(3);
    expect(withheld[0]).to.include({ reason: 'mailbox_limit' });
  });

  it('with the portfolio are sent three times an hour to one mailbox', async () => {
    expect(emailLimits.portfolioPerHour).to.equal(3);
    const required: RequiredRow[] = [];
    for (let times = 0; times < 5; times++) {
      required.push(await requireFollowUp(test().app, 'portfolio_request', { email: 'again@visitor.example' }));
    }
    await Promise.all(required.map(send));
    const ids = required.map(({ id }) => id);
    expect(await countStates(test().database, ids)).to.deep.equal({ sent: 3, withheld: 2 });
  });

  for (const kind of ['contact', 'portfolio_request'] as const) {
    it(`for a ${kind} have a signed link and the headers of RFC 8058`, async () => {
      const required = await requireFollowUp(test().app, kind);
      await send(required);
      const headers = await headersOf();
      const [, url = '', token = ''] =
        /^<(https:\/\/site\.example\/unsubscribe\/([\w-]{43}))>$/.exec(headers.get('list-unsubscribe') ?? '') ?? [];
      expect(idTokens([testKey], 'unsubscribe-token').read(token)).to.equal(required.id);
      expect(headers.get('list-unsubscribe-post')).to.equal('List-Unsubscribe=One-Click');
      const { text, html } = await smtp.parse(only(smtp.accepted));
      expect(text?.split('\n')).to.include(url);
      expect(html).to.include(`href="${url}"`);
      const receipt = /https:\/\/site\.example\/receipt\/([\w-]{43})/.exec(text ?? '');
      expect(idTokens([testKey], 'receipt-token').read(receipt?.[1] ?? '')).to.equal(required.leadId);
      expect(html).to.include(`href="${receipt?.[0]}"`);
    });
  }

  it('each have their own link', async () => {
    for (let times = 0; times < 2; times++) await send(await requireFollowUp(test().app, 'contact'));
    const links = await Promise.all(
      smtp.accepted.map(async (mail) => /\/unsubscribe\/[\w-]+/.exec((await smtp.parse(mail)).text ?? '')?.[0]),
    );
    expect(new Set(links).size).to.equal(2);
  });

  it('have a complete link, even where the encoding breaks the line within it', async () => {
    const token = idTokens([testKey], 'unsubscribe-token').issue('0198c2f4-0000-7000-8000-000000000001');
    const receipt = idTokens([testKey], 'receipt-token').issue('0198c2f4-0000-7000-8000-000000000002');
    for (let length = 1; length <= 80; length++) {
      const start = `https://${'a'.repeat(length)}.example/`;
      const content = acknowledgementMail({
        of: 'contact',
        publicUrl: start,
        unsubscribeUrl: `${start}${tokenPlaceholder}`,
        receiptUrl: `${start}r/${receiptPlaceholder}`,
      });
      for (const { raw } of await encodedContent(content, { unsubscribe: token, receipt })) {
        const decoded = raw.toString().replaceAll('=\r\n', '');
        expect(decoded).to.include(`${start}${token}`).and.include(`${start}r/${receipt}`);
        expect(decoded).to.not.include(tokenPlaceholder).and.not.include(receiptPlaceholder);
      }
    }
  });

  it('to staff have no such link, and a reply to a notice goes to the visitor', async () => {
    const [, notice] = await requireFollowUps(test().app, 'service_inquiry', {
      email: 'noura@visitor.example',
      tellsStaff: true,
      fields: { company: 'Rutab Growers' },
    });
    if (!notice) throw new Error('No notice');
    await send(notice);
    const headers = await headersOf();
    expect(headers.has('list-unsubscribe')).to.equal(false);
    expect(headers.get('reply-to')).to.equal('noura@visitor.example');
    const { text } = await smtp.parse(only(smtp.accepted));
    expect(text).to.include('Name: Noura al-Harbi\nCompany: Rutab Growers\nService: B2B Email Marketing');
    expect(text).to.not.include(typedByVisitor);
  });

  it('are not sent to a mailbox that opted out, until staff allow them again', async () => {
    const email = 'noura@visitor.example';
    const first = await requireFollowUp(test().app, 'contact', { email });
    await send(first);
    const optOuts = emailOptOuts(test().app);
    await optOuts.add(first.id);
    const second = await requireFollowUp(test().app, 'portfolio_request', { email: `Noura+x@visitor.example` });
    await send(second);
    expect(smtp.accepted).to.have.length(1);
    expect(await row(second)).to.include({ state: 'withheld', withheld_reason: 'opted_out' });
  });

  describe('to an address like an encoded word', () => {
    const email = '=?utf-8?q?Free_money_at_evil.example?=@visitor.example';

    it('have it in quotes, so that mail programs do not decode it', async () => {
      const required = await requireFollowUps(test().app, 'contact', { email, tellsStaff: true });
      for (const each of required) await send(each);
      const sources = smtp.accepted.map(({ raw }) => raw.toString());
      const quoted = '<"=?utf-8?q?Free_money_at_evil.example?="@visitor.example>';
      expect(headerOf(sources[0] ?? '', 'To')).to.equal(quoted);
      expect(headerOf(sources[1] ?? '', 'Reply-To')).to.equal(quoted);
      expect(headerOf(sources[1] ?? '', 'To')).to.equal(staffAddress);
      for (const source of sources) expect(source.split('\r\n\r\n')[0]).to.not.match(/(^|[^"])=\?utf-8\?q\?Free/m);
    });
  });

  describe('that the server rejects with a permanent code and a text that says "temporary"', () => {
    it('are sent when the server accepts them', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const greylisted = { code: 550, text: 'Greylisted, please try again in 300 seconds' };
      let tries = 0;
      smtp.script = { onRecipient: () => (++tries < 3 ? greylisted : undefined) };
      for (let attempt = 0; attempt < 3; attempt++) {
        await send(required);
        await makeDue(test().database, [required.id]);
      }
      expect(await row(required)).to.include({ state: 'sent', attempts: 3 });
      expect(smtp.accepted).to.have.length(1);
    });

    it(`fail after ${maxDoubtfulAttempts} attempts`, async () => {
      const required = await requireFollowUp(test().app, 'contact');
      smtp.script = { onRecipient: () => ({ code: 550, text: 'Mailbox is temporarily disabled' }) };
      for (let attempt = 1; attempt <= maxDoubtfulAttempts; attempt++) {
        expect(await row(required)).to.include({ state: 'pending', attempts: attempt - 1 });
        await send(required);
        await makeDue(test().database, [required.id]);
      }
      expect(await row(required)).to.include({ state: 'failed', attempts: maxDoubtfulAttempts });
    });
  });

  it('have no visitor input in their headers, except the address', async () => {
    const fields = { firstName: 'Zephyrine', lastName: 'Quokka' };
    for (const each of await requireFollowUps(test().app, 'contact', { tellsStaff: true, fields })) await send(each);
    const heads = smtp.accepted.map(({ raw }) => raw.toString().split('\r\n\r\n')[0] ?? '');
    expect(heads).to.have.length(2);
    for (const head of heads) expect(head).to.not.match(/Zephyrine|Quokka/);
  });
});

/** Returns the value of a header as it was sent, with its lines joined. */
function headerOf(source: string, name: string): string | undefined {
  const [head = ''] = source.split('\r\n\r\n');
  return new RegExp(`^${name}: (.*)$`, 'm').exec(head.replaceAll(/\r\n[ \t]+/g, ' '))?.[1];
}
