import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { followUpClaims } from '@dune-tide/db/follow-ups';
import { personalData, personalDataExport } from '@dune-tide/db/personal-data';
import { emailLimits } from '@dune-tide/domain/limits';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { findInDatabase } from '@dune-tide/testkit/find-text';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { expect } from 'chai';
import { deliver, settleNotes } from '../src/delivery/deliver.ts';
import { openSentNotes } from '../src/delivery/sent-notes.ts';
import { deliveryDependencies, makeDue, only, requireFollowUps, requireFollowUp, type RequiredRow } from './support.ts';

interface ExportedEmail {
  readonly kind: string;
  readonly state: string;
  readonly subject?: string;
  readonly text?: string;
  readonly textNote?: string;
  readonly content?: string;
}

const email = 'Zephyrine@visitor.example';

describe('the texts of automatic emails in the file of a person', () => {
  const test = withTestDatabase();
  let smtp: TestSmtp;
  let dependencies: ReturnType<typeof deliveryDependencies>;

  beforeEach(async () => {
    for (const table of ['leads', 'follow_ups', 'recent_emails', 'email_texts']) await test().database(table).delete();
    smtp = await startTestSmtp();
    dependencies = deliveryDependencies(test().app, smtp, { emailLimits });
  });
  afterEach(async () => {
    await dependencies.mailer.close();
    await smtp.close();
  });

  const send = (required: RequiredRow) => deliver(required, dependencies);
  /** Returns the emails that the file of an address has, by kind. */
  async function exported(address: string): Promise<Readonly<Record<string, ExportedEmail | undefined>>> {
    const { leads } = (await json(Readable.from(personalDataExport(test().app, address)))) as {
      readonly leads: readonly { readonly emails: readonly ExportedEmail[] }[];
    };
    return Object.fromEntries(leads.flatMap(({ emails }) => emails).map((each) => [each.kind, each]));
  }
  /** Returns the text of an accepted email without the tokens of its links. */
  async function acceptedText(index: number): Promise<{ readonly subject: string | undefined; readonly text: string }> {
    const mail = smtp.accepted[index];
    if (!mail) throw new Error('Not accepted');
    const { subject, text = '' } = await smtp.parse(mail);
    // The parser adds a line end.
    return { subject, text: text.replaceAll(/\/(receipt|unsubscribe)\/[\w-]{43}/g, '/$1/…').replace(/\n\n$/, '\n') };
  }

  for (const kind of ['contact', 'service_inquiry', 'career_application', 'portfolio_request'] as const) {
    it(`are those that were sent for a ${kind}, without the personal parts of links`, async () => {
      for (const required of await requireFollowUps(test().app, kind, { email, tellsStaff: true }))
        await send(required);
      const emails = await exported(email.toLowerCase());
      const first = emails[kind === 'portfolio_request' ? 'portfolio_pdf' : 'acknowledgement'];
      const toVisitor = await acceptedText(0);
      expect(toVisitor.text).to.include('/receipt/…').and.include('/unsubscribe/…');
      expect(first).to.include({ state: 'sent', ...toVisitor });
      expect(emails['staff_notice']).to.include({ state: 'sent', ...(await acceptedText(1)) });
      for (const each of [first, emails['staff_notice']]) expect(each).to.not.have.any.keys('content', 'textNote');
    });
  }

  it('are stored once, however many visitors get them', async () => {
    const required: RequiredRow[] = [];
    for (let count = 0; count < 5; count++) required.push(await requireFollowUp(test().app, 'contact'));
    required.push(await requireFollowUp(test().app, 'portfolio_request'));
    await Promise.all(required.map(send));
    expect(smtp.accepted).to.have.length(6);
    expect(await test().database('email_texts')).to.have.length(2);
  });

  it('have of a digest only what is about the person', async () => {
    const notices: RequiredRow[] = [];
    for (let count = 0; count < emailLimits.noticesPerHour + 2; count++) {
      const fields = { lastName: `Quokka${count}` };
      const [, notice] = await requireFollowUps(test().app, 'contact', {
        email: `q${count}@visitor.example`,
        tellsStaff: true,
        fields,
      });
      if (notice) notices.push(notice);
    }
    for (const notice of notices) await send(notice);
    const { id } = await test().database('follow_ups').where({ kind: 'staff_digest' }).first<{ id: string }>('id');
    await makeDue(test().database, [id]);
    await deliver({ id, kind: 'staff_digest' }, dependencies);
    const { subject, text } = await acceptedText(smtp.accepted.length - 1);
    for (const [index, other] of [
      [emailLimits.noticesPerHour, emailLimits.noticesPerHour + 1],
      [emailLimits.noticesPerHour + 1, emailLimits.noticesPerHour],
    ] as const) {
      const { staff_notice: notice } = await exported(`q${index}@visitor.example`);
      expect(notice).to.include({ state: 'sent', subject });
      expect(notice?.text).to.include(`Quokka${index}`).and.not.include(`Quokka${other}`);
      expect(text).to.include(notice?.text ?? 'no text');
    }
  });

  it('are erased with the person, except for those that name no one', async () => {
    for (const required of await requireFollowUps(test().app, 'contact', {
      email,
      tellsStaff: true,
      fields: { lastName: 'Quokka' },
    }))
      await send(required);
    expect(await findInDatabase(test().database, ['Quokka'])).to.include('public.notice_texts: Quokka');
    await personalData(test().app).erase(email, 'operator');
    expect(await findInDatabase(test().database, ['Quokka', email])).to.deep.equal([]);
    expect(await test().database('email_texts')).to.have.length(1);
  });

  it('are described if they were not kept, or not sent', async () => {
    const [acknowledgement, notice] = await requireFollowUps(test().app, 'contact', { email, tellsStaff: true });
    if (!acknowledgement || !notice) throw new Error('Nothing to send');
    await send(acknowledgement);
    // Earlier releases leave it empty.
    await test().database('follow_ups').where({ id: acknowledgement.id }).update({ text_id: null });
    const emails = await exported(email);
    expect(emails['acknowledgement']).to.include({ state: 'sent', textNote: 'The text of this email was not kept.' });
    expect(emails['acknowledgement']?.content).to.include('It repeats nothing that you sent.');
    expect(emails['staff_notice']).to.include({ state: 'pending' });
    expect(emails['staff_notice']?.content).to.include('A notice to our team');
    for (const each of Object.values(emails)) expect(each).to.not.have.property('text');
    expect(emails['staff_notice']).to.not.have.property('textNote');
  });

  it('are kept even if the worker ends before it can write the outcome', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'notes-'));
    try {
      const required = await requireFollowUp(test().app, 'contact', { email });
      const ending = new Error('the worker ends');
      let isNoted = false;
      const notes = openSentNotes(directory);
      await deliver(required, {
        ...dependencies,
        sentNotes: {
          ...notes,
          add: async (...note) => {
            const remove = await notes.add(...note);
            isNoted = true;
            return remove;
          },
        },
        followUps: {
          ...followUpClaims(test().app, emailLimits),
          markSent: () => Promise.reject(isNoted ? ending : new DatabaseUnavailableError(new Error('unavailable'))),
        },
      }).catch((error: unknown) => expect(error).to.equal(ending));
      expect(await test().database('email_texts')).to.deep.equal([]);
      await settleNotes({ ...dependencies, sentNotes: openSentNotes(directory) });
      expect((await exported(email))['acknowledgement']).to.include({ state: 'sent', ...(await acceptedText(0)) });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('of a retried notice are those of the last attempt', async () => {
    const notice = (await requireFollowUps(test().app, 'contact', { email, tellsStaff: true }))[1];
    if (!notice) throw new Error('No notice');
    smtp.script = { onRecipient: () => ({ code: 451, text: 'Later' }) };
    await send(notice);
    await test().database('notice_texts').update({ text: 'The wording of the first attempt' });
    smtp.script = {};
    await makeDue(test().database, [notice.id]);
    await send(notice);
    expect((await exported(email))['staff_notice']).to.include({ state: 'sent', ...(await acceptedText(0)) });
    expect(only(await test().database('notice_texts').select('id'))).to.deep.equal({ id: notice.id });
  });
});
