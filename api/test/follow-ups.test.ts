import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { followUpStates, type FollowUpState } from '@dune-tide/domain/follow-ups';
import { validExample } from '@dune-tide/domain/test/examples';
import { createTestDatabase } from '@dune-tide/testkit/database';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { expect } from 'chai';
import { followUpsCommand, followUpsUsage } from '@dune-tide/ops/commands/follow-ups';
import { OperatorError } from '@dune-tide/ops/command-line/operator-error';
import { impossibleIds } from './hostile-values.ts';
import { withSession } from './staff-support.ts';
import { fakeProducer, untilWoken, withTestApi, type TestResponse, type ProblemBody } from './support.ts';

type Item = Record<string, unknown>;

const producer = fakeProducer(async () => undefined);

describe('the follow-ups of staff and operators', () => {
  const api = withTestApi({ producer });
  const staff = withSession(api);
  beforeEach(async () => {
    await api().clear();
    producer.batches.length = 0;
  });
  afterEach(() => acceptAll());

  /**
   * Stores a follow-up and its own lead.
   * @returns the id of both
   */
  async function addFollowUp(state: FollowUpState, overrides: Item = {}): Promise<string> {
    const id = randomUUID();
    await api()
      .database('leads')
      .insert({ id, kind: 'contact', email: 'zq9@example.com', answers: JSON.stringify(validExample(contactForm)) });
    await api()
      .database('follow_ups')
      .insert({
        id,
        lead_id: id,
        kind: 'acknowledgement',
        recipient: 'zq9@example.com',
        message_id: `<${id}@example.com>`,
        state,
        lease: state === 'sending' ? randomUUID() : null,
        sent_at: state === 'sent' ? new Date() : null,
        ...overrides,
      });
    return id;
  }
  /** Stores one follow-up more than a batch holds. The database refuses to change the last one. */
  async function oweOneTooMany(state: FollowUpState): Promise<void> {
    const { database } = api();
    await api().clear();
    await acceptAll();
    const last = await addFollowUp(state, { created_at: new Date(), updated_at: new Date() });
    await database.raw(
      `with added as (
         insert into leads (id, kind, email, answers)
         select gen_random_uuid(), kind, email, answers from leads, generate_series(1, 500) where id = :last
         returning id
       )
       insert into follow_ups (id, lead_id, kind, recipient, message_id, state, created_at, updated_at)
       select added.id, added.id, 'acknowledgement', 'zq9-' || added.id || '@example.com', '<' || added.id || '@example.com>', :state, past, past
       from added, (select now() - interval '1 hour' as past)`,
      { last, state },
    );
    await database.raw(
      `create or replace function refuse() returns trigger language plpgsql as
         $$ begin raise exception 'refused' using errcode = 'query_canceled'; end $$;
       create trigger refused before update on follow_ups for each row
         when (new.id = '${last}') execute function refuse()`,
    );
  }
  const acceptAll = (): PromiseLike<unknown> => api().database.raw('drop trigger if exists refused on follow_ups');
  const stateOf = async (id: string): Promise<string> =>
    (await api().database('follow_ups').where({ id }).first<{ state: string }>('state')).state;
  const itemsOf = (response: TestResponse): Item[] => {
    expect(response.status, response.text).to.equal(200);
    return response.json() as Item[];
  };
  /** Returns the last entries of the audit log, the newest first. */
  const lastEntries = (count: number): PromiseLike<Item[]> =>
    api()
      .database('audit_log')
      .orderBy('position', 'desc')
      .limit(count)
      .select<Item[]>('action', 'actor', 'actor_id', 'subject_id', 'details');
  const ofStaff = () => ({ actor: 'staff', actor_id: staff().account.id });

  describe('over HTTP', () => {
    it('are listed by state, without the visitor’s input except the address', async () => {
      const id = await addFollowUp('failed', { attempts: 3, server_answer: '550 5.1.1 No such user' });
      await addFollowUp('sent');
      const response = await staff().get('/follow-ups?state=failed');
      const [item] = itemsOf(response);
      expect(response.headers['x-total-count']).to.equal('1');
      expect(item).to.deep.include({
        id,
        leadId: id,
        leadEmail: 'zq9@example.com',
        kind: 'acknowledgement',
        recipient: 'zq9@example.com',
        state: 'failed',
        attempts: 3,
        serverAnswer: '550 5.1.1 No such user',
        nextTryAt: null,
        sentAt: null,
      });
      expect(Object.keys(item ?? {})).to.have.members(
        'id leadId leadEmail kind event recipient state attempts serverAnswer withheldReason nextTryAt sentAt createdAt updatedAt'.split(
          ' ',
        ),
      );
    });

    it('are listed for one lead in every state', async () => {
      const id = await addFollowUp('sent');
      const notice = randomUUID();
      await api()
        .database('follow_ups')
        .insert({
          id: notice,
          lead_id: id,
          kind: 'staff_notice',
          recipient: 'staff@example.com',
          message_id: `<${notice}@example.com>`,
        });
      await addFollowUp('failed');
      const items = itemsOf(await staff().get(`/leads/${id}/follow-ups`));
      expect(items.map(({ kind, state, leadEmail }) => [kind, state, leadEmail])).to.deep.equal([
        ['acknowledgement', 'sent', 'zq9@example.com'],
        ['staff_notice', 'pending', 'zq9@example.com'],
      ]);
    });

    it('are an empty list for a lead without any, and 404 for an unknown or malformed id', async () => {
      const id = await addFollowUp('sent');
      await api().database('follow_ups').where({ id }).delete();
      expect(itemsOf(await staff().get(`/leads/${id}/follow-ups`))).to.deep.equal([]);
      for (const unknown of [randomUUID(), ...impossibleIds]) {
        expect((await staff().get(`/leads/${unknown}/follow-ups`)).status, unknown).to.equal(404);
      }
    });

    it('are listed page by page in both orders', async () => {
      const ids = [];
      for (const second of [1, 2, 2, 2, 3])
        ids.push(await addFollowUp('failed', { created_at: new Date(second * 1000) }));
      for (const order of ['newest', 'oldest']) {
        const seen: unknown[] = [];
        let path: string | undefined = `/follow-ups?state=failed&order=${order}&limit=2`;
        while (path !== undefined) {
          const response: TestResponse = await staff().get(path);
          seen.push(...itemsOf(response).map((item) => item['id']));
          path = /^<\/api\/admin(\/.+)>; rel="next"$/.exec(String(response.headers['link'] ?? ''))?.[1];
        }
        expect(seen).to.have.members(ids).and.to.have.length(ids.length);
        expect(seen[0]).to.equal(order === 'newest' ? ids[4] : ids[0]);
      }
    });

    it('are counted, with the age of the oldest that waits', async () => {
      const none = Object.fromEntries(followUpStates.map((state) => [state, 0]));
      expect((await staff().get('/follow-ups/counts')).json()).to.deep.equal({
        counts: none,
        oldestWaitingSeconds: null,
      });
      await addFollowUp('failed');
      await addFollowUp('pending', { created_at: api().database.raw(`now() - interval '90 seconds'`) });
      const { counts, oldestWaitingSeconds } = (await staff().get('/follow-ups/counts')).json() as Item;
      expect(counts).to.deep.equal({ ...none, failed: 1, pending: 1 });
      expect(oldestWaitingSeconds).to.be.within(89, 200);
    });

    it('are retried one by one: due immediately, queued and audited', async () => {
      const id = await addFollowUp('failed', { attempts: 9 });
      const response = await staff().post(`/follow-ups/${id}/retry`, undefined);
      expect(response.json()).to.include({ id, state: 'pending', attempts: 0 });
      await untilWoken(producer, [id]);
      expect(producer.batches.flat()).to.deep.include({ id, kind: 'acknowledgement' });
      expect(await lastEntries(1)).to.deep.equal([
        { action: 'follow_up_retried', ...ofStaff(), subject_id: id, details: { followUpId: id } },
      ]);
    });

    it('are cancelled one by one and audited', async () => {
      const id = await addFollowUp('pending');
      expect((await staff().post(`/follow-ups/${id}/cancel`, undefined)).json()).to.include({ state: 'cancelled' });
      expect(await lastEntries(1)).to.deep.equal([
        { action: 'follow_up_cancelled', ...ofStaff(), subject_id: id, details: { followUpId: id } },
      ]);
      expect(producer.batches.flat().map((wakeUp) => wakeUp.id)).to.not.include(id);
    });

    it('are cancelled after they failed or were withheld, one by one or all of a state', async () => {
      for (const state of ['failed', 'withheld'] as const) {
        const [one, other] = [await addFollowUp(state), await addFollowUp(state)];
        expect((await staff().post(`/follow-ups/${one}/cancel`, undefined)).json()).to.include({ state: 'cancelled' });
        expect(await stateOf(other)).to.equal(state);
        expect((await staff().post('/follow-ups/cancel', { state })).json()).to.deep.equal({ changed: 1 });
        expect(await stateOf(other)).to.equal('cancelled');
      }
    });

    it('are not changed if their state has changed since the caller saw it', async () => {
      const id = await addFollowUp('cancelled');
      expect((await staff().post(`/follow-ups/${id}/retry?state=failed`, undefined)).status).to.equal(409);
      expect((await staff().post(`/follow-ups/${id}/retry?state=sent`, undefined)).status).to.equal(422);
      expect(await stateOf(id)).to.equal('cancelled');
      expect((await staff().post(`/follow-ups/${id}/retry?state=cancelled`, undefined)).status).to.equal(200);
      expect((await staff().post(`/follow-ups/${id}/cancel?state=failed`, undefined)).status).to.equal(409);
      expect(await stateOf(id)).to.equal('pending');
    });

    it('are not changed in a state that does not allow it', async () => {
      for (const [state, change] of [
        ['sending', 'retry'],
        ['sending', 'cancel'],
        ['sent', 'retry'],
        ['sent', 'cancel'],
        ['pending', 'retry'],
        ['cancelled', 'cancel'],
      ] as const) {
        const id = await addFollowUp(state);
        const response = await staff().post(`/follow-ups/${id}/${change}`, undefined);
        expect(response.status, `${change} ${state}`).to.equal(409);
        expect((response.json() as ProblemBody).detail).to.equal(`The follow-up is ${state} now.`);
        expect(await stateOf(id)).to.equal(state);
      }
    });

    it('are retried and cancelled together, only those of one state', async () => {
      const failed = [await addFollowUp('failed'), await addFollowUp('failed')];
      const [waiting, sending] = [await addFollowUp('pending'), await addFollowUp('sending')];
      expect((await staff().post('/follow-ups/cancel', { state: 'pending' })).json()).to.deep.equal({ changed: 1 });
      expect((await staff().post('/follow-ups/retry', { state: 'failed' })).json()).to.deep.equal({ changed: 2 });
      const entry = { ...ofStaff(), subject_id: null };
      expect(await lastEntries(2)).to.deep.equal([
        { ...entry, action: 'follow_ups_retried', details: { state: 'failed', count: 2 } },
        { ...entry, action: 'follow_ups_cancelled', details: { state: 'pending', count: 1 } },
      ]);
      await untilWoken(producer, failed);
      const own = new Set([...failed, waiting, sending]);
      const woken = producer.batches.flat().map(({ id }) => id);
      expect(woken.filter((id) => own.has(id))).to.have.members(failed);
      expect([await stateOf(waiting), await stateOf(sending)]).to.deep.equal(['cancelled', 'sending']);
      expect((await staff().post('/follow-ups/retry', { state: 'failed' })).json()).to.deep.equal({ changed: 0 });
    });

    it('are listed, counted, retried and cancelled by transport', async () => {
      const email = await addFollowUp('failed');
      const webhook = await addFollowUp('failed', { kind: 'webhook', recipient: null, message_id: null });
      await api().database('webhook_events').insert({
        id: webhook,
        lead_id: webhook,
        lead_version: 1,
        lead_kind: 'contact',
        type: 'lead.created',
        lead_after: '{}',
      });
      for (const [transport, id, event] of [
        ['email', email, null],
        ['webhook', webhook, 'lead.created'],
      ] as const) {
        const response = await staff().get(`/follow-ups?state=failed&transport=${transport}`);
        expect(response.headers['x-total-count'], transport).to.equal('1');
        expect(itemsOf(response)).to.have.length(1);
        expect(itemsOf(response)[0], transport).to.include({ id, event });
        const counts = await staff().get(`/follow-ups/counts?transport=${transport}`);
        expect(counts.json()).to.have.nested.include({ 'counts.failed': 1 });
      }
      const wanted = { state: 'failed', transport: 'webhook' };
      expect((await staff().post('/follow-ups/retry', wanted)).json()).to.deep.equal({ changed: 1 });
      const [entry] = await lastEntries(1);
      expect(entry?.['details']).to.deep.equal({ ...wanted, count: 1 });
      expect([await stateOf(email), await stateOf(webhook)]).to.deep.equal(['failed', 'pending']);
    });

    it('are audited for the finished batches if a change of all of a state fails', async () => {
      for (const [state, change, action] of [
        ['failed', 'retry', 'follow_ups_retried'],
        ['pending', 'cancel', 'follow_ups_cancelled'],
      ] as const) {
        await oweOneTooMany(state);
        const { status } = await staff().post(`/follow-ups/${change}`, { state });
        expect(status, change).to.equal(503);
        expect(await lastEntries(1), change).to.deep.equal([
          { action, ...ofStaff(), subject_id: null, details: { state, count: 500 } },
        ]);
      }
    });

    it('reject invalid ids, states, parameters and methods', async () => {
      for (const id of impossibleIds) {
        for (const change of ['retry', 'cancel']) {
          const { status } = await staff().post(`/follow-ups/${id}/${change}`, undefined);
          expect(status, id.slice(0, 40)).to.be.oneOf([404, 414]);
        }
      }
      const id = randomUUID();
      const cases: readonly (readonly [number, string, string, unknown?])[] = [
        [404, 'POST', `/follow-ups/${id}/retry`],
        [404, 'GET', `/follow-ups/${id}`],
        [405, 'GET', `/follow-ups/${id}/retry`],
        [405, 'DELETE', '/follow-ups'],
        [405, 'PATCH', '/follow-ups/counts'],
        [422, 'GET', '/follow-ups'],
        [422, 'GET', '/follow-ups?state=lost'],
        [422, 'GET', '/follow-ups?state=sent&state=failed'],
        [422, 'GET', '/follow-ups?state=sent&order=random'],
        [422, 'GET', '/follow-ups?state=sent&transport=fax'],
        [422, 'GET', '/follow-ups/counts?transport=fax'],
        [422, 'POST', '/follow-ups/retry', { state: 'failed', transport: 'fax' }],
        [422, 'GET', '/follow-ups?state=sent&limit=101'],
        [422, 'GET', '/follow-ups?state=sent&cursor=abc'],
        [422, 'POST', '/follow-ups/retry', {}],
        [422, 'POST', '/follow-ups/retry', { state: 'sending' }],
        [422, 'POST', '/follow-ups/retry', { state: ['failed'] }],
        [422, 'POST', '/follow-ups/cancel', { state: 'sending' }],
        [422, 'POST', '/follow-ups/cancel', null],
        [400, 'POST', '/follow-ups/cancel', '{'],
      ];
      for (const [status, method, path, body] of cases) {
        const response = await staff().sendJson(method, `/api/admin${path}`, body === null ? 'null' : body);
        expect(response.status, `${method} ${path} ${JSON.stringify(body)}`).to.equal(status);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
      const foreign = await staff().post('/follow-ups/retry', { state: 'failed' }, { Origin: 'https://evil.example' });
      expect(foreign.status).to.equal(403);
    });
  });

  describe('found by an address, a lead or a Message-ID', () => {
    async function addAllKinds() {
      const failed = await addFollowUp('failed', { attempts: 1, server_answer: '550 5.1.1 No such user' });
      const replied = await addFollowUp('withheld', {
        kind: 'reply',
        recipient: 'Corrected+tag@example.com',
        withheld_reason: 'opted_out',
      });
      const reminded = await addFollowUp('pending', {
        lead_id: null,
        kind: 'account_notice',
        recipient: 'reem@example.com',
        server_answer: 'ECONNREFUSED',
      });
      return { failed, replied, reminded };
    }
    const find = async (term: string) => {
      const response = await staff().get(`/follow-ups/search?term=${encodeURIComponent(term)}`);
      expect(response.status).to.equal(200);
      return (response.json() as Item[]).map(({ id, inWords }) => ({ id, inWords }));
    };

    it('are shown with the reason why they were not sent', async () => {
      const { failed, replied, reminded } = await addAllKinds();
      const unknown = {
        id: failed,
        inWords: 'It was not sent and is not tried again. This address does not exist.',
      };
      const optedOut = {
        id: replied,
        inWords: 'It was not sent. The owner of this mailbox asked for no more automatic emails.',
      };
      const unreachable = {
        id: reminded,
        inWords: 'It waits until its next attempt. The mail server could not be reached.',
      };
      expect(await find('ZQ9@example.com')).to.have.deep.members([unknown, optedOut]);
      expect(await find('corrected@example.com')).to.deep.equal([optedOut]);
      expect(await find('reem@example.com')).to.deep.equal([unreachable]);
      for (const term of [failed, failed.toUpperCase(), `<${failed}@example.com>`, `${failed}@EXAMPLE.com`]) {
        expect(await find(term), term).to.deep.equal([unknown]);
      }
      for (const term of ['other@example.com', randomUUID(), `<${failed}@other.example>`]) {
        expect(await find(term), term).to.deep.equal([]);
      }
      for (const term of ['', 'zq9', '@example.com', 'x'.repeat(321)]) {
        expect((await staff().get(`/follow-ups/search?term=${term}`)).status, term).to.equal(422);
      }
    });

    it('are printed by the command in one call', async () => {
      const { failed } = await addAllKinds();
      const lines: string[] = [];
      const show = async (term: string): Promise<void> =>
        followUpsCommand(['show', term])({ database: api().database, say: (line) => void lines.push(line) });
      await show(failed);
      const { created_at: createdAt } = await api()
        .database('follow_ups')
        .where({ id: failed })
        .first<{ created_at: Date }>('created_at');
      expect(lines).to.deep.equal([
        `Acknowledgement ${failed}: failed`,
        '  It was not sent and is not tried again. This address does not exist.',
        '  To:            zq9@example.com',
        `  Lead:          ${failed}`,
        `  Message-ID:    <${failed}@example.com>`,
        '  Attempts:      1',
        `  Created:       ${createdAt.toISOString()}`,
        '  Last response: 550 5.1.1 No such user',
      ]);
      lines.length = 0;
      await show('other@example.com');
      expect(lines).to.deep.equal(['No follow-ups were found.']);
      expect(() => followUpsCommand(['show', 'Reem'])).to.throw(
        OperatorError,
        'Reem is not an address, an id or a Message-ID.',
      );
      expect(() => followUpsCommand(['show'])).to.throw(OperatorError, 'show needs an ADDRESS, LEAD or MESSAGE-ID');
    });
  });

  describe('with the command', () => {
    async function command(...words: string[]): Promise<{ lines: string[]; error?: string }> {
      const lines: string[] = [];
      try {
        await followUpsCommand(words)({ database: api().database, say: (line) => void lines.push(line) });
        return { lines };
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return { lines, error: error.message };
      }
    }

    it('are counted', async () => {
      expect((await command('counts')).lines.at(-1)).to.equal('No follow-up is waiting.');
      await addFollowUp('failed');
      await addFollowUp('pending', { created_at: api().database.raw(`now() - interval '2 hours'`) });
      const { lines } = await command('counts');
      expect(lines).to.include('failed     1').and.include('cancelled  0');
      expect(lines.at(-1)).to.equal('The oldest has waited for 2 h.');
      await api().clear();
      const old = await addFollowUp('failed', { created_at: api().database.raw(`now() - interval '2 hours'`) });
      await command('retry', old);
      expect((await command('counts')).lines.at(-1)).to.match(/^The oldest has waited for \d+ s\.$/);
    });

    it('are listed in a table whose lines the mail server cannot break', async () => {
      const id = await addFollowUp('failed', { attempts: 2, server_answer: '550 No\r\nsuch\u2028\u001b[31muser' });
      const { lines } = await command('list', 'failed');
      expect(lines).to.have.length(2);
      expect(lines[0]).to.match(/^ID +KIND +TO +LEAD +ATTEMPTS +CREATED +NEXT ATTEMPT OR SENT +LAST RESPONSE$/);
      expect(lines[1]).to.match(new RegExp(`^${id} .*zq9@example.com .* 2 .*550 No such \\[31muser$`));
      const newer = await addFollowUp('failed');
      const first = async (...options: string[]) => {
        const found = await command('list', 'failed', '--limit', '1', ...options);
        expect(found.lines).to.have.length(2);
        return found.lines[1]?.split(' ')[0];
      };
      expect(await first()).to.equal(newer);
      expect(await first('--oldest')).to.equal(id);
      expect((await command('list', 'withheld')).lines).to.deep.equal(['No withheld follow-ups.']);
    });

    it('are retried and cancelled, one by one or together', async () => {
      const [failed, waiting] = [await addFollowUp('failed'), await addFollowUp('pending')];
      expect((await command('retry', failed)).lines).to.deep.equal([`${failed} to zq9@example.com will be retried.`]);
      expect((await command('retry', failed)).error).to.equal(`${failed} is pending and was not changed.`);
      expect((await command('cancel', waiting)).lines).to.deep.equal([`${waiting} to zq9@example.com is cancelled.`]);
      expect((await command('cancel', 'all')).lines).to.deep.equal(['Cancelled: 1.']);
      expect((await command('retry', 'all')).lines).to.deep.equal(['Retried: 0.']);
      expect((await command('retry', 'all', '--state', 'cancelled')).lines).to.deep.equal(['Retried: 2.']);
      const byOperator = { actor: 'operator', actor_id: null };
      expect(await lastEntries(4)).to.deep.equal([
        {
          action: 'follow_ups_retried',
          ...byOperator,
          subject_id: null,
          details: { state: 'cancelled', count: 2 },
        },
        {
          action: 'follow_ups_cancelled',
          ...byOperator,
          subject_id: null,
          details: { state: 'pending', count: 1 },
        },
        { action: 'follow_up_cancelled', ...byOperator, subject_id: waiting, details: { followUpId: waiting } },
        { action: 'follow_up_retried', ...byOperator, subject_id: failed, details: { followUpId: failed } },
      ]);
    });

    it('are counted for the finished batches if a change of all of a state fails', async () => {
      for (const [words, state, told] of [
        [['retry', 'all'], 'failed', 'Retried: 500.'],
        [['cancel', 'all'], 'pending', 'Cancelled: 500.'],
      ] as const) {
        await oweOneTooMany(state);
        const lines: string[] = [];
        const running = followUpsCommand(words)({ database: api().database, say: (line) => void lines.push(line) });
        const error: unknown = await running.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error, words[0]).to.be.instanceOf(DatabaseUnavailableError);
        expect(lines, String((error as Error).cause)).to.deep.equal([told]);
      }
    });

    it('are cancelled after they failed, all of them only if the state is named', async () => {
      const [one, other, waiting] = [
        await addFollowUp('failed'),
        await addFollowUp('failed'),
        await addFollowUp('pending'),
      ];
      expect((await command('cancel', one)).lines).to.deep.equal([`${one} to zq9@example.com is cancelled.`]);
      expect((await command('cancel', 'all')).lines).to.deep.equal(['Cancelled: 1.']);
      expect([await stateOf(waiting), await stateOf(other)]).to.deep.equal(['cancelled', 'failed']);
      expect((await command('cancel', 'all', '--state', 'failed')).lines).to.deep.equal(['Cancelled: 1.']);
    });

    it('explain what happens when all withheld ones are retried', async () => {
      expect((await command('retry', 'all', '--state', 'withheld')).lines).to.deep.equal(['Retried: 0.']);
      await addFollowUp('withheld');
      expect((await command('retry', 'all', '--state', 'withheld')).lines).to.deep.equal([
        'Retried: 1.',
        'A retry ignores the email limits. An email stays withheld while its mailbox is opted out of automatic emails.',
      ]);
    });

    it('are read by the program, which exits with 1 if the database is unavailable', async () => {
      const file = fileURLToPath(new URL('../../ops/dist/src/follow-ups.js', import.meta.url));
      const run = (url: string) =>
        promisify(execFile)(process.execPath, [file, 'counts'], {
          env: { PATH: process.env['PATH'], DATABASE_URL: url },
        }).then(
          ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
          ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
        );
      const fine = await run(api().databaseUrl);
      expect([fine.code, fine.stdout.split('\n')[0]]).to.deep.equal([0, 'STATE      COUNT']);
      expect(await run('postgres://studio@127.0.0.1:1/studio')).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: 'The database is unavailable (ECONNREFUSED: no server is listening there).\n',
      });
    });

    it('cannot be read before the migration has run, with an error that names it', async () => {
      const empty = await createTestDatabase('template0');
      try {
        const file = fileURLToPath(new URL('../../ops/dist/src/follow-ups.js', import.meta.url));
        const ended: unknown = await promisify(execFile)(process.execPath, [file, 'counts'], {
          env: { PATH: process.env['PATH'], DATABASE_URL: empty.url },
        }).catch((error: unknown) => error);
        expect(ended).to.deep.include({
          code: 1,
          stdout: '',
          stderr: 'Tables are missing in the database. Run the migration first.\n',
        });
      } finally {
        await empty.drop();
      }
    });

    it('print an error in one line', async () => {
      const unknown = randomUUID();
      expect((await command('retry', unknown)).error).to.equal(`The follow-up ${unknown} does not exist.`);
      expect((await command('cancel', 'x')).error).to.equal('The follow-up x does not exist.');
      expect((await command('list', 'lost')).error).to.match(/^The state must be one of pending, /);
      expect((await command('list', 'sent', '--limit', '0')).error).to.match(/^The limit must be/);
      expect((await command('retry', 'all', '--state', 'sent')).error).to.match(/^The state must be one of failed, /);
      expect(followUpsUsage)
        .to.include('retry a failed, withheld or cancelled one\n')
        .and.include('cancel a pending, failed or withheld one\n');
    });

    it('print the error and the usage if the arguments are invalid', async () => {
      const cases: readonly (readonly [words: readonly string[], reason: string])[] = [
        [[], '.'],
        [['constructor'], '.'],
        [['list', 'failed', '--newest'], ': unknown option.'],
        [['list', 'failed', '--limit'], ': an option value is missing or not allowed.'],
        [['counts', 'x'], ': counts takes no arguments.'],
        [['list'], ': list needs a STATE.'],
        [['list', 'failed', 'sent'], ': list takes one STATE.'],
        [['list', '--state', 'failed'], ': list needs a STATE.'],
        [['retry'], ': retry needs an ID, or all.'],
        [['cancel'], ': cancel needs an ID, or all.'],
        [['retry', 'a', 'b'], ': retry takes one ID, or all.'],
        [['counts', '--limit=1'], ': counts takes no --limit.'],
        [['list', 'sent', '--state', 'sent'], ': list takes no --state.'],
        [['retry', 'all', '--oldest'], ': retry takes no --oldest.'],
        [['cancel', randomUUID(), '--state', 'failed'], ': --state is allowed only with all.'],
      ];
      for (const [words, reason] of cases) {
        const { lines, error = '' } = await command(...words);
        expect(lines).to.deep.equal([]);
        const [told, , usage] = error.split('\n');
        expect(told, words.join(' ')).to.equal(`Invalid command${reason}`);
        expect(usage).to.equal('Usage: make follow-ups ARGS="COMMAND"');
      }
    });
  });

  describe('without a lead and a recipient, as later kinds will be', () => {
    const strict = ['follow_ups_kinds_with_a_lead', 'follow_ups_kinds_by_email'] as const;
    const definitions = new Map<string, string>();
    before(async () => {
      const { rows } = await api().database.raw<{ rows: { name: string; definition: string }[] }>(
        `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where conname = any (?)`,
        [[...strict]],
      );
      for (const { name, definition } of rows) {
        definitions.set(name, definition);
        await api().database.raw(`alter table follow_ups drop constraint ${name}`);
      }
    });
    after(async () => {
      await api().database('follow_ups').delete();
      for (const [name, definition] of definitions) {
        await api().database.raw(`alter table follow_ups add constraint ${name} ${definition}`);
      }
    });

    it('are listed, retried and cancelled over HTTP', async () => {
      const id = await addFollowUp('failed', { lead_id: null, recipient: null, message_id: null });
      const [item] = itemsOf(await staff().get('/follow-ups?state=failed'));
      expect(item).to.include({ id, leadId: null, leadEmail: null, recipient: null });
      for (const change of ['retry', 'cancel']) {
        expect((await staff().post(`/follow-ups/${id}/${change}`, undefined)).status, change).to.equal(200);
      }
    });

    it('are listed, retried and cancelled with the command', async () => {
      const id = await addFollowUp('failed', { lead_id: null, recipient: null, message_id: null });
      const lines: string[] = [];
      for (const words of [
        ['list', 'failed'],
        ['retry', id],
        ['cancel', id],
      ]) {
        await followUpsCommand(words)({ database: api().database, say: (line) => void lines.push(line) });
      }
      expect(lines[1]).to.match(new RegExp(`^${id} +acknowledgement +- +- +0 `));
      expect(lines.slice(2)).to.deep.equal([`${id} will be retried.`, `${id} is cancelled.`]);
    });
  });
});
