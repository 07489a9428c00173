import { checkAuditLog, type AuditHead } from '@dune-tide/db/audit-log';
import { usageError } from '../command-line/arguments.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import type { OperatorCommand } from '../command-line/run-command.ts';

export const auditCheckUsage = [
  'Usage: make audit-check [ARGS=POSITION:HASH]',
  '    or node ops/dist/src/audit-check.js [POSITION:HASH]',
  '',
  'Checks that no entry of the audit log was changed or removed, and prints the position and the hash of the last entry.',
  'With an earlier result, also checks that the log still contains that entry, so that none was removed after it.',
].join('\n');

/**
 * Checks the hash chain of the audit log (docs/PRODUCT.md, "Audit log").
 * @throws {OperatorError} if the argument is invalid; when it runs, if an entry was changed or removed
 */
export const auditCheckCommand: OperatorCommand = (words) => {
  const noted = readHead(words);
  return async ({ database, say }) => {
    const check = await checkAuditLog(database, noted);
    if (check.outcome === 'broken') {
      throw new OperatorError(
        `The audit log was changed: entry ${check.position} is missing or does not match the entry before it.`,
      );
    }
    if (check.outcome === 'other_hash') {
      throw new OperatorError(
        `The hash does not belong to entry ${check.position}. Compare it with the earlier result: a wrong digit, or the ` +
          'result of another database, looks like this. If it is the same, the audit log was changed.',
      );
    }
    const { entries, head } = check;
    if (!head) return say('The audit log is empty.');
    say(`The audit log is unchanged: ${entries} ${entries === 1 ? 'entry' : 'entries'}.`);
    say(`Last entry: ${head.position}:${head.hash}`);
  };
};

function readHead(words: readonly string[]): AuditHead | undefined {
  const [word, ...more] = words;
  if (word === undefined) return undefined;
  const [, position, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(word) ?? [];
  if (position === undefined || hash === undefined || more.length > 0) {
    throw usageError(auditCheckUsage, 'Give the last entry as an earlier check printed it');
  }
  return { position: Number(position), hash };
}
