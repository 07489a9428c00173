import { randomUUID } from 'node:crypto';
import { replyStore } from '@dune-tide/db/follow-ups';
import type { Person } from '@dune-tide/db/lead-expressions';
import { brand } from '@dune-tide/domain/brand';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { threads, type ThreadedMail } from './jwz.ts';
import { only, requireFollowUp, typedByVisitor, withDelivery, type RequiredRow, type TestDelivery } from './support.ts';

describe('replies to leads', () => {
  let smtp: TestDelivery['smtp'];
  const { test, row, send, sendAgain } = withDelivery((delivery) => {
    smtp = delivery.smtp;
  });
  const replies = () => replyStore(test().app, brand.mailDomain);

  async function account(changes: Record<string, unknown> = {}): Promise<Person> {
    const id = randomUUID();
    const name = 'Thabo Nkosi';
    const [stored] = await test()
      .database('staff')
      .insert({ id, username: `thabo-${id}`, name, password_hash: '$argon2id$v=19$x', ...changes })
      .returning<Person[]>(['id', 'name']);
    return stored ?? expect.fail('no account');
  }
  async function write(
    { leadId }: RequiredRow,
    author: Person,
    { subject = 'Re: Your film', text = 'Hello Noura,\n\nyes, we can.' } = {},
  ): Promise<RequiredRow> {
    const added = await replies().add({ id: randomUUID(), leadId, subject, text }, author);
    if (added.outcome !== 'stored') throw new Error(added.outcome);
    return { id: added.reply.id, kind: 'reply', leadId, recipient: added.reply.recipient };
  }
  const parsed = async (index: number) => smtp.parse(smtp.accepted[index] ?? expect.fail('no email'));

  it('come from their author at the studio, go to the lead and do not count as automatic', async () => {
    const lead = await requireFollowUp(test().database, 'contact');
    const required = await write(lead, await account({ name: 'Reem "R", al-Ṣabāḥ', email: 'reem@studio.example' }));
    await sendAgain(required);
    const mail = await smtp.parse(only(smtp.accepted));
    expect(mail.from).to.deep.include({ name: `Reem "R", al-Ṣabāḥ, ${brand.name}`, address: 'mail@studio.example' });
    expect(mail.replyTo).to.deep.equal([{ name: '', address: 'reem@studio.example' }]);
    expect(mail.to).to.deep.equal([{ name: '', address: lead.recipient }]);
    expect(mail.subject).to.equal('Re: Your film');
    expect(mail.headers.some(({ key }) => ['auto-submitted', 'list-unsubscribe'].includes(key))).to.equal(false);
    expect(mail.text).to.include(`> ${typedByVisitor}`);
  });

  it('are answered to the studio if their author has no address', async () => {
    await sendAgain(await write(await requireFollowUp(test().database, 'contact'), await account()));
    expect((await parsed(0)).replyTo).to.deep.equal([{ name: brand.name, address: brand.email }]);
  });

  it('are not sent by a worker before they are due', async () => {
    const required = await write(await requireFollowUp(test().database, 'contact'), await account());
    await send(required);
    expect(smtp.recipientsTried).to.deep.equal([]);
    expect(await row(required)).to.include({ state: 'pending', attempts: 0 });
  });

  it('keep every character of the text', async () => {
    const text = `Hello  Noura,\n\n=20 ${'long '.repeat(300)}\n.\n..\nFrom here\n\nمرحبا 🌊\n  indented\ttab`;
    await sendAgain(await write(await requireFollowUp(test().database, 'contact'), await account(), { text }));
    const { text: received } = await parsed(0);
    expect(received?.replaceAll('\r\n', '\n').startsWith(`${text}\n\nOn `)).to.equal(true);
  });

  it('are one conversation with the acknowledgement, by the rules of JWZ', async () => {
    const author = await account();
    const lead = await requireFollowUp(test().database, 'contact');
    await send(lead);
    const first = await write(lead, author);
    await sendAgain(first);
    const undone = await write(lead, author);
    await replies().undo(lead.leadId, undone.id, author);
    const second = await write(lead, author, { subject: 'One more thing' });
    await sendAgain(second);
    const other = await requireFollowUp(test().database, 'contact');
    await send(other);

    const mails = await Promise.all(smtp.accepted.map((mail) => smtp.parse(mail)));
    const threaded = threads(
      mails.map((mail): ThreadedMail => ({
        id: mail.messageId ?? '',
        inReplyTo: mail.inReplyTo,
        references: mail.references,
      })),
    );
    const idOf = async (required: RequiredRow): Promise<string> => (await row(required)).message_id;
    expect(threaded).to.deep.equal([
      {
        id: await idOf(lead),
        children: [{ id: await idOf(first), children: [{ id: await idOf(second), children: [] }] }],
      },
      { id: await idOf(other), children: [] },
    ]);
  });

  it('put nothing that a visitor typed into a header unencoded', async () => {
    const hostile = ['=?utf-8?q?Your_bank?=', 'a, b: <c@d.example>', '‮Bcc', `x${'y'.repeat(190)}`];
    const author = await account({ name: 'Thabo =?utf-8?q?Bank?= <x@y.example>' });
    for (const [index, subject] of hostile.entries()) {
      const fields = { firstName: `Noura\r\nBcc: all@example.com`, lastName: hostile[0] ?? '' };
      const lead = await requireFollowUp(test().database, 'contact', { fields });
      await sendAgain(await write(lead, author, { subject }));
      const mail = await parsed(index);
      expect(mail.subject).to.equal(subject);
      const head = smtp.accepted[index]?.raw.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
      expect(head).not.to.match(/^Bcc:/im).and.not.to.include('Your_bank');
      for (const line of head.split('\r\n')) expect(line).to.match(/^[\x20-\x7e\t]{1,200}$/);
      expect(mail.to).to.deep.equal([{ name: '', address: lead.recipient }]);
      expect(mail.from?.address).to.equal('mail@studio.example');
    }
  });

  it('answer their lead when the mail server accepts them, and not when it rejects them', async () => {
    const author = await account();
    const lead = await requireFollowUp(test().database, 'contact');
    const answered = async (): Promise<unknown> =>
      (await test().database('leads').where({ id: lead.leadId }).first<{ answered_at: Date | null }>()).answered_at;
    smtp.script = { onRecipient: () => ({ code: 550, text: '5.1.1 No such user' }) };
    const rejected = await write(lead, author);
    await sendAgain(rejected);
    expect(await row(rejected)).to.include({ state: 'failed', server_answer: '550 5.1.1 No such user' });
    expect(await answered()).to.equal(null);
    smtp.script = {};
    await sendAgain(await write(lead, author));
    await until('the lead is answered', async () => (await answered()) !== null);
  });

  it('reach the corrected address', async () => {
    const author = await account();
    smtp.script = { onRecipient: () => ({ code: 550, text: '5.1.1 No such user' }) };
    const required = await write(await requireFollowUp(test().database, 'contact'), author);
    await sendAgain(required);
    smtp.script = {};
    await replies().correctRecipient(required.id, 'noura@corrected.example', false, author);
    await send(required);
    expect(only(smtp.accepted).to).to.equal('noura@corrected.example');
  });
});
