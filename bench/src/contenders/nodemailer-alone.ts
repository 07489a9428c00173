import { brand } from '@dune-tide/domain/brand';
import { portfolioMail } from '@dune-tide/worker/mail/templates/portfolio-mail';
import { createPortfolioCache } from '@dune-tide/worker/portfolio/cache';
import { portfolioFileName } from '@dune-tide/worker/portfolio/file-name';
import { createTransport } from 'nodemailer';
import { respondToCalls } from '../harness/calls.ts';

/*
 * The limit of delivery: pooled nodemailer sends the portfolio's email with an attachment that is already encoded. It
 * uses neither rows nor a queue.
 */

const {
  SMTP_URL: url = '',
  PUBLIC_URL: publicUrl = '',
  CACHE_DIRECTORY: directory = '',
  WORKER_CONCURRENCY: connections = '',
} = process.env;
const transport = createTransport({ url, pool: true, maxConnections: Number(connections), maxMessages: 500 });
const pdf = await createPortfolioCache(directory, {
  publicUrl,
  onFileError: (error) => {
    throw error;
  },
}).read();
const attachment = [
  `Content-Type: application/pdf; name=${portfolioFileName}`,
  `Content-Disposition: attachment; filename=${portfolioFileName}`,
  'Content-Transfer-Encoding: base64',
  '',
  ...(pdf.toString('base64').match(/.{1,76}/g) ?? []),
].join('\r\n');
const mail = portfolioMail({
  publicUrl,
  unsubscribeUrl: `${publicUrl}/unsubscribe/token`,
  receiptUrl: `${publicUrl}/receipt/token`,
});

async function send(mails: number): Promise<void> {
  let next = 0;
  const sendNext = async (): Promise<void> => {
    while (next < mails) {
      const number = next++;
      await transport.sendMail({
        from: { name: brand.name, address: brand.email },
        to: { name: '', address: `visitor-${number}@example.com` },
        replyTo: { name: brand.name, address: brand.email },
        messageId: `<${number}@${brand.mailDomain}>`,
        ...mail,
        attachments: [{ raw: attachment }],
      });
    }
  };
  // Two senders for each connection, so that no connection waits for an email.
  await Promise.all(Array.from({ length: 2 * Number(connections) }, sendNext));
}

respondToCalls((mails) => send(mails as number));
