import { leadKinds, leadStatuses } from './leads.ts';
import { accountReference } from './responses/account.ts';
import {
  boolean,
  dateTime,
  nullable,
  object,
  oneOf,
  string,
  uuid,
  wholeNumber,
  type Json,
} from './responses/schema.ts';

/** The members of a lead that can change, so that `previous` can have them. */
const changeable = {
  status: { ...nullable(oneOf(leadStatuses)), description: 'Null for a portfolio request' },
  owner: { ...nullable(accountReference), description: 'The account that works on the lead' },
  dueAt: { ...nullable(dateTime), description: 'When the answer is due; null if none is due' },
  answeredAt: {
    ...nullable(dateTime),
    description: 'Null before the answer, and for a lead that was answered at an unknown time',
  },
  spam: { ...boolean, description: 'Whether staff have marked the lead as spam' },
} as const;

const changeableNames = ['status', 'owner', 'dueAt', 'answeredAt', 'spam'] as const;

/** The members of the data of every event. */
const everyEvent = {
  id: { ...uuid, description: 'The id of the lead' },
  version: { ...wholeNumber, description: 'Grows with each change of the lead' },
  kind: oneOf(leadKinds),
} as const;

/** A lead as it was right after the change. */
const lead = {
  ...everyEvent,
  ...changeable,
  createdAt: dateTime,
  url: { ...string, description: 'The page of the lead in the staff area' },
  email: string,
  answers: { type: 'object', description: 'The fields of the form, as the visitor sent them' },
} as const;

/** The events that other systems receive (docs/PRODUCT.md, "Webhooks"), and the data of each. */
const webhookEvents = {
  'lead.created': object(lead),
  'lead.updated': object({ ...lead, previous: object(changeable, changeableNames) }),
  'lead.answered': object(lead),
  'lead.erased': object(everyEvent),
} as const;

export type WebhookType = keyof typeof webhookEvents;
export const webhookTypes = Object.keys(webhookEvents) as readonly WebhookType[];

/** The body of a webhook: `type`, `timestamp` and `data`, as the Standard Webhooks specification recommends. */
export type WebhookBody = {
  readonly [Type in WebhookType]: {
    readonly type: Type;
    readonly timestamp: string;
    readonly data: Json<(typeof webhookEvents)[Type]>;
  };
}[WebhookType];

/** The schema of `WebhookBody`. */
export const webhookBody = {
  title: 'webhook',
  description: 'An event in the life of a lead',
  oneOf: webhookTypes.map((type) =>
    object({
      type: { const: type },
      timestamp: { ...dateTime, description: 'The time of the change' },
      data: webhookEvents[type],
    }),
  ),
};

/** Describes until when a receiver has asked to wait, in the stored response. */
export const askedToWait = (until: Date): string => `asked to wait until ${until.toISOString()}`;

/** Finds `askedToWait` in a stored response; its group is the time in ISO 8601. */
export const askedToWaitPattern = /\basked to wait until (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;
