import { createServer, type Socket } from 'node:net';
import { respondToCalls } from './calls.ts';
import type { AcceptedMail, SinkQuestion, SinkReply } from './smtp-sink.ts';

/**
 * A mail server that accepts every email and stores only the time. A real one would parse the emails, which takes
 * processor time from the measurement. Clients do not pipeline, so each chunk ends with a whole command or email.
 */

const endOfMail = Buffer.from('\r\n.\r\n');
/** The length of the start of an email that contains the headers. */
const headBytes = 4_096;

const accepted: AcceptedMail[] = [];
const awaited = new Map<string, (at: number) => void>();

function serve(socket: Socket): void {
  let command = '';
  let recipient = '';
  let isInMail = false;
  let head = '';
  let tail = Buffer.alloc(0);
  const respond = (line: string): void => void socket.write(`${line}\r\n`);

  const takeCommands = (text: string): void => {
    const lines = (command + text).split('\r\n');
    command = lines.pop() ?? '';
    for (const line of lines) {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'RCPT') recipient = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (verb === 'DATA') {
        isInMail = true;
        head = '';
        tail = Buffer.alloc(0);
        respond('354 go on');
      } else if (verb === 'QUIT') {
        socket.end('221 bye\r\n');
      } else {
        respond(verb === 'EHLO' ? '250-sink\r\n250 8BITMIME' : '250 fine');
      }
    }
  };

  const takeMail = (chunk: Buffer): void => {
    if (head.length < headBytes) head += chunk.toString('latin1', 0, headBytes);
    tail = Buffer.from(
      chunk.length >= endOfMail.length ? chunk.subarray(-endOfMail.length) : Buffer.concat([tail, chunk]),
    ).subarray(-endOfMail.length);
    if (!tail.equals(endOfMail)) return;
    isInMail = false;
    const at = performance.now();
    accepted.push({ messageId: /^Message-ID:\s*(\S+)/im.exec(head)?.[1] ?? '', at });
    respond('250 accepted');
    awaited.get(recipient)?.(at);
  };

  socket.setNoDelay(true);
  // Killed clients leave broken connections, which must not end the process.
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => (isInMail ? takeMail(chunk) : takeCommands(chunk.toString('latin1'))));
  respond('220 sink');
}

/** Posts the form and waits for the email, so that one clock measures both. */
async function visit({ url, recipient, body, headers }: Extract<SinkQuestion, { kind: 'visit' }>): Promise<number> {
  const mail = new Promise<number>((resolve) => awaited.set(recipient, resolve));
  const pressed = performance.now();
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) });
  if (response.status !== 201) throw new Error(`The server returned ${response.status}`);
  await response.arrayBuffer();
  const at = await mail;
  awaited.delete(recipient);
  return at - pressed;
}

async function reply(question: SinkQuestion): Promise<SinkReply> {
  if (question.kind === 'visit') return { milliseconds: await visit(question) };
  if (question.kind === 'count') return { count: accepted.length };
  return { accepted: accepted.splice(0) };
}

createServer(serve).listen(Number(process.env['PORT']), '127.0.0.1', () =>
  respondToCalls((question) => reply(question as SinkQuestion)),
);
