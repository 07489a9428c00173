import { until } from '@dune-tide/testkit/until';
import type { Run } from './run.ts';

/** The product in containers, started from a checkout. */
export interface Stack {
  /** Runs `docker compose`. @returns its standard output */
  compose(words: readonly string[], limitSeconds?: number): Promise<string>;
  /** Runs commands of an operator with umask 077 in the checkout, as `sh -e` does. @returns their standard output */
  shell(commands: string, limitSeconds?: number): Promise<string>;
  /** @returns the ids of the containers of a service, including stopped ones */
  containersOf(service: string): Promise<string[]>;
  /**
   * Waits until all containers of some services are healthy and the migration has succeeded.
   * @param counts - the expected number of containers, by service
   * @returns how many containers there are
   * @throws if the migration fails, or after five minutes
   */
  healthy(counts: Readonly<Record<string, number>>): Promise<string>;
  /** @returns the images of the containers of a service */
  imagesOf(service: string): Promise<string[]>;
}

/** The services whose containers run once and exit. */
const endingServices: readonly string[] = ['roles', 'migrate'];

interface Container {
  readonly ID: string;
  readonly Service: string;
  readonly State: string;
  readonly Health: string;
  readonly ExitCode: number;
}

const healthySeconds = 300;
const commandSeconds = 1_800;

/** @param folder - the checkout */
export function openStack(run: Run, folder: string): Stack {
  const compose = (words: readonly string[], limitSeconds = commandSeconds): Promise<string> =>
    run('docker', ['compose', ...words], { folder, limitSeconds });
  const list = async (): Promise<Container[]> =>
    (await run('docker', ['compose', 'ps', '--all', '--format', 'json'], { folder, isRepeated: true }))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Container);
  const containersOf = async (service: string): Promise<string[]> =>
    (await compose(['ps', '--all', '--quiet', service])).split('\n').filter((id) => id !== '');
  return {
    compose,
    shell: (commands, limitSeconds = commandSeconds) =>
      run('sh', ['-ec', `umask 077\n${commands}`], { folder, limitSeconds }),
    containersOf,
    imagesOf: async (service) => {
      const words = ['inspect', '--format', '{{.Config.Image}}', ...(await containersOf(service))];
      return (await run('docker', words)).split('\n').filter((name) => name !== '');
    },
    async healthy(counts) {
      const expected = Object.values(counts).reduce((sum, count) => sum + count, 0);
      await until(
        `${expected} containers are healthy`,
        async () => {
          const containers = await list();
          const ending = containers.filter(({ Service }) => endingServices.includes(Service));
          const failed = ending.find(({ State, ExitCode }) => State === 'exited' && ExitCode !== 0);
          if (failed) throw new Error(`The service ${failed.Service} exited with ${failed.ExitCode}`);
          const running = containers.filter(({ Service }) => Service in counts);
          return (
            ending.length === endingServices.length &&
            ending.every(({ State }) => State === 'exited') &&
            running.length === expected &&
            running.every(({ State, Health }) => State === 'running' && Health === 'healthy') &&
            Object.entries(counts).every(
              ([service, count]) => running.filter(({ Service }) => Service === service).length === count,
            )
          );
        },
        healthySeconds,
        500,
      );
      return `${expected} containers are healthy, the migration has succeeded`;
    },
  };
}
