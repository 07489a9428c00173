import { createServer } from 'node:http';
import { transports, type FollowUpState, type TransportName } from '@dune-tide/domain/follow-ups';
import pTimeout from 'p-timeout';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { listenOn } from './listen.ts';
import { describeError, type Logger } from './log.ts';

/**
 * The sources that each scrape reads. If one fails or times out, its metrics are left out and it is reported as down.
 */
export interface MetricSources {
  readonly followUps: (transport: TransportName) => Promise<{
    readonly counts: Readonly<Partial<Record<FollowUpState, number>>>;
    readonly oldestWaitingSeconds: number | null;
    readonly oldestUntriedSeconds: number | null;
  }>;
  /** Jobs in the queue by state. */
  readonly queue: () => Promise<Readonly<Record<string, number>>>;
  /** Rejects if this release cannot work with the database. */
  readonly checkDatabase: () => Promise<void>;
  readonly pool: () => { readonly used: number; readonly free: number; readonly waiting: number };
  /** Returns the time of the newest backup, if any. Without this source, the metric does not exist. */
  readonly newestBackup?: (() => Promise<Date | undefined>) | undefined;
  /** Returns the size of the database in bytes. Without this source, the metric does not exist. */
  readonly databaseSize?: (() => Promise<number>) | undefined;
  /** Returns the numbers of the audit log that raise alerts. Without this source, the metric does not exist. */
  readonly auditAlarms?: (() => Promise<Readonly<Record<string, number>>>) | undefined;
}

export interface RequestKind {
  readonly method: string;
  /** The pattern of the route. Never a path: visitors can request any number of different paths. */
  readonly route: string;
  readonly status: number;
}

export interface CompletedRequest extends RequestKind {
  readonly seconds: number;
}

export interface Metrics {
  observeRequest(request: CompletedRequest): void;
  /**
   * Initialises the count of a request kind to 0. Prometheus sees no increase in a series that starts at 1, so without
   * this the first failure of a process would not raise an alert.
   */
  expectRequest(request: RequestKind): void;
  /** Shows the last entry of the audit log, as it was noted. */
  showAuditHead(head: { readonly position: number; readonly hash: string }): void;
  /**
   * Returns all metrics in the Prometheus text format, even if sources fail. Concurrent calls share one result. The
   * event loop metrics cover the time since the last scrape, so only Prometheus should call this.
   */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Checks that every source responds in time. */
  isReady(): Promise<boolean>;
}

const sourceLimitMs = 2_000;

/**
 * Creates the metrics of one process, including its event loop and memory.
 * @param limitMs - time limit of each source
 */
