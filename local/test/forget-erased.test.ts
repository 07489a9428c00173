import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newFollowUp } from '@dune-tide/db/follow-ups';
import { leadIntake } from '@dune-tide/db/leads';
import { erasedEmails, personalData } from '@dune-tide/db/personal-data';
import { brand } from '@dune-tide/domain/brand';
import { isMissingFile } from '@dune-tide/platform/system-error';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { contactMessage } from '@dune-tide/testkit/leads';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { createTransport } from 'nodemailer';
import { startForgetting } from '../src/inbox/forget-erased.ts';
import { startInbox } from '../src/inbox/inbox.ts';

describe('the local inbox after an erasure', () => {
  const test = withTestDatabase();

  it('holds no email of the erased leads, also one that arrives late, and keeps all others', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'inbox-'));
    const { logger } = memoryLogger();
    const inbox = await startInbox({ directory, smtpPort: 0, webPort: 0, logger });
    const transport = createTransport({ url: inbox.smtpUrl });
    const intake = leadIntake(test().app, brand.mailDomain);
    const { database } = test();
    const store = async (email: string): Promise<{ messageId: string; url: string }> => {
      const followUps = [{ kind: 'acknowledgement' as const, recipient: email }];
      await intake.storeLead({ ...contactMessage, email, followUps, spamSign: null, idempotencyKey: null });
      const row = await database('follow_ups')
        .where({ recipient: email })
        .first<{ message_id: string; lead_id: string }>();
      return { messageId: row.message_id, url: `http://localhost/admin/leads/${row.lead_id}` };
    };
    const send = (to: string, messageId: string, text = `To ${to}`) =>
      transport.sendMail({ from: 'studio@example.com', to, subject: 'Hello', text, messageId });
    const sendDigest = async (name: string, links: readonly string[]): Promise<void> => {
      const digest = newFollowUp({ kind: 'staff_digest', recipient: 'team@example.com' }, brand.mailDomain);
      await database('follow_ups').insert(digest);
      await send('team@example.com', digest.message_id, `${name}: ${links.join(' ')}`);
    };
    const content = async (): Promise<string> => {
      const read = (file: string) =>
        readFile(join(directory, file), 'utf8').catch((error: unknown) => {
          // The email was deleted after it was listed.
          if (isMissingFile(error)) return '';
          throw error;
        });
      return (await Promise.all((await readdir(directory)).map(read))).join('\n');
    };
    const stop = startForgetting({ inbox, erased: erasedEmails(test().app), logger, intervalMs: 50 });
    try {
      const [erased, kept] = [await store('noura@example.com'), await store('lerato@example.com')];
      await send('noura@example.com', erased.messageId);
      await send('lerato@example.com', kept.messageId);
      await sendDigest('digest of both', [erased.url, kept.url]);
      await sendDigest('digest of one', [kept.url]);
      await send('someone@example.com', '<1@elsewhere.example>');
      await personalData(test().app).erase('noura@example.com', 'operator');
      await until('the emails are deleted', async () => !/noura|digest of both/.test(await content()));
      expect(await content())
        .to.include('lerato')
        .and.include('digest of one')
        .and.include('someone');
      await send('noura@example.com', erased.messageId);
      await personalData(test().app).erase('noura@example.com', 'operator');
      await until('the late email is deleted', async () => !(await content()).includes('noura'));
    } finally {
      await stop();
      transport.close();
      await inbox.close();
      await rm(directory, { recursive: true });
    }
  });
});
