import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { verify } from '@node-rs/argon2';
import { lastOwnerMessage } from '@dune-tide/domain/staff-roles';
import { expect } from 'chai';
import { OperatorError } from '../src/command-line/operator-error.ts';
import { staffCommand } from '../src/commands/staff.ts';
import { hashPassword } from '@dune-tide/platform/accounts/password';

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Printed after a password that an operator has set. */
const mustChange = 'The next sign-in asks for another password.\n';

const program = fileURLToPath(new URL('../../ops/dist/src/staff.js', import.meta.url));

describe('the staff command', () => {
  const test = withTestDatabase();
  beforeEach(() => test().database('staff').delete());

  /** Runs the command in this process. @param typed - the password that the operator types */
  async function staff(words: readonly string[], typed = ''): Promise<Ended> {
    const lines: string[] = [];
    const output = (): string => lines.map((line) => `${line}\n`).join('');
    try {
      await staffCommand(words)({
        database: test().database,
        say: (line) => void lines.push(line),
        askPassword: async (check) => check(typed),
      });
      return { code: 0, output: output(), errors: '' };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return { code: 1, output: output(), errors: `${error.message}\n` };
    }
  }

  /** Runs the command as a process. @param input - its standard input */
  function staffProcess(
    words: readonly string[],
    input = '',
    environment: Record<string, string> = {},
  ): Promise<Ended> {
    const child = spawn(process.execPath, [program, ...words], {
      env: { PATH: process.env['PATH'], DATABASE_URL: test().appUrl, ...environment },
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    // The command closes its standard input if it needs no password.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output, errors })));
  }

  const accountOf = (username: string) => test().database('staff').where({ username }).first<Record<string, unknown>>();
  const addAccount = async (username: string): Promise<string> => {
    const [row] = await test()
      .database('staff')
      .insert({ username, name: 'Thabo O’Neill', password_hash: await hashPassword('the old password') })
      .returning<{ id: string }[]>('id');
    await test().database.raw(
      `insert into sessions (id_hash, staff_id, expires_at) values (?, ?, now() + interval '10 minutes')`,
      [Buffer.from(username.padEnd(32).slice(0, 32)).toString('hex'), row?.id ?? ''],
    );
    return row?.id ?? '';
  };
  const sessions = (): Promise<unknown[]> => test().database('sessions').select('*');
  const isPassword = async (username: string, password: string): Promise<boolean> =>
    verify(String((await accountOf(username))?.['password_hash']), password);

  it('adds an account with a piped password and lists it', async () => {
    const added = await staffProcess(['add', 'noura', '--name', 'Noura al-Harbi'], 'correct horse battery\n');
    expect(added).to.deep.equal({ code: 0, output: `Added noura.\n${mustChange}`, errors: '' });
    expect(await accountOf('noura')).to.include({ name: 'Noura al-Harbi', is_active: true });
    expect(await isPassword('noura', 'correct horse battery')).to.equal(true);
    const { output } = await staff(['list']);
    expect(output.split('\n')).to.deep.equal([
      'USERNAME  NAME            EMAIL  ROLE   STATE   LAST SIGN-IN',
      'noura     Noura al-Harbi  none   owner  active  never',
      '',
    ]);
  });

  it('adds an account with an email address, sets another one and removes it', async () => {
    const email = async (): Promise<unknown> => (await accountOf('noura'))?.['email'];
    await staff(['add', 'noura', '--name', 'Noura', '--email', ' Noura@studio.example '], 'a good password');
    expect(await email()).to.equal('Noura@studio.example');
    expect((await staff(['list'])).output).to.include('  Noura@studio.example  ');
    const set = await staff(['email', 'NOURA', 'team@bücher.example']);
    const address = 'team@xn--bcher-kva.example';
    expect(set).to.deep.equal({ code: 0, output: `noura has the email address ${address}.\n`, errors: '' });
    expect(await email()).to.equal(address);
    for (const words of [['noura'], ['noura', '']]) {
      await staff(['email', 'noura', 'noura@studio.example']);
      const removed = await staff(['email', ...words]);
      expect(removed).to.deep.equal({ code: 0, output: 'noura has no email address.\n', errors: '' });
      expect(await email()).to.equal(null);
    }
  });

  it('generates a password with --random and shows it once', async () => {
    const { code, output } = await staff(['add', 'noura', '--name', 'Noura', '--random']);
    expect(code).to.equal(0);
    const [, password = ''] = /^Added noura; the password is shown only once: ([\w-]{22})\n/.exec(output) ?? [];
    expect(await isPassword('noura', password)).to.equal(true);
    expect((await staff(['list'])).output).to.not.include(password);
  });

  it('deactivates an account, ends its sessions and activates it again', async () => {
    await addAccount('thabo');
    await addAccount('noura');
    await test()
      .database('sessions')
      .whereNot({ staff_id: String((await accountOf('thabo'))?.['id']) })
      .delete();
    const off = await staff(['deactivate', 'THABO']);
    expect(off).to.deep.equal({ code: 0, output: 'thabo is deactivated and signed out.\n', errors: '' });
    expect([(await accountOf('thabo'))?.['is_active'], await sessions()]).to.deep.equal([false, []]);
    expect((await staff(['activate', 'thabo'])).output).to.equal('thabo is active.\n');
    expect((await accountOf('thabo'))?.['is_active']).to.equal(true);
  });

  it('removes the second factor of an account, which is audited', async () => {
    const id = await addAccount('thabo');
    await test()
      .database('totp_factors')
      .insert({ staff_id: id, secret: 'sealed', confirmed_at: new Date(), last_step: 1 });
    await test()
      .database('recovery_codes')
      .insert({ staff_id: id, code_hash: 'a1'.repeat(32) });
    await test()
      .database('passkeys')
      .insert({
        staff_id: id,
        credential_id: 'a1',
        public_key: Buffer.from([1]),
        counter: 0,
        transports: [],
        name: 'Key',
      });
    const removed = await staff(['no-second-factor', 'THABO']);
    expect(removed).to.deep.equal({
      code: 0,
      output: 'thabo has no second factor any more and is signed out.\n',
      errors: '',
    });
    expect(await test().database('totp_factors')).to.deep.equal([]);
    expect(await test().database('recovery_codes')).to.deep.equal([]);
    expect(await test().database('passkeys')).to.deep.equal([]);
    expect((await staff(['no-second-factor', 'thabo'])).output).to.equal('thabo has no second factor.\n');
    expect(await test().database('audit_log').where({ subject_id: id }).pluck('action')).to.deep.equal([
      'second_factor_removed',
    ]);
  });

  it('reports that an account is already active or inactive', async () => {
    await addAccount('thabo');
    await addAccount('noura');
    expect((await staff(['activate', 'Thabo'])).output).to.equal('thabo is already active.\n');
    await staff(['deactivate', 'thabo']);
    const again = await staff(['deactivate', 'thabo']);
    expect(again).to.deep.equal({ code: 0, output: 'thabo is already inactive.\n', errors: '' });
  });

  it('makes an account an owner or a member, and keeps the last active owner', async () => {
    await addAccount('thabo');
    const refused = { code: 1, output: '', errors: `${lastOwnerMessage}\n` };
    expect(await staff(['deactivate', 'thabo'])).to.deep.equal(refused);
    expect(await staff(['role', 'thabo', 'member'])).to.deep.equal(refused);
    await staff(['add', 'noura', '--name', 'Noura'], 'a good password');
    expect((await accountOf('noura'))?.['role']).to.equal('member');
    expect((await staff(['role', 'NOURA', 'owner'])).output).to.equal('noura is an owner.\n');
    expect((await staff(['role', 'thabo', 'member'])).output).to.equal('thabo is a member.\n');
    expect((await staff(['role', 'thabo', 'king'])).errors).to.equal('Please choose a role.\n');
  });

  it('sets a password and ends the sessions of the account', async () => {
    await addAccount('thabo');
    expect((await staff(['password', 'thabo'], ' a new password ')).code).to.equal(0);
    expect(await isPassword('thabo', ' a new password ')).to.equal(true);
    expect(await sessions()).to.deep.equal([]);
  });

  /** Runs the command on a terminal of `script` (package bsdutils, part of every Debian). */
  function onTerminal(words: readonly string[]) {
    const quoted = [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['--quiet', '--return', '--command', quoted, '/dev/null'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: test().appUrl, TERM: 'xterm' },
    });
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { stdin: child.stdin, shown: () => shown, ended };
  }

  it('prompts twice on a terminal and does not show the password', async () => {
    await addAccount('thabo');
    const { stdin, shown, ended } = onTerminal(['password', 'thabo']);
    for (const prompt of ['Password: ', 'Repeat password: ']) {
      await until(prompt, () => shown().includes(prompt));
      stdin.write('typed by hand\r');
    }
    expect(await ended, shown()).to.equal(0);
    expect(shown()).to.include('thabo has a new password').and.not.include('typed');
    expect(await isPassword('thabo', 'typed by hand')).to.equal(true);
  });

  it('rejects an invalid password on a terminal before the second prompt', async () => {
    await addAccount('thabo');
    const { stdin, shown, ended } = onTerminal(['password', 'thabo']);
    await until('the prompt', () => shown().includes('Password: '));
    stdin.write('short\r');
    // A second prompt would wait forever.
    await until('the error', () => /least|Repeat/.test(shown())).finally(() => stdin.end());
    expect(await ended, shown()).to.equal(1);
    expect(shown()).to.include('Password must be at least 8 characters.').and.not.include('Repeat');
  });

  it('rejects empty standard input instead of a password', async () => {
    await addAccount('thabo');
    for (const input of ['', '\n']) {
      const { code, output, errors } = await staffProcess(['password', 'thabo'], input);
      expect([code, output, errors]).to.deep.equal([1, '', 'No password was given.\n']);
    }
  });

  it('exits with 1 when it fails', async () => {
    const { code, output, errors } = await staffProcess(['deactivate', 'stranger']);
    expect([code, output, errors]).to.deep.equal([1, '', 'The account stranger does not exist.\n']);
  });

  it('prints an error in one line and changes nothing', async () => {
    await addAccount('thabo');
    const before = await test().database('staff').select('*');
    const taken = 'This username is taken.\n';
    const invalidEmail = 'Please enter a valid email address.\n';
    const short = 'Password must be at least 8 characters.\n';
    const cases: readonly (readonly [words: readonly string[], input: string, errors: string])[] = [
      [['add', 'Thabo', '--name', 'Another'], 'a good password', taken],
      [['add', 'two words', '--name', 'x'], 'a good password', 'Username must be plain text without spaces.\n'],
      [['add', 'noura', '--name', ' '], 'a good password', 'Name is required.\n'],
      [['add', 'noura', '--name', 'x'], '', short],
      [['password', 'thabo'], 'short', short],
      [['add', 'noura', '--name', 'x', '--email', 'noura'], 'a good password', invalidEmail],
      [['email', 'thabo', 'a@b.example, c@d.example'], '', invalidEmail],
      [['email', 'stranger', 'a@b.example'], '', 'The account stranger does not exist.\n'],
      [['password', 'stranger', '--random'], '', 'The account stranger does not exist.\n'],
      [['deactivate', 'stranger'], '', 'The account stranger does not exist.\n'],
    ];
    for (const [words, input, errors] of cases) {
      expect(await staff(words, input)).to.deep.equal({ code: 1, output: '', errors });
    }
    expect(await test().database('staff').select('*')).to.deep.equal(before);
  });

  it('prints the error and the usage if the arguments are invalid', async () => {
    const cases: readonly (readonly [words: readonly string[], reason: string])[] = [
      [[], '.'],
      [['remove', 'thabo'], '.'],
      [['password', 'x', '--password=y'], ': unknown option.'],
      [['add', 'noura', '--name'], ': an option value is missing or not allowed.'],
      [['list', 'x'], ': list takes no arguments.'],
      [['add'], ': add needs a USERNAME.'],
      [['add', 'noura'], ': add needs --name NAME.'],
      [['add', 'noura', 'al-Harbi', '--name', 'Noura'], ': put a name of several words in quotes.'],
      [['email'], ': email needs a USERNAME.'],
      [['email', 'x', 'a@b.example', 'c@d.example'], ': email takes one ADDRESS.'],
      [['password', 'x', '--email', 'a@b.example'], ': password takes no --email.'],
      [['password', 'x', '--name', 'y'], ': password takes no --name.'],
      [['activate', 'x', '--random'], ': activate takes no --random.'],
    ];
    for (const [words, reason] of cases) {
      const { code, output, errors } = await staff(words);
      expect([code, output]).to.deep.equal([1, '']);
      const [told, , usage] = errors.split('\n');
      expect(told).to.equal(`Invalid command${reason}`);
      expect(usage).to.equal('Usage: make staff ARGS="COMMAND"');
    }
  });

  it('prints one line if the database or its address is unavailable', async () => {
    const away = await staffProcess(['list'], '', { DATABASE_URL: 'postgres://studio@127.0.0.1:1/studio' });
    expect(away).to.deep.equal({
      code: 1,
      output: '',
      errors: 'The database is unavailable (ECONNREFUSED: no server is listening there).\n',
    });
    const unknownUser = new URL(test().url);
    unknownUser.password = 'a-wrong-password';
    const refused = await staffProcess(['list'], '', { DATABASE_URL: unknownUser.href });
    expect(refused.errors).to.equal('The database is unavailable (28P01: the user name or password is wrong).\n');
    const nowhere = new URL(test().url);
    nowhere.pathname = '/nowhere';
    const missing = await staffProcess(['list'], '', { DATABASE_URL: nowhere.href });
    expect(missing.errors).to.equal('The database is unavailable (3D000: the database does not exist).\n');
    const unknown = await staffProcess(['list'], '', { DATABASE_URL: '', DATA_DIRECTORY: '/nowhere' });
    expect(unknown.errors).to.equal(
      'Set DATABASE_URL or DATABASE_URL_FILE, or start make run first: /nowhere/database-url does not exist.\n',
    );
    const unreadable = await staffProcess(['list'], '', { DATABASE_URL: '', DATA_DIRECTORY: program });
    expect(unreadable.errors).to.equal(`${program}/database-url cannot be read: ENOTDIR\n`);
  });

  it('names misspelled settings in one line', async () => {
    const { code, output, errors } = await staffProcess(['list'], '', { SMPT_URL: 'smtp://127.0.0.1' });
    expect({ code, output }).to.deep.equal({ code: 1, output: '' });
    expect(errors).to.match(/^These [^\n]+: SMPT_URL \(SMTP_URL\?\)\n$/);
  });
});
