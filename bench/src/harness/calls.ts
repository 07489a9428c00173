import type { Program } from './program.ts';

/** A request to a process of a measurement, sent over its channel. */
interface Call {
  readonly call: number;
  readonly question: unknown;
}
interface Response {
  readonly call: number;
  readonly response?: unknown;
  readonly error?: string;
}

let calls = 0;

/** Calls a process that uses {@link respondToCalls}. @throws the error of the process, or if it ends before it replies */
export function ask<Reply>({ child }: Program, question: unknown): Promise<Reply> {
  const call = ++calls;
  return new Promise((resolve, reject) => {
    const onEnd = (): void => reject(new Error('The process ended before it replied'));
    const onMessage = (message: Response): void => {
      if (message.call !== call) return;
      child.off('message', onMessage);
      child.off('exit', onEnd);
      if (message.error === undefined) resolve(message.response as Reply);
      else reject(new Error(message.error));
    };
    child.on('message', onMessage);
    child.once('exit', onEnd);
    child.send({ call, question } satisfies Call);
  });
}

/** Replies to the calls of {@link ask}, reports that this process is ready, and ends it together with its parent. */
export function respondToCalls(respond: (question: unknown) => Promise<unknown>): void {
  process.on('message', ({ call, question }: Call) => {
    respond(question).then(
      (reply) => process.send?.({ call, response: reply } satisfies Response),
      (error: unknown) =>
        process.send?.({
          call,
          error: error instanceof Error ? (error.stack ?? '') : String(error),
        } satisfies Response),
    );
  });
  isReady();
}

/** Reports that this process is ready, and ends it together with its parent. */
export function isReady(): void {
  process.once('disconnect', () => process.exit());
  if (!process.connected) process.exit();
  process.send?.('ready');
}
