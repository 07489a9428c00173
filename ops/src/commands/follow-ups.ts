import { audited } from '@dune-tide/db/audit-log';
import {
  followUpAdmin,
  changeAll,
  type ChangeBatch,
  type FollowUpChange,
  type FoundFollowUp,
  type ListedFollowUp,
  type StoredFollowUp,
} from '@dune-tide/db/follow-ups';
import type { AuditAction } from '@dune-tide/domain/audit-actions';
import { deliveryInWords, readFollowUpTerm } from '@dune-tide/domain/follow-up-reports';
import {
  cancellableStates,
  followUpRules,
  followUpStates,
  retryableStates,
  withheldHint,
  withheldReasonTexts,
  type FollowUpState,
} from '@dune-tide/domain/follow-ups';
import { terminalLine } from '@dune-tide/domain/lines';
import { foundFollowUps, listedFollowUps } from '@dune-tide/domain/limits';
import { isUuid } from '@dune-tide/domain/uuid';
import type { Knex } from 'knex';
import type { OperatorCommand, OperatorConsole } from '../command-line/run-command.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import { textTable } from '../command-line/text-table.ts';
import { usageError, parseCommandLine } from '../command-line/arguments.ts';

const { byDefault: listedByDefault, atMost: listedAtMost } = listedFollowUps;

export const followUpsUsage = [
  'Usage: make follow-ups ARGS="COMMAND"',
  '    or node ops/dist/src/follow-ups.js COMMAND',
  '',
  '  counts                      show how many are in each state, and how long the oldest has waited',
  '  list STATE [--oldest] [--limit N]',
  `                              show the newest or oldest in a state: ${listedByDefault} by default, ${listedAtMost} at most`,
  '  show ADDRESS|LEAD|MESSAGE-ID',
  '                              show the emails and webhooks of a person, a lead or a Message-ID, and why one was not',
  '                              sent; the id of one works too',
  `  retry ID                    retry a ${either(retryableStates)} one`,
  '  retry all [--state STATE]   retry all in a state, by default failed',
  `  cancel ID                   cancel a ${either(cancellableStates)} one`,
  '  cancel all [--state STATE]  cancel all in a state, by default pending',
  '',
  `States: ${followUpStates.join(', ')}.`,
].join('\n');

/**
 * Lists, counts, retries and cancels follow-ups. The workers' sweep finds retried ones within seconds.
 * @throws {OperatorError} if an argument is invalid; when it runs, if the follow-up cannot be changed
 */
export const followUpsCommand: OperatorCommand = (words) => {
  const { positionals, values } = parseCommandLine(
    words,
    { limit: { type: 'string' }, oldest: { type: 'boolean' }, state: { type: 'string' } },
    followUpsUsage,
  );
  const [first, subject = '', ...more] = positionals;
  const command = commands.find((known) => known === first);
  if (command === undefined) throw usageError(followUpsUsage);
  const reason = faultOf({ command, subject, more, options: Object.keys(values) });
  if (reason !== undefined) throw usageError(followUpsUsage, reason);

  switch (command) {
    case 'counts':
      return async ({ database, say }) => {
        const { counts, oldestWaitingSeconds: seconds } = await followUpAdmin(database).standing();
        const rows = followUpStates.map((state) => [state, String(counts[state] ?? 0)]);
        for (const line of textTable([['STATE', 'COUNT'], ...rows])) say(line);
        say(seconds === null ? 'No follow-up is waiting.' : `The oldest has waited for ${duration(seconds)}.`);
      };
    case 'list': {
      const state = oneOf(followUpStates, subject);
      const limit = readLimit(values.limit);
      return async ({ database, say }) => {
        const listed = await followUpAdmin(database).page(state, values.oldest ? 'oldest' : 'newest', limit);
        if (listed.length === 0) say(`No ${state} follow-ups.`);
        else for (const line of textTable([listHeader, ...listed.map(listRow)])) say(line);
      };
    }
    case 'show': {
      const term = readFollowUpTerm(subject);
      if (!term) throw new OperatorError(`${terminalLine(subject)} is not an address, an id or a Message-ID.`);
      return async ({ database, say }) => {
        const found = await followUpAdmin(database).find(term, foundFollowUps);
        if (found.length === 0) say('No follow-ups were found.');
        for (const followUp of found) for (const line of describeFollowUp(followUp)) say(line);
        if (found.length === foundFollowUps) say(`Only the newest ${foundFollowUps} are shown.`);
      };
    }
    case 'retry': {
      if (subject === 'all') {
        const state = oneOf(retryableStates, values.state ?? 'failed');
        const note = state === 'withheld' ? withheldHint : undefined;
        return changeAllOf(
          'Retried',
          'follow_ups_retried',
          state,
          (admin, batch) => admin.retrySome(state, batch),
          note,
        );
      }
      const id = readId(subject);
      return async ({ database, say }) => {
        const change = await changeOne(database, 'follow_up_retried', (admin) => admin.retry(id));
        const changed = changedOne(change, id);
        say(`${nameOf(changed)} will be retried.`);
      };
    }
    case 'cancel': {
      if (subject === 'all') {
        const state = oneOf(cancellableStates, values.state ?? 'pending');
        return changeAllOf('Cancelled', 'follow_ups_cancelled', state, (admin, batch) =>
          admin.cancelSome(state, batch),
        );
      }
      const id = readId(subject);
      return async ({ database, say }) => {
        const change = await changeOne(database, 'follow_up_cancelled', (admin) => admin.cancel(id));
        const changed = changedOne(change, id);
        say(`${nameOf(changed)} is cancelled.`);
      };
    }
  }
};

