import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';
import type { Progress } from './run-step.ts';

/** Shows the progress of a run on the last line of a terminal. A log file gets only the lines of `say`. */
export interface ProgressLine {
  /** Writes a permanent line. */
  say(line: string): void;
  /** Shows a running step and the progress of its tests. */
  show(step: string, tests?: Progress): void;
  /** Removes a step from the line. */
  end(step: string): void;
  /** Sets the number of steps. Those that end after this call are counted. */
  expect(steps: number): void;
  /** Removes the progress line. `say` can still be called. */
  close(): void;
}

const clearLine = '\r\u001B[2K';

export function openProgress(output: WriteStream): ProgressLine {
  const started = performance.now();
  const running = new Map<string, Progress | undefined>();
  let ended = 0;
  let expected: number | undefined;
  let done = 0;

  function draw(): void {
    if (!timer) return;
    const seconds = Math.floor((performance.now() - started) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const steps = expected === undefined ? [] : [`${ended}/${expected} checks`];
    let tests = done;
    const parts = [...running].map(([name, progress]) => {
      tests += progress?.done ?? 0;
      return progress && progress.total > 0 ? `${name} ${progress.done}/${progress.total}` : name;
    });
    const line = [time, ...steps, ...(tests > 0 ? [`${tests} tests`] : []), ...parts].join(' · ');
    output.write(clearLine + styleText('dim', line.slice(0, output.columns - 1)));
  }
  let timer = output.isTTY ? setInterval(draw, 1_000) : undefined;
  timer?.unref();

  return {
    say: (line) => {
      output.write(`${timer ? clearLine : ''}${line}\n`);
      draw();
    },
    show: (step, tests) => {
      running.set(step, tests);
      draw();
    },
    end: (step) => {
      done += running.get(step)?.done ?? 0;
      running.delete(step);
      if (expected !== undefined) ended++;
      draw();
    },
    expect: (steps) => void (expected = steps),
    close: () => {
      clearInterval(timer);
      if (timer) output.write(clearLine);
      timer = undefined;
    },
  };
}
