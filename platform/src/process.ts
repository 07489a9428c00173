import { SettingsError } from './settings.ts';

/** Explains to the operator, in one sentence, why a process cannot start. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Runs the main function of a process. If it throws, prints the message of a SettingsError or a StartError, or the
 * stack of any other error, and exits with 1.
 */
export async function runProcess(main: () => Promise<void>): Promise<void> {
  // A child process closes when its parent ends, even if the parent was killed.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    await main();
    // A parent process may wait for this message.
    process.send?.('ready');
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

function explain(error: unknown): string {
  if (error instanceof SettingsError || error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
