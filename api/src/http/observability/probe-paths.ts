/** Paths that load balancers and monitoring poll. */
export const probePaths = { health: '/healthz', readiness: '/readyz' } as const;
