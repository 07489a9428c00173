import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectDatabase } from '@dune-tide/db/connection';
import type { MailSummary } from '@dune-tide/local/inbox/mail';
import { freePort } from '@dune-tide/local/ports';
import { startStack, type Stack } from '@dune-tide/local/stack';
import type { Knex } from 'knex';
import { startProcess, type RunningProcess } from '@dune-tide/testkit/processes';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';

const host = '127.0.0.1';

const environment = { PUBLIC_POST_LIMIT: '0', EMAIL_LIMIT: '0', REQUIRE_SECOND_FACTOR: 'off', LOG_LEVEL: 'info' };

/** Receives the staff notices. */
const staffEmail = 'staff@example.com';

/** The first staff account. */
export const staffAccount = { username: 'staff', password: 'a password of the browser tests' };

export interface StoredLead {
  readonly id: string;
  readonly kind: string;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly idempotency_key: string | null;
}

/** The whole product with the built site and a temporary data folder. */
export interface BrowserStack extends Stack {
  readonly database: Knex;
  /** Returns the leads with an email address. */
  leadsOf(email: string): Promise<StoredLead[]>;
  /** Waits for an email to an address that `isWanted` accepts. @throws if none arrives in time */
  mailTo(address: string, isWanted?: (mail: MailSummary) => boolean): Promise<MailSummary>;
  /** Returns the emails that an address has received. */
  mailsTo(address: string): Promise<MailSummary[]>;
  /** Returns one attachment of an email. */
  attachment(mail: MailSummary, number: number): Promise<Buffer>;
  /** Returns the text part of an email. */
  textOf(mail: MailSummary): Promise<string>;
  /** Waits for the staff notice that links to a lead. @throws if none arrives in time */
  noticeOf(leadId: string): Promise<{ readonly subject: string; readonly text: string }>;
  /** Starts another API on the same database, with the same sessions. @param settings - those that differ */
  startApi(settings: Readonly<Record<string, string>>): Promise<RunningProcess & { readonly siteUrl: string }>;
}

const site = fileURLToPath(new URL('../../../frontend/dist', import.meta.url));

/**
 * Starts PostgreSQL, the inbox, the API with `frontend/dist` and the worker.
 * @param prepare - called with the empty data folder and the address that the site will have
 * @throws if the site is not built or a part does not start
 */
export async function startBrowserStack(
  prepare?: (dataDirectory: string, siteUrl: string) => Promise<void>,
): Promise<BrowserStack> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'studio-browser-'));
  const sitePort = await freePort(0, host);
  await prepare?.(dataDirectory, `http://localhost:${sitePort}`);
  const said: string[] = [];
  const stack = await startStack({
    dataDirectory,
    host,
    ports: { site: sitePort, inbox: await freePort(0, host), smtp: 0, database: 0 },
    staffEmail,
    admin: staffAccount,
    environment,
    say: (line) => said.push(line),
    onBroken: (reason) => said.push(reason),
  });
  const database = connectDatabase({
    url: stack.databaseUrl('migrate'),
    applicationName: 'browser-tests',
    poolSize: 2,
  });

  const read = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(stack.inboxUrl + path, { signal: AbortSignal.timeout(hangLimitSeconds * 1000) });
    if (!response.ok) throw new Error(`The inbox responded with ${response.status} to ${path}`);
    return (await response.json()) as Body;
  };
  const mailsTo = async (address: string): Promise<MailSummary[]> =>
    (await read<MailSummary[]>('/api/messages')).filter(({ envelope }) => envelope.to.includes(address));

  const textOf = async (mail: MailSummary): Promise<string> =>
    (await read<{ readonly text: string }>(`/api/messages/${mail.id}`)).text;

  return {
    ...stack,
    database,
    leadsOf: (email) => database('leads').where({ email }).orderBy('created_at'),
    mailsTo,
    mailTo: (address, isWanted = () => true) =>
      until(`an email to ${address}`, async () => (await mailsTo(address)).find(isWanted)),
    async attachment(mail, number) {
      const response = await fetch(`${stack.inboxUrl}/messages/${mail.id}/attachments/${number}`);
      return Buffer.from(await response.arrayBuffer());
    },
    textOf,
    noticeOf: (leadId) =>
      until(`a notice of the lead ${leadId}`, async () => {
        for (const mail of await mailsTo(staffEmail)) {
          const text = await textOf(mail);
          if (text.includes(leadId)) return { subject: mail.subject, text };
        }
        return undefined;
      }),
    async startApi(settings) {
      const port = String(await freePort(0, host));
      const siteUrl = `http://localhost:${port}`;
      const api = await startProcess('@dune-tide/api/main', {
        ...environment,
        DATABASE_URL: stack.databaseUrl('app'),
        SESSION_KEYS: await readFile(join(dataDirectory, 'session-key'), 'utf8'),
        SITE_DIRECTORY: site,
        HOST: host,
        PORT: port,
        PUBLIC_URL: siteUrl,
        STAFF_EMAIL: staffEmail,
        ...settings,
      });
      return { ...api, siteUrl };
    },
    async stop() {
      await database.destroy();
      await stack.stop();
      await rm(dataDirectory, { recursive: true, force: true });
      // A crash followed by a restart would otherwise go unnoticed in passing tests.
      if (said.length > 0) throw new Error(`The stack logged errors:\n${said.join('\n')}`);
    },
  };
}
