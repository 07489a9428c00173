import { randomUUID } from 'node:crypto';
import { staffAccounts, secondFactors, type AccountChanges, type Account } from '@dune-tide/db/accounts';
import { accountChangeForm, newPasswordForm, usernameTakenMessage } from '@dune-tide/domain/forms/account';
import { lastOwnerMessage } from '@dune-tide/domain/staff-roles';
import { FormError, formReader, UnstorableTextError } from '@dune-tide/platform/form-reader';
import type { OperatorConsole } from '../command-line/run-command.ts';
import { OperatorError } from '../command-line/operator-error.ts';
import { textTable } from '../command-line/text-table.ts';
import { usageError, parseCommandLine } from '../command-line/arguments.ts';
import { readNewAccount } from '@dune-tide/platform/accounts/new-account';
import { passwordWeakness } from '@dune-tide/platform/accounts/password-weakness';
import { hashPassword, randomPassword } from '@dune-tide/platform/accounts/password';

export interface StaffConsole extends OperatorConsole {
  /**
   * Reads a password from the operator. Not called with `--random`.
   * @param check - returns the valid password, or throws
   */
  readonly askPassword: (check: (typed: string) => Promise<string>) => Promise<string>;
}

export const staffUsage = [
  'Usage: make staff ARGS="COMMAND"',
  '    or node ops/dist/src/staff.js COMMAND',
  '',
  '  list                                  show all accounts',
  '  add USERNAME --name NAME [--email ADDRESS] [--role owner|member] [--random]',
  '                                        add an account, by default as a member',
  '  email USERNAME [ADDRESS]              set the address for reminders, or remove it',
  '  role USERNAME owner|member            let an account do what owners can do, or no longer',
  '  deactivate USERNAME                   deactivate an account and end its sessions',
  '  activate USERNAME                     activate an account again',
  '  password USERNAME [--random]          set a new password and end its sessions',
  '  no-second-factor USERNAME             remove the second factors and end its sessions',
  '',
  'The command prompts for the password or reads it from standard input. --random generates one and shows it once.',
].join('\n');

/** A valid placeholder: the other fields are validated before the operator types a password. */
const anyPassword = 'a password';

/**
 * Lists, adds and changes staff accounts. It is an `OperatorCommand` that may prompt for a password.
 * @throws {OperatorError} if an argument is invalid; when it runs, if the account cannot be added or changed
 */
export function staffCommand(words: readonly string[]): (terminal: StaffConsole) => Promise<void> {
  const read = readCommand(words);
  return (terminal) => run(read, terminal);
}

async function run(
  { command, username, name, email, role, isRandom }: StaffCommand,
  terminal: StaffConsole,
): Promise<void> {
  const { database, staffEmail, say } = terminal;
  const accounts = staffAccounts(database, staffEmail);

  const passwordFor = async (account: Pick<Account, 'username'>): Promise<string> => {
    if (isRandom) return randomPassword();
    return terminal.askPassword(async (typed) => {
      const { password } = orOperatorError(() => readPassword({ password: typed }));
      const weakness = await passwordWeakness(password, account.username);
      if (weakness !== undefined) throw new OperatorError(`${weakness}.`);
      return password;
    });
  };
  const shown = (secret: string): string => (isRandom ? `; the password is shown only once: ${secret}` : '.');

  const existing = async (): Promise<Account> => {
    const account = await accounts.byUsername(username);
    if (!account) throw new OperatorError(`The account ${username} does not exist.`);
    return account;
  };
  const change = async (account: Account, changes: AccountChanges): Promise<void> => {
    const { outcome } = await accounts.change(account.id, changes);
    if (outcome === 'last_owner') throw new OperatorError(lastOwnerMessage);
    if (outcome !== 'changed') throw new OperatorError(`The account ${username} does not exist.`);
  };

  switch (command) {
    case 'list':
      for (const line of table(await accounts.list())) say(line);
      return;
    case 'add': {
      const account = orOperatorError(() => readNewAccount({ name, username, email, role, password: anyPassword }));
      if (await accounts.byUsername(account.username)) throw new OperatorError(`${usernameTakenMessage}.`);
      const secret = await passwordFor(account);
      const passwordHash = await hashPassword(secret);
      const addition = await accounts.add(randomUUID(), {
        name: account.name,
        username: account.username,
        email: account.email,
        role: account.role,
        passwordHash,
      });
      if (addition.outcome !== 'added') throw new OperatorError(`${usernameTakenMessage}.`);
      say(`Added ${addition.account.username}${shown(secret)}`);
      say(mustChange);
      return;
    }
    case 'email': {
      const account = await existing();
      const address = orOperatorError(() => readChange({ email })).email ?? null;
      await change(account, { email: address });
      say(`${account.username} ${address === null ? 'has no email address.' : `has the email address ${address}.`}`);
      return;
    }
    case 'role': {
      const account = await existing();
      const { role: wanted } = orOperatorError(() => readChange({ role }));
      await change(account, { role: wanted });
      say(`${account.username} is ${wanted === 'owner' ? 'an owner' : 'a member'}.`);
      return;
    }
    case 'deactivate':
    case 'activate': {
      const account = await existing();
      const isActive = command === 'activate';
      await change(account, { isActive });
      say(`${account.username} ${describeActivity(account.isActive, isActive)}`);
      return;
    }
    case 'no-second-factor': {
      const account = await existing();
      const isRemoved = await secondFactors(database).removeByOperator(account.id);
      say(
        `${account.username} ${isRemoved ? 'has no second factor any more and is signed out.' : 'has no second factor.'}`,
      );
      return;
    }
    case 'password': {
      const account = await existing();
      const secret = await passwordFor(account);
      await change(account, { passwordHash: await hashPassword(secret) });
      say(`${account.username} has a new password and is signed out${shown(secret)}`);
      say(mustChange);
    }
  }
}

