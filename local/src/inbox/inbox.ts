import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { Logger } from '@dune-tide/platform/log';
import { localUrl } from '../local-url.ts';
import { MailStore } from './mail-store.ts';
import type { MailSummary } from './mail.ts';
import { createSmtpServer } from './smtp.ts';
import { createInboxApp } from './web.ts';

export interface InboxOptions {
  /** The folder of the emails. It is created if it is missing. */
  readonly directory: string;
  /** With 0, a free port is used. */
  readonly smtpPort: number;
  readonly webPort: number;
  readonly host?: string;
  readonly logger: Logger;
}

export interface Inbox {
  readonly smtpUrl: string;
  readonly webUrl: string;
  /**
   * Deletes the studio's emails that are about erased leads.
   * @param keptOf - returns the Message-IDs of the emails that stay
   */
  deleteErased(keptOf: (mails: readonly MailSummary[]) => Promise<ReadonlySet<string>>): Promise<void>;
  /** Accepts no more emails, finishes those that are being received, and closes both ports. */
  close(): Promise<void>;
}

/**
 * Starts the mail catcher: an SMTP server that stores every email and delivers none, and a website that shows them.
 * @returns the running inbox, after both ports are open
 * @throws the system's error if the directory cannot be used or a port is taken (`EADDRINUSE`, with the port)
 */
export async function startInbox(options: InboxOptions): Promise<Inbox> {
  const { host = '127.0.0.1', logger } = options;
  const store = await MailStore.open(options.directory);
  const smtp = createSmtpServer(store, logger);
  const smtpPort = await listen(smtp.server, options.smtpPort, host);
  const smtpUrl = localUrl('smtp', host, smtpPort);
  const closeSmtp = () => new Promise<void>((resolve) => smtp.close(resolve));

  const handle = createInboxApp({ store, smtpUrl, host, logger }).callback();
  const web = createServer((request, response) => void handle(request, response));
  let webPort: number;
  try {
    webPort = await listen(web, options.webPort, host);
  } catch (error) {
    await closeSmtp();
    throw error;
  }
  await store.clearLeftovers();

  return {
    smtpUrl,
    webUrl: localUrl('http', host, webPort),
    deleteErased: (keptOf) => store.deleteErased(keptOf),
    close: async () => {
      await Promise.all([closeSmtp(), closeWeb(web)]);
      await store.settled();
    },
  };
}

function listen(server: NetServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeWeb(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
