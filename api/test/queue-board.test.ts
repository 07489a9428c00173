import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestRedis, type TestRedis } from '@dune-tide/testkit/redis';
import { freePort } from '@dune-tide/local/ports';
import { boardQueue } from '@dune-tide/platform/queue/board';
import { openProducer, type FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { expect } from 'chai';
import { signIn, type TestSession } from './staff-support.ts';
import { startTestApi, type TestApi } from './support.ts';

const board = '/api/admin/queue';
const { logger } = memoryLogger();

for (const backend of ['PostgreSQL', 'Redis'] as const) {
  describe(`the board of the queue on ${backend}`, () => {
    let redis: TestRedis | undefined;
    let database: TestDatabase;
    let producer: FollowUpProducer;
    let api: TestApi;
    let staff: TestSession;

    before(async () => {
      redis = backend === 'Redis' ? await startTestRedis() : undefined;
      database = await createTestDatabase();
      const settings = { databaseUrl: database.appUrl, redisUrl: redis?.url };
      producer = openProducer(settings, logger);
      api = await startTestApi(database, { producer, boardQueue: boardQueue(settings, logger) });
      staff = await signIn(api);
    });
    after(async () => {
      await api.close();
      await database.drop();
      await redis?.stop();
    });

    it('loads only its own scripts, and nothing from other sites', async () => {
      const page = await staff.send({ path: board });
      expect(page.status, page.text).to.equal(200);
      expect(page.headers['content-type']).to.match(/^text\/html/);
      const policy = String(page.headers['content-security-policy']);
      expect(policy).to.include("script-src 'self';").and.not.include('unsafe-eval').and.not.include('http');
      expect(page.text).to.include(`<base href="${board}/" />`);
      // Every script is a file of the board itself.
      expect(page.text).to.not.match(/(?:href|src)="(?:https?:)?\/\//);
      const scripts = [...page.text.matchAll(/<script(?![^>]*application\/json)[^>]*>/g)].map(([tag]) => tag);
      expect(scripts).to.not.have.length(0);
      for (const tag of scripts) {
        const [, source = ''] = / src="(static\/[^"]+)"/.exec(tag) ?? expect.fail(tag);
        const script = await staff.send({ path: `${board}/${source}` });
        expect([script.status, script.headers['content-type']?.split(';')[0]]).to.deep.equal([200, 'text/javascript']);
      }
    });

    it('has the same page at the paths that its links lead to, and in upper case', async () => {
      const page = await staff.send({ path: board });
      for (const path of [`${board}/`, `${board}/?status=failed`, board.toUpperCase()]) {
        const response = await staff.send({ path });
        expect([response.status, response.text], path).to.deep.equal([200, page.text]);
      }
    });

    it('shows the jobs by their ids only', async () => {
      const id = randomUUID();
      await producer.enqueue([{ id, kind: 'acknowledgement' }]);
      const response = await staff.send({ path: `${board}/api/queues?activeQueue=follow-ups&status=waiting&page=1` });
      expect(response.status, response.text).to.equal(200);
      const { queues } = response.json() as {
        queues: { name: string; readOnlyMode: boolean; jobs: { id: string }[] }[];
      };
      expect(queues.map(({ name, readOnlyMode }) => [name, readOnlyMode])).to.deep.equal([['follow-ups', true]]);
      expect(queues[0]?.jobs.map((job) => job.id)).to.deep.equal([id]);
      for (const path of ['/api/redis/stats', '/queue/follow-ups', `/api/queues/follow-ups/${id}`]) {
        expect((await staff.send({ path: board + path })).status, path).to.equal(200);
      }
    });

    it('returns a problem for an invalid query', async () => {
      const path = `${board}/api/queues?activeQueue=follow-ups&status=waiting&page=-1`;
      const { status, headers } = await staff.send({ path });
      expect([status, headers['content-type']]).to.deep.equal([400, 'application/problem+json']);
    });

    it('returns 404, not 503, for invalid input while the queue is available', async () => {
      const page = '/api/queues?activeQueue=follow-ups&status=completed&page=';
      for (const path of [
        '/api/queues/follow-ups/%00',
        '/api/queues/follow-ups/%00/logs',
        `${page}9007199254740993`,
        `${page}1e300`,
        '/api/queues?activeQueue=%25',
      ]) {
        const response = await staff.send({ path: board + path });
        // Redis accepts some of these values.
        expect(response.status, path).to.be.oneOf(backend === 'Redis' ? [200, 404] : [404]);
      }
    });

    it('is read-only and needs a session', async () => {
      for (const [method, path] of [
        ['PUT', '/api/queues/follow-ups/pause'],
        ['PUT', '/api/queues/follow-ups/empty'],
        ['POST', '/api/queues/follow-ups/add'],
        ['DELETE', '/api/queues/follow-ups'],
      ] as const) {
        expect((await staff.sendJson(method, board + path, {})).status, path).to.equal(405);
        expect((await api.send({ method, path: board + path })).status, path).to.equal(401);
      }
      for (const path of ['', '/', '/api/queues', '/static/js/x.js']) {
        expect((await api.send({ path: board + path })).status, path).to.equal(401);
      }
      for (const path of ['/api/nothing', '/static/..%2f..%2fpackage.json', '/static/nothing.js']) {
        const response = await staff.send({ path: board + path });
        expect(response.status, path).to.equal(404);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
    });
  });
}

describe('the board of an unavailable queue', () => {
  it('is 503, and other calls still work', async () => {
    const database = await createTestDatabase();
    const redisUrl = `redis://127.0.0.1:${await freePort(0, '127.0.0.1')}`;
    const away = boardQueue({ databaseUrl: database.appUrl, redisUrl }, logger);
    const api = await startTestApi(database, { boardQueue: away });
    try {
      const staff = await signIn(api);
      for (let times = 0; times < 2; times++) {
        const response = await staff.send({ path: board });
        expect([response.status, response.headers['retry-after']]).to.deep.equal([503, '5']);
      }
      expect((await staff.send({ path: '/api/admin/follow-ups/counts' })).status).to.equal(200);
    } finally {
      await api.close();
      await database.drop();
    }
  });
});
