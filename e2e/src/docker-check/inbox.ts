const pageSize = 1_000;
const limitMs = 20_000;

/** An email in the inbox of docker-compose.yml. */
export interface InboxEmail {
  readonly id: string;
  readonly messageId: string;
  readonly to: string;
}

async function get<Body>(url: string): Promise<Body> {
  const response = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return (await response.json()) as Body;
}

/** Lists all emails by Mailpit's API. @param inbox - its address */
export async function readInbox(inbox: string): Promise<InboxEmail[]> {
  const emails: InboxEmail[] = [];
  for (;;) {
    const { messages } = await get<{
      readonly messages: readonly {
        readonly ID: string;
        readonly MessageID: string;
        readonly To: readonly { readonly Address: string }[];
      }[];
    }>(`${inbox}/api/v1/messages?start=${emails.length}&limit=${pageSize}`);
    emails.push(
      ...messages.map(({ ID, MessageID, To }) => ({ id: ID, messageId: MessageID, to: To[0]?.Address ?? '' })),
    );
    if (messages.length < pageSize) return emails;
  }
}

/** The parts of an email that the check reads. */
export interface EmailContent {
  readonly Text: string;
  readonly HTML: string;
  readonly Attachments: readonly { readonly ContentType: string; readonly Size: number }[];
}

/** Reads one email. */
export const readEmail = (inbox: string, { id }: InboxEmail): Promise<EmailContent> =>
  get(`${inbox}/api/v1/message/${id}`);
