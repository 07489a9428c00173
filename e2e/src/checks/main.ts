import { installTools, startServices } from './services.ts';
import { runStep, type StepResult } from './run-step.ts';
import { build, lanes, onDemand, steps, type Step } from './steps.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Names of steps to run; without any, all but the one on demand. */
const wanted = (process.env['SUITES'] ?? '').split(/[\s,]+/).filter((name) => name !== '');
const unknown = wanted.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  say(`No such suite: ${unknown.join(', ')}. There are: ${steps.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const started = performance.now();
const chosen = new Set(steps.filter((step) => (wanted.length === 0 ? step !== onDemand : wanted.includes(step.name))));
const results: StepResult[] = [];

async function runLane(lane: readonly Step[]): Promise<void> {
  for (const step of lane) {
    const result = await runStep(step);
    results.push(result);
    report(step, result);
  }
}

function report(step: Step, result: StepResult): void {
  const counts = [
    step.kind === 'tests' ? `${result.passed} passed` : '',
    result.failed > 0 ? `${step.kind === 'tests' ? result.failed : ''} FAILED` : '',
    result.skipped > 0 ? `${result.skipped} SKIPPED` : '',
  ].filter((part) => part !== '');
  const mark = result.failed > 0 ? '✗' : '✓';
  say(`${mark} ${step.name.padEnd(12)} ${`${result.seconds.toFixed(1)} s`.padStart(8)}   ${counts.join(', ')}`);
  if (result.report !== '') say(`\n${result.report}\n`);
}

say('Preparing Chromium, Redis and PostgreSQL for the tests …');
await installTools();
const services = await startServices();
try {
  const [first, ...beside] = [[build], ...lanes, [onDemand]].map((lane) => lane.filter((step) => chosen.has(step)));
  await runLane(first ?? []);
  await Promise.all(beside.map(runLane));
} finally {
  await services.stop();
}

const sum = (pick: (result: StepResult) => number): number =>
  results.reduce((total, result) => total + pick(result), 0);
const left = steps.filter((step) => !chosen.has(step)).map(({ name }) => name);
if (wanted.length > 0 && left.length > 0) say(`\nLeft out, as asked: ${left.join(', ')}`);
if (wanted.length === 0)
  say(`\nLEFT OUT: ${onDemand.name}, the staff area in the browser. make test SUITES=${onDemand.name} runs it.`);
say(`\nChecked in ${((performance.now() - started) / 60_000).toFixed(1)} min`);
const skipped = sum((result) => result.skipped);
say(
  `${sum((result) => result.passed)} passed, ${sum((result) => result.failed)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exit(sum((result) => result.failed) > 0 ? 1 : 0);
