import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { testService } from '@dune-tide/testkit/environment';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';

/** One address in front of several processes of the API. */
export interface Front {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const deployed = new URL('../../../deploy/compose/haproxy.cfg', import.meta.url);
const startLimitSeconds = 10;

/**
 * Starts HAProxy with the deployed configuration, in front of processes of this machine instead of containers.
 * @param apiPorts - the ports of the API processes
 * @param file - the path for the configuration; the log has the same path with `.log`
 */
export async function startFront(apiPorts: readonly number[], file: string): Promise<Front> {
  const port = await freePort(0, host);
  const healthPort = await freePort(0, host);
  await writeFile(file, await frontConfiguration({ port, healthPort, apiPorts }));
  const log = openSync(`${file}.log`, 'a');
  // In its own process group, so that Ctrl-C reaches only this process, which stops the parts in order.
  const child = spawn(testService('HAPROXY'), ['-db', '-f', file], {
    detached: true,
    env: { PATH: process.env['PATH'] ?? '', OUTER_PROXIES: host },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(
    'HAProxy responds',
    async () => {
      if (child.exitCode !== null) throw new Error(`HAProxy ended: ${await readFile(`${file}.log`, 'utf8')}`);
      return fetch(`http://${host}:${healthPort}/`, { signal: AbortSignal.timeout(1_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    startLimitSeconds,
  );
  return {
    url: `http://${host}:${port}`,
    pid: child.pid ?? 0,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** @returns e.g. `HAProxy 3.2.12` */
export async function frontVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(testService('HAPROXY'), ['-v'], { timeout: startLimitSeconds * 1_000 });
  return `HAProxy ${/version (\d+(?:\.\d+)*)/.exec(stdout)?.[1] ?? 'of an unknown version'}`;
}

export interface FrontPorts {
  readonly port: number;
  readonly healthPort: number;
  readonly apiPorts: readonly number[];
}

/** Returns the deployed configuration with other addresses. @throws if an expected line is missing */
export async function frontConfiguration({ port, healthPort, apiPorts }: FrontPorts): Promise<string> {
  const servers = apiPorts.map((apiPort, index) => `  server api-${index + 1} ${host}:${apiPort} check`);
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^resolvers docker\n(?: .*\n)+/m, ''],
    // Debian's HAProxy does not know init-state yet.
    [/ resolvers docker init-addr none init-state down$/m, ''],
    [/^ +server-template .*$/m, servers.join('\n')],
    [/ bind :8080$/m, ` bind ${host}:${port}`],
    [/ bind 127\.0\.0\.1:8081$/m, ` bind ${host}:${healthPort}`],
  ];
  return changes.reduce(
    (changed, [from, to]) => {
      if (!from.test(changed)) throw new Error(`deploy/compose/haproxy.cfg has no line that matches ${from}`);
      return changed.replace(from, to);
    },
    await readFile(deployed, 'utf8'),
  );
}
