import { randomUUID } from 'node:crypto';
import { leadNotificationStore } from '@dune-tide/db/follow-ups';
import type { Person } from '@dune-tide/db/lead-expressions';
import { leadHistory, leadMarks, leadWork } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { deliver } from '../src/delivery/deliver.ts';
import { writeDue } from '../src/staff-emails/write-due.ts';
import { startWorker } from '../src/worker.ts';
import { threads } from './jwz.ts';
import {
  makeDue,
  only,
  requireFollowUp,
  typedByVisitor,
  withDelivery,
  type RequiredRow,
  type TestDelivery,
} from './support.ts';

const address = 'thabo@studio.example';
const secretNote = 'A sentence for the team only.';

describe('the emails about assigned leads and mentions', () => {
  let smtp: TestDelivery['smtp'];
  let dependencies: TestDelivery['dependencies'];
  const { test, row, send, sendAgain } = withDelivery((delivery) => ({ smtp, dependencies } = delivery));
  const store = () => leadNotificationStore(test().app, brand.mailDomain);
  let noura: Person;
  let thabo: Person;

  beforeEach(async () => {
    await test().database.raw('truncate leads, follow_ups, staff cascade');
    noura = await account('noura', null);
    thabo = await account('thabo', address);
  });

  async function account(username: string, email: string | null): Promise<Person> {
    const [stored] = await test()
      .database('staff')
      .insert({ username, name: `${username} of the team`, email, password_hash: '$argon2id$v=19$x' })
      .returning<Person[]>(['id', 'name']);
    return stored ?? expect.fail('no account');
  }
  async function lead(): Promise<string> {
    const { leadId } = await requireFollowUp(test().database, 'contact');
    await test().database('follow_ups').where({ lead_id: leadId }).delete();
    return leadId;
  }
  const give = (ids: readonly string[], owner: Person = thabo) =>
    leadWork(test().app, brand.mailDomain).changeTogether(ids, { ownerId: owner.id }, noura, () => [], {
      id: randomUUID(),
    });
  const note = (leadId: string) => leadHistory(test().app).addNote(randomUUID(), leadId, `@thabo ${secretNote}`, noura);
  const anHourLater = () =>
    test().database.raw(`update lead_notifications set created_at = created_at - interval '1 hour'`);
  /** Writes the email that is due. */
  async function write(): Promise<RequiredRow> {
    await anHourLater();
    const { id } = only(await store().write());
    return { id, kind: 'lead_notification', leadId: '', recipient: address };
  }

  it('have ids, kinds, reasons and links, and no text of a person', async () => {
    const [both, assigned] = [await lead(), await lead()];
    await give([both, assigned]);
    await note(both);
    const required = await write();
    await send(required);
    expect((await row(required)).state).to.equal('sent');
    const mail = await smtp.parse(only(smtp.accepted));
    expect(mail.to).to.deep.equal([{ name: '', address }]);
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).to.equal('auto-generated');
    for (const part of [mail.text ?? '', mail.html ?? '']) {
      for (const id of [both, assigned]) {
        expect(part)
          .to.include(`Contact message ${id.slice(0, 8)}`)
          .and.include(`https://site.example/admin/leads/${id}`);
      }
      expect(part).to.include('Assigned to you, a note mentions you').and.include('/admin/account#lead-emails');
      expect(part.match(/Assigned to you/g)).to.have.length(2);
      for (const text of [typedByVisitor, secretNote, 'Noura', 'noura', 'visitor.example'])
        expect(part).not.to.include(text);
    }
  });

  it('list the first fifty leads and the number of the others', async () => {
    const like = await lead();
    const ids = Array.from({ length: 112 }, () => randomUUID());
    await test().database.raw(
      `insert into leads (id, kind, email, status, answers)
       select unnest(?::uuid[]), kind, email, status, answers from leads where id = ?`,
      [ids, like],
    );
    await give(ids);
    await send(await write());
    const { text = '', subject } = await smtp.parse(only(smtp.accepted));
    expect(text.match(/\/admin\/leads\/[0-9a-f-]{36}/g)).to.have.length(50);
    expect(text).to.include('\nand 62 more\n');
    expect(subject).to.match(/^Leads for you on [A-Z][a-z]{2} \d{1,2}, \d{4} – /);
  });

  it('of one day and account are one thread, with one subject', async () => {
    for (const who of [thabo, thabo, await account('lerato', 'lerato@studio.example')]) {
      await give([await lead()], who);
      await send(await write());
    }
    await give([await lead()]);
    const tomorrow = await write();
    await test().database.raw(`update follow_ups set created_at = created_at + interval '1 day' where id = ?`, [
      tomorrow.id,
    ]);
    await send(tomorrow);
    const mails = await Promise.all(smtp.accepted.map((mail) => smtp.parse(mail)));
    const threaded = threads(
      mails.map(({ messageId = '', inReplyTo, references }) => ({ id: messageId, inReplyTo, references })),
    );
    const sizes = threaded.map(({ children }) => children.length);
    expect(sizes, JSON.stringify(threaded)).to.deep.equal([2, 0, 0]);
    const [first, second, third, fourth] = mails.map(({ subject }) => subject);
    expect([second, third]).to.deep.equal([first, first]);
    expect(fourth).not.to.equal(first);
  });

  it('are not sent if nothing is left to report, whenever that happens', async () => {
    const changes: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
      'taken away': (id) => give([id], noura),
      opened: (id) => leadMarks(test().app).remove(thabo.id, id),
      erased: (id) => test().app.raw('select erase_leads(array[?::uuid])', [id]),
    };
    for (const [name, change] of Object.entries(changes)) {
      const id = await lead();
      await give([id]);
      const required = await write();
      smtp.script = { onRecipient: () => ({ code: 451, text: 'Try later' }) };
      await send(required);
      expect(await row(required), name).to.include({ state: 'pending', attempts: 1 });
      await change(id);
      smtp.script = {};
      await sendAgain(required);
      expect(await row(required), name).to.include({
        state: 'cancelled',
        server_answer: 'Nothing was left to report.',
      });
    }
    expect(smtp.accepted).to.have.length(0);
  });

  it('are sent once when the mail server is available again, with all leads of the outage', async () => {
    await smtp.goAway();
    await give([await lead()]);
    const required = await write();
    await send(required);
    expect(await row(required)).to.include({ state: 'pending', attempts: 0 });
    await give([await lead()]);
    await anHourLater();
    expect(await store().write()).to.deep.equal([]);
    await smtp.comeBack();
    await sendAgain(required);
    await sendAgain(required);
    await sendAgain(await write());
    expect(smtp.accepted).to.have.length(2);
    expect((await smtp.parse(smtp.accepted[1] ?? expect.fail())).text).to.include('/admin/leads/');
  });

  it('are written wholly or not at all if their worker dies, and then by another one', async () => {
    const ids = [await lead(), await lead()];
    await give(ids);
    await anHourLater();
    const holder = await test().database.transaction();
    // The email is inserted, and the update of its leads waits.
    await holder.raw('lock table lead_notifications in row share mode');
    await holder('lead_notifications')
      .where({ lead_id: ids[1] ?? '' })
      .forUpdate()
      .select('id');
    const dying = store().write();
    const blocked = async (): Promise<number | undefined> => {
      const { rows } = await test().database.raw<{ rows: { pid: number }[] }>(
        `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%lead_notifications%'
           and datname = current_database()`,
      );
      return rows[0]?.pid;
    };
    await until('it waits', async () => (await blocked()) !== undefined);
    expect(await store().write(), 'the lock of the first').to.deep.equal([]);
    await test().database.raw('select pg_terminate_backend(?)', [(await blocked()) ?? 0]);
    await dying.then(
      () => expect.fail('it was written'),
      () => undefined,
    );
    await holder.rollback();
    expect(await test().database('follow_ups')).to.deep.equal([]);
    const { id } = only(await store().write());
    await sendAgain({ id, kind: 'lead_notification', leadId: '', recipient: address });
    expect(smtp.accepted).to.have.length(1);
    expect(await store().write()).to.deep.equal([]);
  });

  it('are sent once if the worker dies between any two steps of the delivery', async () => {
    await give([await lead()]);
    const required = await write();
    // Claimed, and dead before the send: the lease ends.
    await dependencies.followUps.claim(required.id, 60);
    await makeDue(test().database, [required.id]);
    // Sent, and dead before the outcome is written: the mail server has the only copy with this Message-ID twice at most.
    const { followUps } = dependencies;
    const lost = { ...followUps, markSent: async () => Promise.reject(new RangeError('the worker died')) };
    await deliver(required, { ...dependencies, followUps: lost }).catch(() => undefined);
    await sendAgain(required);
    await sendAgain(required);
    expect((await row(required)).state).to.equal('sent');
    expect(new Set(smtp.accepted.map(({ messageId }) => messageId)).size).to.equal(1);
    expect(smtp.accepted).to.have.length(2);
  });

  it('are written if the queue is unavailable, and sent by a worker', async () => {
    await give([await lead()]);
    await anHourLater();
    const { logger, lines } = memoryLogger();
    const withoutQueue = openProducer({ databaseUrl: 'postgres://none@127.0.0.1:1/none' }, logger);
    const due = { name: 'notifications', write: () => store().write(), producer: withoutQueue, logger };
    expect(await writeDue(due)).to.equal(1);
    await withoutQueue.close();
    expect(lines().map(({ msg }) => msg)).to.include('notifications not queued; the sweep will find them');
    await give([await lead()]);
    const queue = { databaseUrl: test().url };
    const producer = openProducer(queue, logger);
    const [required] = await test().database('follow_ups').select<RequiredRow[]>('id', 'kind');
    await makeDue(test().database, [required?.id ?? '']);
    const worker = await startWorker({
      ...dependencies,
      database: test().app,
      producer,
      queue,
      concurrency: 1,
      limits: null,
      logger,
    });
    try {
      await until('it is sent', () => smtp.accepted.length === 1);
    } finally {
      await worker.close();
      await producer.close();
    }
  });
});
