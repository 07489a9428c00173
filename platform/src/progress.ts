/** The part of a stream that `createProgress` uses. */
export type ProgressOutput = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/** A line on a terminal that shows the progress of a command. */
export interface Progress {
  /** Replaces the text of the line. */
  readonly show: (text: string) => void;
  /** Removes the line, before other output or at the end. */
  readonly clear: () => void;
}

/** The interval at which the seconds are updated. */
const redrawMs = 1_000;
/** The minimum time between two changes of the text. */
const changeMs = 100;

/**
 * Creates a line that shows a text and how long the command has been running. It writes nothing to a file or a pipe.
 * @param output - the terminal
 */
export function createProgress(output: ProgressOutput = process.stderr): Progress {
  const started = performance.now();
  let text = '';
  let drawnAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    drawnAt = performance.now();
    const seconds = Math.round((drawnAt - started) / 1_000);
    // A line that wraps cannot be replaced.
    output.write(`\r\x1b[K${`${text} (${seconds} s)`.slice(0, (output.columns || 80) - 1)}`);
  };
  return {
    show(next) {
      if (!output.isTTY) return;
      text = next;
      if (performance.now() - drawnAt >= changeMs) draw();
      timer ??= setInterval(draw, redrawMs).unref();
    },
    clear() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      drawnAt = -Infinity;
      output.write('\r\x1b[K');
    },
  };
}

/** Formats a progress, e.g. `12,000 of 50,000`. */
export function progressOf(done: number, all: number): string {
  return `${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`;
}
