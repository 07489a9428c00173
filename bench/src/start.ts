import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@dune-tide/local/ports';
import { describeMachine } from './harness/machine.ts';
import { prepareProduct } from './harness/product.ts';
import { goalTable, report, say, showProgress, spreadText, table } from './harness/report.ts';
import { run, type Ends } from './harness/run.ts';
import { startServices } from './harness/services.ts';
import { backends, positiveNumber } from './harness/settings.ts';
import { spread } from './harness/statistics.ts';

/*
 * Measures the time until visitors can be served: of `make run` when everything is built and has run before, and of the
 * API's process alone.
 */

const rounds = positiveNumber('ROUNDS', 5);
const host = '127.0.0.1';
const root = fileURLToPath(new URL('../..', import.meta.url));
const startLimitMs = 120_000;

await run(async (ends) => {
  const services = await startServices(ends);
  const machine = await describeMachine(services.versions);
  say(machine.join('\n'));
  const dataDirectory = await mkdtemp(join(tmpdir(), 'studio-start-'));
  ends.add({ stop: () => rm(dataDirectory, { recursive: true, force: true }) });

  const first = await makeRun(dataDirectory, ends);
  say(`first make run    ${first.toFixed(2)} s`);
  const later: number[] = [];
  const alone = new Map<string, number[]>(backends.map((backend) => [backend, []]));
  const products = [];
  for (const backend of backends) {
    const own = { SITE_DIRECTORY: join(root, 'frontend/dist') };
    products.push(ends.add(await prepareProduct(services, `start_${backend.toLowerCase()}`, backend, own)));
  }
  for (let round = 1; round <= rounds; round++) {
    showProgress(`Round ${round} of ${rounds}`);
    const again = await makeRun(dataDirectory, ends);
    later.push(again);
    say(`round ${round}  make run ${again.toFixed(2)} s`);
    for (const product of products) {
      const since = performance.now();
      const starting = product.startApi();
      // Awaited below. Until then, a rejection must not count as unhandled.
      starting.catch(() => undefined);
      const seconds = (await untilReady(product.url, since)) / 1_000;
      const api = ends.add(await starting);
      await api.stop();
      alone.get(product.backend)?.push(seconds);
      say(`round ${round}  the API on ${product.backend} ${seconds.toFixed(2)} s`);
    }
  }

  const whole = spread(later);
  const api = [...alone].map(([backend, seconds]) => ({ backend, found: spread(seconds) }));
  await report('bench-start', machine, [
    `Seconds from the command until \`/readyz\` returns 200, ${rounds} times: median (lowest–highest). When the API is started alone, the site is built, and its database and queue are running.`,
    '',
    ...table(
      ['what', 'seconds'],
      [
        ['first `make run`, everything built', first.toFixed(2)],
        ['`make run` again', spreadText(whole, 2)],
        ...api.map(({ backend, found }) => [`the API alone, ${backend}`, spreadText(found, 2)]),
      ],
    ),
    '',
    ...goalTable([
      {
        what: 'second `make run` to ready',
        goal: '< 4 s',
        found: `${spreadText(whole, 2)} s`,
        isMet: whole.median < 4,
      },
      ...api.map(({ backend, found }) => ({
        what: `the API alone to ready, ${backend}`,
        goal: '< 1 s',
        found: `${spreadText(found, 2)} s`,
        isMet: found.median < 1,
      })),
    ]),
  ]);
});

/** Runs the command and stops it like Ctrl-C. @returns the seconds until /readyz returns 200 */
async function makeRun(dataDirectory: string, ends: Ends): Promise<number> {
  const ports = await Promise.all(Array.from({ length: 4 }, () => freePort(0, host)));
  const [port, inbox, smtp, database] = ports.map(String);
  const environment = {
    // Without the variables of a make that has started this process.
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATA_DIRECTORY: dataDirectory,
    PORT: port,
    INBOX_PORT: inbox,
    SMTP_PORT: smtp,
    DATABASE_PORT: database,
  };
  const since = performance.now();
  const child = spawn('make', ['run'], {
    cwd: root,
    detached: true,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    // Only while it runs: the group's number may be reused afterwards.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGINT');
    await ended;
  };
  ends.add({ stop });
  try {
    return (await untilReady(`http://${host}:${port}`, since)) / 1_000;
  } catch (error) {
    throw new Error(`make run did not become ready:\n${output}`, { cause: error });
  } finally {
    await stop();
  }
}

/** @returns the milliseconds since the start */
async function untilReady(url: string, since: number): Promise<number> {
  for (;;) {
    try {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      if (response.ok) return performance.now() - since;
    } catch {
      // The server does not listen yet.
    }
    if (performance.now() - since > startLimitMs) throw new Error(`Not ready within ${startLimitMs / 1_000} s`);
    await pause(10);
  }
}
