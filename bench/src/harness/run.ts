import { say } from './report.ts';

/** Collects started parts, which are stopped in reverse order. */
export interface Ends {
  /** Adds a part. @returns the same part */
  add<Part extends { stop(): Promise<void> }>(part: Part): Part;
}

/**
 * Runs a measurement and stops all parts that it has started, even after an error or an interruption. The exit code of
 * the process is 1 after an error.
 */
export async function run(measure: (ends: Ends) => Promise<void>): Promise<void> {
  const parts: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of parts.splice(0).reverse()) await part.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  try {
    await measure({
      add(part) {
        parts.push(part);
        return part;
      },
    });
  } catch (error) {
    process.exitCode = 1;
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await stop();
  }
}
