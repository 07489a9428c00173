import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '@dune-tide/platform/system-error';
import type { ChosenStep } from './steps.ts';

export interface StepResult {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  /** The number of tests that were not run. */
  readonly skipped: number;
  /** The errors, or an empty text. */
  readonly report: string;
  /** The rows of the tables that tests have printed. */
  readonly table: string;
}

/** The progress of a set of tests. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

type OnProgress = (progress: Progress) => void;

/** The lines of mocha's reporter `json-stream`, and those of `test-hooks.ts`. */
type MochaEvent =
  | readonly ['start', { readonly total: number }]
  | readonly ['pass', { readonly title: string; readonly fullTitle: string }]
  | readonly ['fail', { readonly fullTitle: string; readonly err: string; readonly stack: string | null }]
  | readonly ['log', string]
  | readonly ['end', { readonly passes: number; readonly failures: number; readonly pending: number }];

/** A step that takes longer is killed. */
const stepLimitSeconds = 3_600;

/** The maximum length of a test title, so that lists of failures stay readable. */
const longestTitle = 100;

/**
 * Runs one check.
 * @param interrupted - ends the check and all processes that it has started
 * @param onProgress - called after each test
 */
export async function runStep(step: ChosenStep, interrupted: AbortSignal, onProgress: OnProgress): Promise<StepResult> {
  const started = performance.now();
  const result =
    step.kind === 'command' ? await runCommand(step, interrupted) : await runTests(step, interrupted, onProgress);
  return { name: step.name, seconds: (performance.now() - started) / 1000, ...result };
}

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

type Counts = Omit<StepResult, 'name' | 'seconds'>;

async function runCommand(
  { command }: Extract<ChosenStep, { kind: 'command' }>,
  interrupted: AbortSignal,
): Promise<Counts> {
  const { code, output } = await run(command, interrupted);
  const isGood = code === 0;
  return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0, report: isGood ? '' : output, table: '' };
}

async function runTests(
  { files, hooks, tsconfig }: Extract<ChosenStep, { kind: 'tests' }>,
  interrupted: AbortSignal,
  onProgress: OnProgress,
): Promise<Counts> {
  let progress: Progress = { done: 0, total: 0 };
  let stats: Extract<MochaEvent, readonly ['end', unknown]>[1] | undefined;
  const faults: string[] = [];
  const rows: string[] = [];
  const take = (line: string): boolean => {
    if (line.startsWith('| ')) rows.push(line);
    const event = readEvent(line);
    if (!event) return false;
    if (event[0] === 'start') progress = { ...progress, total: event[1].total };
    if (event[0] === 'end') stats = event[1];
    if (event[0] === 'fail') faults.push(`${event[1].fullTitle}\n${event[1].stack ?? event[1].err}`);
    // It belongs to the test that has just failed.
    if (event[0] === 'log' && event[1] !== '') faults.push(`${faults.pop()}\n\n${event[1].trimEnd()}`);
    if (event[0] === 'pass' && event[1].title.length > longestTitle) {
      faults.push(`${event[1].fullTitle}\nIts title is longer than ${longestTitle} characters.`);
    }
    if (event[0] === 'pass' || event[0] === 'fail') progress = { ...progress, done: progress.done + 1 };
    onProgress(progress);
    return true;
  };
  const { code, output } = await run(
    [
      process.execPath,
      mocha,
      '--reporter=json-stream',
      '--require=scripts/check/test-hooks.ts',
      ...(hooks === undefined ? [] : [`--require=${hooks}`]),
      ...files,
    ],
    interrupted,
    { take, environment: tsconfig === undefined ? {} : { TSX_TSCONFIG_PATH: tsconfig } },
  );
  // Without a failed test, the run still fails if no test passed or if the exit code is not 0.
  const isUnexplained = faults.length === 0 && (code !== 0 || !stats?.passes);
  if (isUnexplained)
    faults.push(`mocha exited with ${code} after ${progress.done} of ${progress.total} tests\n${output}`);
  return {
    passed: stats?.passes ?? progress.done,
    failed: faults.length,
    skipped: stats?.pending ?? 0,
    report: faults.join('\n\n'),
    table: rows.join('\n'),
  };
}

/** @returns the event, or undefined for the output of a test */
function readEvent(line: string): MochaEvent | undefined {
  if (!/^\["(?:start|pass|fail|log|end)",/.test(line)) return undefined;
  try {
    return JSON.parse(line) as MochaEvent;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Runs a program and collects its output.
 * @param options.take - handles a line of standard output; returns true to omit it from the output
 * @param options.environment - variables in addition to those of this process
 */
async function run(
  [program, ...parameters]: readonly [string, ...string[]],
  interrupted: AbortSignal,
  {
    take = () => false,
    environment = {},
  }: { readonly take?: (line: string) => boolean; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<{ code: number | string | null; output: string }> {
  // In its own process group, so that all its processes can be killed. Ctrl-C in the terminal does not reach it.
  const child = spawn(program, parameters, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  const keep = (text: string): void => void (output = (output + text).slice(-40_000));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!take(line)) keep(`${line}\n`);
  });
  child.stderr.on('data', (chunk: Buffer) => keep(chunk.toString()));
  const timer = setTimeout(() => {
    keep(`\nNot finished within ${stepLimitSeconds} s`);
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  }, stepLimitSeconds * 1000);
  let ending: Promise<void> | undefined;
  const end = (): void => void (ending = endGroup(child.pid));
  interrupted.addEventListener('abort', end);
  if (interrupted.aborted) end();
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  });
  clearTimeout(timer);
  interrupted.removeEventListener('abort', end);
  await ending;
  return { code, output };
}

/** The grace period before a process group is killed. */
const endLimitMs = 10_000;

/** Sends SIGTERM to a process group, and SIGKILL after the grace period. */
async function endGroup(group: number | undefined): Promise<void> {
  if (group === undefined) return;
  const deadline = performance.now() + endLimitMs;
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; signalGroup(group, signal); signal = 0) {
    if (performance.now() > deadline) return void signalGroup(group, 'SIGKILL');
    await pause(50);
  }
}

/** @returns whether a process of the group is left */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
    return false;
  }
}
