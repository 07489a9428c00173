import { rm } from 'node:fs/promises';
import { memoryFolder } from '@dune-tide/testkit/services/memory-folder';
import { openProgress } from './progress.ts';
import { runStep, type StepResult } from './run-step.ts';
import { runWithServices } from '@dune-tide/testkit/services/run-with-services';
import { chooseSteps, concurrency, steps, type ChosenStep } from './steps.ts';

const progress = openProgress(process.stdout);
const say = (line: string): void => progress.say(line);

const wordsOf = (name: 'SUITES' | 'FILES'): string[] =>
  (process.env[name] ?? '').split(/[\s,]+/).filter((word) => word !== '');

/** Names of the steps to run. An empty list means all steps. */
const wanted = wordsOf('SUITES');
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  say(`Unknown suite: ${unknown.join(', ')}. Known suites: ${steps.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const words = wordsOf('FILES');
const chosen = await chooseSteps(wanted, words);
if (chosen.length === 0) {
  say(`No test file has ${words.join(' or ')} in its name.`);
  process.exit(1);
}

const started = performance.now();
const results: StepResult[] = [];

/** Runs steps until `next` returns none. */
async function runAll(next: () => ChosenStep | undefined, interrupted: AbortSignal): Promise<void> {
  for (let step = next(); step !== undefined; step = next()) {
    const { name } = step;
    progress.show(name);
    const result = await runStep(step, interrupted, (tests) => progress.show(name, tests));
    progress.end(name);
    if (interrupted.aborted) return;
    results.push(result);
    report(step, result);
  }
}

function report(step: ChosenStep, result: StepResult): void {
  const counts = [
    step.kind === 'tests' ? `${result.passed} passed` : '',
    result.failed > 0 ? `${step.kind === 'tests' ? result.failed : ''} FAILED` : '',
    result.skipped > 0 ? `${result.skipped} SKIPPED` : '',
  ].filter((part) => part !== '');
  const mark = result.failed > 0 ? '✗' : '✓';
  say(`${mark} ${step.name.padEnd(12)} ${`${result.seconds.toFixed(1)} s`.padStart(8)}   ${counts.join(', ')}`);
  if (result.failed > 0) say(`\n${result.report}\n`);
  if (result.table !== '') say(`\n${result.table}\n`);
}

const sum = (pick: (result: StepResult) => number): number =>
  results.reduce((total, result) => total + pick(result), 0);

function summarise(): void {
  // Failures are repeated at the end, where they are easy to find in a long output.
  for (const result of results.filter(({ failed }) => failed > 0)) say(`\n✗ ${result.name}\n\n${result.report}`);
  const left = steps.map(({ name }) => name).filter((name) => !chosen.some(({ suite }) => suite === name));
  if (left.length > 0) say(`\nNot selected: ${left.join(', ')}`);
  say(`\nChecked in ${((performance.now() - started) / 60_000).toFixed(1)} min`);
  const skipped = sum((result) => result.skipped);
  say(
    `${sum((result) => result.passed)} passed, ${sum((result) => result.failed)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
}

// Browser tests write screenshots into it.
await rm('failures', { recursive: true, force: true });

const fastFolder = process.env['TMPDIR'] === undefined ? await memoryFolder() : undefined;
if (fastFolder !== undefined) process.env['TMPDIR'] = fastFolder;

const preparing = 'preparing Chromium, Redis, promtool, LibreOffice and PostgreSQL';
progress.show(preparing);
await runWithServices(async (interrupted) => {
  progress.end(preparing);
  progress.expect(chosen.length);
  const waiting = [...chosen];
  const nextOf = [() => waiting.shift(), () => waiting.pop()] as const;
  await Promise.all(
    Array.from({ length: concurrency }, (_, lane) => runAll(lane % 2 ? nextOf[1] : nextOf[0], interrupted)),
  );
  progress.close();
  if (!interrupted.aborted) summarise();
  return sum((result) => result.failed) === 0;
});
