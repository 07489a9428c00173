import { Router } from '@koa/router';
import { expect } from 'chai';
import type { RequestState } from '../src/http/context.ts';
import { findRoutePattern } from '../src/http/koa-router-internals.ts';

describe('the internals of @koa/router', () => {
  const handler = (): void => undefined;
  const router = new Router<RequestState>();
  router.get('/healthz', handler);
  const prefixed = new Router<RequestState>({ prefix: '/api/admin' });
  prefixed.post('/leads/:id/release', handler);
  prefixed.get(['/queue', '/queue/{*rest}'], handler);

  it('find the pattern that a path matches, with any method and case', () => {
    for (const [path, pattern] of [
      ['/healthz', '/healthz'],
      ['/API/Admin/leads/x/release', '/api/admin/leads/:id/release'],
      ['/api/admin/queue/a/b', '/api/admin/queue/{*rest}'],
      ['/api/admin/leads', undefined],
      ['/', undefined],
    ] as const) {
      expect(findRoutePattern([router, prefixed], path), path).to.equal(pattern);
    }
  });
});
