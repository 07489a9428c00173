import { describeError, type Logger } from '@dune-tide/platform/log';
import { enumOf, record, type Answered } from '../http/answer-schema.ts';
import type { Router } from '../http/context.ts';

/** Something that must answer before the API is ready. */
export interface Part {
  readonly name: string;
  readonly check: () => Promise<unknown>;
}

const partState = enumOf(['ok', 'unavailable']);

/** That the process runs. */
export const health = record({ status: { const: 'ok' } });

/** How all is, and each part by its name. */
export const readiness = record({ status: partState, parts: { type: 'object', additionalProperties: partState } });

/** `/healthz` says that the process runs; `/readyz` that the parts it needs answer. */
export function healthRoutes(router: Router, parts: readonly Part[], logger: Logger): void {
  router.get('/healthz', (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { status: 'ok' } satisfies Answered<typeof health>;
  });
  router.get('/readyz', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    const outcomes = await Promise.allSettled(parts.map(({ check }) => check()));
    const states = parts.map(({ name }, index) => {
      const outcome = outcomes[index];
      if (outcome?.status === 'rejected') {
        logger.warn({ part: name, error: describeError(outcome.reason) }, 'not ready');
      }
      return [name, outcome?.status === 'fulfilled' ? 'ok' : 'unavailable'] as const;
    });
    const isReady = states.every(([, state]) => state === 'ok');
    ctx.status = isReady ? 200 : 503;
    ctx.body = {
      status: isReady ? 'ok' : 'unavailable',
      parts: Object.fromEntries(states),
    } satisfies Answered<typeof readiness>;
  });
}
