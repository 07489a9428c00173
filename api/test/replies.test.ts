import { randomUUID } from 'node:crypto';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { staffEmailLimits } from '@dune-tide/domain/limits';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { impossibleIds } from './hostile-values.ts';
import { addStaff, signIn, withSession, type TestSession } from './staff-support.ts';
import {
  fakeProducer,
  untilWoken,
  withTestApi,
  type TestResponse,
  type ProblemBody,
  type StoredLead,
} from './support.ts';

type Item = Record<string, unknown>;

const written = { subject: 'Re: Your film', text: 'Hello Noura,\n\nyes, we can.' };

describe('replies of staff', () => {
  const producer = fakeProducer(async () => undefined);
  const api = withTestApi({ producer, replyMode: 'mail' });
  const staff = withSession(api);
  let colleague: TestSession;
  before(async () => {
    colleague = await signIn(api(), await addStaff(api(), { name: 'Thabo Nkosi' }));
  });
  beforeEach(() => api().clear());

  const submit = async (): Promise<string> =>
    ((await api().post('/api/contact', validExample(contactForm))).json() as StoredLead).id;
  const itemOf = (response: TestResponse, status: number): Item => {
    expect(response.status, response.text).to.equal(status);
    return response.json() as Item;
  };
  const history = async (id: string): Promise<Item[]> =>
    itemOf(await staff().get(`/leads/${id}/history`), 200) as unknown as Item[];
  /** Returns the entries of the audit log about the replies to a lead. */
  const audited = async (leadId: string): Promise<Item[]> =>
    api()
      .database('audit_log')
      .where({ subject_id: leadId })
      .andWhere('action', 'like', 'lead_reply_%')
      .orderBy('position')
      .select('action', 'actor_id');
  const failAll = () =>
    api().database('follow_ups').update({ state: 'failed', attempts: 1, server_answer: '550 5.1.1 No such user' });

  it('are stored once for an Idempotency-Key, shown in the history and audited by id', async () => {
    const id = await submit();
    const headers = { 'Idempotency-Key': randomUUID() };
    const reply = itemOf(await staff().post(`/leads/${id}/replies`, written, headers), 201);
    const author = { id: staff().account.id, name: staff().account.name };
    expect(reply).to.deep.include({ kind: 'reply', ...written, state: 'pending', isUndoable: true, actor: author });
    expect(itemOf(await staff().post(`/leads/${id}/replies`, written, headers), 201)).to.deep.equal(reply);
    expect((await history(id)).filter(({ kind }) => kind === 'reply')).to.deep.equal([reply]);
    expect(await audited(id)).to.deep.equal([{ action: 'lead_reply_written', actor_id: author.id }]);
    expect(JSON.stringify(api().logLines())).not.to.include('yes, we can');
    const other = { ...written, text: 'No.' };
    expect((await staff().post(`/leads/${id}/replies`, other, headers)).status).to.equal(422);
    expect((await colleague.post(`/leads/${id}/replies`, written, headers)).status).to.equal(422);
  });

  it('come back by an undo, from any session, and a repeated undo returns the text again', async () => {
    const id = await submit();
    const reply = itemOf(await staff().post(`/leads/${id}/replies`, written), 201);
    const undone = itemOf(await colleague.post(`/leads/${id}/replies/${String(reply['id'])}/undo`, undefined), 200);
    expect(undone).to.deep.include({ ...written, state: 'cancelled', isUndoable: false });
    expect(undone['withdrawnBy']).to.include({ name: 'Thabo Nkosi' });
    expect(
      itemOf(await staff().post(`/leads/${id}/replies/${String(reply['id'])}/undo`, undefined), 200),
    ).to.deep.equal(undone);
    expect(await audited(id)).to.deep.equal([
      { action: 'lead_reply_written', actor_id: staff().account.id },
      { action: 'lead_reply_withdrawn', actor_id: colleague.account.id },
    ]);
    const retried = await staff().post(`/follow-ups/${String(reply['id'])}/retry`, undefined);
    expect((retried.json() as ProblemBody).detail).to.equal('The reply was undone or replaced.');
    expect(retried.status).to.equal(409);
  });

  it('cannot be undone once the worker sends them', async () => {
    const id = await submit();
    const reply = itemOf(await staff().post(`/leads/${id}/replies`, written), 201);
    await api().database('follow_ups').where({ kind: 'reply' }).update({ state: 'sending', lease: randomUUID() });
    const refused = await staff().post(`/leads/${id}/replies/${String(reply['id'])}/undo`, undefined);
    expect(refused.status).to.equal(409);
    expect((refused.json() as ProblemBody).detail).to.equal('The reply is sending now.');
  });

  it('are refused for another version of the lead, and for a lead that is held as spam', async () => {
    const id = await submit();
    await colleague.patch(`/leads/${id}`, { status: 'contacted' });
    expect((await staff().post(`/leads/${id}/replies`, written, { 'If-Match': '"1"' })).status).to.equal(412);
    expect((await staff().post(`/leads/${id}/replies`, written, { 'If-Match': '"2"' })).status).to.equal(201);
    await staff().post(`/leads/${id}/spam`, undefined);
    expect((await staff().post(`/leads/${id}/replies`, written)).status).to.equal(409);
  });

  it('are refused with 412 unless all that came since their author’s view is the author’s own', async () => {
    const id = await submit();
    const write = (seenActivity: unknown, session = staff()) =>
      session.post(`/leads/${id}/replies`, { ...written, seenActivity }, { 'If-Match': '"1"' });
    expect(itemOf(await staff().get(`/leads/${id}`), 200)).to.include({ activity: 0, version: 1 });
    const first = itemOf(await write(0), 201);
    expect(first).to.include({ activity: 1 });
    await staff().post(`/leads/${id}/notes`, { text: 'Written.' });
    itemOf(await staff().patch(`/leads/${id}`, { status: 'contacted' }), 200);
    itemOf(await write(0), 201);
    const refused = await write(0, colleague);
    expect(refused.status).to.equal(412);
    const seen = Math.max(...(await history(id)).map(({ activity }) => Number(activity)));
    expect(seen).to.equal(4);
    itemOf(await write(seen, colleague), 201);
    expect((await write(seen)).status).to.equal(412);
    for (const wrong of ['4', 4.5, -1, 2 ** 31]) expect((await write(wrong)).status, String(wrong)).to.equal(422);
  });

  it('can be sent again when they have failed, and the failed one is never sent', async () => {
    const id = await submit();
    const failed = itemOf(await staff().post(`/leads/${id}/replies`, written), 201);
    const again = { ...written, text: 'Hello Noura,\n\nyes.', replaces: failed['id'] };
    expect((await staff().post(`/leads/${id}/replies`, again)).status).to.equal(409);
    await failAll();
    expect((await staff().post(`/leads/${id}/replies`, again)).status).to.equal(201);
    expect((await staff().post(`/follow-ups/${String(failed['id'])}/retry`, undefined)).status).to.equal(409);
    const first = (await history(id)).find((entry) => entry['id'] === failed['id']);
    expect(first).to.include({ state: 'cancelled', serverAnswer: '550 5.1.1 No such user' });
  });

  it('respond with 429, the limit and the time above a limit, and are stored once a retry has come', async () => {
    const id = await submit();
    const headers = { 'Idempotency-Key': randomUUID() };
    expect((await staff().post(`/leads/${id}/replies`, written, headers)).status).to.equal(201);
    for (let count = 1; count < staffEmailLimits.perLead; count++) {
      expect((await staff().post(`/leads/${id}/replies`, written)).status).to.equal(201);
    }
    expect((await staff().post(`/leads/${id}/replies`, written, headers)).status, 'a retry').to.equal(201);
    const refused = await colleague.post(`/leads/${id}/replies`, written);
    expect([refused.status, refused.json()]).to.deep.equal([
      429,
      {
        type: 'urn:problem-type:limit-reached',
        title: 'Too Many Requests',
        status: 429,
        detail: 'A lead gets at most 5 replies in 10 minutes.',
      },
    ]);
    expect(Number(refused.headers['retry-after'])).to.be.within(570, 600);
    expect((await history(id)).filter(({ kind }) => kind === 'reply')).to.have.length(staffEmailLimits.perLead);
  });

  it('respond with 422 to a body that breaks a rule, and with 400 to an invalid key', async () => {
    const id = await submit();
    for (const [body, field] of [
      [{ ...written, subject: 'a'.repeat(201) }, 'subject'],
      [{ ...written, text: 'a'.repeat(10_001) }, 'text'],
      [{ ...written, text: '  ' }, 'text'],
      [{ ...written, replaces: 'the last one' }, 'replaces'],
    ] as const) {
      const response = await staff().post(`/leads/${id}/replies`, body);
      expect(response.status).to.equal(422);
      expect((response.json() as ProblemBody).errors?.map((error) => error.field)).to.deep.equal([field]);
    }
    const headers = { 'Idempotency-Key': 'ke y' };
    expect((await staff().post(`/leads/${id}/replies`, written, headers)).status).to.equal(400);
  });

  it('have a subject of one line, whatever is sent', async () => {
    const id = await submit();
    const injected = { ...written, subject: 'One\r\nBcc: all@example.com' };
    expect(itemOf(await staff().post(`/leads/${id}/replies`, injected), 201)['subject']).to.equal(
      'One Bcc: all@example.com',
    );
  });

  it('respond with 404 for unknown leads, replies and emails', async () => {
    const id = await submit();
    for (const unknown of [randomUUID(), ...impossibleIds]) {
      expect((await staff().post(`/leads/${unknown}/replies`, written)).status).to.equal(404);
      expect((await staff().post(`/leads/${id}/replies/${unknown}/undo`, undefined)).status).to.equal(404);
      const correction = await staff().post(`/follow-ups/${unknown}/recipient`, { email: 'a@example.com' });
      expect(correction.status).to.equal(404);
    }
  });

  it('require a session and a request of this site', async () => {
    const id = await submit();
    const reply = itemOf(await staff().post(`/leads/${id}/replies`, written), 201);
    for (const [path, body] of [
      [`/leads/${id}/replies`, written],
      [`/leads/${id}/replies/${String(reply['id'])}/undo`, undefined],
      [`/follow-ups/${String(reply['id'])}/recipient`, { email: 'a@example.com' }],
    ] as const) {
      expect((await api().post(`/api/admin${path}`, body)).status).to.equal(401);
      const foreign = await staff().post(path, body, { Origin: 'https://evil.example' });
      expect(foreign.status).to.equal(403);
    }
  });

  describe('a corrected address', () => {
    const failedEmail = async (): Promise<{ id: string; leadId: string }> => {
      const leadId = await submit();
      await failAll();
      const email = (await history(leadId)).find(({ kind }) => kind === 'email');
      return { id: String(email?.['id']), leadId };
    };

    it('is recorded and makes the email due, for the email alone or for the lead as well', async () => {
      const { id, leadId } = await failedEmail();
      const email = 'noura@example.org';
      const corrected = itemOf(await staff().post(`/follow-ups/${id}/recipient`, { email }), 200);
      expect(corrected).to.include({ id, recipient: email, state: 'pending', attempts: 0 });
      await untilWoken(producer, [id]);
      const lead = itemOf(await staff().get(`/leads/${leadId}`), 200);
      expect(lead['email']).to.equal(validExample(contactForm)['email']);
      expect((await history(leadId)).at(-1)).to.deep.include({
        kind: 'address_corrected',
        from: lead['email'],
        to: email,
        isOfLead: false,
      });
      expect(await api().database('audit_log').where({ subject_id: leadId }).pluck('action')).to.deep.equal([
        'lead_address_corrected',
      ]);
      expect((await staff().post(`/follow-ups/${id}/recipient`, { email })).status).to.equal(409);
      await failAll();
      await staff().post(`/follow-ups/${id}/recipient`, { email, changeLead: true });
      expect(itemOf(await staff().get(`/leads/${leadId}`), 200)).to.include({ email });
    });

    it('is refused with 429 above the limit of its mailbox, and so is a retry', async () => {
      const email = 'victim@example.org';
      const [first, ...more] = await Promise.all(
        Array.from({ length: staffEmailLimits.perMailboxAndHour + 1 }, () => submit()),
      );
      await failAll();
      const idsOf = async (lead: string) =>
        (await history(lead)).filter(({ kind }) => kind === 'email').map((entry) => String(entry['id']));
      for (const lead of more) {
        for (const id of await idsOf(lead)) {
          expect((await staff().post(`/follow-ups/${id}/recipient`, { email })).status).to.equal(200);
        }
      }
      const [last] = await idsOf(first ?? '');
      const refused = await colleague.post(`/follow-ups/${String(last)}/recipient`, { email: 'Victim+1@example.org' });
      expect(refused.status).to.equal(429);
      expect((refused.json() as ProblemBody).detail).to.equal(
        'A mailbox gets at most 10 emails from staff in an hour.',
      );
      await api().database('follow_ups').where({ id: last }).update({ recipient: email });
      expect((await colleague.post(`/follow-ups/${String(last)}/retry`, undefined)).status).to.equal(429);
    });

    it('must be an address that is not opted out', async () => {
      const { id } = await failedEmail();
      expect((await staff().post(`/follow-ups/${id}/recipient`, { email: 'noura@' })).status).to.equal(422);
      await api().database('email_opt_outs').insert({ id: randomUUID(), mailbox: 'noura@example.org' });
      const refused = await staff().post(`/follow-ups/${id}/recipient`, { email: 'noura@example.org' });
      expect(refused.status).to.equal(409);
    });
  });

  describe('by two members who saw the same', () => {
    /** The changes of a lead, each with what its page sends of the lead that it shows. */
    const acts = {
      reply: (by: TestSession, id: string, { activity, version }: Item) =>
        by.post(
          `/leads/${id}/replies`,
          { subject: 'Re: Your film', text: 'Yes, we can.', seenActivity: activity },
          { 'If-Match': `"${String(version)}"` },
        ),
      note: (by: TestSession, id: string) => by.post(`/leads/${id}/notes`, { text: 'Call first.' }),
      status: (by: TestSession, id: string, lead: Item) => change(by, id, { status: 'won' }, lead),
      owner: (by: TestSession, id: string, lead: Item) => change(by, id, { ownerId: by.account.id }, lead),
      answered: (by: TestSession, id: string, lead: Item) => change(by, id, { answered: true }, lead),
      spam: (by: TestSession, id: string) => by.post(`/leads/${id}/spam`, undefined),
    };
    const change = (by: TestSession, id: string, changes: object, { status, owner, response }: Item) =>
      by.patch(`/leads/${id}`, {
        ...changes,
        seenStatus: status,
        seenOwnerId: (owner as Item | null)?.['id'] ?? null,
        seenAnswered: response === 'answered',
      });

    it('a reply is refused after every change, a change of the work only after another one', async () => {
      const names = Object.keys(acts) as (keyof typeof acts)[];
      const rows = [`| first, then | ${names.join(' | ')} |`, `|---|${names.map(() => '---|').join('')}`];
      for (const first of names) {
        const cells: string[] = [];
        for (const second of names) {
          const id = await submit();
          const seen = itemOf(await staff().get(`/leads/${id}`), 200);
          const done = await acts[first](staff(), id, seen);
          expect(done.status, first).to.be.within(200, 204);
          cells.push(String((await acts[second](colleague, id, seen)).status));
        }
        rows.push(`| ${first} | ${cells.join(' | ')} |`);
      }
      expect(rows).to.deep.equal([
        '| first, then | reply | note | status | owner | answered | spam |',
        '|---|---|---|---|---|---|---|',
        '| reply | 412 | 201 | 200 | 200 | 200 | 204 |',
        '| note | 412 | 201 | 200 | 200 | 200 | 204 |',
        '| status | 412 | 201 | 412 | 412 | 412 | 204 |',
        '| owner | 412 | 201 | 412 | 412 | 412 | 204 |',
        '| answered | 412 | 201 | 412 | 412 | 412 | 204 |',
        '| spam | 409 | 201 | 200 | 200 | 200 | 204 |',
      ]);
    });
  });
});

describe('simulated replies', () => {
  const api = withTestApi();
  const staff = withSession(api);

  it('store nothing, and the session says so', async () => {
    const { id } = (await api().post('/api/contact', validExample(contactForm))).json() as StoredLead;
    expect((await staff().post(`/leads/${id}/replies`, written)).status).to.equal(409);
    expect(await api().database('follow_ups').where({ kind: 'reply' })).to.deep.equal([]);
    expect((await staff().get('/session')).json()).to.include({ replies: 'simulated' });
  });
});
