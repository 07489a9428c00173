import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '@dune-tide/ops/commands/migrate';
import { nodeFlags } from '@dune-tide/platform/node-flags';
import { connectDatabase } from '@dune-tide/db/connection';
import { minFormAge } from '@dune-tide/domain/limits';
import type { formTokenResponse } from '@dune-tide/domain/responses/form-token';
import type { Json } from '@dune-tide/domain/responses/schema';
import { freePort } from '@dune-tide/local/ports';
import { createLogger } from '@dune-tide/platform/log';
import { openProducer, type FollowUpProducer } from '@dune-tide/platform/queue/producer';
import type { Knex } from 'knex';
import { startProgram, type Program } from './program.ts';
import type { Services } from './services.ts';
import type { Backend } from './settings.ts';

const host = '127.0.0.1';
/** The public address in emails and in the portfolio. */
export const publicUrl = `http://${host}`;
const settings = {
  PUBLIC_URL: publicUrl,
  SESSION_KEYS: 'a-key-that-signs-nothing-outside-this-run',
  REQUIRE_SECOND_FACTOR: 'off',
  // Like behind a reverse proxy in production, so that the rate limits count each visitor separately.
  TRUSTED_PROXIES: host,
  HOST: host,
};

/** The built product with its own database and queue. The measurement starts its processes. */
export interface Product {
  readonly backend: Backend;
  readonly url: string;
  readonly database: Knex;
  readonly databaseUrl: string;
  readonly queue: FollowUpProducer;
  readonly redisUrl: string | undefined;
  /** Starts an API process at `url`. One of several has its own port. */
  startApi(one?: OneOfSeveral & { readonly port: number }): Promise<Program>;
  /** Starts a worker. @param smtpUrl - the mail server to use */
  startWorker(smtpUrl: string, one?: OneOfSeveral): Promise<Program>;
  /**
   * Returns a form token that is old enough to be accepted.
   * @param at - the address that issues it, if not `url`
   */
  formToken(at?: string): Promise<string>;
  /** Closes the connections of this object. The measurement stops the processes. */
  stop(): Promise<void>;
}

/** One of several processes of the same kind. */
interface OneOfSeveral {
  readonly logFile: string;
}

/**
 * Prepares a database for the product.
 * @param name - the name of the database, in lower case
 * @param own - more settings, e.g. `{ STAFF_EMAIL: … }`
 */
export async function prepareProduct(
  services: Services,
  name: string,
  backend: Backend,
  own: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const databaseUrl = await services.createDatabase(name);
  const redisUrl = backend === 'Redis' ? services.redisDatabase() : undefined;
  const database = connectDatabase({ url: databaseUrl, applicationName: 'bench', poolSize: 4 });
  await migrate(database, { databaseUrl, redisUrl });
  const queue = openProducer({ databaseUrl, redisUrl }, createLogger('bench', 'silent'));
  const port = await freePort(0, host);
  const url = `http://${host}:${port}`;
  const environment = {
    ...settings,
    DATABASE_URL: databaseUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...own,
  };
  return {
    backend,
    url,
    database,
    databaseUrl,
    queue,
    redisUrl,
    startApi: (one = { port, logFile: services.logFile(`${name}-api`) }) =>
      startProgram({
        file: 'api/dist/src/main.js',
        nodeFlags,
        environment: { ...environment, PORT: String(one.port) },
        logFile: one.logFile,
      }),
    startWorker: (smtpUrl, one = { logFile: services.logFile(`${name}-worker`) }) =>
      startProgram({
        file: 'worker/dist/src/main.js',
        nodeFlags,
        environment: {
          ...environment,
          SMTP_URL: smtpUrl,
          CACHE_DIRECTORY: services.portfolioDirectory,
          EMAIL_LIMIT: '0',
        },
        logFile: one.logFile,
      }),
    async formToken(at = url) {
      const response = await fetch(`${at}/api/form-token`, { signal: AbortSignal.timeout(10_000) });
      const { token } = (await response.json()) as Json<typeof formTokenResponse>;
      await pause(minFormAge);
      return token;
    },
    async stop() {
      await queue.close();
      await database.destroy();
    },
  };
}