const commands = ['counts', 'list', 'show', 'retry', 'cancel'] as const;
type Command = (typeof commands)[number];

/** The argument of each command, as named in the usage. */
const subjects: Readonly<Record<Exclude<Command, 'counts'>, string>> = {
  list: 'STATE',
  show: 'ADDRESS, LEAD or MESSAGE-ID',
  retry: 'ID, or all',
  cancel: 'ID, or all',
};
const optionsOf: Readonly<Record<Command, readonly string[]>> = {
  counts: [],
  list: ['limit', 'oldest'],
  show: [],
  retry: ['state'],
  cancel: ['state'],
};

interface Words {
  readonly command: Command;
  readonly subject: string;
  readonly more: readonly string[];
  readonly options: readonly string[];
}

/** @returns what is wrong with the arguments, or undefined if they are valid */
function faultOf({ command, subject, more, options }: Words): string | undefined {
  if (command === 'counts') {
    if (subject !== '') return 'counts takes no arguments';
  } else {
    const wanted = subjects[command];
    if (subject === '') return `${command} needs ${command === 'list' ? 'a' : 'an'} ${wanted}`;
    if (more.length > 0) return `${command} takes one ${wanted}`;
  }
  const foreign = options.find((name) => !optionsOf[command].includes(name));
  if (foreign !== undefined) return `${command} takes no --${foreign}`;
  if (options.includes('state') && subject !== 'all') return '--state is allowed only with all';
  return undefined;
}

/** Changes a follow-up, with an entry of the audit log. */
function changeOne(
  database: Knex,
  action: AuditAction,
  change: (admin: FollowUpAdmin) => Promise<FollowUpChange>,
): Promise<FollowUpChange> {
  return audited(
    database,
    (transaction) => change(followUpAdmin(transaction, null)),
    (done) =>
      done.outcome === 'changed' && {
        action,
        actor: 'operator',
        subjectId: done.followUp.leadId ?? undefined,
        details: { followUpId: done.followUp.id },
      },
  );
}

/**
 * Changes all follow-ups of a state, each batch with an entry of the audit log, and prints how many were changed. The count is printed after an error too, because
 * finished batches are not undone.
 * @param note - printed if any were changed
 */
