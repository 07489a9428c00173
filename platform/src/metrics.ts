import { createServer } from 'node:http';
import type { FollowUpState } from '@dune-tide/domain/follow-ups';
import pTimeout from 'p-timeout';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { listenOn } from './listen.ts';
import { describeError, type Logger } from './log.ts';

/** What is asked for at each scrape. One that fails or takes too long is left out, and said to be down. */
export interface MetricSources {
  readonly followUps: () => Promise<{
    readonly counts: Readonly<Partial<Record<FollowUpState, number>>>;
    readonly oldestWaitingSeconds: number | null;
    readonly oldestUntriedSeconds: number | null;
  }>;
  /** Jobs in the queue by state. */
  readonly queue: () => Promise<Readonly<Record<string, number>>>;
  /** Fails when the database is not as this release needs it. */
  readonly checkDatabase: () => Promise<void>;
  readonly pool: () => { readonly used: number; readonly free: number; readonly waiting: number };
  /** When the newest backup was made, if there is one; without it nothing is told of backups. */
  readonly newestBackup?: (() => Promise<Date | undefined>) | undefined;
}

export interface RequestKind {
  readonly method: string;
  /** The route's pattern, never a path: the paths that visitors ask for have no end. */
  readonly route: string;
  readonly status: number;
}

export interface AnsweredRequest extends RequestKind {
  readonly seconds: number;
}

export interface Metrics {
  observeRequest(request: AnsweredRequest): void;
  /**
   * Counts requests of this kind as 0 before the first: Prometheus sees no rise in a series that begins with 1, so the
   * first failure of each process would raise no alert.
   */
  expectRequest(request: RequestKind): void;
  /**
   * All metrics in Prometheus' text format. Never fails for a source. Whoever asks while they are collected gets the
   * same. The event loop's are those since the scrape before, so it is for Prometheus alone.
   */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Whether every source answers. */
  isReady(): Promise<boolean>;
}

const sourceLimitMs = 2_000;

