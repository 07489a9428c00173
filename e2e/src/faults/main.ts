import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProgress, progressOf } from '@dune-tide/platform/progress';
import { listed } from '@dune-tide/platform/settings';
import { runWithServices } from '@dune-tide/testkit/services/run-with-services';
import { allFaults } from './all-faults.ts';
import { runFault, type FaultResult } from './run-fault.ts';

const progress = createProgress();
const say = (line: string): void => {
  progress.clear();
  process.stdout.write(`${line}\n`);
};

/** Comma-separated parts of fault names, which contain spaces. If unset, all faults run, each on its backends. */
const wanted = listed(process.env['FAULTS'] ?? '');
const unknown = wanted.filter((part) => !allFaults.some(({ name }) => name.includes(part)));
if (unknown.length > 0) {
  say(`Unknown fault: ${unknown.join(', ')}. The faults are:\n${allFaults.map(({ name }) => `  ${name}`).join('\n')}`);
  process.exit(1);
}
const chosen = allFaults.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

const columns: readonly (readonly [title: string, width: number, value: (result: FaultResult) => string | number])[] = [
  ['requests', 9, ({ requests }) => requests],
  ['201s', 6, ({ created }) => created],
  ['leads', 6, ({ leads }) => leads],
  ['follow-ups', 11, ({ followUps }) => followUps],
  ['mails', 6, ({ mails }) => mails],
  ['doubles', 8, ({ doubles }) => doubles],
  ['lost', 5, ({ lost }) => lost],
  ['slowest', 8, ({ slowest }) => `${slowest.toFixed(1)} s`],
  ['drained', 8, ({ drainSeconds }) => `${drainSeconds.toFixed(1)} s`],
];
const nameWidth = Math.max(...allFaults.map(({ name }) => name.length));
const head = (fault: string, backend: string): string => `${fault.padEnd(nameWidth)} ${backend.padEnd(10)}`;

const started = performance.now();
const all = chosen.flatMap(({ backends }) => backends).length;
let count = 0;
progress.show('Starting the services');
await runWithServices(async (interrupted) => {
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'faults-cache-'));
  const failures: string[] = [];
  say(head('fault', 'queue') + columns.map(([title, width]) => title.padStart(width)).join(''));
  for (const fault of chosen) {
    for (const backend of fault.backends) {
      if (interrupted.aborted) return false;
      const wrong: string[] = [];
      progress.show(`${progressOf((count += 1), all)}: ${fault.name}, ${backend}`);
      try {
        const result = await runFault(fault, backend, cacheDirectory, interrupted);
        say(
          head(fault.name, backend) + columns.map(([, width, value]) => String(value(result)).padStart(width)).join(''),
        );
        wrong.push(...result.wrong);
      } catch (error) {
        if (interrupted.aborted) return false;
        say(`${head(fault.name, backend)}  did not end`);
        wrong.push(error instanceof Error ? error.message : String(error));
      }
      for (const what of wrong) say(`  ✗ ${what}`);
      failures.push(...wrong.map((what) => `${fault.name}, ${backend}: ${what}`));
    }
  }
  say(`\nTried in ${((performance.now() - started) / 60_000).toFixed(1)} min`);
  for (const failure of failures) say(`✗ ${failure}`);
  return failures.length === 0;
});
