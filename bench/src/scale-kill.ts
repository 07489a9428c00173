import { setTimeout as pause } from 'node:timers/promises';
import { contactMessage, type LoadGenerator } from './harness/load.ts';
import { drainAfterDeaths, judge, startSystem, type SystemOptions, type Verdict } from './scale-system.ts';

/** The fate of leads and emails when one of several processes of each kind was killed. */
export interface ScaleKill extends Omit<Verdict, 'twice'> {
  readonly acknowledged: number;
  /** The number of requests without a response of the API. */
  readonly cut: number;
  /** The longest response time, in milliseconds. */
  readonly slowest: number;
  /** The number of emails that the killed worker had claimed. */
  readonly held: number;
  /** The number of emails that were accepted twice: those that the worker had claimed, and all others. */
  readonly heldTwice: number;
  readonly othersTwice: number;
}

export interface KillOptions extends SystemOptions {
  readonly generator: LoadGenerator;
  readonly connections: number;
  readonly seconds: number;
}

/** Kills an API process after a third of the load and a worker after two thirds. They are not restarted. */
export async function killOneOfEach(options: KillOptions): Promise<ScaleKill> {
  const { generator, sink, seconds } = options;
  const system = await startSystem(options);
  const load = generator.send({
    ...contactMessage,
    url: system.front.url,
    connections: options.connections,
    formToken: system.formToken,
    seconds,
    toleratesCuts: true,
    keepsIds: true,
  });
  // Awaited below. Until then, a rejection must not count as unhandled.
  load.catch(() => undefined);
  await pause((seconds * 1_000) / 3);
  await system.apis[0]?.kill();
  await pause((seconds * 1_000) / 3);
  await system.workers[0]?.kill();
  const { ids, cut, slowest } = await load;
  const held = await drainAfterDeaths(system.product);
  await system.stop();
  const { twice, ...verdict } = await judge(system.product, ids, await sink.take());
  const heldTwice = twice.filter((messageId) => held.has(messageId)).length;
  return {
    ...verdict,
    acknowledged: ids.length,
    cut,
    slowest,
    held: held.size,
    heldTwice,
    othersTwice: twice.length - heldTwice,
  };
}
