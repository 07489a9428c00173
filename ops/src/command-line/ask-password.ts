import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { OperatorError } from './operator-error.ts';

/**
 * Asks for a password: twice and without echo on a terminal, else the one line of standard input. It never stands among
 * the arguments, where every user of the machine could read it.
 * @param check - returns the password, or throws where it may be none; nobody types that one twice
 * @throws {OperatorError} when there is none, the two differ, or there are more lines, which no field takes
 */
export async function askPassword(
  input: ReadStream,
  prompts: NodeJS.WritableStream,
  check: (typed: string) => string,
): Promise<string> {
  if (!input.isTTY) return check(requireSome(await readAll(input)));
  const typed = check(requireSome(await ask(input, prompts, 'Password: ')));
  if ((await ask(input, prompts, 'Once more: ')) !== typed) throw new OperatorError('The two passwords differ.');
  return typed;
}

const noPassword = (): OperatorError => new OperatorError('No password was given.');

function requireSome(typed: string): string {
  if (typed === '') throw noPassword();
  return typed;
}

async function readAll(input: ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Uint8Array));
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw new OperatorError('The password must be one line.');
  return password;
}

async function ask(input: ReadStream, prompts: NodeJS.WritableStream, prompt: string): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: silence, terminal: true, historySize: 0 });
  prompts.write(prompt);
  try {
    return await new Promise<string>((resolve, reject) => {
      const giveUp = (): void => reject(noPassword());
      terminal.once('SIGINT', giveUp);
      terminal.once('close', giveUp);
      terminal.once('line', resolve);
    });
  } finally {
    terminal.close();
    prompts.write('\n');
  }
}