/** The metrics of one process, its event loop and memory included. */
export function createMetrics(sources: MetricSources, logger: Logger, limitMs = sourceLimitMs): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answered requests by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers });
  const followUps = gauge('follow_ups', 'Follow-ups by state', 'state');
  const oldestWaiting = gauge(
    'follow_ups_oldest_waiting_seconds',
    'Age of the oldest that waits, since a retry where there was one; 0 when none does',
  );
  const oldestUntried = gauge(
    'follow_ups_oldest_untried_seconds',
    'Age of the oldest whose first try has not ended, since a retry where there was one; 0 when there is none',
  );
  const jobs = gauge('queue_jobs', 'Jobs in the queue by state', 'state');
  const connections = gauge('database_pool_connections', 'Connections of the pool by use', 'use');
  const poolWaiting = gauge('database_pool_waiting', 'Queries that wait for a connection');
  const newestBackup =
    sources.newestBackup &&
    gauge('newest_backup_timestamp_seconds', 'When the newest backup was made; 0 when there is none');
  const up = gauge('metrics_source_up', 'Whether the source of metrics answered in time', 'source');

  /** @returns nothing when the source fails or takes too long */
  async function ask<Known>(source: string, read: () => Promise<Known>): Promise<Known | undefined> {
    try {
      return await pTimeout(read(), { milliseconds: limitMs });
    } catch (error) {
      logger.warn({ source, error: describeError(error) }, 'metrics');
      return undefined;
    }
  }

  /**
   * @param forget - clears the values of the last scrape, which would look current
   * @param show - called in time or never: what comes late would pass for an answer to a later scrape
   */
  async function collect<Known>(
    source: string,
    forget: () => void,
    read: () => Promise<Known>,
    show: (known: Known) => void,
  ): Promise<void> {
    forget();
    const known = await ask(source, read);
    if (known !== undefined) show(known);
    up.set({ source }, known === undefined ? 0 : 1);
  }

  /** A database that answers but cannot be worked with counts as away, as a probe has it. */
  const askDatabase: MetricSources['followUps'] = async () => {
    await sources.checkDatabase();
    return sources.followUps();
  };

  /** Not part of `metrics_source_up`, whose alert pages: a missing backup can wait until the day. */
  async function collectBackup(): Promise<void> {
    const { newestBackup: read } = sources;
    if (!read) return;
    const at = await ask('backups', async () => (await read())?.getTime() ?? 0);
    newestBackup?.remove();
    if (at !== undefined) newestBackup?.set(at / 1000);
  }

  async function scrape(): ReturnType<Metrics['scrape']> {
    // Before the others, whose queries would count as well.
    const { used, free, waiting } = sources.pool();
    connections.set({ use: 'used' }, used);
    connections.set({ use: 'free' }, free);
    poolWaiting.set(waiting);
    await Promise.all([
      collect(
        'database',
        () => {
          followUps.reset();
          // A reset would leave a 0 where there are no labels.
          oldestWaiting.remove();
          oldestUntried.remove();
        },
        askDatabase,
        ({ counts, oldestWaitingSeconds, oldestUntriedSeconds }) => {
          for (const [state, count] of Object.entries(counts)) followUps.set({ state }, count);
          oldestWaiting.set(oldestWaitingSeconds ?? 0);
          oldestUntried.set(oldestUntriedSeconds ?? 0);
        },
      ),
      collect(
        'queue',
        () => jobs.reset(),
        sources.queue,
        (counts) => {
          for (const [state, count] of Object.entries(counts)) jobs.set({ state }, count);
        },
      ),
      collectBackup(),
    ]);
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  let underWay: ReturnType<Metrics['scrape']> | undefined;

  return {
    observeRequest({ method, route, status, seconds }) {
      requests.observe({ method, route, status: String(status) }, seconds);
    },
    expectRequest({ method, route, status }) {
      requests.zero({ method, route, status: String(status) });
    },
    // Two at once would blank each other's gauges.
    scrape: () => (underWay ??= scrape().finally(() => (underWay = undefined))),
    async isReady() {
      const known = await Promise.all([ask('database', askDatabase), ask('queue', sources.queue)]);
      return known.every((each) => each !== undefined);
    },
  };
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on a port of its own, which is for the operator's network alone, and `GET /readyz`, which says
 * whether the parts that a process needs can be worked with, also of one that serves nothing else.
 * @param port - 0 takes a free one
 * @throws {SettingsError} when it cannot listen there
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
  logger: Logger,
): Promise<MetricsServer> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const answer = async (): Promise<void> => {
      const path = request.method === 'GET' ? request.url : undefined;
      if (path === '/metrics') {
        const { contentType, text } = await metrics.scrape();
        response.writeHead(200, { 'Content-Type': contentType }).end(text);
      } else if (path === '/readyz') {
        response.writeHead((await metrics.isReady()) ? 200 : 503).end();
      } else {
        response.writeHead(404).end();
      }
    };
    answer().catch((error: unknown) => {
      logger.error({ error: describeError(error) }, 'metrics');
      response.writeHead(500).end();
    });
  });
  const boundPort = await listenOn(server, { host, port }, { host: 'METRICS_HOST', port: 'METRICS_PORT' });
  return {
    port: boundPort,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Metrics as the settings want them.
 * @returns nothing without a METRICS_PORT
 */
export async function startMetrics(
  settings: { readonly METRICS_PORT?: number; readonly METRICS_HOST: string },
  sources: MetricSources,
  logger: Logger,
): Promise<(Pick<Metrics, 'observeRequest' | 'expectRequest'> & { close(): Promise<void> }) | undefined> {
  if (settings.METRICS_PORT === undefined) return undefined;
  const metrics = createMetrics(sources, logger);
  const server = await serveMetrics(metrics, { host: settings.METRICS_HOST, port: settings.METRICS_PORT }, logger);
  logger.info({ host: settings.METRICS_HOST, port: server.port }, 'metrics');
  return { ...metrics, close: () => server.close() };
}
