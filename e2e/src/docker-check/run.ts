import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/** A program that failed. Its output is in the log. */
class CommandError extends Error {
  override readonly name = 'CommandError';
}

export interface RunOptions {
  readonly folder?: string;
  /** Time limit; the program and its children are then killed. Default: 5 minutes. */
  readonly limitSeconds?: number;
  /** Keeps the output out of the log, for a command that is repeated until it succeeds. */
  readonly isRepeated?: boolean;
  /** Ends the program and its children. */
  readonly interrupted?: AbortSignal;
}

/** Runs a program. @returns its standard output. @throws {CommandError} */
export type Run = (program: string, words: readonly string[], options?: RunOptions) => Promise<string>;

const shownLines = 12;
const defaultLimitSeconds = 300;

/**
 * Creates a function that runs programs.
 * @param logFile - receives each command line and its output
 * @param environment - the whole environment of the programs
 */
export function createRun(logFile: string, environment: NodeJS.ProcessEnv): Run {
  return async (
    program,
    words,
    { folder, limitSeconds = defaultLimitSeconds, isRepeated = false, interrupted } = {},
  ) => {
    const log = (text: string | Buffer): void => {
      if (!isRepeated) appendFileSync(logFile, text);
    };
    log(`\n$ ${program} ${words.join(' ')}\n`);
    // In its own process group, so that all its processes can be killed. Ctrl-C in the terminal does not reach it.
    const child = spawn(program, words, {
      ...(folder === undefined ? {} : { cwd: folder }),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const last: string[] = [];
    const keep = (chunk: Buffer): void => {
      log(chunk);
      last.push(
        ...chunk
          .toString()
          .split('\n')
          .filter((line) => line.trim() !== ''),
      );
      last.splice(0, last.length - shownLines);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      keep(chunk);
    });
    child.stderr.on('data', keep);
    const kill = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, limitSeconds * 1000);
    interrupted?.addEventListener('abort', kill);
    const end = await new Promise<number | string | null>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(code ?? signal));
    });
    clearTimeout(timer);
    interrupted?.removeEventListener('abort', kill);
    interrupted?.throwIfAborted();
    if (end === 0) return output;
    const reason = isLate ? `not finished within ${limitSeconds} s` : `ended with ${end}`;
    throw new CommandError(`${program} ${words.join(' ')}: ${reason}\n${last.join('\n')}`);
  };
}
