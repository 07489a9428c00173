import { parseArgs, type ParseArgsConfig } from 'node:util';
import { codeOf } from '@dune-tide/platform/system-error';
import { OperatorError } from './operator-error.ts';

/**
 * Creates the error for invalid arguments. It does not repeat them, because one may be a password.
 * @param reason - what is wrong with the arguments, if known
 */
export function usageError(usage: string, reason?: string): OperatorError {
  const told = reason === undefined ? 'Invalid command.' : `Invalid command: ${reason}.`;
  return new OperatorError(`${told}\n\n${usage}`);
}

/**
 * Parses a command line.
 * @param words - the arguments without the program
 * @throws {OperatorError} with the usage, if an option is invalid
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
  ERR_PARSE_ARGS_UNKNOWN_OPTION: 'unknown option',
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: 'an option value is missing or not allowed',
};

/** Returns whether the arguments request help. The word `help` alone may be a file name. */
export function isHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}