const mustChange = 'The next sign-in asks for another password.';

function describeActivity(before: boolean, now: boolean): string {
  if (before === now) return `is already ${now ? 'active' : 'inactive'}.`;
  return now ? 'is active.' : 'is deactivated and signed out.';
}

const readPassword = formReader(newPasswordForm);
const readChange = formReader(accountChangeForm);

const commands = ['list', 'add', 'email', 'role', 'deactivate', 'activate', 'password', 'no-second-factor'] as const;
type Command = (typeof commands)[number];

interface StaffCommand {
  readonly command: Command;
  readonly username: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly role: string | undefined;
  readonly isRandom: boolean;
}

function readCommand(words: readonly string[]): StaffCommand {
  const { positionals, values } = parseCommandLine(
    words,
    { name: { type: 'string' }, email: { type: 'string' }, role: { type: 'string' }, random: { type: 'boolean' } },
    staffUsage,
  );
  const [first, username = '', ...more] = positionals;
  const { name, email, role, random = false } = values;
  const command = commands.find((known) => known === first);
  if (command === undefined) throw usageError(staffUsage);
  const reason = faultOf({ command, username, name, email, role, random, more });
  if (reason !== undefined) throw usageError(staffUsage, reason);
  return {
    command,
    username,
    name,
    email: command === 'email' ? more[0] : email,
    role: command === 'role' ? more[0] : role,
    isRandom: random,
  };
}

interface Words {
  readonly command: Command;
  readonly username: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly role: string | undefined;
  readonly random: boolean;
  readonly more: readonly string[];
}

/** @returns what is wrong with the arguments, or undefined if they are valid */
function faultOf({ command, username, name, email, role, random, more }: Words): string | undefined {
  if (command === 'list' && username !== '') return 'list takes no arguments';
  if (command !== 'list' && username === '') return `${command} needs a USERNAME`;
  if (command === 'email' && more.length > 1) return 'email takes one ADDRESS';
  if (command === 'role' && more.length !== 1) return 'role needs owner or member';
  if (command !== 'email' && command !== 'role' && more.length > 0) return 'put a name of several words in quotes';
  if (command === 'add' && name === undefined) return 'add needs --name NAME';
  if (command !== 'add' && name !== undefined) return `${command} takes no --name`;
  if (command !== 'add' && email !== undefined) return `${command} takes no --email`;
  if (command !== 'add' && role !== undefined) return `${command} takes no --role`;
  if (random && command !== 'add' && command !== 'password') return `${command} takes no --random`;
  return undefined;
}

/** Runs a form reader. @throws {OperatorError} with all messages of the form in one line */
function orOperatorError<Values>(read: () => Values): Values {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormError) throw new OperatorError(error.errors.map(({ message }) => `${message}.`).join(' '));
    throw error instanceof UnstorableTextError ? new OperatorError(error.message) : error;
  }
}

function table(members: readonly Account[]): string[] {
  const rows = [
    ['USERNAME', 'NAME', 'EMAIL', 'ROLE', 'STATE', 'LAST SIGN-IN'],
    ...members.map(({ username, name, email, role, isActive, lastSignInAt }) => [
      username,
      name,
      email ?? 'none',
      role,
      isActive ? 'active' : 'inactive',
      lastSignInAt?.toISOString() ?? 'never',
    ]),
  ];
  return textTable(rows);
}
