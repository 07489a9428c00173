import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditHead, auditLog, type AuditHead } from '@dune-tide/db/audit-log';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { auditCheckCommand } from '../src/commands/audit-check.ts';
import { OperatorError } from '../src/command-line/operator-error.ts';

describe('the audit-check command', () => {
  const test = withTestDatabase();

  let logDirectory: string;
  beforeEach(async () => void (logDirectory = await mkdtemp(join(tmpdir(), 'log-'))));
  afterEach(() => rm(logDirectory, { recursive: true }));

  async function check(...words: string[]): Promise<string> {
    const lines: string[] = [];
    try {
      await auditCheckCommand(words)({ database: test().database, say: (line) => void lines.push(line), logDirectory });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      lines.push(`failed: ${error.message}`);
    }
    return lines.join('\n');
  }

  it('prints the last entry, accepts it later, and fails when an entry was changed or removed', async () => {
    expect(await check()).to.equal('The audit log is empty.');
    const log = auditLog(test().database);
    for (let each = 0; each < 3; each++) await log.add({ action: 'email_set', actor: 'operator' });
    const output = await check();
    const [, head = ''] =
      /^The audit log is unchanged: 3 entries\.\nLast entry: (3:[0-9a-f]{64})$/.exec(output) ?? expect.fail(output);
    expect(await check(head)).to.equal(output);

    const mistyped = head.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect(await check(mistyped)).to.match(/^failed: The hash does not belong to entry 3\. /);

    await test().database.raw('alter table audit_log disable trigger user');
    await test().database('audit_log').where({ position: 3 }).delete();
    expect(await check()).to.match(/^The audit log is unchanged: 2 entries/);
    expect(await check(head)).to.match(/^failed: The audit log was changed: entry 3 /);
    await test().database('audit_log').where({ position: 2 }).update({ action: 'signed_in' });
    expect(await check()).to.match(/^failed: The audit log was changed: entry 2 /);
    await test().database.raw('truncate audit_log');
    await test().database.raw('alter table audit_log enable trigger user');
  });

  describe('with the log of the worker', () => {
    const tamper = async (statement: string): Promise<void> => {
      await test().database.raw('alter table audit_log disable trigger user');
      await test().database.raw(statement);
      await test().database.raw('alter table audit_log enable trigger user');
    };
    const add = async (action: 'email_set' | 'backup_restored' = 'email_set'): Promise<AuditHead> => {
      await auditLog(test().database).add({ action, actor: 'operator' });
      return (await auditHead(test().database)) ?? expect.fail();
    };
    /** A line of the log, written `minutes` ago. */
    const lineOf = ({ position, hash }: AuditHead, minutes = 0): string => {
      const time = new Date(Date.now() - minutes * 60_000).toISOString();
      return `${JSON.stringify({ level: 'info', process: 'worker', time, position, hash, msg: 'audit log head' })}\n`;
    };
    const log = (name: string, text: string): Promise<void> => writeFile(join(logDirectory, name), text);
    beforeEach(() => tamper('truncate audit_log'));

    it('fails if an entry was cut off that the worker has logged', async () => {
      const [first, second] = [await add(), await add()];
      expect(await check()).to.match(/^The audit log is unchanged: 2 entries\.\nLast entry: 2:/);
      await log('stack.log.1', `${lineOf(second, 1)}{"msg":"audit log head","posi`);
      await log('stack.log', `no JSON: audit log head\n`);
      await log('other.log', lineOf({ position: 9, hash: 'a'.repeat(64) }));
      const whole = /^The audit log is unchanged: 2 entries\.\nIt contains entry 2, which the worker logged on /;
      expect(await check()).to.match(whole);
      await add();
      await log('stack.log', lineOf(first, 2));
      await tamper('delete from audit_log where position > 1');
      expect(await check()).to.match(/^failed: The audit log was changed: entry 2 is missing/);
      await add();
      expect(await check()).to.match(/^failed: The hash does not belong to entry 2\./);
      expect(await check(`1:${first.hash}`), 'a head that was given').to.match(/^The audit log is unchanged/);
    });

    it('compares nothing that was logged before a restore', async () => {
      await log('stack.log', lineOf({ position: 50, hash: 'a'.repeat(64) }, 1));
      await add('backup_restored');
      expect(await check()).to.match(/\nNot compared with the log: a backup was restored on 20.*\nLast entry: 1:/);
      await log('stack.log', lineOf({ position: 50, hash: 'a'.repeat(64) }, -1));
      expect(await check()).to.match(/^failed: The audit log was changed: entry 50 /);
    });
  });

  it('fails if the network of an entry was changed', async () => {
    await auditLog(test().database).addRefusedSignIn({ network: '192.0.2.0/24', device: null });
    await test().database('audit_origins').update({ network: '198.51.100.0/24' });
    expect(await check()).to.match(/^failed: The audit log was changed: the network or device of entry \d+ /);
  });

  it('rejects an argument that is not a last entry', async () => {
    for (const words of [['3'], ['0:'.padEnd(66, 'a')], [`3:${'a'.repeat(63)}`], [`3:${'a'.repeat(64)}`, 'more']]) {
      expect(await check(...words)).to.match(/^failed: /);
    }
  });
});
