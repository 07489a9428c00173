/** Asked again and again, by whatever passes requests on or watches the process. */
export const probePaths = { health: '/healthz', readiness: '/readyz' } as const;
