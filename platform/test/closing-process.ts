import { setTimeout as pause } from 'node:timers/promises';
import { createLogger } from '../src/log.ts';
import { runProcess } from '../src/process.ts';
import { closeInOrder } from '../src/shutdown.ts';

/** A process that closes the steps in CLOSES. FAULT selects an uncaught error that it raises after its start. */
const { CLOSES = '', FAULT = '', DEADLINE_MS = '20000' } = process.env;

const closings: Readonly<Record<string, () => Promise<void>>> = {
  http: () => pause(60),
  queue: () => pause(20),
  database: () => Promise.resolve(),
  failing: () => Promise.reject(new Error('noura@example.com cannot be closed')),
  throwing: () => {
    throw new Error('not even a promise');
  },
  slow: () => pause(300),
  faulty: () => {
    setImmediate(() => {
      throw new Error('unexpected error of noura@example.com');
    });
    return pause(60);
  },
  endless: () => new Promise(() => undefined),
};

await runProcess(async () => {
  // Keeps the process running, as a server would.
  setInterval(() => undefined, 60_000);
  closeInOrder(
    createLogger('closing', 'info'),
    CLOSES.split(',').map((name) => ({ name, close: closings[name] ?? (() => Promise.reject(new Error('unknown'))) })),
    Number(DEADLINE_MS),
  );
});

if (FAULT === 'exception') {
  setImmediate(() => {
    throw new Error('unexpected error of noura@example.com');
  });
}
if (FAULT === 'rejection') void Promise.reject(new Error('unexpected error of noura@example.com'));
