import { say } from './report.ts';

/** Keeps what is to be ended, and ends it in the opposite order. */
export interface Ends {
  /** @returns what was given */
  add<Part extends { stop(): Promise<void> }>(part: Part): Part;
}

/**
 * Runs a measurement and ends all that it started, also when it fails or is interrupted.
 * Ends this process with 1 when it failed.
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
