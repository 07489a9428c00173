/*
 * Stands in for Mailpit: accepts emails by SMTP on port 1025, and serves the part of Mailpit's API that the check uses
 * on port 8025. Node.js runs this file without a build, so it imports nothing of the product.
 *
 * Mailpit deletes old emails above MP_MAX_MESSAGES. This program keeps the summary of each email, so that the check can
 * count them.
 */
import { createServer } from 'node:http';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An email as Mailpit's `GET /api/v1/messages` lists it. */
interface Summary {
  readonly ID: string;
  readonly MessageID: string;
  readonly To: readonly { readonly Address: string }[];
  readonly Subject: string;
}

/** The newest emails are kept whole. Of all others only the summary is kept, because the load sends gigabytes. */
const wholeEmails = 50;
const summaries: Summary[] = [];
const sources = new Map<string, Buffer>();

const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, { envelope }, callback) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const source = Buffer.concat(chunks);
      const head = source
        .subarray(0, source.indexOf('\r\n\r\n'))
        .toString('latin1')
        .replaceAll(/\r\n[ \t]+/g, ' ');
      const headerOf = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
      const id = String(summaries.length + 1);
      summaries.push({
        ID: id,
        MessageID: headerOf('Message-ID').replace(/^<|>$/g, ''),
        To: envelope.rcptTo.map(({ address }) => ({ Address: address })),
        Subject: headerOf('Subject'),
      });
      sources.set(id, source);
      sources.delete(String(summaries.length - wholeEmails));
      callback();
    });
  },
});

const web = createServer((request, response) => {
  const respond = async (): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mailpit');
    const send = (body: unknown): void =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/api/v1/messages') {
      const start = Number(searchParams.get('start') ?? 0);
      const limit = Number(searchParams.get('limit') ?? 50);
      return send({ total: summaries.length, messages: summaries.toReversed().slice(start, start + limit) });
    }
    const source = sources.get(/^\/api\/v1\/message\/(\d+)$/.exec(pathname)?.[1] ?? '');
    if (source === undefined) return void response.writeHead(404).end();
    const { text, html, attachments } = await PostalMime.parse(source);
    send({
      Text: text ?? '',
      HTML: html ?? '',
      Attachments: attachments.map(({ filename, mimeType, content }) => ({
        FileName: filename ?? '',
        ContentType: mimeType,
        Size: (content as ArrayBuffer).byteLength,
      })),
    });
  };
  respond().catch((error: unknown) => response.writeHead(500).end(String(error)));
});

smtp.listen(1025);
web.listen(8025);
process.on('SIGTERM', () => process.exit(0));
