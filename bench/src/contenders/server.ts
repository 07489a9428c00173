import type { Server } from 'node:http';
import { settingRules } from '@dune-tide/platform/settings';
import { isReady } from '../harness/calls.ts';

/** The number of connections in the product's pool. */
export const poolSize: number = settingRules.DATABASE_POOL_SIZE.default;

/** Returns an environment variable. @throws if it is not set */
export function required(name: 'DATABASE_URL' | 'PORT'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

/** Listens on the port of the measurement. */
export function serve(server: Server): void {
  server.listen(Number(required('PORT')), '127.0.0.1', isReady);
}
