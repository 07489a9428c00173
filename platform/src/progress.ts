/** What `showProgress` writes to. */
export type ProgressOutput = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/** One line on a terminal that shows what a command does. */
export interface Progress {
  /** Shows a text in place of the one before. */
  show(text: string): void;
  /** Removes the line, before other output or at the end. */
  clear(): void;
}

const redrawMs = 1_000;

/**
 * Creates a line that shows a text and how long the command has been running. It writes nothing to a file or a pipe.
 * @param output - the terminal
 */
export function createProgress(output: ProgressOutput = process.stderr): Progress {
  const started = performance.now();
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    // A line that wraps could not be replaced.
    output.write(`\r\x1b[K${`${text} (${seconds} s)`.slice(0, (output.columns || 80) - 1)}`);
  };
  return {
    show(next) {
      if (!output.isTTY) return;
      text = next;
      draw();
      timer ??= setInterval(draw, redrawMs).unref();
    },
    clear() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      output.write('\r\x1b[K');
    },
  };
}

/** @returns how far a command is, e.g. `12,000 of 50,000` */
export function progressOf(done: number, all: number): string {
  return `${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`;
}
