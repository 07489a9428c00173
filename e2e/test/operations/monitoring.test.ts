import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@dune-tide/local/ports';
import { createTestDatabase } from '@dune-tide/testkit/database';
import { contactMessage } from '@dune-tide/testkit/leads';
import { postLead } from '@dune-tide/testkit/post-lead';
import { startProcess } from '@dune-tide/testkit/processes';
import { startTestSmtp } from '@dune-tide/testkit/smtp';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { testService } from '@dune-tide/testkit/environment';
import { memoryLogger } from '@dune-tide/testkit/log';
import type { AuditAlarms } from '@dune-tide/db/audit-log';
import { followUpStates } from '@dune-tide/domain/follow-ups';
import { createMetrics } from '@dune-tide/platform/metrics';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
  }[];
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}

const run = promisify(execFile);

const read = (file: string): Promise<string> => readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8');

/** @throws with the output of promtool */
async function promtool(...words: readonly string[]): Promise<string> {
  const cwd = new URL('../../../deploy/prometheus/', import.meta.url);
  const { stdout } = await run(testService('PROMTOOL'), words, { cwd, timeout: hangLimitSeconds * 1000 });
  return stdout;
}

interface Expression {
  /** Parts that Prometheus cannot parse. */
  readonly faults: readonly string[];
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  /** The series that the expression selects. */
  readonly selectors: readonly string[];
}

function readExpression(text: string): Expression {
  const [faults, metrics, labels, selectors]: [string[], string[], string[], string[]] = [[], [], [], []];
  parser.parse(text).iterate({
    enter({ name, type, node, from, to }) {
      if (type.isError) faults.push(`${text.slice(0, from)}…`);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text.slice(from, to));
      if (name === 'VectorSelector') selectors.push(text.slice(from, to));
      if (name === 'LabelName') labels.push(text.slice(from, to));
    },
  });
  return { faults, metrics, labels, selectors };
}

/** Metrics and labels of Prometheus itself, of its exporters and of deploy/prometheus/docker.sh. */
const others: readonly (readonly [metric: string, labels: readonly string[]])[] = [
  ['up', []],
  ['node_filesystem_avail_bytes', ['fstype', 'mountpoint']],
  ['node_filesystem_size_bytes', ['fstype', 'mountpoint']],
  ['probe_ssl_earliest_cert_expiry', []],
  ['configured_containers', []],
];

const auditAlarms = { erasures: 1, exports: 1, owners: 1, passwords: 1, codes: 1 } satisfies AuditAlarms;

