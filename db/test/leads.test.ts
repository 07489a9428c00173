import { randomUUID } from 'node:crypto';
import { leadDefinitions, leadKinds, requiredFollowUps } from '@dune-tide/domain/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import type { Knex } from 'knex';
import pg from 'pg';
import { connectDatabase, connectForMaintenance, servingLimits } from '../src/connection/connect.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import { leadIntake, type NewLead } from '../src/leads/intake.ts';
import { leadWork, type RequiredBy } from '../src/leads/work.ts';
import { fieldsOf, insert, leadRow, newLead, staffRow } from './rows.ts';

const mailDomain = 'mail.example.com';
const idempotent = (idempotencyKey: string) => ({ idempotencyKey });

/** Returns the error of a rejected promise. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

describe('leadIntake', () => {
  const test = withTestDatabase();
  const intake = (db: Knex = test().database) => leadIntake(db, mailDomain);
  const work = () => leadWork(test().database, mailDomain);
  let actor: { readonly id: string; readonly name: string };
  before(async () => {
    const { id, name } = await insert(test().database, 'staff', staffRow());
    actor = { id: String(id), name: String(name) };
  });

  const count = async (table: string): Promise<number> => {
    const row = await test().database(table).count<{ count: string }[]>('* as count');
    return Number(row[0]?.count);
  };

  beforeEach(() => test().database('leads').delete());

  describe('a lead', () => {
    for (const kind of leadKinds) {
      it(`of the kind ${kind} is stored with its follow-ups`, async () => {
        const required = requiredFollowUps({ kind, email: 'noura@example.com' }, 'staff@example.com');
        const taken = await intake().storeLead(newLead({ kind, followUps: required }));
        if (taken.outcome !== 'stored') expect.fail(taken.outcome);

        const stored = await test().database('leads').select<Record<string, unknown>[]>();
        expect(stored).to.have.length(1);
        expect(stored[0]).to.deep.include({
          id: taken.id,
          kind,
          email: 'noura@example.com',
          status: leadDefinitions[kind].initialStatus,
          answers: fieldsOf(kind),
          idempotency_key: null,
        });

        const followUps = await test().database('follow_ups').orderBy('id').select<Record<string, unknown>[]>();
        expect(followUps.map((row) => ({ id: row['id'], kind: row['kind'] }))).to.have.deep.members([
          ...taken.followUps,
        ]);
        expect(followUps.map((row) => ({ kind: row['kind'], recipient: row['recipient'] }))).to.have.deep.members(
          required,
        );
        for (const row of followUps) {
          expect(row).to.include({ lead_id: taken.id, state: 'pending', attempts: 0, lease: null, sent_at: null });
          expect(row['message_id']).to.equal(`<${String(row['id'])}@${mailDomain}>`);
        }
      });
    }

    it('has the time of the database, like its follow-ups', async () => {
      await intake().storeLead(newLead());
      const { rows } = await test().database.raw<{ rows: { isRecent: boolean; isSame: boolean; isDue: boolean }[] }>(
        `select l.created_at between now() - interval '20 seconds' and now() as "isRecent",
                l.created_at = f.created_at as "isSame", f.available_at <= now() as "isDue"
         from leads l join follow_ups f on f.lead_id = l.id`,
      );
      expect(rows).to.deep.equal([{ isRecent: true, isSame: true, isDue: true }]);
    });

    it('is stored as typed, with emoji, right-to-left text, quotes, backslashes and markup', async () => {
      const message = `مرحبا 🌊👩🏽‍🚀 \u202bx\u202c "Zoë" 'O''Neill' \\ <b>?</b> :id ?? $1 %s \r\n\t; drop table leads; --`;
      const fields = { ...fieldsOf('contact'), message, [`key 'of' "their" own ?`]: [message, null, 1.5, true] };
      const email = `o'neill+"x"@example.com`;
      await intake().storeLead(
        newLead({
          fields,
          email,
          followUps: [{ kind: 'acknowledgement', recipient: email }],
          ...idempotent(`'"?:$1`),
        }),
      );
      const lead = await test().database('leads').first<Record<string, unknown>>();
      expect(lead).to.deep.include({ answers: fields, email, idempotency_key: `'"?:$1` });
      expect(await test().database('follow_ups').first<Record<string, unknown>>()).to.include({ recipient: email });
    });

    it('without follow-ups is stored', async () => {
      const taken = await intake().storeLead(newLead({ followUps: [] }));
      expect(taken).to.deep.include({ outcome: 'stored', followUps: [] });
      expect(await count('leads')).to.equal(1);
    });

    it('has an id that sorts after those of earlier leads', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        const taken = await intake().storeLead(newLead());
        if (taken.outcome === 'stored') ids.push(taken.id);
      }
      expect(ids).to.have.length(5);
      expect(ids.toSorted()).to.deep.equal(ids);
    });
  });

  describe('a lead that is held as spam', () => {
    const required = requiredFollowUps({ kind: 'contact', email: 'noura@example.com' }, 'staff@example.com');
    const storeSuspect = async (): Promise<string> => {
      const taken = await intake().storeLead(newLead({ spamSign: 'honeypot', followUps: required }));
      if (taken.outcome !== 'stored') expect.fail(taken.outcome);
      expect(taken.followUps).to.deep.equal([]);
      return taken.id;
    };
    const signs = async (): Promise<unknown[]> => test().database('leads').pluck('spam_sign');

    it('is stored with its spam sign and without follow-ups', async () => {
      await storeSuspect();
      expect(await signs()).to.deep.equal(['honeypot']);
      expect(await count('follow_ups')).to.equal(0);
    });

    it('keeps the spam sign of its first request if a second request has none', async () => {
      const key = idempotent('a key of a suspect');
      await intake().storeLead(newLead({ ...key, spamSign: 'too_fast' }));
      expect((await intake().storeLead(newLead(key))).outcome).to.equal('replayed');
      expect(await signs()).to.deep.equal(['too_fast']);
      expect(await count('follow_ups')).to.equal(0);
    });

    it('has its follow-ups after it is released', async () => {
      const id = await storeSuspect();
      const requiredBy: RequiredBy = ({ kind, email }) => {
        expect({ kind, email }).to.deep.equal({ kind: 'contact', email: 'noura@example.com' });
        return required;
      };
      const release = await work().release(id, requiredBy, actor);
      if (release.outcome !== 'released') expect.fail(release.outcome);
      const rows = await test().database('follow_ups').select<Record<string, unknown>[]>();
      expect(rows.map((row) => ({ id: row['id'], kind: row['kind'] }))).to.have.deep.members([...release.followUps]);
      expect(rows.map(({ kind, recipient }) => ({ kind, recipient }))).to.have.deep.members(required);
      for (const row of rows) {
        expect(row).to.include({ lead_id: id, state: 'pending', message_id: `<${String(row['id'])}@${mailDomain}>` });
      }
      expect(await signs()).to.deep.equal([null]);
    });

    it('is released once by concurrent requests', async () => {
      const id = await storeSuspect();
      const releases = await Promise.all(Array.from({ length: 10 }, () => work().release(id, () => required, actor)));
      expect(releases.map(({ outcome }) => outcome).toSorted()).to.deep.equal([
        'released',
        ...Array.from({ length: 9 }, () => 'unmarked'),
      ]);
      expect(await count('follow_ups')).to.equal(required.length);
    });

    it('keeps its spam sign if its follow-ups cannot be stored', async () => {
      const id = await storeSuspect();
      const tooLong = { kind: 'staff_notice', recipient: 'x'.repeat(255) } as const;
      await failure(work().release(id, () => [...required, tooLong], actor));
      expect(await signs()).to.deep.equal(['honeypot']);
      expect(await count('follow_ups')).to.equal(0);
    });
  });

  it('does not release a lead without a spam sign, or an unknown one', async () => {
    const taken = await intake().storeLead(newLead());
    if (taken.outcome !== 'stored') expect.fail(taken.outcome);
    const owesNothing = () => expect.fail('the follow-ups were requested');
    expect(await work().release(taken.id, owesNothing, actor)).to.deep.equal({ outcome: 'unmarked' });
    expect(await work().release(randomUUID(), owesNothing, actor)).to.deep.equal({ outcome: 'unknown' });
    expect(await count('follow_ups')).to.equal(1);
  });

  describe('leads that arrive together', () => {
    const together = 40;

    it('are all stored, each with its own email address and follow-ups', async () => {
      const shared = intake();
      const taken = await Promise.all(
        Array.from({ length: together }, (_, index) =>
          shared.storeLead(
            newLead({
              email: `visitor-${index}@example.com`,
              followUps: [
                { kind: 'acknowledgement', recipient: `visitor-${index}@example.com` },
                ...(index % 2 === 0 ? [{ kind: 'staff_notice' as const, recipient: 'staff@example.com' }] : []),
              ],
            }),
          ),
        ),
      );
      for (const [index, intaken] of taken.entries()) {
        if (intaken.outcome !== 'stored') expect.fail(intaken.outcome);
        const lead = await test().database('leads').where({ id: intaken.id }).first<Record<string, unknown>>();
        expect(lead).to.include({ email: `visitor-${index}@example.com` });
        const rows = await test().database('follow_ups').where({ lead_id: intaken.id }).select('id', 'kind');
        expect(rows)
          .to.have.deep.members([...intaken.followUps])
          .and.to.have.length(index % 2 === 0 ? 2 : 1);
      }
      expect(await count('leads')).to.equal(together);
    });

    it('are stored although one of them is invalid', async () => {
      const shared = intake();
      const results = await Promise.allSettled(
        Array.from({ length: together }, (_, index) =>
          shared.storeLead(newLead(index === together - 1 ? { fields: {} } : idempotent(`together ${index}`))),
        ),
      );
      expect(results.filter(({ status }) => status === 'rejected')).to.have.length(1);
      expect(results.at(-1)).to.have.nested.property('reason.constraint', 'leads_contact_answers');
      expect(await count('leads')).to.equal(together - 1);
      expect(await count('follow_ups')).to.equal(together - 1);
    });

    it('with the same key become one lead, and all requests get its id', async () => {
      const shared = intake();
      const taken = await Promise.all(
        Array.from({ length: together }, () => shared.storeLead(newLead(idempotent('together')))),
      );
      expect(taken.filter(({ outcome }) => outcome === 'stored')).to.have.length(1);
      expect(taken.filter(({ outcome }) => outcome === 'replayed')).to.have.length(together - 1);
      expect(new Set(taken.map((intaken) => ('id' in intaken ? intaken.id : undefined))).size).to.equal(1);
    });

    it('in two processes do not deadlock, whatever the order of their keys', async () => {
      const keys = ['crossing a', 'crossing b', 'crossing c'];
      const [one, other] = [intake(), intake()];
      // The lock stops both statements at the middle key. In different orders each would hold the next key of the
      // other.
      const held = await test().database.transaction();
      await held('leads').insert(leadRow('contact', { idempotency_key: keys[1] }));
      const taking = Promise.all([
        ...keys.map((key) => one.storeLead(newLead(idempotent(key)))),
        ...keys.toReversed().map((key) => other.storeLead(newLead(idempotent(key)))),
      ]);
      await Promise.race([
        taking,
        until('both wait', async () => {
          const { rows } = await test().database.raw<{ rows: unknown[] }>(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length === 2;
        }),
      ]);
      await held.rollback();
      const taken = await taking;
      expect(taken.filter(({ outcome }) => outcome === 'stored')).to.have.length(keys.length);
      expect(await count('leads')).to.equal(keys.length);
    });
  });

  describe('stores nothing at all', () => {
    it('if one of several follow-ups is invalid', async () => {
      const error = await failure(
        intake().storeLead(
          newLead({
            followUps: [
              { kind: 'acknowledgement', recipient: 'noura@example.com' },
              { kind: 'staff_notice', recipient: '' },
            ],
          }),
        ),
      );
      expect(error).to.be.instanceOf(pg.DatabaseError).with.property('constraint', 'follow_ups_recipient_length');
      expect(await count('leads')).to.equal(0);
      expect(await count('follow_ups')).to.equal(0);
    });

    it('if the lead is invalid, and the key stays free', async () => {
      const refused = newLead({ fields: {}, ...idempotent('refused first') });
      const error = await failure(intake().storeLead(refused));
      expect(error).to.be.instanceOf(pg.DatabaseError).with.property('constraint', 'leads_contact_answers');
      expect(await count('leads')).to.equal(0);
      expect(await intake().storeLead(newLead(idempotent('refused first')))).to.include({ outcome: 'stored' });
    });

    it('if its transaction is rolled back', async () => {
      const changedMind = new Error('changed my mind');
      let outcome: string | undefined;
      const error = await failure(
        test().database.transaction(async (transaction) => {
          ({ outcome } = await intake(transaction).storeLead(newLead(idempotent('rolled back'))));
          throw changedMind;
        }),
      );
      expect(error).to.equal(changedMind);
      expect(outcome).to.equal('stored');
      expect(await count('leads')).to.equal(0);
      expect(await count('follow_ups')).to.equal(0);
      expect(await intake().storeLead(newLead(idempotent('rolled back')))).to.include({ outcome: 'stored' });
    });
  });

  describe('an idempotency key', () => {
    it('returns the id of the first lead for the same request, and stores nothing', async () => {
      const first = await intake().storeLead(newLead(idempotent('twice')));
      if (first.outcome !== 'stored') expect.fail(first.outcome);
      for (let i = 0; i < 2; i++) {
        expect(await intake().storeLead(newLead(idempotent('twice')))).to.deep.equal({
          outcome: 'replayed',
          id: first.id,
        });
      }
      expect(await count('leads')).to.equal(1);
      expect(await count('follow_ups')).to.equal(1);
    });

    it('is rejected with another request, without the id of the first lead', async () => {
      await intake().storeLead(newLead(idempotent('reused')));
      const fields = fieldsOf('contact');
      const others: Partial<NewLead>[] = [
        { kind: 'portfolio_request', fields: fieldsOf('portfolio_request') },
        { fields: { ...fields, message: 'Another message' } },
        { fields: { ...fields, phone: '+966 50 000 0000' } },
        { fields: { ...fields, firstName: 'noura' } },
      ];
      for (const other of others) {
        expect(await intake().storeLead(newLead({ ...idempotent('reused'), ...other }))).to.deep.equal({
          outcome: 'key_reused',
        });
      }
      expect(await count('leads')).to.equal(1);
      expect(await count('follow_ups')).to.equal(1);
    });

    it('matches the same fields in any order', async () => {
      const fields = fieldsOf('contact');
      const backwards = Object.fromEntries(Object.entries(fields).toReversed());
      await intake().storeLead(newLead({ ...idempotent('in order'), fields: { ...fields, phone: undefined } }));
      expect(await intake().storeLead(newLead({ ...idempotent('in order'), fields: backwards }))).to.include({
        outcome: 'replayed',
      });
    });

    it('is case-sensitive', async () => {
      for (const key of ['Key', 'key', 'kéy']) {
        expect(await intake().storeLead(newLead(idempotent(key))), key).to.include({ outcome: 'stored' });
      }
    });

    it('is recognised within the same transaction', async () => {
      await test().database.transaction(async (transaction) => {
        expect(await intake(transaction).storeLead(newLead(idempotent('inside')))).to.include({ outcome: 'stored' });
        expect(await intake(transaction).storeLead(newLead(idempotent('inside')))).to.include({ outcome: 'replayed' });
      });
    });

    for (const requests of [50, 200]) {
      it(`of ${requests} concurrent requests stores one lead, and all get its id`, async () => {
        const taken = await Promise.all(
          Array.from({ length: requests }, () => intake().storeLead(newLead(idempotent('concurrent')))),
        );
        const tally = new Map<string, number>();
        for (const { outcome } of taken) tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
        expect(Object.fromEntries(tally)).to.deep.equal({ stored: 1, replayed: requests - 1 });
        expect(new Set(taken.map((intaken) => ('id' in intaken ? intaken.id : undefined))).size).to.equal(1);
        expect(await count('leads')).to.equal(1);
        expect(await count('follow_ups')).to.equal(1);
      });
    }

    it('of two different concurrent requests belongs to one of them', async () => {
      const taken = await Promise.all(
        ['one message', 'another'].map((message) =>
          intake().storeLead(newLead({ ...idempotent('raced'), fields: { ...fieldsOf('contact'), message } })),
        ),
      );
      expect(taken.map(({ outcome }) => outcome)).to.have.members(['stored', 'key_reused']);
      expect(await count('leads')).to.equal(1);
    });

    it('is free if its lead is deleted during the request, which counts once', async () => {
      const quota = { key: 'a form:192.0.2.1', limit: 1, retryLimit: 1, points: 1, milliseconds: 60_000 };
      await intake().storeLead(newLead(idempotent('deleted')));
      // The only connection runs statements in order, so the lead is deleted right after the insert found its key.
      const narrow = connectDatabase({ url: test().url, applicationName: 'test', poolSize: 1 });
      try {
        await narrow.raw('select');
        const taking = intake(narrow).storeLead(newLead({ ...idempotent('deleted'), quotas: [quota] }));
        await Promise.resolve();
        await narrow('leads').delete();
        expect(await taking).to.include({ outcome: 'stored' });
      } finally {
        await narrow.destroy();
      }
      expect(await test().database('rate_limits').where({ key: quota.key }).pluck('points')).to.deep.equal([1]);
    });

    it('is optional: without it each request stores a lead', async () => {
      await Promise.all([intake().storeLead(newLead()), intake().storeLead(newLead())]);
      expect(await count('leads')).to.equal(2);
      expect(await count('follow_ups')).to.equal(2);
    });
  });

  describe('throws a DatabaseUnavailableError', () => {
    const expectUnavailable = (error: unknown, code?: string): void => {
      expect(error).to.be.instanceOf(DatabaseUnavailableError);
      const { cause } = error as DatabaseUnavailableError;
      expect(cause).to.be.instanceOf(Error);
      if (code !== undefined) expect(cause).to.have.property('code', code);
    };

    it('if no server is listening', async () => {
      const port = await freePort(0, '127.0.0.1');
      const away = connectDatabase({ url: `postgres://a:b@127.0.0.1:${port}/c`, applicationName: 'test', poolSize: 2 });
      try {
        expectUnavailable(await failure(intake(away).storeLead(newLead())), 'ECONNREFUSED');
      } finally {
        await away.destroy();
      }
    });

    it('if all connections of the pool are in use for too long', async () => {
      const timeLimits = { ...servingLimits, connect: 500 };
      const small = connectDatabase({ url: test().url, applicationName: 'test', poolSize: 1, timeLimits });
      try {
        await small.transaction(async () => {
          expectUnavailable(await failure(intake(small).storeLead(newLead())));
        });
      } finally {
        await small.destroy();
      }
    });

    for (const [setting, code] of [
      ['statement_timeout', '57014'],
      ['lock_timeout', '55P03'],
    ] as const) {
      it(`after the ${setting}`, async () => {
        await test().database.transaction(async (holder) => {
          await holder.raw('lock table leads in access exclusive mode');
          const waiting = test().database.transaction(async (transaction) => {
            await transaction.raw(`set local ${setting} = '50ms'`);
            return intake(transaction).storeLead(newLead());
          });
          expectUnavailable(await failure(waiting), code);
        });
        expect(await count('leads')).to.equal(0);
      });
    }

    it('after its time limit, even if the connection has longer ones', async () => {
      const patient = connectForMaintenance({ url: test().url, applicationName: 'test' });
      try {
        await test().database.transaction(async (holder) => {
          await holder.raw('lock table leads in access exclusive mode');
          const error = await failure(leadIntake(patient, mailDomain, 100).storeLead(newLead()));
          expectUnavailable(error);
          expect(error).to.have.nested.property('cause.message', 'Not stored within 100 ms');
        });
      } finally {
        await patient.destroy();
      }
    });

    it('if its connection is terminated, and succeeds on the next one', async () => {
      const marker = randomUUID();
      const cut = connectDatabase({ url: test().url, applicationName: marker, poolSize: 1 });
      try {
        await test().database.transaction(async (holder) => {
          await holder.raw('lock table leads in access exclusive mode');
          const taking = failure(intake(cut).storeLead(newLead(idempotent('cut'))));
          await until('the waiting statement is terminated', async () => {
            const { rows } = await test().database.raw<{ rows: unknown[] }>(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where application_name = ? and wait_event_type = 'Lock'`,
              [marker],
            );
            return rows.length > 0;
          });
          expectUnavailable(await taking, '57P01');
        });
        expect(await count('leads')).to.equal(0);
        expect(await intake(cut).storeLead(newLead(idempotent('cut')))).to.include({ outcome: 'stored' });
      } finally {
        await cut.destroy();
      }
    });

    it('but not for a text that PostgreSQL cannot store', async () => {
      const error = await failure(intake().storeLead(newLead({ email: 'a\u0000@example.com' })));
      expect(error).to.be.instanceOf(pg.DatabaseError).with.property('code', '22P05');
    });
  });

  it('continues after all idle connections were terminated', async () => {
    const marker = randomUUID();
    const pool = connectDatabase({ url: test().url, applicationName: marker, poolSize: 3 });
    try {
      await Promise.all(Array.from({ length: 6 }, () => intake(pool).storeLead(newLead())));
      await test().database.raw('select pg_terminate_backend(pid) from pg_stat_activity where application_name = ?', [
        marker,
      ]);
      await until('a lead is stored again', async () => {
        try {
          return (await intake(pool).storeLead(newLead())).outcome === 'stored';
        } catch (error) {
          if (error instanceof DatabaseUnavailableError) return false;
          throw error;
        }
      });
    } finally {
      await pool.destroy();
    }
  });
});
