/** Environment variables in which `make test` or a benchmark passes on the services that it has started or found. */
export type TestService =
  | 'TEST_DATABASE_URL'
  | 'TEST_APP_URL'
  | 'TEST_OWNER_URL'
  | 'TEST_BACKUP_URL'
  | 'TEST_CLUSTER'
  | 'TEST_MIGRATED_CLUSTER'
  | 'TEST_REDIS_URL'
  | 'CHROMIUM'
  | 'REDIS_SERVER'
  | 'PROMTOOL'
  | 'HAPROXY';

/**
 * Returns the address or path of a service of the test run.
 * @throws if the variable is not set: a suite that cannot run must fail instead of passing silently
 */
export function testService(name: TestService): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Run suites with: make test SUITES="name"`);
  return value;
}
