import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '@dune-tide/platform/system-error';
import type { ChosenStep } from './steps.ts';

export interface StepResult {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  /** Tests that were not run; each is a fault of the suite or must be explained by it. */
  readonly skipped: number;
  /** What to read when something failed. */
  readonly report: string;
}

interface MochaReport {
  readonly stats: { readonly passes: number; readonly failures: number; readonly pending: number };
  readonly failures: readonly {
    readonly fullTitle: string;
    readonly err: {
      readonly stack?: string;
      readonly message?: string;
      readonly actual?: string;
      readonly expected?: string;
    };
  }[];
}

/**
 * Runs one check within its time limit.
 * @param interrupted - ends it, and all that it started, before
 */
export async function runStep(step: ChosenStep, interrupted: AbortSignal): Promise<StepResult> {
  const started = performance.now();
  const result = step.kind === 'command' ? await runCommand(step, interrupted) : await runTests(step, interrupted);
  return { name: step.name, seconds: (performance.now() - started) / 1000, ...result };
}

const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

type Counts = Omit<StepResult, 'name' | 'seconds'>;

async function runCommand(
  { command, limitSeconds }: Extract<ChosenStep, { kind: 'command' }>,
  interrupted: AbortSignal,
): Promise<Counts> {
  const { code, output } = await run(command, limitSeconds, interrupted);
  const isGood = code === 0;
  return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0, report: isGood ? '' : output };
}

async function runTests(
  { files, limitSeconds }: Extract<ChosenStep, { kind: 'tests' }>,
  interrupted: AbortSignal,
): Promise<Counts> {
  const directory = await mkdtemp(join(tmpdir(), 'mocha-'));
  const file = join(directory, 'report.json');
  const { code, output } = await run(
    [process.execPath, mocha, '--reporter=json', `--reporter-option=output=${file}`, ...files],
    limitSeconds,
    interrupted,
  );
  try {
    const { stats, failures } = JSON.parse(await readFile(file, 'utf8')) as MochaReport;
    const lines = failures.map(({ fullTitle, err: { stack, message, actual, expected } }) =>
      [
        fullTitle,
        stack ?? message ?? '',
        // chai's own message cuts what is long.
        ...(actual === undefined ? [] : [`expected: ${expected}`, `  actual: ${actual}`]),
      ].join('\n'),
    );
    // No test at all, or an end that the report does not explain, is a failure too.
    const isUnexplained = failures.length === 0 && (code !== 0 || stats.passes === 0);
    return {
      passed: stats.passes,
      failed: stats.failures + (isUnexplained ? 1 : 0),
      skipped: stats.pending,
      report: [
        ...lines,
        ...(isUnexplained ? [`mocha ended with ${code} and ran ${stats.passes} tests`, output] : []),
      ].join('\n\n'),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, report: `mocha ended with ${code} and left no report\n${output}` };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function run(
  [program, ...parameters]: readonly [string, ...string[]],
  limitSeconds: number,
  interrupted: AbortSignal,
): Promise<{ code: number | string | null; output: string }> {
  // A group of its own, so that nothing it started outlives the limit; Ctrl-C in the terminal does not reach it.
  const child = spawn(program, parameters, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-40_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const timer = setTimeout(() => {
    output += `\nNot finished within ${limitSeconds} s`;
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  }, limitSeconds * 1000);
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

/** So long a group may take to end by itself. */
const endLimitMs = 10_000;

/** Asks a group of processes to end, and ends those that do not. */
async function endGroup(group: number | undefined): Promise<void> {
  if (group === undefined) return;
  const deadline = performance.now() + endLimitMs;
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; signalGroup(group, signal); signal = 0) {
    if (performance.now() > deadline) return void signalGroup(group, 'SIGKILL');
    await pause(50);
  }
}

/** @returns whether anything of the group is left */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
    return false;
  }
}
