import type { Server } from 'node:http';
import { settingRules } from '@dune-tide/platform/settings';
import { isReady } from '../harness/calls.ts';

/** As many connections as the product's pool has. */
export const poolSize: number = settingRules.DATABASE_POOL_SIZE.default;

/** @throws when the environment lacks it */
export function required(name: 'DATABASE_URL' | 'PORT'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

/** Listens where the measurement wants it. */
export function serve(server: Server): void {
  server.listen(Number(required('PORT')), '127.0.0.1', isReady);
}
