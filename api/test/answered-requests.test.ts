import { request, Agent } from 'node:http';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import Koa from 'koa';
import { listen, type HttpServer } from '../src/server.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

const oldObjects = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

describe('requests that were answered', () => {
  const agent = new Agent({ keepAlive: true });
  const bytesOfAnswer = 20_000;
  let server: HttpServer;

  before(async () => {
    const koa = new Koa();
    koa.use((ctx) => {
      // Hangs on the response, as its headers do.
      ctx.state['ballast'] = Array.from({ length: bytesOfAnswer / 8 }, (_, index) => index);
      ctx.body = 'answered';
    });
    server = await listen(koa, '127.0.0.1', 0);
  });

  after(async () => {
    agent.destroy();
    await server.close();
  });

  const ask = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request({ port: server.port, host: '127.0.0.1', agent }, (answer) => answer.resume().once('end', resolve))
        .once('error', reject)
        .end();
    });

  it('are gone with the next collections of young objects, and do not wait for one of all', async () => {
    const rounds = 40;
    const each = 25;
    for (let warmUp = 0; warmUp < 100; warmUp++) await ask();
    collect();
    const before = oldObjects();
    for (let round = 0; round < rounds; round++) {
      for (let one = 0; one < each; one++) await ask();
      collect({ type: 'minor' });
    }
    expect(oldObjects() - before).to.be.below((rounds * each * bytesOfAnswer) / 10);
  });
});
