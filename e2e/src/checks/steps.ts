/** One check of `make test`: a command that fails, or a set of tests. */
export type Step = CommandStep | TestStep;

interface CommandStep {
  readonly kind: 'command';
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly limitSeconds: number;
}

interface TestStep {
  readonly kind: 'tests';
  readonly name: string;
  /** Files, as mocha takes them. */
  readonly files: readonly string[];
  readonly limitSeconds: number;
}

/** How many steps run beside each other: on two cores more than half of a test's time is spent waiting. */
export const stepsAtOnce = 4;

/** Every check there is. Each begins as soon as another ends: the longest first, so that none is left over alone. */
export const steps: readonly Step[] = [
  { kind: 'tests', name: 'browser', files: ['e2e/test/browser/*.test.ts'], limitSeconds: 900 },
  { kind: 'tests', name: 'admin', files: ['e2e/test/admin/*.test.ts'], limitSeconds: 900 },
  { kind: 'tests', name: 'leads', files: ['e2e/test/leads/*.test.ts'], limitSeconds: 900 },
  { kind: 'tests', name: 'local', files: ['local/test/*.test.ts'], limitSeconds: 420 },
  { kind: 'tests', name: 'pages', files: ['e2e/test/pages/*.test.ts'], limitSeconds: 900 },
  { kind: 'tests', name: 'faults', files: ['e2e/test/faults/*.test.ts'], limitSeconds: 420 },
  { kind: 'tests', name: 'api', files: ['api/test/*.test.ts'], limitSeconds: 420 },
  { kind: 'tests', name: 'worker', files: ['worker/test/*.test.ts'], limitSeconds: 420 },
  { kind: 'tests', name: 'platform', files: ['platform/test/*.test.ts'], limitSeconds: 420 },
  { kind: 'tests', name: 'db', files: ['db/test/*.test.ts'], limitSeconds: 420 },
  { kind: 'command', name: 'types', command: ['npm', 'run', '--silent', 'types'], limitSeconds: 180 },
  {
    kind: 'command',
    name: 'format',
    command: ['npx', 'prettier', '--check', '--log-level=warn', '.'],
    limitSeconds: 120,
  },
  { kind: 'command', name: 'lint', command: ['npm', 'run', '--silent', 'lint'], limitSeconds: 180 },
  { kind: 'command', name: 'boundaries', command: ['npm', 'run', '--silent', 'boundaries'], limitSeconds: 120 },
  { kind: 'tests', name: 'frontend', files: ['frontend/test/*.test.ts'], limitSeconds: 120 },
  { kind: 'tests', name: 'operations', files: ['e2e/test/operations/*.test.ts'], limitSeconds: 120 },
  { kind: 'tests', name: 'packages', files: ['e2e/test/packages/*.test.ts'], limitSeconds: 60 },
  { kind: 'tests', name: 'domain', files: ['domain/test/*.test.ts'], limitSeconds: 60 },
  { kind: 'tests', name: 'bench', files: ['bench/test/*.test.ts'], limitSeconds: 60 },
];
