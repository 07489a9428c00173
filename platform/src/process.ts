import { SettingsError } from './settings.ts';

/**
 * Runs a process's main function. A setting that cannot be used ends it with one clear message instead of a stack trace.
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
  if (error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