export function createMetrics(sources: MetricSources, logger: Logger, limitMs = sourceLimitMs): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name, help, labelNames, registers });
  const followUps = gauge('follow_ups', 'Follow-ups by state and transport', 'state', 'transport');
  const oldestWaiting = gauge(
    'follow_ups_oldest_waiting_seconds',
    'Age of the oldest waiting follow-up since it was stored or retried by staff, by transport; 0 if none',
    'transport',
  );
  const oldestUntried = gauge(
    'follow_ups_oldest_untried_seconds',
    'Age of the oldest follow-up without a finished attempt since it was stored or retried, by transport; 0 if none',
    'transport',
  );
  const jobs = gauge('queue_jobs', 'Jobs in the queue by state', 'state');
  const connections = gauge('database_pool_connections', 'Connections in the pool by use', 'use');
  const poolWaiting = gauge('database_pool_waiting', 'Queries that wait for a connection from the pool');
  const newestBackup =
    sources.newestBackup &&
    gauge('newest_backup_timestamp_seconds', 'Unix time of the newest backup; 0 if there is none');
  const databaseSize = sources.databaseSize && gauge('database_size_bytes', 'Size of the database on disk, in bytes');
  const auditAlarms =
    sources.auditAlarms &&
    gauge(
      'audit_log_alarms',
      'Of the last hour: erasures and exports by staff, and accounts that became owners; of the last day: the most wrong passwords and wrong codes of one account',
      'of',
    );
  const auditHead = gauge('audit_log_head', 'Position of the last entry of the audit log when it was noted', 'hash');
  const up = gauge('metrics_source_up', '1 if the source of metrics responded in time, otherwise 0', 'source');

  /** The sources that failed when they were last read. Only a change is logged. */
  const failing = new Set<string>();

  /** @returns undefined if the source fails or times out */
  async function ask<Known>(source: string, read: () => Promise<Known>): Promise<Known | undefined> {
    try {
      const known = await pTimeout(read(), { milliseconds: limitMs });
      failing.delete(source);
      return known;
    } catch (error) {
      logger[failing.has(source) ? 'debug' : 'warn']({ source, error: describeError(error) }, 'metrics');
      failing.add(source);
      return undefined;
    }
  }

  /**
   * Collects the metrics of one source.
   * @param forget - clears the values of the last scrape, which would look current
   * @param show - sets the new values; never called after the time limit, since late values would appear in a later
   *   scrape
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

  /** A database that responds but cannot be used, e.g. read-only, counts as down, as in the health check. */
  const askDatabase = async () => {
    await sources.checkDatabase();
    return Promise.all(
      transports.map(async (transport) => ({ transport, standing: await sources.followUps(transport) })),
    );
  };

  /** Not part of `metrics_source_up`, whose alert pages an operator: a backup or a size can wait until morning. */
  async function collectQuietly<Known>(
    source: string,
    forget: () => void,
    read: (() => Promise<Known>) | undefined,
    show: (known: Known) => void,
  ): Promise<void> {
    if (!read) return;
    const known = await ask(source, read);
    forget();
    if (known !== undefined) show(known);
  }

  async function scrape(): ReturnType<Metrics['scrape']> {
    // Read first, because the queries of the other sources use the pool as well.
    const { used, free, waiting } = sources.pool();
    connections.set({ use: 'used' }, used);
    connections.set({ use: 'free' }, free);
    poolWaiting.set(waiting);
    await Promise.all([
      collect(
        'database',
        () => {
          followUps.reset();
          oldestWaiting.reset();
          oldestUntried.reset();
        },
        askDatabase,
        (standings) => {
          for (const { transport, standing } of standings) {
            for (const [state, count] of Object.entries(standing.counts)) followUps.set({ state, transport }, count);
            oldestWaiting.set({ transport }, standing.oldestWaitingSeconds ?? 0);
            oldestUntried.set({ transport }, standing.oldestUntriedSeconds ?? 0);
          }
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
      collectQuietly(
        'backups',
        () => newestBackup?.remove(),
        sources.newestBackup && (async () => ((await sources.newestBackup?.())?.getTime() ?? 0) / 1_000),
        (seconds) => newestBackup?.set(seconds),
      ),
      collectQuietly(
        'database size',
        () => databaseSize?.remove(),
        sources.databaseSize,
        (bytes) => databaseSize?.set(bytes),
      ),
      collectQuietly(
        'audit log',
        () => auditAlarms?.reset(),
        sources.auditAlarms,
        (numbers) => {
          for (const [of, number] of Object.entries(numbers)) auditAlarms?.set({ of }, number);
        },
      ),
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
    showAuditHead({ position, hash }) {
      auditHead.reset();
      auditHead.set({ hash }, position);
    },
    // Concurrent scrapes would clear each other's gauges.
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
 * Serves `GET /metrics` and `GET /readyz` on a separate port, which only the operator's network should reach. `/readyz`
 * returns 200 if the database and the queue can be used, otherwise 503; it also works for processes without an API.
 * @param port - 0 selects a free port
 * @throws {SettingsError} if it cannot listen there
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
  logger: Logger,
): Promise<MetricsServer> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, (request, response) => {
    const respond = async (): Promise<void> => {
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
    respond().catch((error: unknown) => {
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
 * Creates and serves the metrics of a process.
 * @returns undefined without a METRICS_PORT
 */
export async function startMetrics(
  settings: { readonly METRICS_PORT?: number; readonly METRICS_HOST: string },
  sources: MetricSources,
  logger: Logger,
): Promise<
  (Pick<Metrics, 'observeRequest' | 'expectRequest' | 'showAuditHead'> & { close(): Promise<void> }) | undefined
> {
  if (settings.METRICS_PORT === undefined) return undefined;
  const metrics = createMetrics(sources, logger);
  const server = await serveMetrics(metrics, { host: settings.METRICS_HOST, port: settings.METRICS_PORT }, logger);
  logger.info({ host: settings.METRICS_HOST, port: server.port }, 'metrics');
  return { ...metrics, close: () => server.close() };
}
