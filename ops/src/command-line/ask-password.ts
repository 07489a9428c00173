import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { OperatorError } from './operator-error.ts';

/**
 * Reads a password: from a terminal by two prompts without echo, otherwise from standard input, which must have one
 * line. It is not an argument, because every user of the machine can read arguments.
 * @param check - returns the valid password, or throws; runs before the second prompt
 * @throws {OperatorError} if the password is missing, the two differ, or the input has several lines
 */
export async function askPassword(
  input: ReadStream,
  prompts: NodeJS.WritableStream,
  check: (typed: string) => Promise<string>,
): Promise<string> {
  if (!input.isTTY) return check(requireSome(await readAll(input)));
  const typed = await check(requireSome(await ask(input, prompts, 'Password: ')));
  if ((await ask(input, prompts, 'Repeat password: ')) !== typed)
    throw new OperatorError('The passwords do not match.');
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
