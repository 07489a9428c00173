import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTools, startServices } from './services.ts';

/** The exit codes that a shell uses. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Starts the services, runs the work, then stops and removes everything, even after an error or an interruption. Exits
 * the process with 0 after success, 1 after failure, and 129, 130 or 143 after an interruption.
 * @param work - resolves with whether it succeeded; must end soon after the signal, and is ignored then
 * @throws the error of a service that does not start, or of the work
 */
export async function runWithServices(work: (interrupted: AbortSignal) => Promise<boolean>): Promise<void> {
  const interruption = new AbortController();
  let exitCode = 0;
  for (const [signal, code] of Object.entries(exitCodes)) {
    // Not `once`: make forwards a signal that its whole process group has already received.
    process.on(signal, () => {
      if (interruption.signal.aborted) return;
      process.stdout.write('\nInterrupted; stopping.\n');
      exitCode = code;
      interruption.abort();
    });
  }
  // The parent of all temporary folders, because a killed test does not remove its own.
  const directory = await mkdtemp(join(tmpdir(), 'studio-'));
  // PostgreSQL may run as another user, who must be able to enter.
  await chmod(directory, 0o711);
  process.env['TMPDIR'] = directory;
  try {
    await installTools();
    const services = await startServices();
    try {
      if (!interruption.signal.aborted && !(await work(interruption.signal))) exitCode ||= 1;
    } finally {
      await services.stop();
    }
  } catch (error) {
    // After an interruption, errors are expected.
    if (!interruption.signal.aborted) throw error;
  } finally {
    // Killed processes may still write.
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
  process.exit(exitCode);
}
