import { parseArgs, type ParseArgsConfig } from 'node:util';
import { codeOf } from '@dune-tide/platform/system-error';
import { OperatorError } from './operator-error.ts';

/**
 * For a command line that is none of the command's. Its words stay unsaid: one may be a password.
 * @param reason - what is missing or too much, where that is known
 */
export function usageError(usage: string, reason?: string): OperatorError {
  const told = reason === undefined ? 'The command is not understood.' : `The command is not understood: ${reason}.`;
  return new OperatorError(`${told}\n\n${usage}`);
}

/**
 * Reads a command line.
 * @param words - without the program
 * @throws {OperatorError} with the usage, where they are not understood
 */
export function parseCommandLine<const Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
  usage: string,
): Pick<ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>, 'positionals' | 'values'> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw usageError(usage, optionFaults[codeOf(error) ?? '']);
  }
}

const optionFaults: Readonly<Record<string, string>> = {
  ERR_PARSE_ARGS_UNKNOWN_OPTION: 'there is no such option',
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: 'an option lacks its value, or takes none',
};

/** Whether a command line asks how the command is used. Not by the word help, which may name a file. */
export function isHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}
