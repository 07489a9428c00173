import { basename } from 'node:path';
import { glob } from 'tinyglobby';

/** One check of `make test`: a command that fails, or a set of tests. */
export type Step = CommandStep | TestStep;

/** A check as it is run. */
export type ChosenStep = CommandStep | (Omit<TestStep, 'files'> & { readonly files: readonly string[] });

interface CommandStep {
  readonly kind: 'command';
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly limitSeconds: number;
}

interface TestStep {
  readonly kind: 'tests';
  readonly name: string;
  /** The pattern of its test files. */
  readonly files: string;
  readonly limitSeconds: number;
}

/** How many steps run beside each other: on two cores more than half of a test's time is spent waiting. */
export const stepsAtOnce = 4;

/** Every check there is. Each begins as soon as another ends: the longest first, so that none is left over alone. */
export const steps: readonly Step[] = [
  { kind: 'tests', name: 'site', files: 'e2e/test/site/cross-cutting/*.test.ts', limitSeconds: 900 },
  { kind: 'tests', name: 'staff', files: 'e2e/test/staff/*.test.ts', limitSeconds: 900 },
  { kind: 'tests', name: 'staff-leads', files: 'e2e/test/staff/leads/*.test.ts', limitSeconds: 900 },
  { kind: 'tests', name: 'local', files: 'local/test/*.test.ts', limitSeconds: 420 },
  { kind: 'tests', name: 'site-pages', files: 'e2e/test/site/*.test.ts', limitSeconds: 900 },
  { kind: 'tests', name: 'faults', files: 'e2e/test/faults/*.test.ts', limitSeconds: 420 },
  { kind: 'tests', name: 'api', files: 'api/test/*.test.ts', limitSeconds: 420 },
  { kind: 'tests', name: 'worker', files: 'worker/test/*.test.ts', limitSeconds: 420 },
  { kind: 'tests', name: 'platform', files: 'platform/test/*.test.ts', limitSeconds: 420 },
  { kind: 'tests', name: 'ops', files: 'ops/test/*.test.ts', limitSeconds: 120 },
  { kind: 'tests', name: 'db', files: 'db/test/*.test.ts', limitSeconds: 420 },
  { kind: 'command', name: 'types', command: ['npm', 'run', '--silent', 'types'], limitSeconds: 180 },
  {
    kind: 'command',
    name: 'format',
    command: ['npx', 'prettier', '--check', '--log-level=warn', '.'],
    limitSeconds: 120,
  },
  { kind: 'command', name: 'lint', command: ['npm', 'run', '--silent', 'lint'], limitSeconds: 180 },
  { kind: 'command', name: 'boundaries', command: ['npm', 'run', '--silent', 'boundaries'], limitSeconds: 120 },
  { kind: 'command', name: 'unused', command: ['npm', 'run', '--silent', 'unused'], limitSeconds: 120 },
  { kind: 'tests', name: 'frontend', files: 'frontend/test/*.test.ts', limitSeconds: 120 },
  { kind: 'tests', name: 'operations', files: 'e2e/test/operations/*.test.ts', limitSeconds: 120 },
  { kind: 'tests', name: 'node-lines', files: 'e2e/test/node-lines/*.test.ts', limitSeconds: 120 },
  { kind: 'tests', name: 'packages', files: 'e2e/test/packages/*.test.ts', limitSeconds: 60 },
  { kind: 'tests', name: 'domain', files: 'domain/test/*.test.ts', limitSeconds: 60 },
  { kind: 'tests', name: 'bench', files: 'bench/test/*.test.ts', limitSeconds: 60 },
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
    const files = await glob(step.files);
    if (files.length === 0) throw new Error(`The suite ${step.name} has no test files: ${step.files}`);
    const wanted = files.filter((file) => words.length === 0 || words.some((word) => basename(file).includes(word)));
    if (wanted.length > 0) chosen.push({ ...step, files: wanted.toSorted() });
  }
  return chosen;
}
