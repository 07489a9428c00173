import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { glob } from 'tinyglobby';

/** One check of `make test`: a command that fails, or a set of tests. */
export type Step = CommandStep | TestStep;

/** A check to run: one part of its files if the step has several parts. */
export type ChosenStep = { readonly suite: string } & (
  | CommandStep
  | (Omit<TestStep, 'files' | 'parts'> & { readonly files: readonly string[] })
);

interface CommandStep {
  readonly kind: 'command';
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

interface TestStep {
  readonly kind: 'tests';
  readonly name: string;
  /** The glob pattern of the test files. */
  readonly files: string;
  /** A module with mocha's root hooks. */
  readonly hooks?: string;
  /** The TypeScript configuration for tests that contain or import JSX. */
  readonly tsconfig?: string;
  /** The number of processes that share the files. */
  readonly parts?: number;
}

/** Steps that run concurrently, on two cores: half of them start with the busy checks, half with the waiting ones. */
export const concurrency = 4;

const inBrowser = { kind: 'tests', hooks: 'e2e/src/browser/browser-suite.ts' } as const;

/**
 * All checks. They are started from both ends of this list. Checks that keep a core busy come first and those that
 * mostly wait come last, so that the two kinds run concurrently. The long ones are at both ends, so that none of them
 * runs alone at the end.
 */
export const steps: readonly Step[] = [
  { ...inBrowser, name: 'site', files: 'e2e/test/site/cross-cutting/*.test.ts', parts: 2 },
  { ...inBrowser, name: 'staff', files: 'e2e/test/staff/*.test.ts', parts: 2 },
  { ...inBrowser, name: 'staff-leads', files: 'e2e/test/staff/leads/*.test.ts' },
  { ...inBrowser, name: 'site-pages', files: 'e2e/test/site/*.test.ts' },
  { kind: 'command', name: 'format', command: ['npm', 'run', '--silent', 'format:check'] },
  { kind: 'command', name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  {
    kind: 'tests',
    name: 'components',
    files: 'frontend/test/components/*.test.tsx',
    hooks: 'frontend/test/components/dom.ts',
    tsconfig: 'frontend/tsconfig.json',
    parts: 2,
  },
  { kind: 'command', name: 'unused', command: ['npm', 'run', '--silent', 'unused'] },
  { kind: 'command', name: 'types', command: ['npm', 'run', '--silent', 'types'] },
  { kind: 'tests', name: 'frontend', files: 'frontend/test/*.test.ts' },
  { kind: 'command', name: 'boundaries', command: ['npm', 'run', '--silent', 'boundaries'] },
  { kind: 'tests', name: 'domain', files: 'domain/test/*.test.ts' },
  { kind: 'tests', name: 'texts', files: 'e2e/test/texts/*.test.ts' },
  { kind: 'tests', name: 'bench', files: 'bench/test/*.test.ts' },
  { kind: 'tests', name: 'packages', files: 'e2e/test/packages/*.test.ts' },
  { kind: 'tests', name: 'ops', files: 'ops/test/*.test.ts' },
  { kind: 'tests', name: 'node-lines', files: 'e2e/test/node-lines/*.test.ts' },
  { kind: 'tests', name: 'operations', files: 'e2e/test/operations/*.test.ts' },
  { kind: 'tests', name: 'db', files: 'db/test/*.test.ts' },
  { kind: 'tests', name: 'platform', files: 'platform/test/*.test.ts' },
  { kind: 'tests', name: 'api', files: 'api/test/*.test.ts' },
  { kind: 'tests', name: 'attacks', files: 'e2e/test/attacks/*.test.ts', hooks: 'e2e/src/attacks/attack-suite.ts' },
  { kind: 'tests', name: 'worker', files: 'worker/test/*.test.ts' },
  { kind: 'tests', name: 'faults', files: 'e2e/test/faults/*.test.ts' },
  { kind: 'tests', name: 'local', files: 'local/test/*.test.ts' },
];

/**
 * Selects the checks to run, in the order of `steps`.
 * @param suites - names of checks; an empty list means all
 * @param words - parts of the names of test files; an empty list means all files and the commands
 */
export async function chooseSteps(suites: readonly string[], words: readonly string[]): Promise<ChosenStep[]> {
  const chosen: ChosenStep[] = [];
  for (const step of steps) {
    if (suites.length > 0 && !suites.includes(step.name)) continue;
    if (step.kind === 'command') {
      if (words.length === 0) chosen.push({ ...step, suite: step.name });
      continue;
    }
    const files = await glob(step.files);
    if (files.length === 0) throw new Error(`The suite ${step.name} has no test files: ${step.files}`);
    const wanted = files.filter((file) => words.length === 0 || words.some((word) => basename(file).includes(word)));
    const { parts = 1, ...test } = step;
    const shares = await divide(wanted, parts);
    shares.forEach((share, index) =>
      chosen.push({
        ...test,
        files: share,
        suite: step.name,
        name: shares.length > 1 ? `${step.name} ${index + 1}` : step.name,
      }),
    );
  }
  return chosen;
}

/** @returns at most `parts` shares of about equal size, as an estimate of their time; none is empty */
async function divide(files: readonly string[], parts: number): Promise<string[][]> {
  const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
  const shares = Array.from({ length: parts }, () => ({ files: [] as string[], size: 0 }));
  for (const { file, size } of sized.toSorted((one, other) => other.size - one.size)) {
    const smallest = shares.reduce((least, share) => (share.size < least.size ? share : least));
    smallest.files.push(file);
    smallest.size += size;
  }
  return shares.filter((share) => share.files.length > 0).map((share) => share.files.toSorted());
}
