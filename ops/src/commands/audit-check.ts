import { checkAuditLog, lastRestore, type AuditHead } from '@dune-tide/db/audit-log';
import { usageError } from '../command-line/arguments.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import type { OperatorCommand } from '../command-line/run-command.ts';
import { newestLoggedHead } from './logged-head.ts';

export const auditCheckUsage = [
  'Usage: make audit-check [ARGS=POSITION:HASH]',
  '    or node ops/dist/src/audit-check.js [POSITION:HASH]',
  '',
  'Checks that no entry of the audit log was changed or removed, and prints the position and the hash of the last entry.',
  'Also checks that the audit log still contains an entry that was noted earlier, so that none was removed from its end:',
  'the given one, or the newest that the worker of make run has logged.',
].join('\n');

/**
 * Checks the hash chain of the audit log (docs/PRODUCT.md, "Audit log"). Compares it with the given head; without one,
 * with the newest that the worker of `make run` has logged, unless a backup was restored since then.
 * @throws {OperatorError} if the argument is invalid; when it runs, if an entry was changed or removed
 */
export const auditCheckCommand: OperatorCommand = (words) => {
  const given = readHead(words);
  return async ({ database, say, logDirectory }) => {
    const logged = given || logDirectory === undefined ? undefined : await newestLoggedHead(logDirectory);
    const restored = logged && (await lastRestore(database));
    const isOutdated = logged && restored && restored > logged.at;
    const check = await checkAuditLog(database, given ?? (isOutdated ? undefined : logged?.head));
    switch (check.outcome) {
      case 'broken':
        throw new OperatorError(
          `The audit log was changed: entry ${check.position} is missing or does not match the entry before it.`,
        );
      case 'other_hash':
        throw new OperatorError(
          `The hash does not belong to entry ${check.position}. Compare it with the earlier result: a wrong digit, or the ` +
            'result of another database, looks like this. If it is the same, the audit log was changed.',
        );
      case 'other_origin':
        throw new OperatorError(
          `The audit log was changed: the network or device of entry ${check.position} is another.`,
        );
      case 'whole': {
        const { entries, head } = check;
        if (!head) return say('The audit log is empty.');
        say(`The audit log is unchanged: ${entries} ${entries === 1 ? 'entry' : 'entries'}.`);
        if (isOutdated) say(`Not compared with the log: a backup was restored on ${restored.toISOString()}.`);
        else if (logged)
          say(`It contains entry ${logged.head.position}, which the worker logged on ${logged.at.toISOString()}.`);
        say(`Last entry: ${head.position}:${head.hash}`);
      }
    }
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
