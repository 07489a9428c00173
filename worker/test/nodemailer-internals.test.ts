import { Readable } from 'node:stream';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { expect } from 'chai';
import { createTransport } from 'nodemailer';
import { replaceBodies, type ReplaceBody } from '../src/mail/nodemailer-internals.ts';

describe('the internals of nodemailer', () => {
  let smtp: TestSmtp;
  const events: string[] = [];
  before(async () => {
    smtp = await startTestSmtp({
      onConnect: async () => {
        // With this delay, a pool that opens the body too early records its event first.
        await new Promise((resolve) => setTimeout(resolve, 200));
        events.push('session open');
        return undefined;
      },
      onMail: () => void events.push('sender'),
      onRecipient: () => void events.push('recipient'),
    });
  });
  after(() => smtp.close());
  beforeEach(() => {
    events.length = 0;
  });

  /** Sends emails with these ids one after another on one connection. */
  async function send(ids: readonly string[], replacementFor: (id: string) => ReplaceBody | undefined): Promise<void> {
    const transport = createTransport({ url: smtp.url, pool: true, maxConnections: 1 });
    replaceBodies(transport, replacementFor);
    try {
      for (const messageId of ids) {
        await transport.sendMail({ messageId, from: 'a@studio.example', to: 'b@visitor.example', text: 'original' });
      }
    } finally {
      transport.close();
    }
  }
  const sentLast = (): string => smtp.accepted.at(-1)?.raw.toString() ?? '';

  it('open the body of each email once, when the session is open and before the sender is sent', async () => {
    await send(['<1@studio.example>', '<2@studio.example>'], (id) => (open) => {
      events.push(`body of ${id}`);
      return open();
    });
    expect(events).to.deep.equal([
      'session open',
      'body of <1@studio.example>',
      'sender',
      'recipient',
      'body of <2@studio.example>',
      'sender',
      'recipient',
    ]);
  });

  it('send the replaced body', async () => {
    await send(['<3@studio.example>'], () => (open) => {
      open().resume();
      return Readable.from(['Message-ID: <replaced@studio.example>\r\n\r\nreplaced\r\n'], { objectMode: false });
    });
    expect(sentLast()).to.include('\r\n\r\nreplaced').and.not.include('original');
  });

  it('send the original body without a replacement', async () => {
    await send(['<4@studio.example>'], () => undefined);
    expect(sentLast()).to.include('original');
  });
});
