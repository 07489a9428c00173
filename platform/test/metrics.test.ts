import { setTimeout as pause } from 'node:timers/promises';
import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import { createMetrics, serveMetrics, type MetricSources } from '../src/metrics.ts';
import { SettingsError } from '../src/settings.ts';

const sources: MetricSources = {
  followUps: async (transport) =>
    transport === 'email'
      ? { counts: { pending: 2, failed: 1 }, oldestWaitingSeconds: 61, oldestUntriedSeconds: 59 }
      : { counts: { pending: 7 }, oldestWaitingSeconds: 7_200, oldestUntriedSeconds: 30 },
  queue: async () => ({ waiting: 4, active: 0, delayed: 0 }),
  checkDatabase: async () => undefined,
  pool: () => ({ used: 1, free: 3, waiting: 0 }),
};

describe('metrics', () => {
  const { logger } = memoryLogger();

  /** Serves the metrics, sends one request and closes the server. */
  async function scrape(own: Partial<MetricSources> = {}, limitMs?: number, path = '/metrics'): Promise<Response> {
    const metrics = createMetrics({ ...sources, ...own }, logger, limitMs);
    metrics.observeRequest({ method: 'GET', route: '/api/admin/leads/:id', status: 200, seconds: 0.03 });
    const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 }, logger);
    try {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
      return new Response(await response.text(), response);
    } finally {
      await server.close();
    }
  }
  const lines = async (response: Response): Promise<string[]> => (await response.text()).split('\n');

  it('are served in the Prometheus text format', async () => {
    const response = await scrape();
    expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    expect(await lines(response)).to.include.members([
      'follow_ups{state="pending",transport="email"} 2',
      'follow_ups{state="failed",transport="email"} 1',
      'follow_ups{state="pending",transport="webhook"} 7',
      'follow_ups_oldest_waiting_seconds{transport="email"} 61',
      'follow_ups_oldest_waiting_seconds{transport="webhook"} 7200',
      'follow_ups_oldest_untried_seconds{transport="email"} 59',
      'queue_jobs{state="waiting"} 4',
      'database_pool_connections{use="used"} 1',
      'database_pool_connections{use="free"} 3',
      'database_pool_waiting 0',
      'metrics_source_up{source="database"} 1',
      'http_request_duration_seconds_count{method="GET",route="/api/admin/leads/:id",status="200"} 1',
    ]);
    expect(await (await scrape()).text()).to.match(/^nodejs_eventloop_lag_seconds \d/m);
  });

  it('report an age of 0 if no follow-up waits', async () => {
    const none = { counts: {}, oldestWaitingSeconds: null, oldestUntriedSeconds: null };
    const response = await scrape({ followUps: async () => none });
    expect(await lines(response)).to.include.members([
      'follow_ups_oldest_waiting_seconds{transport="email"} 0',
      'follow_ups_oldest_untried_seconds{transport="webhook"} 0',
    ]);
  });

  for (const [name, broken] of [
    ['fails', () => Promise.reject(new RangeError('zq9secret'))],
    ['never responds', () => new Promise<never>(() => undefined)],
  ] as const) {
    it(`omit the values of a source that ${name} and report it as down`, async () => {
      const response = await scrape({ followUps: broken }, 50);
      expect(response.status).to.equal(200);
      const all = await lines(response);
      expect(all).to.include('metrics_source_up{source="database"} 0').and.to.include('queue_jobs{state="waiting"} 4');
      expect(all.filter((line) => /^follow_ups(_oldest_\w+_seconds)?\{/.test(line))).to.deep.equal([]);
    });
  }

  it('report the database as down if it responds but cannot be used', async () => {
    const response = await scrape({ checkDatabase: () => Promise.reject(new Error('only reads')) });
    expect(await lines(response)).to.include('metrics_source_up{source="database"} 0');
  });

  it('are returned before Prometheus times out, even if a source never responds', async () => {
    const started = performance.now();
    const silent = await scrape({ queue: () => new Promise<never>(() => undefined) });
    expect(await lines(silent)).to.include('metrics_source_up{source="queue"} 0');
    expect(performance.now() - started).to.be.below(5_000);
  });

  it('ignore the values that a source returns after its time limit', async () => {
    const asked: ((known: Awaited<ReturnType<MetricSources['followUps']>>) => void)[] = [];
    const followUps: MetricSources['followUps'] = () => new Promise((resolve) => asked.push(resolve));
    const metrics = createMetrics({ ...sources, followUps }, logger, 50);
    await metrics.scrape();
    const second = metrics.scrape();
    asked[0]?.({ counts: { pending: 9 }, oldestWaitingSeconds: 9, oldestUntriedSeconds: 9 });
    expect((await second).text).to.not.match(/^follow_ups(_oldest_\w+_seconds)?\{/m);
  });

  it('omit the time of the newest backup if it cannot be read', async () => {
    const responses = [() => Promise.resolve(new Date(7_000)), () => Promise.reject(new Error('no such disk'))];
    const metrics = createMetrics({ ...sources, newestBackup: () => responses.shift()?.() ?? expect.fail() }, logger);
    expect((await metrics.scrape()).text).to.match(/^newest_backup_timestamp_seconds 7$/m);
    expect((await metrics.scrape()).text).to.not.match(/^newest_backup_timestamp_seconds /m);
  });

  it('omit the numbers of the audit log if they cannot be read', async () => {
    const responses = [() => Promise.resolve({ codes: 3, owners: 0 }), () => Promise.reject(new Error('no database'))];
    const metrics = createMetrics({ ...sources, auditAlarms: () => responses.shift()?.() ?? expect.fail() }, logger);
    expect((await metrics.scrape()).text.match(/^audit_log_alarms\{.*/gm)).to.deep.equal([
      'audit_log_alarms{of="codes"} 3',
      'audit_log_alarms{of="owners"} 0',
    ]);
    expect((await metrics.scrape()).text).to.not.match(/^audit_log_alarms\{/m);
  });

  it('show the last entry of the audit log that was noted', async () => {
    const metrics = createMetrics(sources, logger);
    expect((await metrics.scrape()).text).to.not.match(/^audit_log_head\{/m);
    for (const position of [7, 9]) metrics.showAuditHead({ position, hash: `${position}`.repeat(64) });
    expect((await metrics.scrape()).text.match(/^audit_log_head\{.*/gm)).to.deep.equal([
      `audit_log_head{hash="${'9'.repeat(64)}"} 9`,
    ]);
  });

  it('omit the size of the database if it cannot be read', async () => {
    const responses = [() => Promise.resolve(8_000_000), () => Promise.reject(new Error('no such disk'))];
    const metrics = createMetrics({ ...sources, databaseSize: () => responses.shift()?.() ?? expect.fail() }, logger);
    expect((await metrics.scrape()).text).to.match(/^database_size_bytes 8000000$/m);
    const { text } = await metrics.scrape();
    expect(text).to.not.match(/^database_size_bytes /m);
    expect(text).to.contain('metrics_source_up{source="database"} 1');
  });

  it('are collected once for concurrent scrapes', async () => {
    let times = 0;
    const queue = { ...sources, queue: async () => ({ waiting: ++times }) };
    const metrics = createMetrics(queue, logger);
    const responses = await Promise.all([metrics.scrape(), metrics.scrape()]);
    for (const { text } of responses) expect(text.split('\n')).to.include('queue_jobs{state="waiting"} 1');
    expect((await metrics.scrape()).text.split('\n')).to.include('queue_jobs{state="waiting"} 2');
  });

  it('include a /readyz that returns 503 if a source fails or the database cannot be used', async () => {
    expect((await scrape({}, undefined, '/readyz')).status).to.equal(200);
    const away = () => Promise.reject(new Error('away'));
    for (const broken of [{ queue: away }, { followUps: away }, { checkDatabase: away }]) {
      expect((await scrape(broken, undefined, '/readyz')).status).to.equal(503);
    }
  });

  it('keep the peak event loop lag for Prometheus when /readyz is requested', async () => {
    const metrics = createMetrics(sources, logger);
    const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 }, logger);
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text();
    try {
      // The lag is sampled by a timer every 10 ms, which must have run once.
      await pause(50);
      for (const end = performance.now() + 300; performance.now() < end;);
      await ask('/readyz');
      const [, peak] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await ask('/metrics')) ?? [];
      expect(Number(peak)).to.be.above(0.2);
    } finally {
      await server.close();
    }
  });

  it('are the only content of their port', async () => {
    expect((await scrape({}, undefined, '/')).status).to.equal(404);
  });

  it('name the setting to change if their server cannot listen', async () => {
    const metrics = createMetrics(sources, logger);
    const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 }, logger);
    const error = await serveMetrics(metrics, { host: '127.0.0.1', port: server.port }, logger).catch(
      (reason: unknown) => reason,
    );
    const elsewhere = await serveMetrics(metrics, { host: '192.0.2.1', port: 0 }, logger).catch(
      (reason: unknown) => reason,
    );
    await server.close();
    expect(String(elsewhere)).to.include('192.0.2.1 is not an address of this machine. Change METRICS_HOST.');
    expect(error).to.be.instanceOf(SettingsError);
    expect(String(error)).to.include(`Port ${server.port} is already in use. Set METRICS_PORT to a free port.`);
  });
});
