import { createTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { migrateQueue } from '../src/queue/migrate.ts';
import { failure, parts, wakeUp } from './queue-support.ts';

describe('the queue on PostgreSQL', () => {
  it('creates its tables, even from several concurrent processes', async () => {
    const database = await createTestDatabase('template0');
    const using = parts();
    try {
      const settings = { databaseUrl: database.url };
      await Promise.all([migrateQueue(settings), migrateQueue(settings), migrateQueue(settings)]);
      await migrateQueue(settings);
      const producer = using.producer(settings);
      await producer.enqueue([wakeUp()]);
      expect(await producer.depth()).to.include({ waiting: 1 });
    } finally {
      await using.close();
      await database.drop();
    }
  });

  it('fails to create its tables if another process locks them too long, or the connection is lost', async () => {
    const database = await createTestDatabase('template0');
    const settings = { databaseUrl: database.url };
    try {
      await database.database.transaction(async (other) => {
        await other.raw('create schema bullmq');
        const late = await failure(migrateQueue(settings, 300));
        expect(late.error).to.have.property('code', '57014');

        const cut = failure(migrateQueue(settings));
        await until('it waits for the lock and is disconnected', async () => {
          const { rows } = await database.database.raw<{ rows: unknown[] }>(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rows.length > 0;
        });
        expect((await cut).error).to.be.instanceOf(Error);
        await other.rollback();
      });
      await migrateQueue(settings);
    } finally {
      await database.drop();
    }
  });

  it('is unavailable until its tables exist', async () => {
    const database = await createTestDatabase('template0');
    const using = parts();
    try {
      const settings = { databaseUrl: database.url };
      const producer = using.producer(settings);
      const { error } = await failure(producer.check());
      expect(error).to.have.property('name', 'QueueUnavailableError');
      await migrateQueue(settings);
      await producer.enqueue([wakeUp()]);
    } finally {
      await using.close();
      await database.drop();
    }
  });
});

describe('the queue on Redis', () => {
  it('needs no tables and no database', async () => {
    await migrateQueue({ databaseUrl: 'postgres://no-one@127.0.0.1:1/nothing', redisUrl: 'redis://127.0.0.1:1' });
  });
});
