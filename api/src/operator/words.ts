import { parseArgs, type ParseArgsConfig } from 'node:util';
import { OperatorError } from './operator-error.ts';

/**
 * Reads a command line.
 * @param words - without the program
 * @param usage - what is answered where they are not understood; by `isHelp` they ask for it
 * @throws {OperatorError} with the usage
 */
export function readWords<const Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
  usage: string,
): Pick<ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>, 'positionals' | 'values'> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch {
    throw new OperatorError(usage);
  }
}

/** Whether a command line asks how the command is used. */
export function isHelp(words: readonly string[]): boolean {
  return words.length === 1 && ['--help', '-h', 'help'].includes(words[0] ?? '');
}
