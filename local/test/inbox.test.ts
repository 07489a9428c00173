import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import { createTransport } from 'nodemailer';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { startInbox } from '../src/inbox/inbox.ts';
import type { Inbox } from '../src/inbox/inbox.ts';
import type { MailSummary } from '../src/inbox/mail.ts';
import { maxMailBytes } from '../src/inbox/smtp.ts';

const pdf = Buffer.from('%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n');

describe('the local inbox', () => {
  let directory: string;
  let inbox: Inbox;
  const { logger, lines } = memoryLogger();
  let transport: Transporter;

  const start = async () => {
    inbox = await startInbox({ directory, smtpPort: 0, webPort: 0, logger });
    transport = createTransport({ url: inbox.smtpUrl, pool: true, maxConnections: 20 });
  };
  const stop = async () => {
    transport.close();
    await inbox.close();
  };
  const send = (mail: SendMailOptions = {}) =>
    transport.sendMail({
      from: 'studio@example.com',
      to: 'visitor@example.com',
      subject: 'Hello',
      text: 'Hi',
      ...mail,
    });
  const get = (path: string, options?: RequestInit) => fetch(inbox.webUrl + path, { redirect: 'manual', ...options });
  const getJson = async <T>(path: string): Promise<T> => (await get(path)).json() as Promise<T>;
  const messages = () => getJson<MailSummary[]>('/api/messages');
  const onlyMessage = async (): Promise<MailSummary> => {
    const [mail, ...others] = await messages();
    if (mail === undefined || others.length > 0) throw new Error('Exactly one email was expected');
    return mail;
  };
  const keptFiles = async () => (await readdir(directory)).filter((name) => name.endsWith('.eml')).sort();

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'inbox-'));
    await start();
  });

  afterEach(async () => {
    await stop();
    await rm(directory, { recursive: true });
  });

  it('returns an email with text, HTML and a PDF as JSON', async () => {
    await send({
      from: { name: 'Dune & Tide', address: 'studio@example.com' },
      to: { name: 'Mia Berg', address: 'mia@example.com' },
      bcc: 'archive@example.com',
      subject: 'Your portfolio – مرحبا',
      messageId: '<portfolio-1@example.com>',
      date: new Date('2025-03-04T05:06:07Z'),
      text: 'See the attachment.',
      html: '<p>See the <b>attachment</b>.</p>',
      attachments: [{ filename: 'Portfolio.pdf', content: pdf, contentType: 'application/pdf' }],
    });

    const mail = await onlyMessage();
    expect(mail).to.include({
      from: 'Dune & Tide <studio@example.com>',
      to: 'Mia Berg <mia@example.com>',
      subject: 'Your portfolio – مرحبا',
      messageId: '<portfolio-1@example.com>',
      date: '2025-03-04T05:06:07.000Z',
    });
    expect(mail.attachments).to.deep.equal([
      { filename: 'Portfolio.pdf', contentType: 'application/pdf', size: pdf.byteLength },
    ]);
    expect(mail.envelope).to.deep.equal({
      from: 'studio@example.com',
      to: ['mia@example.com', 'archive@example.com'],
    });
    const whole = await getJson<{ html: string; text: string }>(`/api/messages/${mail.id}`);
    expect(whole.html).to.contain('<b>attachment</b>');
    expect(whole.text).to.contain('See the attachment.');
  });

  it('returns an email as received', async () => {
    await send({ subject: 'As it came' });

    const mail = await onlyMessage();
    const response = await get(`/api/messages/${mail.id}/raw`);
    const raw = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).to.contain('message/rfc822');
    expect(raw.toString()).to.contain('Subject: As it came');
    expect(raw.byteLength).to.equal(mail.size);
    expect(raw.subarray(0, 5).toString()).to.equal('From:');
    expect((await readFile(join(directory, `${mail.id}.eml`))).toString()).to.match(/^X-Envelope: .*\r\nFrom:/);
  });

  it('lets the browser open a PDF and download HTML instead of rendering it', async () => {
    await send({
      attachments: [
        { filename: 'Portfolio.pdf', content: pdf, contentType: 'application/pdf' },
        { filename: 'page.html', content: '<script>alert(1)</script>', contentType: 'text/html' },
      ],
    });

    const { id } = await onlyMessage();
    const document = await get(`/messages/${id}/attachments/0`);
    expect(document.headers.get('content-type')).to.equal('application/pdf');
    expect(document.headers.get('content-disposition')).to.match(/^inline/);
    expect(Buffer.from(await document.arrayBuffer())).to.deep.equal(pdf);
    const page = await get(`/messages/${id}/attachments/1`);
    expect(page.headers.get('content-type')).to.equal('application/octet-stream');
    expect(page.headers.get('content-disposition')).to.match(/^attachment/);
    expect(page.headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('stores a hundred emails that arrive concurrently', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, number) => send({ subject: `Mail ${number}` })));

    const subjects = (await messages()).map(({ subject }) => subject);
    expect(new Set(subjects)).to.have.property('size', 100);
    expect(await keptFiles()).to.have.length(100);
  });

  it('lists the newest email first, in the order of the file names', async () => {
    for (const subject of ['one', 'two', 'three']) await send({ subject });

    const all = await messages();
    expect(all.map(({ subject }) => subject)).to.deep.equal(['three', 'two', 'one']);
    expect(await keptFiles()).to.deep.equal(all.map(({ id }) => `${id}.eml`).reverse());
  });

  it('keeps its emails after a restart', async () => {
    await send({ subject: 'Before', bcc: 'archive@example.com' });
    const before = await messages();
    await stop();
    await start();

    expect(await messages()).to.deep.equal(before);
    await send({ subject: 'After' });
    expect((await messages()).map(({ subject }) => subject)).to.deep.equal(['After', 'Before']);
  });

  it('deletes incomplete emails that a crash left', async () => {
    await send({ subject: 'Still here' });
    await stop();
    await writeFile(join(directory, '20261125T081812345.part'), 'Subject: Half');
    await start();

    expect(await onlyMessage()).to.include({ subject: 'Still here' });
    expect(await readdir(directory)).to.have.length(1);
  });

  it('shows an email file without an envelope', async () => {
    await stop();
    await writeFile(join(directory, '20261125T081812345.eml'), 'To: mia@example.com\r\nSubject: By hand\r\n\r\nHi\r\n');
    await start();

    expect(await onlyMessage()).to.include({
      subject: 'By hand',
      to: 'mia@example.com',
      receivedAt: '2026-11-25T08:18:12.345Z',
    });
  });

  it('shows markup in a subject or sender as text', async () => {
    const markup = '<img src=x onerror=alert(1)>"&';
    await send({ subject: markup, from: { name: '<script>alert(1)</script>', address: 'studio@example.com' } });

    const { id } = await onlyMessage();
    for (const path of ['/', `/messages/${id}`]) {
      const page = await (await get(path)).text();
      expect(page, path).to.contain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page, path).not.to.contain('<img src=x').and.not.to.contain('<script>alert');
    }
  });

  it('shows a blind recipient, even if the address is part of a visible one', async () => {
    await send({ to: ['annamia@example.com', { name: 'Leo', address: 'leo@example.com' }], bcc: 'mia@example.com' });

    const { id } = await onlyMessage();
    const page = await (await get(`/messages/${id}`)).text();
    expect(/<dt>Envelope<\/dt>\s*<dd[^>]*>([^<]*)/.exec(page)?.[1]).to.equal('mia@example.com');
  });

  it('shows the HTML of an email without running scripts or loading anything', async () => {
    await send({
      html: '<!doctype html><script>alert(1)</script><img src="cid:logo"><img src="https://example.com/spy.png">',
      attachments: [{ filename: 'logo.png', content: 'png', contentType: 'image/png', cid: 'logo' }],
    });

    const { id } = await onlyMessage();
    const frame = await get(`/messages/${id}/html`);
    const policy = frame.headers.get('content-security-policy') ?? '';
    expect(policy).to.contain("default-src 'none'").and.to.contain('sandbox').and.to.contain('img-src data:;');
    expect(policy).not.to.contain('script-src').and.not.to.contain('allow-scripts');
    expect(await frame.text())
      .to.contain('<!doctype html><base target="_blank">')
      .and.to.contain('data:image/png;base64');
    const page = await (await get(`/messages/${id}`)).text();
    expect(page).to.match(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  });

  it('returns 404 for unknown ids', async () => {
    await send();
    const { id } = await onlyMessage();
    const ids = ['0', '..%2f..%2fetc%2fpasswd', `..%2f${id}`, `${id}.eml`, `${id}%00`, 'a'.repeat(5000)];
    const paths = ids.flatMap((other) => [
      `/messages/${other}`,
      `/api/messages/${other}`,
      `/api/messages/${other}/raw`,
    ]);
    const attachments = ['0', '-1', '1e0', '99999'].map((number) => `/messages/${id}/attachments/${number}`);

    for (const path of [...paths, ...attachments, '/api/nothing', '/nothing']) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });

  it('deletes all emails only if its own page requests it', async () => {
    await send();
    const foreign = { Origin: 'https://example.com', 'Sec-Fetch-Site': 'cross-site' };
    expect((await get('/delete-all', { method: 'POST', headers: foreign })).status).to.equal(403);
    expect((await get('/delete-all', { method: 'POST' })).status).to.equal(403);
    expect(await messages()).to.have.length(1);

    const own = await get('/delete-all', { method: 'POST', headers: { Origin: inbox.webUrl } });
    expect(own.status).to.equal(303);
    expect(await messages()).to.deep.equal([]);
    expect(await readdir(directory)).to.deep.equal([]);
    expect(await (await get('/')).text()).to.contain('No emails yet');
  });

  it('rejects an email over the size limit and accepts the next one', async () => {
    const oversized = `Subject: Large\r\n\r\n${`${'x'.repeat(998)}\r\n`.repeat(Math.ceil(maxMailBytes / 1000))}`;
    const client = await SmtpClient.open(inbox.smtpUrl);
    expect(await client.deliver(oversized)).to.match(/^552 /);
    expect(await client.deliver('Subject: Small\r\n\r\nHi\r\n')).to.match(/^250 /);
    client.close();

    expect((await onlyMessage()).subject).to.equal('Small');
    expect(await readdir(directory)).to.have.length(1);
  });

  it('stores nothing of an email whose sender disconnects', async () => {
    const client = await SmtpClient.open(inbox.smtpUrl);
    await client.begin();
    await client.write('Subject: Half\r\n\r\nThe rest never arrives');
    client.close();
    await stop();

    expect(await readdir(directory)).to.deep.equal([]);
    await start();
  });

  it('rejects an email temporarily if it cannot be stored, and logs the error', async () => {
    await rm(directory, { recursive: true });
    const client = await SmtpClient.open(inbox.smtpUrl);
    expect(await client.deliver('Subject: Lost\r\n\r\nHi\r\n')).to.match(/^451 /);
    client.close();
    await mkdir(directory);

    const line = lines().findLast(({ msg }) => msg === 'email not stored');
    expect(line).to.have.property('error').that.includes({ name: 'Error', code: 'ENOENT' });
  });

  it('shows an email that cannot be parsed', async () => {
    const depth = 300;
    const nested = Array.from({ length: depth }, (_, level) => {
      return `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`;
    }).join('');
    const client = await SmtpClient.open(inbox.smtpUrl);
    expect(await client.deliver(`Subject: Nested\r\n${nested}`)).to.match(/^250 /);
    client.close();

    const mail = await onlyMessage();
    expect(mail).to.include({ subject: 'Unreadable email', to: 'visitor@example.com' });
    expect(await (await get(`/messages/${mail.id}`)).text()).to.contain('Subject: Nested');
  });

  it('rejects requests for another host name', async () => {
    const socket = connect(Number(new URL(inbox.webUrl).port), '127.0.0.1');
    socket.end('GET /api/messages HTTP/1.1\r\nHost: mail.example.com\r\nConnection: close\r\n\r\n');
    const [response] = (await once(socket, 'data')) as [Buffer];

    expect(response.toString()).to.match(/^HTTP\/1\.1 421 /);
  });

  it('fails with the port that is taken and keeps the emails of the other inbox', async () => {
    const client = await SmtpClient.open(inbox.smtpUrl);
    await client.begin();
    await client.write('Subject: On its way\r\n\r\nHi');
    const webPort = Number(new URL(inbox.webUrl).port);
    const failure = await startInbox({ directory, smtpPort: 0, webPort, logger }).then(
      () => undefined,
      (error: unknown) => error,
    );

    expect(failure).to.include({ code: 'EADDRINUSE', port: webPort });
    expect(await client.ask('\r\n.')).to.match(/^250 /);
    expect(await onlyMessage()).to.include({ subject: 'On its way' });
    client.close();
  });
});

/** Sends single SMTP lines, including those that a mail library would not send. */
class SmtpClient {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(url: string): Promise<SmtpClient> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'data');
    const client = new SmtpClient(socket);
    await client.ask('HELO client.example.com');
    return client;
  }

  async ask(line: string): Promise<string> {
    const response = once(this.#socket, 'data');
    this.#socket.write(`${line}\r\n`);
    const [bytes] = (await response) as [Buffer];
    return bytes.toString();
  }

  async begin(): Promise<void> {
    await this.ask('MAIL FROM:<studio@example.com>');
    await this.ask('RCPT TO:<visitor@example.com>');
    await this.ask('DATA');
  }

  async deliver(mail: string): Promise<string> {
    await this.begin();
    return this.ask(`${mail}\r\n.`);
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}
