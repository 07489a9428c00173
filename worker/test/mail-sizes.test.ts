import { accountEvents } from '@dune-tide/domain/account-events';
import { leadDefinitions, leadKinds } from '@dune-tide/domain/leads';
import {
  maxDigestLeads,
  maxHtmlPartBytes,
  maxLength,
  leadNotificationLimit,
  reminderLimit,
  replyQuote,
} from '@dune-tide/domain/limits';
import { expect } from 'chai';
import { leadFacts } from '../src/composers/lead-facts.ts';
import { encodedContent } from '../src/mail/encoded-parts.ts';
import { accountNoticeMail } from '../src/mail/templates/account-notice-mail.ts';
import { acknowledgementMail, acknowledgements } from '../src/mail/templates/acknowledgement-mail.ts';
import type { MailContent } from '../src/mail/templates/mail-content.ts';
import { leadNotificationMail } from '../src/mail/templates/lead-notification-mail.ts';
import { portfolioMail } from '../src/mail/templates/portfolio-mail.ts';
import { reminderMail } from '../src/mail/templates/reminder-mail.ts';
import { replyMail } from '../src/mail/templates/reply-mail.ts';
import { staffDigestMail } from '../src/mail/templates/staff-digest-mail.ts';
import { staffNoticeMail } from '../src/mail/templates/staff-notice-mail.ts';

const publicUrl = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
const site = { publicUrl, unsubscribeUrl: `${publicUrl}/unsubscribe/token`, receiptUrl: `${publicUrl}/receipt/token` };
const at = new Date('2026-09-30T12:00:00Z');
const leadId = '0198c2f4-0000-7000-8000-000000000001';

/** Texts that take much space: in UTF-8, in HTML, in quoted-printable, in links and in paragraphs. */
const costly = ['x', '🌊', '語', '"', '=', '\u2028', 'a\n\n', '"🌊', 'x語', 'http://a.b '] as const;
const filled = (unit: string, length: number): string =>
  Array.from(unit.repeat(Math.ceil(length / Array.from(unit).length)))
    .slice(0, length)
    .join('');

/** Returns the decoded text and the encoded size of the HTML part; the size is 0 without one. */
async function sizeOf(content: MailContent): Promise<{ readonly text: string; readonly htmlBytes: number }> {
  const [text, html] = await encodedContent(content);
  const [head = '', body = ''] = (text?.raw.toString() ?? '').split(/\r\n\r\n(.*)/s);
  const isBase64 = head.includes('base64');
  const bytes = isBase64
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        head.includes('quoted-printable') ? 'latin1' : 'utf8',
      );
  return { text: bytes.toString(), htmlBytes: html?.raw.length ?? 0 };
}

/** Returns a lead of a kind whose fields are as long as they may be. */
function longestLead(kind: (typeof leadKinds)[number], unit: string) {
  const definition = leadDefinitions[kind];
  const fields = Object.fromEntries(
    definition.fields.map(({ key }) => [key, filled(unit, maxLength.name).replaceAll(/\s/g, 'y')]),
  );
  return { kind, id: leadId, email: 'noura@visitor.example', createdAt: at, fields } as never;
}

describe('the size of an email', () => {
  for (const unit of costly) {
    it(`is below that at which mail programs cut it off, with ${JSON.stringify(unit)} in all fields`, async () => {
      const name = filled(unit, maxLength.name).replaceAll(/\s/g, 'y');
      const mails: Record<string, MailContent> = {};
      for (const kind of leadKinds) {
        const noticeOf = { kind, leadId, createdAt: at, facts: leadFacts(longestLead(kind, unit)) };
        mails[`notice of ${kind}`] = staffNoticeMail({ ...noticeOf, publicUrl });
      }
      const facts = leadFacts(longestLead('service_inquiry', unit));
      const digested = { kind: 'service_inquiry', leadId, createdAt: at, facts } as const;
      const notices = Array.from({ length: maxDigestLeads }, () => digested);
      const { content: digest, described } = staffDigestMail({ notices, total: 529, publicUrl });
      expect(described.length).to.be.within(10, maxDigestLeads);
      expect(digest.text.split(`/admin/leads/${leadId}`)).to.have.length(described.length + 1);
      mails['digest'] = digest;
      const reminded = { id: leadId, kind: 'contact', createdAt: at, dueAt: at, response: 'overdue' } as const;
      const leads = Array.from({ length: reminderLimit.shownLeads }, () => reminded);
      mails['reminder'] = reminderMail({ leads, total: reminderLimit.leads, publicUrl });
      const notified = Array.from({ length: leadNotificationLimit.shownLeads }, () => {
        return { id: leadId, kind: 'service_inquiry', isAssigned: true, mentions: 1_000 } as const;
      });
      mails['notification'] = leadNotificationMail({ leads: notified, total: 100_000, day: '2026-11-28', publicUrl });
      for (const event of accountEvents) {
        const own = { event, at, username: name, actorName: name, isOwn: false, device: name };
        const notice = { ...own, publicUrl, confirmUrl: publicUrl };
        for (const isToTeam of [false, true])
          mails[`${event} ${isToTeam}`] = accountNoticeMail({ ...notice, isToTeam });
      }
      for (const [mail, content] of Object.entries(mails)) {
        expect((await sizeOf(content)).htmlBytes, mail).to.be.within(1, maxHtmlPartBytes);
      }
    });

    it(`loses nothing of the longest reply, with ${JSON.stringify(unit)} in its text and its quote`, async () => {
      const text = filled(unit, maxLength.reply);
      const quoted = { text: filled(unit, maxLength.text), name: filled(unit, 2 * maxLength.name), at };
      const content = replyMail({ subject: filled(unit, maxLength.subject), text, quoted, publicUrl });
      const size = await sizeOf(content);
      expect(size.htmlBytes).to.be.below(maxHtmlPartBytes);
      expect(size.text.replaceAll('\r\n', '\n').includes(text)).to.equal(true);
    });
  }

  it('leaves the HTML part of an ordinary long reply in it', async () => {
    for (const word of [
      'word ',
      'كلمة ',
      '語語語、',
      'Dear Noura,\n\nwe have read all of it and agree to what you wrote.\n',
    ]) {
      const quoted = { text: filled(word, replyQuote.characters), name: 'Noura', at };
      const content = replyMail({ subject: 'Re: Film', text: filled(word, maxLength.reply), quoted, publicUrl });
      expect((await sizeOf(content)).htmlBytes, word).to.be.within(1, maxHtmlPartBytes);
    }
  });

  it('is that of 100 ordinary leads in a digest', () => {
    const facts = [
      { term: 'Name', description: 'نورة بنت عبدالعزيز الحربي' },
      { term: 'Company', description: 'Rutab Growers & Packers Ltd.' },
      { term: 'Service', description: 'B2B Email Marketing, Lead Generation' },
    ];
    const notice = { kind: 'service_inquiry', leadId, createdAt: at, facts } as const;
    const notices = Array.from({ length: maxDigestLeads }, () => notice);
    expect(staffDigestMail({ notices, total: 529, publicUrl: 'https://duneandtide.example' }).described).to.have.length(
      100,
    );
  });

  it('is small for portfolio emails and acknowledgements', async () => {
    const mails = [portfolioMail(site), ...acknowledgements.map((of) => acknowledgementMail({ of, ...site }))];
    for (const content of mails) expect((await sizeOf(content)).htmlBytes).to.be.within(1, maxHtmlPartBytes);
  });
});
