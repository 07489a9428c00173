/** What `make test` or a benchmark starts or finds once and hands to those that use it. */
export type TestService =
  'TEST_DATABASE_URL' | 'TEST_CLUSTER' | 'TEST_REDIS_URL' | 'CHROMIUM' | 'REDIS_SERVER' | 'PROMTOOL' | 'HAPROXY';

/**
 * @returns where a service of the test run is
 * @throws when a suite is started without it: a suite that cannot run must fail, not pass in silence
 */
export function testService(name: TestService): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set. Run suites with: make test SUITES="name"`);
  return value;
}
