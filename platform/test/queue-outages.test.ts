import { startTestRedis, type TestRedis } from '@dune-tide/testkit/redis';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openOutage } from '../src/outage.ts';
import { postgresPool } from '../src/queue/connections.ts';
import { redisAddressOf } from '../src/redis-url.ts';
import { failure, parts, wakeUp } from './queue-support.ts';

describe('an outage of Redis', () => {
  const pauseMs = 200;
  let redis: TestRedis;
  let using: ReturnType<typeof parts>;
  beforeEach(async () => {
    redis = await startTestRedis();
    using = parts();
  });
  afterEach(async () => {
    await using.close();
    await redis.stop();
  });

  const settingsOf = (redisUrl: string) => ({
    databaseUrl: 'postgres://unused',
    redisUrl,
    outage: openOutage({
      part: 'Redis server',
      address: redisAddressOf(redisUrl),
      logger: using.log.logger,
      times: { pauseMs: () => pauseMs, lineMs: 60_000 },
    }),
  });
  const warnings = () =>
    using.log
      .lines()
      .filter(({ level }) => level === 'warn' || level === 'error')
      .map(({ msg }) => msg);

  it('is logged once, and the clients of a process connect in turns until it ends', async () => {
    const settings = settingsOf(redis.url);
    const tries: number[] = [];
    const nextTryMs = settings.outage.nextTryMs.bind(settings.outage);
    Object.assign(settings.outage, {
      nextTryMs: () => {
        const wait = nextTryMs();
        tries.push(performance.now() + wait);
        return wait;
      },
    });
    const handled: string[] = [];
    await using.consumer(settings, ({ id }) => void handled.push(id));
    const producer = using.producer(settings);
    await producer.check();
    await redis.kill();
    await until('it is known', () => settings.outage.isOut);
    expect((await failure(producer.check())).error).to.be.instanceOf(Error);
    const before = tries.length;
    await until('the clients have tried again', () => tries.length >= before + 6);
    const gaps = tries.toSorted((a, b) => a - b).map((at, index, all) => at - (all[index - 1] ?? -Infinity));
    for (const gap of gaps) expect(gap, 'milliseconds between two connections').to.be.at.least(pauseMs - 1);
    // A client that was connecting when the server was killed reports another cause first.
    const logged = warnings();
    expect(logged.at(-1)).to.equal(
      `The Redis server 127.0.0.1:${redis.port} is unavailable (ECONNREFUSED: no server is listening there).`,
    );
    expect(logged).to.have.lengthOf(new Set(logged).size).and.at.most(2);

    redis = await startTestRedis(redis.port);
    await until('it has ended', () => !settings.outage.isOut);
    const job = wakeUp();
    await until('the producer is connected', () =>
      producer.enqueue([job]).then(
        () => true,
        () => false,
      ),
    );
    await until('the consumer is connected', () => handled.includes(job.id));
    expect(using.log.lines().map(({ msg }) => msg)).to.include(
      `The Redis server 127.0.0.1:${redis.port} is available again.`,
    );
  });

  it('has the cause in words if the password is wrong, and ends when it is right', async () => {
    const administrator = new Redis(redis.url);
    try {
      await administrator.config('SET', 'requirepass', 'changed');
      const settings = settingsOf(redis.url.replace('redis://', 'redis://:right@'));
      const producer = using.producer(settings);
      expect((await failure(producer.check())).error).to.be.instanceOf(Error);
      await until('it is known', () => settings.outage.isOut);
      expect(warnings()).to.deep.equal([
        `The Redis server 127.0.0.1:${redis.port} is unavailable (WRONGPASS: the user name or password is wrong).`,
      ]);
      await administrator.config('SET', 'requirepass', 'right');
      await until('it has ended', () => !settings.outage.isOut);
      await producer.check();
    } finally {
      administrator.disconnect();
    }
  });
});

describe('an outage of PostgreSQL', () => {
  it('refuses connections of the queue after a pause, so that a caller that repeats them blocks no timer', async () => {
    const { logger } = parts().log;
    const probe = () => Promise.reject(new Error('unavailable'));
    const outage = openOutage({ part: 'database', address: 'nowhere:5432', logger, probe });
    outage.failed(new Error('unavailable'));
    const pool = postgresPool({ databaseUrl: 'postgres://nowhere', outage, failsFast: true }, 1);
    let hasFired = false;
    setTimeout(() => (hasFired = true), 0);
    await failure(pool.connect());
    expect(hasFired).to.equal(true);
    hasFired = false;
    setTimeout(() => (hasFired = true), 0);
    await failure(pool.query('select'));
    expect(hasFired).to.equal(true);
    await pool.end();
  });
});
