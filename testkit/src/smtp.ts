import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** An email to which the server replied 250. */
export interface AcceptedMail {
  readonly messageId: string;
  readonly to: string;
  readonly raw: Buffer;
}

/** A reply instead of 250, e.g. `{ code: 550, text: 'No such user' }`; 'drop' closes the connection. */
export type SmtpReply = { readonly code: number; readonly text: string } | 'drop';

/** The behaviour of the server. Each function may return a reply that replaces the usual one. */
export interface SmtpScript {
  /** Replaces the greeting. With a promise that never resolves, the server sends nothing. */
  onConnect?: () => Promise<SmtpReply | undefined> | SmtpReply | undefined;
  onMail?: (address: string) => SmtpReply | undefined;
  onRecipient?: (address: string) => Promise<SmtpReply | undefined> | SmtpReply | undefined;
  /** Called at the first bytes of the body. True closes the connection. */
  cutsInsideBody?: () => boolean;
  /** Called after the final dot. With 'drop', the email is accepted but its reply is lost. */
  onBody?: (mail: AcceptedMail) => Promise<SmtpReply | undefined> | SmtpReply | undefined;
  /** The only valid user and password. By default, clients do not need to authenticate. */
  credentials?: { readonly user: string; readonly password: string };
}

export interface TestSmtp {
  readonly url: string;
  readonly port: number;
  /** The current behaviour. Tests replace it. */
  script: SmtpScript;
  /** The accepted emails in their order of acceptance. */
  readonly accepted: readonly AcceptedMail[];
  /** Every recipient of every attempt, including rejected ones. */
  readonly recipientsTried: readonly string[];
  /** Closes all connections and stops listening. */
  goAway(): Promise<void>;
  /** Listens on the same port again. */
  comeBack(): Promise<void>;
  parse(mail: AcceptedMail): Promise<Email>;
  close(): Promise<void>;
}

/** Starts a real SMTP server that follows a script. @param port - with 0, a free port is used */
export async function startTestSmtp(script: SmtpScript = {}, port = 0): Promise<TestSmtp> {
  const accepted: AcceptedMail[] = [];
  const recipientsTried: string[] = [];
  const test = { script };

  const server = new SMTPServer({
    disabledCommands: script.credentials ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    allowInsecureAuth: true,
    authOptional: !script.credentials,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _, callback) {
      const wanted = test.script.credentials;
      if (username === wanted?.user && password === wanted?.password) callback(null, { user: username });
      else callback(refusal({ code: 535, text: 'Authentication failed' }));
    },
    onConnect(session, callback) {
      void Promise.resolve(test.script.onConnect?.()).then((reply) => callback(outcome(reply, session)));
    },
    onMailFrom({ address }, session, callback) {
      callback(outcome(test.script.onMail?.(address), session));
    },
    onRcptTo({ address }, session, callback) {
      recipientsTried.push(address);
      void Promise.resolve(test.script.onRecipient?.(address)).then((reply) => callback(outcome(reply, session)));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      let isCut = false;
      stream.once('data', () => {
        isCut = test.script.cutsInsideBody?.() ?? false;
        if (isCut) cut(session);
      });
      stream.on('end', () => {
        if (isCut) return;
        void (async () => {
          const raw = Buffer.concat(chunks);
          const mail = {
            raw,
            messageId: /^Message-ID:\s*(\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '',
            to: session.envelope.rcptTo[0]?.address ?? '',
          };
          const reply = await test.script.onBody?.(mail);
          if (reply === undefined || reply === 'drop') accepted.push(mail);
          callback(outcome(reply, session));
        })();
      });
    },
  });
  // Killed clients leave broken connections, which must not end the test.
  server.on('error', () => undefined);

  /** The open connections, keyed by the port of the client. */
  const sockets = new Map<number, Socket>();
  server.server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });

  function cut(session: SMTPServerSession): void {
    sockets.get(session.remotePort)?.destroy();
  }

  function outcome(reply: SmtpReply | undefined, session: SMTPServerSession): Error | null {
    if (reply === 'drop') {
      cut(session);
      return null;
    }
    return reply ? refusal(reply) : null;
  }

  const listen = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.server.once('error', reject);
      server.listen(at, '127.0.0.1', () => {
        server.server.off('error', reject);
        resolve();
      });
    });
  await listen(port);
  const listening = (server.server.address() as AddressInfo).port;
  const user = script.credentials ? `${script.credentials.user}:${script.credentials.password}@` : '';
  return Object.assign(test, {
    url: `smtp://${user}127.0.0.1:${listening}`,
    port: listening,
    accepted,
    recipientsTried,
    async goAway() {
      const away = new Promise((resolve) => server.server.close(resolve));
      for (const socket of sockets.values()) socket.destroy();
      await away;
    },
    comeBack: () => listen(listening),
    parse: (mail: AcceptedMail) => PostalMime.parse(mail.raw),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  });
}

function refusal({ code, text }: { code: number; text: string }): Error {
  return Object.assign(new Error(text), { responseCode: code });
}
