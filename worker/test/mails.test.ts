import { brand } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { lineBreaks } from '@dune-tide/domain/test/line-breaks';
import { leadKinds } from '@dune-tide/domain/leads';
import { expect } from 'chai';
import {
  acknowledgementMail,
  acknowledgements,
  type Acknowledged,
} from '../src/mail/templates/acknowledgement-mail.ts';
import { html, Html } from '@dune-tide/platform/html';
import type { MailContent } from '../src/mail/templates/mail-content.ts';
import { mailLayout } from '../src/mail/templates/mail-layout.ts';
import { wrap } from '../src/mail/templates/plain-text.ts';
import { portfolioMail } from '../src/mail/templates/portfolio-mail.ts';
import { staffDigestMail, type StaffDigest } from '../src/mail/templates/staff-digest-mail.ts';
import type { AccountNotice } from '@dune-tide/db/accounts';
import type { RemindedLead } from '@dune-tide/db/follow-ups';
import type { ErasureNotice } from '@dune-tide/db/personal-data';
import { accountEvents } from '@dune-tide/domain/account-events';
import { accountNoticeMail } from '../src/mail/templates/account-notice-mail.ts';
import { erasureNoticeMail } from '../src/mail/templates/erasure-notice-mail.ts';
import { reminderMail } from '../src/mail/templates/reminder-mail.ts';
import { staffNoticeMail, type StaffNotice } from '../src/mail/templates/staff-notice-mail.ts';

const promise = `within ${brand.responsePromiseHours} hours`;

const publicUrl = 'https://duneandtide.example';
const unsubscribeUrl = `${publicUrl}/unsubscribe/token`;
const receiptUrl = `${publicUrl}/receipt/token`;
const site = { publicUrl, unsubscribeUrl, receiptUrl };

const notice = (overrides: Partial<StaffNotice> = {}): StaffNotice => ({
  kind: 'contact',
  leadId: '0198c2f4-0000-7000-8000-000000000001',
  publicUrl,
  createdAt: new Date('2026-03-04T05:06:07Z'),
  facts: [
    { term: 'Name', description: 'Noura al‑Harbi' },
    { term: 'Company', description: 'Rutab Growers' },
  ],
  ...overrides,
});

/** Returns the text of the HTML part. */
const readable = (source: string): string =>
  source
    .replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ');

const reminded = (overrides: Partial<RemindedLead> = {}): RemindedLead => ({
  id: '0198c2f4-0000-7000-8000-000000000001',
  kind: 'service_inquiry',
  createdAt: new Date('2026-03-04T05:06:07Z'),
  dueAt: new Date('2026-03-05T05:06:07Z'),
  response: 'soon',
  ...overrides,
});
const digest = (digested: Pick<StaffDigest, 'notices' | 'total'>): MailContent =>
  staffDigestMail({ ...digested, publicUrl }).content;
const reminder = (leads: readonly RemindedLead[], total = leads.length): MailContent =>
  reminderMail({ leads, total, publicUrl });

const accountNotice = (changes: Partial<AccountNotice> = {}): MailContent =>
  accountNoticeMail({
    event: 'password_set',
    at: new Date('2026-03-04T05:06:00Z'),
    username: 'noura',
    actorName: 'Sipho <Dlamini>',
    isOwn: false,
    isToTeam: false,
    device: null,
    publicUrl,
    confirmUrl: 'https://www.example.com/confirm-email/token',
    ...changes,
  });

const erasureNotice = (accounts: ErasureNotice): MailContent => erasureNoticeMail({ accounts, publicUrl });
const erased = (overrides: Partial<ErasureNotice[number]> = {}): ErasureNotice[number] => ({
  username: 'layla',
  addresses: 12,
  leads: 30,
  firstAt: new Date('2026-03-04T05:06:07Z'),
  lastAt: new Date('2026-03-04T05:36:07Z'),
  ...overrides,
});

