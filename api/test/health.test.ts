import { connectForMaintenance } from '@dune-tide/db/connection';
import { migrateTo, migrateUp, migrations } from '@dune-tide/db/schema';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { startTransactionPooler, type TransactionPooler } from '@dune-tide/testkit/transaction-pooler';
import { freePort } from '@dune-tide/local/ports';
import { expect } from 'chai';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { fakeProducer, startTestApi, withTestApi, type TestApi } from './support.ts';

const fine = async (): Promise<void> => undefined;
const away = async (): Promise<void> => {
  throw new Error('redis://secret@queue.internal refused');
};

describe('/healthz and /readyz', () => {
  describe('with all parts available', () => {
    const api = withTestApi();

    it('report that the process is running and its parts are available', async () => {
      const health = await api().send({ path: '/healthz' });
      const ready = await api().send({ path: '/readyz' });

      expect([health.status, health.json()]).to.deep.equal([200, { status: 'ok' }]);
      expect([ready.status, ready.json()]).to.deep.equal([
        200,
        { status: 'ok', parts: { database: 'ok', queue: 'ok' } },
      ]);
    });

    it('are never cached', async () => {
      for (const path of ['/healthz', '/readyz']) {
        expect((await api().send({ path })).headers['cache-control']).to.equal('no-store');
      }
    });

    it('support HEAD and refuse other methods', async () => {
      for (const path of ['/healthz', '/readyz']) {
        expect((await api().send({ method: 'HEAD', path })).status).to.equal(200);
        for (const method of ['POST', 'TRACE']) {
          const { status, headers } = await api().send({ method, path });
          const { allow, 'content-type': type } = headers;
          expect([status, allow, type], method).to.deep.equal([405, 'HEAD, GET', 'application/problem+json']);
        }
      }
    });
  });

  describe('with a read-only database', () => {
    const api = withTestApi();

    it('are 503 until the database accepts writes again', async () => {
      const status = async () => (await api().send({ path: '/readyz' })).status;
      const change = async (text: string): Promise<void> => {
        await api().database.raw(`alter database ${new URL(api().databaseUrl).pathname.slice(1)} ${text}`);
      };
      await api().database.raw('select');
      await change('set default_transaction_read_only = on');
      expect(await status()).to.equal(503);
      await change('reset default_transaction_read_only');
      expect(await status()).to.equal(200);
    });
  });

  describe('with the queue unavailable', () => {
    const api = withTestApi(() => ({ producer: fakeProducer(fine, away) }));

    it('name the queue without its address or password', async () => {
      const ready = await api().send({ path: '/readyz' });

      expect(ready.status).to.equal(503);
      expect(ready.json()).to.deep.equal({ status: 'unavailable', parts: { database: 'ok', queue: 'unavailable' } });
      expect(JSON.stringify([ready.headers, api().logLines()])).to.not.include('secret');
      expect((await api().send({ path: '/healthz' })).status).to.equal(200);
    });
  });

  describe('behind PgBouncer in transaction mode', () => {
    let database: TestDatabase;
    let pooler: TransactionPooler;
    let api: TestApi;
    before(async () => {
      database = await createTestDatabase();
      pooler = await startTransactionPooler(database.url);
      api = await startTestApi(database, {
        databaseUrl: pooler.instead(database.appUrl),
        producer: fakeProducer(fine),
      });
    });
    after(async () => {
      await api.close();
      await pooler.close();
      await database.drop();
    });

    it('are 503 with what to change', async () => {
      const ready = await api.send({ path: '/readyz' });
      expect([ready.status, ready.json()]).to.deep.equal([
        503,
        {
          status: 'unavailable',
          parts: { database: 'unavailable', queue: 'ok' },
          detail: 'PgBouncer must be in session mode.',
        },
      ]);
      expect(api.logLines().find(({ msg }) => msg === 'not ready')).to.include({
        part: 'database',
        detail: 'PgBouncer must be in session mode.',
      });
    });
  });

  describe('before the migration of this release', () => {
    let database: TestDatabase;
    let api: TestApi;
    before(async () => {
      database = await createTestDatabase('template0');
      api = await startTestApi(database, { producer: fakeProducer(fine), publicPostLimit: 10 });
    });
    after(async () => {
      await api.close();
      await database.drop();
    });

    it('report the database as unavailable, and forms return 503 with Retry-After', async () => {
      expect((await api.send({ path: '/readyz' })).json()).to.deep.equal({
        status: 'unavailable',
        parts: { database: 'unavailable', queue: 'ok' },
      });
      const refused = await api.post('/api/contact', validExample(contactForm));
      expect(refused.status).to.equal(503);
      expect(refused.headers['retry-after']).to.equal('5');

      const maintenance = connectForMaintenance({ url: database.url, applicationName: 'migrate' });
      try {
        await migrateUp(maintenance);
        expect((await api.send({ path: '/readyz' })).status).to.equal(200);
        expect((await api.post('/api/contact', validExample(contactForm))).status).to.equal(201);
        await migrateTo(maintenance, migrations.at(-2)?.name ?? '');
        expect((await api.send({ path: '/readyz' })).status).to.equal(503);
      } finally {
        await maintenance.destroy();
      }
    });
  });

  describe('with the database unavailable', () => {
    let port = 0;
    before(async () => {
      port = await freePort(0, '127.0.0.1');
    });
    const api = withTestApi(() => ({ databaseUrl: `postgres://studio:secret@127.0.0.1:${port}/none` }));

    it('name the database without its address or password', async () => {
      const ready = await api().send({ path: '/readyz' });

      expect(ready.status).to.equal(503);
      expect(ready.json()).to.deep.equal({ status: 'unavailable', parts: { database: 'unavailable', queue: 'ok' } });
      expect(JSON.stringify([ready.headers, api().logLines()])).to.not.include('secret');
      expect((await api().send({ path: '/healthz' })).status).to.equal(200);
    });
  });
});