describe('dashboard and alerts', () => {
  /** Labels by metric name, over all processes. */
  let exported: Map<string, readonly string[]>;
  const expressions: { readonly where: string; readonly text: string }[] = [];
  let rules: Rules;
  let dashboard: Dashboard;

  before(async () => {
    const metrics = createMetrics(
      {
        followUps: async () => ({
          counts: Object.fromEntries(followUpStates.map((state) => [state, 1])),
          oldestWaitingSeconds: 1,
          oldestUntriedSeconds: 1,
        }),
        queue: async () => ({ waiting: 1, active: 1, delayed: 1 }),
        checkDatabase: async () => undefined,
        pool: () => ({ used: 1, free: 1, waiting: 1 }),
        newestBackup: async () => new Date(),
        databaseSize: async () => 1,
        auditAlarms: async () => auditAlarms,
      },
      memoryLogger().logger,
    );
    metrics.observeRequest({ method: 'GET', route: '/', status: 200, seconds: 0.1 });
    const { text } = await metrics.scrape();
    exported = new Map(others);
    for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
      exported.set(
        name,
        [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
      );
    }
    rules = parse(await read('prometheus/alerts.yml')) as Rules;
    dashboard = JSON.parse(await read('grafana/dune-and-tide.json')) as Dashboard;
    for (const { alert, expr } of rules.groups.flatMap((group) => group.rules)) {
      expressions.push({ where: alert, text: expr });
    }
    for (const { title, targets } of dashboard.panels) {
      // Grafana replaces this variable with a duration.
      for (const { expr } of targets)
        expressions.push({ where: title, text: expr.replaceAll('$__rate_interval', '1m') });
    }
  });

  it('use valid PromQL on metrics that the processes export', () => {
    expect(expressions).to.have.length.above(20);
    for (const { where, text } of expressions) {
      const { faults, metrics, labels } = readExpression(text);
      expect(faults, where).to.deep.equal([]);
      expect(
        metrics.filter((name) => !exported.has(name)),
        where,
      ).to.deep.equal([]);
      // Prometheus adds the labels of the target.
      const known = new Set(['job', 'instance', 'le', ...metrics.flatMap((name) => exported.get(name) ?? [])]);
      expect(
        labels.filter((label) => !known.has(label)),
        where,
      ).to.deep.equal([]);
    }
  });

  it('select only our own processes', () => {
    for (const { where, text } of expressions) {
      for (const selector of readExpression(text).selectors) {
        expect(selector, where).to.match(/\{job=(?:~"api\|worker"|"api"|"worker"|~"node\|site"|"node"|"site")[,}]/);
      }
    }
  });

  it('show no number where data is missing', () => {
    for (const { where, text } of expressions) expect(text, where).to.not.match(/\bvector\(/);
  });

  it('show no 0/0 on an idle site', () => {
    for (const { where, text } of expressions.filter((each) => dashboard.panels.some((p) => p.title === each.where))) {
      if (text.includes(' / ')) expect(text, where).to.match(/ \/ \(sum\(.* > 0\) or 0 \* max\(up\{/);
      if (text.includes('histogram_quantile')) expect(text, where).to.match(/ >= 0\)?$/);
    }
  });

  it('select only states and numbers that exist', () => {
    for (const { where, text } of expressions) {
      for (const [, state] of text.matchAll(/follow_ups\{[^}]*state!?="(\w+)"/g)) {
        expect(followUpStates, where).to.include(state);
      }
      for (const [, of = ''] of text.matchAll(/audit_log_alarms\{[^}]*of="(\w+)"/g)) {
        expect(auditAlarms, where).to.have.property(of);
      }
    }
  });

  it('show every metric about leads and emails', () => {
    const shown = new Set(
      dashboard.panels.flatMap(({ targets }) =>
        targets.flatMap(({ expr }) => readExpression(expr.replaceAll('$__rate_interval', '1m')).metrics),
      ),
    );
    for (const name of [
      'http_request_duration_seconds_bucket',
      'http_request_duration_seconds_count',
      'follow_ups',
      'follow_ups_oldest_waiting_seconds',
      'follow_ups_oldest_untried_seconds',
      'queue_jobs',
      'database_pool_connections',
      'database_pool_waiting',
      'nodejs_eventloop_lag_p99_seconds',
      'metrics_source_up',
    ]) {
      expect(shown, name).to.include(name);
    }
  });

  it('let the user choose the Prometheus data source on import', () => {
    const sources = dashboard.panels.flatMap(({ targets }) => targets.map(({ datasource }) => datasource.uid));
    expect(new Set(sources)).to.deep.equal(new Set(['${datasource}']));
  });

  it('calculate error rates over the calls that can fail', () => {
    const counting = expressions.filter(({ text }) => text.includes('status=~"5..'));
    expect(counting).to.have.lengthOf(2);
    for (const { where, text } of counting) {
      expect(text.match(/route=~"[^"]*"/g), where).to.deep.equal(Array(2).fill('route=~"/api/.*|none"'));
    }
  });

  it('pass the tests of their rules, in which each alert fires at least once', async () => {
    const fired: string[] = [];
    for (const file of ['alerts.test.yml', 'alerts-over-days.test.yml']) {
      const { tests } = parse(await read(`prometheus/${file}`)) as {
        readonly tests: readonly {
          readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
        }[];
      };
      for (const { alertname, exp_alerts } of tests.flatMap((test) => test.alert_rule_test)) {
        if (exp_alerts.length > 0) fired.push(alertname);
      }
      expect(await promtool('test', 'rules', file)).to.match(/\bSUCCESS\b/);
    }
    expect([...new Set(fired)]).to.have.members(rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert)));
  });

  it('are a valid Prometheus configuration', async () => {
    expect(await promtool('check', 'config', 'prometheus.yml')).to.match(/\bSUCCESS: prometheus\.yml is valid\b/);
  });

  it('are a valid configuration with Docker, with the site and the number of containers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    try {
      for (const name of ['docker.yml', 'docker.sh', 'alerts.yml']) {
        await writeFile(join(folder, name), (await read(`prometheus/${name}`)).replaceAll('/tmp/', `${folder}/`));
      }
      await writeFile(join(folder, 'prometheus'), '#!/bin/sh\necho "$*"\n', { mode: 0o755 });
      const env = {
        PATH: `${folder}:${process.env['PATH']}`,
        PUBLIC_URL: 'https://site.example',
        API_CONTAINERS: '3',
        WORKER_CONTAINERS: '2',
      };
      const { stdout } = await run('sh', [join(folder, 'docker.sh')], { env, timeout: hangLimitSeconds * 1000 });
      expect(stdout).to.include('--config.file=/etc/prometheus/prometheus.yml');
      expect(await promtool('check', 'config', join(folder, 'docker.yml'))).to.match(/SUCCESS: 2 rules found/);
      expect(JSON.parse(await readFile(join(folder, 'site.json'), 'utf8'))).to.deep.equal([
        { targets: ['https://site.example'] },
      ]);
      const { groups } = parse(await readFile(join(folder, 'configured.yml'), 'utf8')) as Rules;
      expect(groups.flatMap((group) => group.rules).map(({ expr, labels }) => [labels['job'], expr])).to.deep.equal([
        ['api', 'vector(3)'],
        ['worker', 'vector(2)'],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are found by Grafana of docker-compose.yml, with its data source', async () => {
    const { services } = parse(await readFile(new URL('../../../docker-compose.yml', import.meta.url), 'utf8'), {
      merge: true,
    }) as { readonly services: { readonly grafana: { readonly volumes: readonly string[] } } };
    const mounts = new Map(services.grafana.volumes.map((each) => each.split(':').slice(0, 2) as [string, string]));
    const { datasources } = parse(await read('grafana/datasource.yml')) as {
      readonly datasources: readonly Readonly<Record<string, unknown>>[];
    };
    expect(datasources).to.have.lengthOf(1);
    expect(datasources[0]).to.include({ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true });
    const { providers } = parse(await read('grafana/dashboards.yml')) as {
      readonly providers: readonly { readonly options: { readonly path: string } }[];
    };
    expect(mounts.get('./deploy/grafana/dune-and-tide.json')).to.equal(
      `${providers[0]?.options.path}/dune-and-tide.json`,
    );
    for (const [file, kind] of [
      ['datasource.yml', 'datasources'],
      ['dashboards.yml', 'dashboards'],
    ] as const) {
      expect(mounts.get(`./deploy/grafana/${file}`)).to.match(new RegExp(`^/etc/grafana/provisioning/${kind}/`));
    }
  });

  it('route each alert to a receiver', async () => {
    const { route, receivers } = parse(await read('prometheus/alertmanager.yml')) as {
      readonly route: {
        readonly receiver: string;
        readonly routes: readonly { readonly matchers: readonly string[] }[];
      };
      readonly receivers: readonly { readonly name: string; readonly email_configs: readonly unknown[] }[];
    };
    expect(receivers.find(({ name }) => name === route.receiver)?.email_configs).to.have.lengthOf(1);
    const severities = rules.groups.flatMap((group) =>
      group.rules.map(({ labels }) => `severity = ${labels['severity']}`),
    );
    const routed = route.routes.flatMap(({ matchers }) => matchers);
    expect(routed).to.include('severity = page');
    expect(severities).to.include.members(routed);
    const { alerting } = parse(await read('prometheus/prometheus.yml')) as {
      readonly alerting: { readonly alertmanagers: readonly { readonly static_configs: readonly object[] }[] };
    };
    expect(alerting.alertmanagers.flatMap((each) => each.static_configs)).to.have.lengthOf(1);
  });

  it('state the urgency, the problem and the action of each alert', () => {
    for (const { alert, labels, annotations } of rules.groups.flatMap((group) => group.rules)) {
      expect(labels['severity'], alert).to.be.oneOf(['page', 'ticket']);
      expect(annotations, alert).to.have.all.keys('summary', 'action');
    }
  });
});

describe('the dashboard of a running product', () => {
  it('has data for every query, and every alert can be evaluated', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
    const test = await createTestDatabase();
    const smtp = await startTestSmtp();
    const ended: (() => Promise<unknown>)[] = [];
    try {
      const ports: number[] = [];
      for (let index = 0; index < 4; index++) ports.push(await freePort(0, '127.0.0.1'));
      const [port, apiMetrics, workerMetrics, prometheusPort] = ports;
      const shared = {
        DATABASE_URL: test.appUrl,
        PUBLIC_URL: 'https://site.example',
        SESSION_KEYS: 'a-key-that-signs-nothing-outside-this-test',
      };
      const start = async (module: string, settings: Record<string, string>): Promise<void> => {
        const started = await startProcess(module, { ...shared, ...settings });
        ended.push(() => started.stop());
      };
      const config = parse(await read('prometheus/prometheus.yml')) as {
        global: object;
        rule_files: readonly string[];
        scrape_configs: { readonly job_name: string; static_configs: readonly object[] }[];
      };
      config.global = { scrape_interval: '500ms', scrape_timeout: '400ms', evaluation_interval: '500ms' };
      config.rule_files = [fileURLToPath(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url))];
      for (const [job, target] of [
        ['api', apiMetrics],
        ['worker', workerMetrics],
      ] as const) {
        const scraped = config.scrape_configs.find(({ job_name }) => job_name === job);
        if (scraped) scraped.static_configs = [{ targets: [`127.0.0.1:${target}`] }];
      }
      await writeFile(join(folder, 'prometheus.yml'), stringify(config));
      const prometheus = spawn(
        join(dirname(testService('PROMTOOL')), 'prometheus'),
        [
          `--config.file=${join(folder, 'prometheus.yml')}`,
          `--storage.tsdb.path=${join(folder, 'data')}`,
          `--web.listen-address=127.0.0.1:${prometheusPort}`,
        ],
        { stdio: 'ignore' },
      );
      const exit = once(prometheus, 'exit');
      ended.push(async () => {
        prometheus.kill('SIGKILL');
        await exit;
      });
      await Promise.all([
        start('@dune-tide/api/main', {
          PORT: String(port),
          METRICS_PORT: String(apiMetrics),
          PUBLIC_POST_LIMIT: '0',
          STAFF_EMAIL: 'staff@studio.example',
        }),
        start('@dune-tide/worker/main', {
          SMTP_URL: smtp.url,
          METRICS_PORT: String(workerMetrics),
          CACHE_DIRECTORY: join(folder, 'cache'),
        }),
      ]);

      const ask = async <Data>(path: string): Promise<Data | undefined> => {
        try {
          const response = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/${path}`);
          return ((await response.json()) as { readonly data: Data }).data;
        } catch {
          return undefined;
        }
      };
      const hasData = async (expr: string): Promise<boolean> => {
        const found = await ask<{ readonly result: readonly unknown[] }>(`query?query=${encodeURIComponent(expr)}`);
        return (found?.result.length ?? 0) > 0;
      };
      const { panels } = JSON.parse(await read('grafana/dune-and-tide.json')) as Dashboard;
      const queries = panels.flatMap(({ targets }) =>
        targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '10s')),
      );
      expect(queries).to.have.length.above(20);
      let empty: readonly string[] = queries;
      const site = `http://127.0.0.1:${port}`;
      await until('every query returns data', async () => {
        const { email, fields } = contactMessage;
        const { status } = await postLead(site, 'contact', { ...fields, email });
        if (status !== 201) throw new Error(`The API returned ${status ?? 'no response'}`);
        await fetch(`${site}/api/admin/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ username: 'unknown', password: 'a wrong password' }),
        });
        const found = await Promise.all(empty.map(hasData));
        empty = empty.filter((_, index) => found[index] !== true);
        return empty.length === 0;
      }).catch((error: unknown) => {
        throw new Error(`Without data: ${empty.join('; ')}`, { cause: error });
      });

      const rules = await until('all alerts have been evaluated', async () => {
        const groups = await ask<{
          readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[];
        }>('rules');
        const all = groups?.groups.flatMap((group) => group.rules) ?? [];
        return all.length > 0 && all.every(({ health }) => health !== 'unknown') && all;
      });
      expect(rules.filter(({ health }) => health !== 'ok')).to.deep.equal([]);
    } finally {
      for (const end of ended.toReversed()) await end();
      await smtp.close();
      await test.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