const mails: readonly (readonly [name: string, mail: MailContent])[] = [
  ['portfolio email', portfolioMail(site)],
  ['digest for staff', digest({ notices: [notice(), notice({ kind: 'contact' })], total: 2 })],
  ...acknowledgements.map(
    (of) => [`acknowledgement of a ${of.replace('_', ' ')}`, acknowledgementMail({ of, ...site })] as const,
  ),
  ...leadKinds.map(
    (kind) => [`staff notice of a ${kind.replace('_', ' ')}`, staffNoticeMail(notice({ kind }))] as const,
  ),
  ['reminder of two leads', reminder([reminded(), reminded({ response: 'overdue', kind: 'contact' })])],
  ['reminder whose leads were answered', reminder([])],
  ['notice of erasures by two accounts', erasureNotice([erased(), erased({ username: 'omar', addresses: 1 })])],
  ...accountEvents.map((event) => [`notice about an account of ${event}`, accountNotice({ event })] as const),
];

for (const [name, mail] of mails) {
  describe(`the ${name}`, () => {
    it('has a subject on one line that names the studio', () => {
      expect(mail.subject).to.include(brand.name);
      expect(mail.subject).to.match(/^[^\r\n]{1,78}$/);
    });

    it('has a text part with short lines', () => {
      for (const line of mail.text.split('\n')) {
        if (!line.startsWith('http')) expect(line.length, line).to.be.below(76);
      }
      expect(mail.text).to.not.match(/<[a-z]|&[a-z]+;|undefined/);
    });

    it('names the studio and its cities in both parts', () => {
      for (const part of [brand.name, ...brand.cities]) {
        expect(readable(mail.html)).to.include(part);
        expect(unwrapped(mail.text)).to.include(part);
      }
    });

    it('has the same absolute links in both parts', () => {
      const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '');
      expect(links).to.include(publicUrl);
      for (const link of links) {
        expect(link).to.match(/^(https?:\/\/[^/]+|mailto:[^@]+@)/);
        expect(mail.text).to.include(link.replace('mailto:', ''));
      }
    });

    it('loads nothing from the network', () => {
      expect(mail.html).to.not.match(/<img|<link|<script|url\(|@import|\bsrc=/);
    });

    it('hides its layout tables from screen readers', () => {
      const tables = mail.html.match(/<table\b[^>]*>/g) ?? [];
      expect(tables).to.not.deep.equal([]);
      for (const table of tables) expect(table).to.include('role="presentation"');
      expect(mail.html.match(/<table\b/g)?.length).to.equal(mail.html.match(/<\/table>/g)?.length);
      expect(mail.html)
        .to.include('max-width:600px')
        .and.match(/<!--\[if mso\]><table [^>]*width="600"/);
    });

    it('declares its language and supports dark mode', () => {
      expect(mail.html).to.include('<html lang="en">');
      expect(mail.html).to.include('<meta name="color-scheme" content="light dark"');
      expect(mail.html).to.include('prefers-color-scheme: dark');
    });

    it('uses typographic apostrophes, quotes and dashes', () => {
      for (const part of [mail.subject, readable(mail.html), mail.text.replaceAll(/^-- $|https?:\S+/gm, '')]) {
        expect(part).to.not.match(/['"]| --? |\d-\d/);
      }
    });
  });
}

describe('the portfolio email as an acknowledgement', () => {
  const mail = portfolioMail(site);

  it('describes the attachment', () => {
    for (const part of [readable(mail.html), unwrapped(mail.text)]) {
      expect(part).to.include('PDF').and.include(`${caseStudies.length} case studies`);
      for (const { client } of caseStudies) expect(part).to.include(client.split(',')[0]);
    }
  });

  it('invites the visitor to write, with the response promise', () => {
    for (const part of [readable(mail.html), unwrapped(mail.text)]) expect(part).to.include(promise);
    expect(mail.html).to.include(`href="mailto:${brand.email}"`);
  });
});

describe('acknowledgements', () => {
  const promises: Readonly<Record<Acknowledged, string>> = {
    contact: 'We’ll get back to you soon.',
    service_inquiry: `We’ll get back to you ${promise} with a detailed proposal.`,
    discovery_request: `We’ll contact you ${promise} to schedule your ROI assessment session.`,
    career_application: 'We’ll review your application and get back to you soon.',
  };
  for (const of of acknowledgements) {
    it(`repeat the promise of the form's toast for a ${of.replace('_', ' ')}`, () => {
      const mail = acknowledgementMail({ of, ...site });
      for (const part of [readable(mail.html), unwrapped(mail.text)]) {
        expect(part).to.include(promises[of]);
        if (!promises[of].includes('hours')) expect(part).to.not.include('hours');
      }
    });
  }

  it("contain none of the visitor's text", () => {
    const lead = {
      of: 'contact' as const,
      ...site,
      firstName: 'Zephyrine',
      email: 'zephyrine@example.org',
      message: 'Quokka',
    };
    const mail = acknowledgementMail(lead);
    expect(mail).to.deep.equal(acknowledgementMail({ of: 'contact', ...site }));
    for (const part of Object.values(mail)) expect(part).to.not.match(/Zephyrine|example\.org|Quokka/i);
  });
});

describe('staff notices', () => {
  it('link to the lead in the staff area', () => {
    const url = 'https://duneandtide.example/admin/leads/0198c2f4-0000-7000-8000-000000000001';
    const mail = staffNoticeMail(notice({ publicUrl: 'https://duneandtide.example' }));
    expect(mail.html).to.include(`href="${url}"`);
    expect(mail.text.split('\n')).to.include(url);
  });

  it('name the kind and the time of the lead', () => {
    const mail = staffNoticeMail(notice({ kind: 'service_inquiry' }));
    expect(mail.subject).to.equal(`New service inquiry, Mar 04, 2026 08:06:07 GMT+3 – ${brand.name}`);
    for (const part of [readable(mail.html), mail.text]) expect(part).to.include('Mar 04, 2026 08:06 GMT+3');
  });

  it('count the hours of the day from 00', () => {
    const mail = staffNoticeMail(notice({ createdAt: new Date('2026-03-04T21:05:00Z') }));
    expect(mail.text).to.include('Mar 05, 2026 00:05 GMT+3');
  });

  it('repeat what the form promised', () => {
    for (const kind of leadKinds) {
      const { html: source, text } = staffNoticeMail(notice({ kind }));
      for (const part of [readable(source), unwrapped(text)]) {
        expect(part.includes(promise), kind).to.equal(kind === 'service_inquiry');
        expect(part.includes('promised a reply soon'), kind).to.equal(['contact', 'career_application'].includes(kind));
      }
    }
  });

  const facts = [
    { term: 'Name', description: 'Zephyrine <b>O’Hara</b>' },
    { term: 'Company', description: 'Quokka Ltd' },
  ];

  it('show who wrote about what in both parts, escaped, and not in the subject', () => {
    const mail = staffNoticeMail(notice({ facts }));
    expect(mail.text).to.include('Name: Zephyrine <b>O’Hara</b>\nCompany: Quokka Ltd');
    expect(mail.html).to.include('Zephyrine &lt;b&gt;O’Hara&lt;/b&gt;').and.include('Quokka Ltd');
    expect(mail.subject).to.equal(staffNoticeMail(notice()).subject);
  });

  it('say where to answer', () => {
    for (const part of [readable(staffNoticeMail(notice()).html), unwrapped(staffNoticeMail(notice()).text)]) {
      expect(part).to.include('A reply to this email goes to the address that the visitor entered.');
    }
  });

  it('escape markup in an id', () => {
    const mail = staffNoticeMail(notice({ leadId: '"><script>alert(1)</script>' }));
    expect(mail.html).to.not.include('<script');
    expect(mail.text).to.not.include('<script');
  });
});

describe('digests for staff', () => {
  const notices = [1, 2, 3].map((number) =>
    notice({ leadId: `lead-${number}`, facts: [{ term: 'Name', description: `Visitor <${number}>` }] }),
  );

  it('list every lead with its link, its kind and who wrote, in both parts', () => {
    const mail = digest({ notices, total: 3 });
    expect(mail.subject).to.equal(`3 new leads – ${brand.name}`);
    for (const number of [1, 2, 3]) {
      const url = `${publicUrl}/admin/leads/lead-${number}`;
      expect(mail.text).to.include(`* Contact message · Visitor <${number}>\n  Mar 04, 2026 08:06 GMT+3\n${url}\n`);
      expect(mail.html).to.include(`href="${url}"`).and.include(`Visitor &lt;${number}&gt;`);
    }
    expect(mail.text).to.not.include('The staff area has all');
  });

  it('have the total and the link to all leads above the first lead', () => {
    const mail = digest({ notices, total: 1_203 });
    for (const part of [readable(mail.html), unwrapped(mail.text)]) {
      expect(part).to.match(/Below are the oldest 3\. The staff area has all 1,203\..*Visitor (?:<|&lt;)1/);
    }
    expect(mail.html.indexOf(`href="${publicUrl}/admin/leads"`)).to.be.below(mail.html.indexOf('lead-1'));
    expect(mail.text.indexOf(`${publicUrl}/admin/leads\n`)).to.be.within(1, mail.text.indexOf('lead-1'));
  });

  it('say that a reply reaches no visitor', () => {
    expect(unwrapped(digest({ notices, total: 3 }).text)).to.include('reaches no visitor');
  });
});

describe('emails to visitors', () => {
  it('have a link to stop them in both parts, and emails to staff have none', () => {
    for (const [name, mail] of mails) {
      const isForStaff = /staff|^reminder|about an account|of erasures/.test(name);
      expect(mail.html.includes(`href="${unsubscribeUrl}"`), name).to.equal(!isForStaff);
      expect(mail.text.split('\n').includes(unsubscribeUrl), name).to.equal(!isForStaff);
      expect(mail.html.includes(`href="${receiptUrl}"`), name).to.equal(!isForStaff);
      expect(mail.text.split('\n').includes(receiptUrl), name).to.equal(!isForStaff);
      expect(mail.html, name).to.include(`href="${publicUrl}/privacy"`);
      expect(mail.text.split('\n'), name).to.include(`${publicUrl}/privacy`);
    }
  });
});

describe('reminders', () => {
  it('name no promise that not every form makes', () => {
    for (const kind of ['contact', 'service_inquiry'] as const) {
      const { html: source, text } = reminder([reminded({ kind })]);
      for (const part of [readable(source), unwrapped(text)]) {
        expect(part)
          .to.include('needs a reply within 24 hours')
          .and.not.match(/promised/i);
      }
    }
  });

  it('list each lead with its kind, its times and a link', () => {
    const {
      subject,
      text,
      html: source,
    } = reminder([
      reminded({ response: 'overdue', dueAt: new Date('2026-03-05T05:06:07Z') }),
      reminded({ id: '0198c2f4-0000-7000-8000-000000000002', kind: 'contact' }),
    ]);
    expect(subject).to.equal(`2 leads need an answer – ${brand.name}`);
    expect(unwrapped(text)).to.include('Service inquiry, received Mar 04, 2026 08:06');
    for (const part of [unwrapped(text), readable(source)]) {
      expect(part).to.include('Overdue since Mar 05, 2026 08:06').and.to.include('Due Mar 05, 2026 08:06');
    }
    expect(text.split('\n')).to.include(`${publicUrl}/admin/leads/0198c2f4-0000-7000-8000-000000000002`);
  });

  it('count the leads that they do not show', () => {
    expect(reminder([reminded()], 51).text).to.include('and 50 more');
    expect(reminder([reminded()]).subject).to.include('A lead needs an answer');
  });

  it('say that all leads were answered in the meantime', () => {
    expect(reminder([]).text).to.include('All leads of this reminder have been answered');
  });
});

describe('the HTML template', () => {
  it('escapes text in elements and attributes', () => {
    const hostile = `<b title="x">'&'</b>`;
    const escaped = '&lt;b title=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;';
    expect(html`<i title="${hostile}">${hostile}</i>`.source).to.equal(`<i title="${escaped}">${escaped}</i>`);
  });

  it('inserts HTML and lists of HTML unchanged', () => {
    const items = ['a', '<'].map((item) => html`<i>${item}</i>`);
    expect(html`<b>${items}</b>${new Html('<hr>')}${0}`.source).to.equal('<b><i>a</i><i>&lt;</i></b><hr>0');
  });

  it('escapes every value of the layout', () => {
    const hostile = '<script>';
    const page = {
      title: hostile,
      preheader: hostile,
      heading: hostile,
      body: html`${hostile}`,
      reason: hostile,
      publicUrl,
    };
    const source = mailLayout(page);
    expect(source).to.not.include(hostile);
    expect(source.split('&lt;script&gt;')).to.have.length(6);
  });
});

describe('text wrapping', () => {
  it('breaks at spaces and indents the following lines', () => {
    const lines = wrap('word '.repeat(40).trim(), '  ').split('\n');
    expect(lines).to.have.length(3);
    for (const line of lines) expect(line.length).to.be.at.most(72);
    expect(lines[1]).to.match(/^ {2}word/);
  });

  it('keeps what a visitor typed in its paragraph, whatever breaks its lines', () => {
    for (const lineBreak of lineBreaks) {
      const facts = [{ term: 'Name', description: `Noura${lineBreak}We agree` }];
      expect(staffNoticeMail(notice({ facts })).text, JSON.stringify(lineBreak)).to.include('\nName: Noura We agree\n');
      expect(digest({ notices: [notice({ facts })], total: 1 }).text).to.include(
        '\n* Contact message · Noura We agree\n',
      );
    }
  });

  it('does not break a long link', () => {
    const link = `https://duneandtide.example/${'a'.repeat(80)}`;
    expect(wrap(`See ${link} for more`).split('\n')).to.deep.equal(['See', link, 'for more']);
  });
});

describe('notices about accounts', () => {
  it('name the account, the time and who made the change, in both parts', () => {
    const { html: htmlPart, text, subject } = accountNotice();
    expect(subject).to.equal(`A new password was set for your account – ${brand.name}`);
    expect(htmlPart).to.include('Sipho &lt;Dlamini&gt;');
    expect(text).to.include('Sipho <Dlamini>');
    for (const part of [readable(htmlPart), text]) {
      expect(part).to.include('noura').and.include('Mar 04, 2026 08:06 GMT+3');
    }
    expect(accountNotice({ isOwn: true }).text).to.include('Changed by: you');
    const toConfirm = accountNotice({ event: 'email_to_confirm' });
    for (const part of [toConfirm.text, toConfirm.html])
      expect(part).to.include('https://www.example.com/confirm-email/token');
    const toTeam = accountNotice({ isOwn: true, isToTeam: true });
    expect(toTeam.subject).to.include('A new password was set for an account');
    expect(unwrapped(toTeam.text))
      .to.include('Changed by: Sipho <Dlamini>')
      .and.not.match(/your account/i);
    expect(accountNotice({ actorName: null }).text).to.include('Changed by: an operator of the server');
  });

  it('name the device of a sign-in, and what to do about guesses', () => {
    const device = accountNotice({ event: 'new_device', device: 'Firefox on Windows', isOwn: true });
    expect(device.text).to.include('Device: Firefox on Windows').and.include('change it').and.not.include('Changed by');
    expect(accountNotice({ event: 'new_device' }).text).to.include('Device: Unknown browser');
    for (const event of ['password_known', 'password_guessed'] as const) {
      const { subject, text } = accountNotice({ event });
      expect(subject).to.match(/^Someone .* your password – /);
      expect(text)
        .to.match(/account\s+page/)
        .and.not.include('Changed by');
    }
  });
});

describe('notices of erasures', () => {
  it('count the addresses of all accounts in the subject, and those of each account in both parts', () => {
    const {
      html: htmlPart,
      text,
      subject,
    } = erasureNotice([erased(), erased({ username: 'omar', addresses: 1, leads: 1 })]);
    expect(subject).to.equal(`Personal data of 13 addresses was erased – ${brand.name}`);
    for (const part of [readable(htmlPart), unwrapped(text)]) {
      expect(part).to.include('12 addresses with 30 leads, Mar 04, 2026 08:06 GMT+3 to Mar 04, 2026 08:36 GMT+3');
      expect(part).to.include('omar').and.include('1 address with 1 lead,');
    }
    expect(text).to.include(`${publicUrl}/admin/team`);
  });
});
