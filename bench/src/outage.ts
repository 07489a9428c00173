import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { validExample } from '@dune-tide/domain/test/examples';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { startCluster } from '@dune-tide/local/cluster';
import { startTestRedis } from '@dune-tide/testkit/redis';
import { startTestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { secret, startReceiver } from '@dune-tide/testkit/webhook-receiver';
import { createPortfolioCache } from '@dune-tide/worker/portfolio/cache';
import { describeMachine } from './harness/machine.ts';
import { prepareProduct, publicUrl } from './harness/product.ts';
import { goalTable, say, showProgress, table, type Goal } from './harness/report.ts';
import { run, type Ends } from './harness/run.ts';
import { startServices, type Services } from './harness/services.ts';
import { backends, chosen, positiveNumber, type Backend } from './harness/settings.ts';

/*
 * Measures what an API and a worker do while the mail server, the receiver of webhooks, Redis or PostgreSQL is stopped
 * and follow-ups wait: their log lines and connections a minute, the time until the first follow-up is sent after the
 * part is back, and the attempts that the outage used.
 */

const parts = ['mail', 'webhooks', 'redis', 'postgres'] as const;
type Part = (typeof parts)[number];
const processes = ['api', 'worker'] as const;
type Process = (typeof processes)[number];

const wantedParts = chosen('PARTS', parts);
const wantedBackends = chosen('BACKENDS', backends);
const followUps = positiveNumber('FOLLOW_UPS', 5_000);
const outageSeconds = positiveNumber('OUTAGE_SECONDS', 120);
const drainLimitSeconds = 600;
/** The number of lines about an outage that are shown for each process. */
const linesShown = 10;

interface Measured {
  readonly part: Part;
  readonly backend: Backend;
  readonly lines: Readonly<Record<Process, number>>;
  /** Those of the API include its requests', each of which tries the database. */
  readonly connections: Readonly<Record<Process, number>>;
  readonly bytes: number;
  readonly recoverySeconds: number;
  readonly attemptsUsed: number;
  readonly failed: number;
}

await run(async (ends) => {
  const services = await startServices(ends);
  const machine = await describeMachine(services.versions);
  say(machine.join('\n'));
  await createPortfolioCache(services.portfolioDirectory, { publicUrl, onFileError: () => undefined }).read();
  const found: Measured[] = [];
  for (const part of wantedParts) {
    for (const backend of wantedBackends) {
      if (part === 'redis' && backend !== 'Redis') continue;
      const measured = await measure(part, backend, services, ends);
      found.push(measured);
      say(JSON.stringify(measured));
    }
  }
  const each = (pair: Readonly<Record<Process, number>>) => `${pair.api} / ${pair.worker}`;
  const goals = found.map(({ part, backend, lines, connections, recoverySeconds, attemptsUsed, failed }): Goal => ({
    what: `${part}, queue on ${backend}`,
    goal: '≤ 10 lines, ≤ 20 connections of the worker a minute, ≤ 5 s, no attempt',
    found: `${each(lines)}, ${each(connections)}, ${recoverySeconds.toFixed(1)} s, ${attemptsUsed}`,
    isMet:
      Math.max(lines.api, lines.worker) <= 10 &&
      Math.max(connections.api, connections.worker) <= 20 &&
      recoverySeconds <= 5 &&
      attemptsUsed + failed === 0,
  }));
  const head = [
    'part',
    'queue',
    'lines/min API / worker',
    'connections/min',
    'log bytes/min',
    'recovery s',
    'attempts',
  ];
  const rows = found.map(({ part, backend, lines, connections, bytes, recoverySeconds, attemptsUsed }) => [
    part,
    backend,
    each(lines),
    each(connections),
    String(bytes),
    recoverySeconds.toFixed(1),
    String(attemptsUsed),
  ]);
  say(`\n${[...table(head, rows), '', ...goalTable(goals)].join('\n')}\n`);
});

/** The servers of one measurement. Each can be stopped and started again on its port. */
async function startServers(directory: string, logFile: string) {
  const options = { directory: join(directory, 'postgresql'), logFile, settings: [] };
  let cluster = await startCluster({ ...options, port: 0 });
  let redis = await startTestRedis();
  let receiver = await startReceiver();
  const smtp = await startTestSmtp();
  const ports: Record<Part, number> = {
    mail: smtp.port,
    webhooks: Number(new URL(receiver.url).port),
    redis: redis.port,
    postgres: Number(new URL(cluster.url('postgres')).port),
  };
  const stopPart: Record<Part, () => Promise<unknown>> = {
    mail: () => smtp.goAway(),
    webhooks: () => receiver.close(),
    redis: () => redis.kill(),
    postgres: () => cluster.stop(),
  };
  const startPart: Record<Part, () => Promise<unknown>> = {
    mail: () => smtp.comeBack(),
    webhooks: async () => (receiver = await startReceiver(ports.webhooks)),
    redis: async () => (redis = await startTestRedis(ports.redis)),
    postgres: async () => (cluster = await startCluster({ ...options, port: ports.postgres })),
  };
  return {
    smtpUrl: smtp.url,
    receiverUrl: receiver.url,
    redisUrl: redis.url,
    ports,
    stopPart,
    startPart,
    createDatabase: async (name: string): Promise<string> => {
      await cluster.createDatabase(name);
      return cluster.url(name);
    },
    delivered: (part: Part): number => (part === 'webhooks' ? receiver.received.length : smtp.accepted.length),
    stop: async (): Promise<void> => {
      await Promise.allSettled([cluster.stop(), redis.stop(), receiver.close(), smtp.close()]);
    },
  };
}

async function measure(part: Part, backend: Backend, shared: Services, ends: Ends): Promise<Measured> {
  const name = `outage_${part}_${backend.toLowerCase()}`;
  showProgress(name);
  const directory = join(shared.directory, name);
  await mkdir(directory);
  const servers = ends.add(await startServers(directory, shared.logFile(`${name}-postgres`)));
  const { ports, stopPart, startPart } = servers;
  const services: Services = {
    ...shared,
    createDatabase: (each) => servers.createDatabase(each),
    redisDatabase: () => servers.redisUrl,
  };
  const product = await prepareProduct(services, name, backend, {
    ...(part === 'webhooks' ? { WEBHOOK_URL: servers.receiverUrl, WEBHOOK_SECRET: secret } : {}),
    NODE_OPTIONS: `--import ${new URL('./harness/count-connections.mjs', import.meta.url).href}`,
    COUNT_CONNECTIONS: directory,
  });
  const kind = part === 'webhooks' ? 'webhook' : 'acknowledgement';
  await fill(product.database, kind);
  const count = async (condition: string): Promise<number> => {
    const { rows } = await product.database.raw<{ rows: { count: number }[] }>(
      `select count(*)::integer as count from follow_ups where kind = ? and ${condition}`,
      [kind],
    );
    return rows[0]?.count ?? 0;
  };
  const isFirst = part === 'mail' || part === 'webhooks';
  if (isFirst) await stopPart[part]();
  const api = ends.add(await product.startApi());
  const worker = ends.add(await product.startWorker(servers.smtpUrl));
  if (isFirst) await until('it was tried', async () => (await portsIn(directory, 'worker')).includes(ports[part]));
  else {
    await until('some are sent', () => servers.delivered(part) > 0);
    await stopPart[part]();
  }
  const look = () => marks((process) => shared.logFile(`${name}-${process}`), directory);
  const since = await look();
  // Connections that were in progress fail together once.
  await pause(1_000);
  const later = await look();
  const visiting = new AbortController();
  const visits = visit(product.url, visiting.signal);
  await pause(outageSeconds * 1_000);
  visiting.abort();
  await visits;
  const now = await look();
  const perMinute = (total: number): number => Math.round((total / outageSeconds) * 600) / 10;
  const both = <Value>(of: (process: Process) => Value) => ({ api: of('api'), worker: of('worker') });
  const newLines = both((process) => now[process].lines.slice(since[process].lines.length));

  const before = servers.delivered(part === 'webhooks' ? 'mail' : part);
  await startPart[part]();
  const backAt = performance.now();
  await until('one is delivered', () => servers.delivered(part) > (part === 'webhooks' ? 0 : before), 120, 5);
  const recoverySeconds = (performance.now() - backAt) / 1_000;
  await until(
    'all are sent',
    async () => (await count(`state = 'sent'`).catch(() => 0)) === followUps,
    drainLimitSeconds,
    200,
  );
  // The lines of requests and of emails that were sent are not about the outage.
  const about = both((process) => newLines[process].filter((line) => !/"msg":"request"|"sent"/.test(line)));
  for (const process of processes) for (const line of about[process].slice(0, linesShown)) say(messageOf(line));
  const measured = {
    part,
    backend,
    lines: both((process) => perMinute(about[process].length)),
    connections: both((process) =>
      perMinute(now[process].ports.slice(later[process].ports.length).filter((port) => port === ports[part]).length),
    ),
    bytes: perMinute(about.worker.join('\n').length),
    recoverySeconds,
    attemptsUsed: await count('attempts > 1'),
    failed: await count(`state <> 'sent'`),
  };
  await Promise.all([api.stop(), worker.stop()]);
  await product.stop();
  await servers.stop();
  return measured;
}

/** Returns the words of a line of the log; the line itself if it is not JSON. */
function messageOf(line: string): string {
  try {
    const { process, level, msg } = JSON.parse(line) as Record<string, unknown>;
    return `${String(process)} ${String(level)}: ${String(msg)}`;
  } catch {
    return line;
  }
}

/** Stores leads, each with one follow-up that waits. */
async function fill(database: Awaited<ReturnType<typeof prepareProduct>>['database'], kind: string): Promise<void> {
  const isWebhook = kind === 'webhook';
  await database.transaction(async (transaction) => {
    if (isWebhook) await transaction.raw(`set local app.webhooks = 'on'`);
    await transaction.raw(
      `with added as (
         insert into leads (id, kind, email, answers)
         select gen_random_uuid(), 'contact', 'visitor-' || n || '@d' || n || '.example', :answers::jsonb
         from generate_series(1, ${followUps}) n returning id, email
       )
       insert into follow_ups (id, lead_id, kind, recipient, message_id)
       select id, id, 'acknowledgement', email, '<' || id || '@studio.example>' from added where ${!isWebhook}`,
      { answers: JSON.stringify(validExample(contactForm)) },
    );
  });
}

/** Checks the readiness as a load balancer does, and opens pages as visitors do. */
async function visit(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.allSettled(['/readyz', '/api/form-token'].map((path) => fetch(`${url}${path}`, { signal })));
    await pause(2_000, undefined, { signal }).catch(() => undefined);
  }
}

async function portsIn(directory: string, process: Process): Promise<number[]> {
  const text = await readFile(join(directory, process), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean).map(Number);
}

/** Returns the lines and connections of each process so far. */
async function marks(logFile: (process: Process) => string, directory: string) {
  const of = async (process: Process) => ({
    lines: (await readFile(logFile(process), 'utf8')).split('\n').filter(Boolean),
    ports: await portsIn(directory, process),
  });
  return { api: await of('api'), worker: await of('worker') };
}