function changeAllOf(
  done: string,
  action: AuditAction,
  state: FollowUpState,
  changeSome: (admin: FollowUpAdmin, batch: ChangeBatch) => Promise<readonly StoredFollowUp[]>,
  note?: string,
): (console: OperatorConsole) => Promise<void> {
  return async ({ database, say }) => {
    const notAfter = await followUpAdmin(database).now();
    let total = 0;
    const changeBatch = (batch: ChangeBatch) =>
      audited(
        database,
        (transaction) => changeSome(followUpAdmin(transaction, null), batch),
        ({ length }) => length > 0 && { action, actor: 'operator', details: { state, count: length } },
      );
    try {
      await changeAll(changeBatch, { notAfter, onBatch: (rows) => void (total += rows.length) });
    } finally {
      say(`${done}: ${total}.`);
    }
    if (note !== undefined && total > 0) say(note);
  };
}

type FollowUpAdmin = ReturnType<typeof followUpAdmin>;

/** @returns e.g. "failed, withheld or cancelled" */
function either(states: readonly FollowUpState[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(states);
}

function oneOf<State extends FollowUpState>(states: readonly State[], word: string): State {
  const state = states.find((known) => known === word);
  if (state === undefined) throw new OperatorError(`The state must be one of ${states.join(', ')}.`);
  return state;
}

function readLimit(word = String(listedByDefault)): number {
  const limit = Number(word);
  if (!/^\d{1,4}$/.test(word) || limit < 1 || limit > listedAtMost) {
    throw new OperatorError(`The limit must be a number from 1 to ${listedAtMost}.`);
  }
  return limit;
}

function readId(word: string): string {
  if (!isUuid(word)) throw new OperatorError(`The follow-up ${word} does not exist.`);
  return word;
}

function changedOne(change: FollowUpChange, id: string): ListedFollowUp {
  if (change.outcome === 'changed') return change.followUp;
  if (change.outcome === 'unknown') throw new OperatorError(`The follow-up ${id} does not exist.`);
  if (change.outcome === 'opted_out') {
    throw new OperatorError(`${id} was not changed: its mailbox is opted out of automatic emails.`);
  }
  if (change.outcome === 'withdrawn') {
    throw new OperatorError(`${id} was not changed: the reply was undone or replaced.`);
  }
  if (change.outcome === 'limited') throw new Error('The limits do not apply to operators');
  throw new OperatorError(`${id} is ${change.state} and was not changed.`);
}

function nameOf({ id, recipient }: ListedFollowUp): string {
  return recipient === null ? id : terminalLine(`${id} to ${recipient}`);
}

const listHeader = ['ID', 'KIND', 'TO', 'LEAD', 'ATTEMPTS', 'CREATED', 'NEXT ATTEMPT OR SENT', 'LAST RESPONSE'];

function listRow(followUp: ListedFollowUp): string[] {
  const { id, kind, recipient, leadId, attempts, createdAt, nextTryAt, sentAt, withheldReason } = followUp;
  const lastResponse = withheldReason === null ? followUp.serverAnswer : withheldReasonTexts[withheldReason];
  return [
    id,
    kind,
    recipient ?? '-',
    leadId ?? '-',
    String(attempts),
    createdAt.toISOString(),
    (nextTryAt ?? sentAt)?.toISOString() ?? '-',
    lastResponse ?? '-',
  ];
}

/** Returns the lines that tell whether a follow-up was delivered. */
function describeFollowUp(followUp: FoundFollowUp): string[] {
  const { id, kind, event, state, recipient, leadId, messageId, attempts, serverAnswer } = followUp;
  const { createdAt, nextTryAt, sentAt } = followUp;
  const facts: readonly (readonly [name: string, value: string | null | undefined])[] = [
    ['To', recipient],
    ['Lead', leadId],
    ['Message-ID', messageId],
    ['Attempts', String(attempts)],
    ['Created', createdAt.toISOString()],
    ['Next attempt', nextTryAt?.toISOString()],
    ['Sent', sentAt?.toISOString()],
    ['Last response', serverAnswer],
  ];
  return [
    `${followUpRules[kind].label}${event === null ? '' : ` ${event}`} ${id}: ${state}`,
    `  ${deliveryInWords(followUp)}`,
    ...facts.flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [`  ${`${name}:`.padEnd(15)}${value}`],
    ),
  ].map(terminalLine);
}

function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
  ] as const;
  const [name, size] = units.find(([, length]) => seconds >= length) ?? (['s', 1] as const);
  return `${Math.floor(seconds / size)} ${name}`;
}
