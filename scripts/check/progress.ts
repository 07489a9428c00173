import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';
import type { Progress } from './run-step.ts';

/** Shows the progress of a run on the last line of a terminal. A log file gets a line each minute. */
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

/** @param logPauseMs - the time between two lines without a terminal, in milliseconds */
export function openProgress(output: WriteStream, logPauseMs = 60_000): ProgressLine {
  const started = performance.now();
  const running = new Map<string, Progress | undefined>();
  const isLive = output.isTTY;
  let isOpen = true;
  let ended = 0;
  let expected: number | undefined;
  let done = 0;

  function status(): string {
    const seconds = Math.floor((performance.now() - started) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const steps = expected === undefined ? [] : [`${ended}/${expected} checks`];
    let tests = done;
    const parts = [...running].map(([name, progress]) => {
      tests += progress?.done ?? 0;
      return progress && progress.total > 0 ? `${name} ${progress.done}/${progress.total}` : name;
    });
    return [time, ...steps, ...(tests > 0 ? [`${tests} tests`] : []), ...parts].join(' · ');
  }
  function draw(): void {
    if (isOpen && isLive) output.write(clearLine + styleText('dim', status().slice(0, output.columns - 1)));
  }
  const timer = isLive ? setInterval(draw, 1_000) : setInterval(() => output.write(`${status()}\n`), logPauseMs);
  timer.unref();

  return {
    say: (line) => {
      output.write(`${isOpen && isLive ? clearLine : ''}${line}\n`);
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
      if (isOpen && isLive) output.write(clearLine);
      isOpen = false;
    },
  };
}
