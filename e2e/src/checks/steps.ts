import { readdir } from 'node:fs/promises';

/** One check of `make test`: a command that fails, or a set of tests. */
export type Step = CommandStep | TestStep;

/** A check as it is run. */
export type ChosenStep = CommandStep | (TestStep & { readonly files: readonly string[] });

interface CommandStep {
  readonly kind: 'command';
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly limitSeconds: number;
}

interface TestStep {
  readonly kind: 'tests';
  readonly name: string;
  /** Where its files lie, each `*.test.ts`. */
  readonly folder: string;
  readonly limitSeconds: number;
}

/** How many steps run beside each other: on two cores more than half of a test's time is spent waiting. */
export const stepsAtOnce = 4;

/** Every check there is. Each begins as soon as another ends: the longest first, so that none is left over alone. */
export const steps: readonly Step[] = [
  { kind: 'tests', name: 'browser', folder: 'e2e/test/browser', limitSeconds: 900 },
  { kind: 'tests', name: 'admin', folder: 'e2e/test/admin', limitSeconds: 900 },
  { kind: 'tests', name: 'leads', folder: 'e2e/test/leads', limitSeconds: 900 },
  { kind: 'tests', name: 'local', folder: 'local/test', limitSeconds: 420 },
  { kind: 'tests', name: 'pages', folder: 'e2e/test/pages', limitSeconds: 900 },
  { kind: 'tests', name: 'faults', folder: 'e2e/test/faults', limitSeconds: 420 },
  { kind: 'tests', name: 'api', folder: 'api/test', limitSeconds: 420 },
  { kind: 'tests', name: 'worker', folder: 'worker/test', limitSeconds: 420 },
  { kind: 'tests', name: 'platform', folder: 'platform/test', limitSeconds: 420 },
  { kind: 'tests', name: 'db', folder: 'db/test', limitSeconds: 420 },
  { kind: 'command', name: 'types', command: ['npm', 'run', '--silent', 'types'], limitSeconds: 180 },
  {
    kind: 'command',
    name: 'format',
    command: ['npx', 'prettier', '--check', '--log-level=warn', '.'],
    limitSeconds: 120,
  },
  { kind: 'command', name: 'lint', command: ['npm', 'run', '--silent', 'lint'], limitSeconds: 180 },
  { kind: 'command', name: 'boundaries', command: ['npm', 'run', '--silent', 'boundaries'], limitSeconds: 120 },
  { kind: 'tests', name: 'frontend', folder: 'frontend/test', limitSeconds: 120 },
  { kind: 'tests', name: 'operations', folder: 'e2e/test/operations', limitSeconds: 120 },
  { kind: 'tests', name: 'packages', folder: 'e2e/test/packages', limitSeconds: 60 },
  { kind: 'tests', name: 'domain', folder: 'domain/test', limitSeconds: 60 },
  { kind: 'tests', name: 'bench', folder: 'bench/test', limitSeconds: 60 },
];

/**
 * Which checks are run, in the order of `steps`.
 * @param suites - names of checks; without any, all
 * @param words - only test files whose names hold one of them; without any, all files, and the commands
 */
export async function chooseSteps(suites: readonly string[], words: readonly string[]): Promise<ChosenStep[]> {
  const chosen: ChosenStep[] = [];
  for (const step of steps) {
    if (suites.length > 0 && !suites.includes(step.name)) continue;
    if (step.kind === 'command') {
      if (words.length === 0) chosen.push(step);
      continue;
    }
    const names = (await readdir(step.folder)).filter((name) => name.endsWith('.test.ts'));
    const wanted = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
    if (wanted.length > 0) chosen.push({ ...step, files: wanted.map((name) => `${step.folder}/${name}`) });
  }
  return chosen;
}
