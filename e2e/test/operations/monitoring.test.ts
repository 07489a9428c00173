import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hangLimitSeconds } from '@dune-tide/testkit/until';
import { testService } from '@dune-tide/testkit/environment';
import { memoryLogger } from '@dune-tide/testkit/log';
import type { AuditAlarms } from '@dune-tide/db/audit-log';
import { followUpStates } from '@dune-tide/domain/follow-ups';
import { createMetrics } from '@dune-tide/platform/metrics';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { parse } from 'yaml';

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
    // Prometheus adds this one itself.
    exported = new Map([['up', []]]);
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
        expect(selector, where).to.match(/\{job=(?:~"api\|worker"|"api"|"worker")[,}]/);
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
