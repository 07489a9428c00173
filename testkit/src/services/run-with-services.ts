import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTools, startServices } from './services.ts';

/** As a shell counts them. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Starts the services, runs what needs them, and ends and removes everything, also when that fails or is interrupted.
 * Ends this process: with 0 when all is well, with 1 when not, with 129, 130 or 143 when it was interrupted.
 * @param work - tells whether all is well; once the signal is given it ends soon, and what it does then is forgotten
 * @throws what stops it otherwise
 */
export async function runWithServices(work: (interrupted: AbortSignal) => Promise<boolean>): Promise<void> {
  const interruption = new AbortController();
  let exitCode = 0;
  for (const [signal, code] of Object.entries(exitCodes)) {
    // Every time: make hands on what its whole group was sent already.
    process.on(signal, () => {
      if (interruption.signal.aborted) return;
      process.stdout.write('\nInterrupted; stopping.\n');
      exitCode = code;
      interruption.abort();
    });
  }
  // A test that is ended leaves its folders behind: all of them are in this one.
  const directory = await mkdtemp(join(tmpdir(), 'studio-'));
  // For the user that PostgreSQL runs as.
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
    // It follows from the interruption.
    if (!interruption.signal.aborted) throw error;
  } finally {
    // What was killed may still be ending.
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
  process.exit(exitCode);
}
