import { SettingsError } from './settings.ts';

/** Why a process cannot start, in a sentence for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Runs a process's main function. A SettingsError or a StartError ends it with its message, any other with a stack trace.
 */
export async function runProcess(main: () => Promise<void>): Promise<void> {
  // A process that was started by another one ends with it, however that one ended.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    await main();
    // Whoever started this process may wait for it.
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
