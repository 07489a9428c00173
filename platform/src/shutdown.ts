import { describeError, type Logger } from './log.ts';

/** One thing to close, with its name for the log. */
export interface ShutdownStep {
  readonly name: string;
  readonly close: () => Promise<unknown>;
}

/** Whatever stops a process (systemd, Docker) must wait longer than this before it kills. */
export const defaultDeadlineMs = 20_000;

/**
 * Closes a process in order on SIGTERM or SIGINT, and by the same way after an error that nothing caught: a process
 * whose state is unknown must not go on. Exits 0 when all closed, 1 otherwise or when the deadline passes.
 * @param steps - first to last, e.g. HTTP, queue, database
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
