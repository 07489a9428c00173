import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@dune-tide/testkit/until';
import type { Visitors } from './visitors.ts';

const prometheus = 'http://127.0.0.1:9090/api/v1';
/** Two scrapes, each 15 s. */
const rateInterval = '1m';

/** Requests a path of Prometheus' API. @returns undefined while it does not respond */
async function ask<Data>(path: string): Promise<Data | undefined> {
  try {
    const response = await fetch(`${prometheus}/${path}`, { signal: AbortSignal.timeout(10_000) });
    return response.ok ? ((await response.json()) as { readonly data: Data }).data : undefined;
  } catch {
    return undefined;
  }
}

interface Result {
  readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: [number, string] }[];
}

const query = (expression: string): Promise<Result | undefined> => ask(`query?query=${encodeURIComponent(expression)}`);

/**
 * Checks that Prometheus of docker-compose.yml scrapes every container and both exporters, has read all alerts, and has
 * data for every query of the dashboard while visitors send forms.
 * @param site - the address of the front
 * @param checkout - has the alerts and the dashboard
 * @param counts - the number of containers, by service
 * @returns what it found
 */
export async function checkMonitoring(
  visitors: Visitors,
  site: string,
  checkout: string,
  counts: { readonly api: number; readonly worker: number },
): Promise<string> {
  const read = (file: string): Promise<string> => readFile(join(checkout, 'deploy', file), 'utf8');
  const { panels } = JSON.parse(await read('grafana/dune-and-tide.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', rateInterval)),
  );
  let empty: readonly string[] = queries;
  const expected = { api: counts.api, worker: counts.worker, node: 1, site: 1 };
  await visitors.during(async () => {
    for (const [job, count] of Object.entries(expected)) {
      await until(`${count} targets of ${job} are up`, async () => {
        const found = await query(`count(up{job="${job}"} == 1)`);
        return Number(found?.result[0]?.value[1]) === count;
      });
    }
    const login = { username: 'unknown', password: 'a wrong password' };
    await fetch(`${site}/api/admin/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(login),
      signal: AbortSignal.timeout(10_000),
    });
    await until('every query returns data', async () => {
      const found = await Promise.all(empty.map(query));
      empty = empty.filter((_, index) => !found[index]?.result.length);
      return empty.length === 0;
    }).catch((error: unknown) => {
      throw new Error(`Without data: ${empty.join('; ')}`, { cause: error });
    });
  });
  for (const metric of ['node_filesystem_avail_bytes{job="node"}', 'newest_backup_timestamp_seconds{job="api"} > 0']) {
    if (!(await query(metric))?.result.length) throw new Error(`Prometheus has no ${metric}`);
  }
  const configured = await query('configured_containers');
  const numbers = configured?.result.map(({ metric, value }) => `${metric['job']}=${value[1]}`).toSorted();
  if (numbers?.join() !== `api=${counts.api},worker=${counts.worker}`) {
    throw new Error(`Prometheus expects ${numbers?.join()} containers`);
  }
  const rules = await until('the alerts have been evaluated', async () => {
    const groups = (
      await ask<{
        readonly groups: readonly { readonly rules: readonly { readonly name: string; readonly health: string }[] }[];
      }>('rules')
    )?.groups;
    const all = groups?.flatMap((group) => group.rules) ?? [];
    return all.length > 0 && all.every(({ health }) => health !== 'unknown') && all;
  });
  const broken = rules.filter(({ health }) => health !== 'ok');
  if (broken.length > 0) throw new Error(`Alerts that Prometheus cannot evaluate: ${JSON.stringify(broken)}`);
  return `data for all ${queries.length} queries of the dashboard; ${rules.length} rules`;
}
