import { auditLog } from '@dune-tide/db/audit-log';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { auditCheckCommand } from '../src/commands/audit-check.ts';
import { OperatorError } from '../src/command-line/operator-error.ts';

describe('the audit-check command', () => {
  const test = withTestDatabase();

  async function check(...words: string[]): Promise<string> {
    const lines: string[] = [];
    try {
      await auditCheckCommand(words)({ database: test().database, say: (line) => void lines.push(line) });
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
  });

  it('rejects an argument that is not a last entry', async () => {
    for (const words of [['3'], ['0:'.padEnd(66, 'a')], [`3:${'a'.repeat(63)}`], [`3:${'a'.repeat(64)}`, 'more']]) {
      expect(await check(...words)).to.match(/^failed: /);
    }
  });
});
