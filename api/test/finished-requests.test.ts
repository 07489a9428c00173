import { request, Agent } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import Koa from 'koa';
import { listen, type HttpServer } from '../src/http/server/server.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const oldObjects = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

describe('finished requests', () => {
  const agent = new Agent({ keepAlive: true });
  const headerBytes = 8_000;
  const atOnce = 16;
  let server: HttpServer;

  before(async () => {
    const koa = new Koa();
    let waiting: (() => void)[] = [];
    koa.use(async (ctx) => {
      // All requests of a round run concurrently.
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length < atOnce) return;
        for (const go of waiting) go();
        waiting = [];
      });
      ctx.set('X-Ballast', Buffer.alloc(headerBytes, 'x').toString());
      ctx.body = 'finished';
    });
    server = await listen(koa, '127.0.0.1', 0);
  });

  after(async () => {
    agent.destroy();
    await server.close();
  });

  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request({ port: server.port, host: '127.0.0.1', agent }, (response) => response.resume().once('end', resolve))
        .once('error', reject)
        .end();
    });

  it('are freed by minor garbage collections, without a full one', async () => {
    const rounds = 100;
    const askTogether = () => Promise.all(Array.from({ length: atOnce }, ask));
    await askTogether();
    collect();
    const before = oldObjects();
    for (let round = 0; round < rounds; round++) {
      await askTogether();
      if (round % 4 === 0) collect({ type: 'minor' });
    }
    expect(oldObjects() - before).to.be.below((rounds * atOnce * headerBytes) / 4);
  });
});
