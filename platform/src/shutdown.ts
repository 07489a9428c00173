import { describeError, type Logger } from './log.ts';

/** A part of a process to close. `name` is for the log. */
export interface ShutdownStep {
  readonly name: string;
  readonly close: () => Promise<unknown>;
}

/** Time limit of the whole shutdown. systemd and Docker must wait longer than this before they kill the process. */
export const defaultDeadlineMs = 20_000;

/**
 * Closes the parts of a process in order on SIGTERM or SIGINT, and after an uncaught error, which leaves the process in
 * an unknown state. Exits with 0 after a signal if every step succeeded in time, otherwise with 1.
 * @param steps - in the order in which they are closed, e.g. HTTP, queue, database
 * @param deadlineMs - time limit of all steps together
 */
export function closeInOrder(logger: Logger, steps: readonly ShutdownStep[], deadlineMs = defaultDeadlineMs): void {
  let isClosing = false;
  let exitCode = 0;

  const close = async (reason: string): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    logger.info({ reason }, 'closing');
    setTimeout(() => {
      logger.error({ deadlineMs }, 'not closed in time');
      process.exit(1);
    }, deadlineMs).unref();
    for (const step of steps) {
      try {
        await step.close();
        logger.info({ step: step.name }, 'closed');
      } catch (error) {
        exitCode = 1;
        logger.error({ step: step.name, error: describeError(error) }, 'not closed');
      }
    }
    process.exit(exitCode);
  };

  process.on('SIGTERM', () => void close('SIGTERM'));
  process.on('SIGINT', () => void close('SIGINT'));
  const onFatal = (error: unknown): void => {
    logger.fatal({ error: describeError(error) }, 'uncaught error');
    exitCode = 1;
    void close('uncaught error');
  };
  process.on('uncaughtException', onFatal);
  process.on('unhandledRejection', onFatal);
}
