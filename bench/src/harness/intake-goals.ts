import { spreadText, type Goal } from './report.ts';
import { ratios, spread } from './statistics.ts';

/**
 * Compares median response times over one connection: those of a product and those of the usual way on the same
 * backend.
 * @param own - the milliseconds of each round; `usual` has as many rounds
 */
export function loneGoal(product: string, own: readonly number[], usual: readonly number[]): Goal {
  const found = spread(ratios(own, usual));
  return {
    what: `median with one connection, ${product}`,
    goal: '≤ 0.65 × (b)',
    found: `${spreadText(found, 2)} ×`,
    isMet: found.median <= 0.65,
  };
}

/**
 * Compares the requests per second of the product on both queue backends.
 * @param redis - the rate of each round; `postgres` has as many rounds
 */
export function backendGoal(redis: readonly number[], postgres: readonly number[]): Goal {
  const found = spread(ratios(redis, postgres));
  return {
    what: 'requests per second, Redis',
    goal: '0.9 to 1.1 × PostgreSQL',
    found: `${spreadText(found, 2)} ×`,
    isMet: found.median >= 0.9 && found.median <= 1.1,
  };
}
