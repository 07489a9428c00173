import type { Program } from './program.ts';

/** A request to a process of a measurement, sent over its channel. */
interface Call {
  readonly call: number;
  readonly question: unknown;
}
interface Answer {
  readonly call: number;
  readonly answer?: unknown;
  readonly error?: string;
}

let calls = 0;

/** Calls a process that uses {@link answerCalls}. @throws the error of the process, or if it ends before it replies */
export function ask<Reply>({ child }: Program, question: unknown): Promise<Reply> {
  const call = ++calls;
  return new Promise((resolve, reject) => {
    const onEnd = (): void => reject(new Error('The process ended before it replied'));
    const onMessage = (message: Answer): void => {
      if (message.call !== call) return;
      child.off('message', onMessage);
      child.off('exit', onEnd);
      if (message.error === undefined) resolve(message.answer as Reply);
      else reject(new Error(message.error));
    };
    child.on('message', onMessage);
    child.once('exit', onEnd);
    child.send({ call, question } satisfies Call);
  });
}

/** Replies to the calls of {@link ask}, reports that this process is ready, and ends it together with its parent. */
export function answerCalls(answer: (question: unknown) => Promise<unknown>): void {
  process.on('message', ({ call, question }: Call) => {
    answer(question).then(
      (reply) => process.send?.({ call, answer: reply } satisfies Answer),
      (error: unknown) =>
        process.send?.({ call, error: error instanceof Error ? (error.stack ?? '') : String(error) } satisfies Answer),
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
