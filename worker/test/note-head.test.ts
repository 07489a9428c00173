import { auditHead, auditLog } from '@dune-tide/db/audit-log';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import { startNotingHead } from '../src/audit/note-head.ts';

describe('the last entry of the audit log', () => {
  const test = withTestDatabase();

  it('is logged and shown at the start and once a day, if there is one', async () => {
    const closing = new AbortController();
    const { logger, lines } = memoryLogger();
    const shown: unknown[] = [];
    const waits: number[] = [];
    await startNotingHead({
      head: () => auditHead(test().app),
      show: (head) => shown.push(head),
      logger,
      closing: closing.signal,
      async wait(milliseconds) {
        waits.push(milliseconds);
        if (waits.length === 3) return closing.abort();
        await auditLog(test().app).add({ action: 'email_set', actor: 'operator' });
      },
    });
    const chain = await test().database('audit_log').orderBy('position').select('position', 'hash');
    const heads = chain.map(({ position, hash }) => ({ position: Number(position), hash: String(hash) }));
    expect(heads).to.have.length(2);
    expect(shown).to.deep.equal(heads);
    const noted = lines().filter(({ msg }) => msg === 'audit log head');
    expect(noted.map(({ position, hash }) => ({ position, hash }))).to.deep.equal(heads);
    expect(waits).to.deep.equal(Array(3).fill(86_400_000));
  });
});
