import { boolean, dateTime, nullable, object, string, uuid, type ResponseSchema } from './schema.ts';

/** The signed-in account as its owner sees it (docs/PRODUCT.md, "Account page"). */
export const ownAccountResponse = {
  title: 'own-account',
  description: 'The signed-in account',
  ...object({
    id: uuid,
    username: string,
    name: string,
    email: { ...nullable(string), description: 'For reminders and notices; null if the account has none' },
  }),
} as const satisfies ResponseSchema;

/** A session of the signed-in account. */
export const ownSessionResponse = {
  title: 'own-session',
  description: 'A session of the signed-in account',
  ...object({
    id: uuid,
    device: { ...nullable(string), description: 'Browser and system; null if they are unknown' },
    address: { ...nullable(string), description: 'Address or /64 network of the sign-in; null if it is unknown' },
    lastUsedAt: { ...dateTime, description: 'To the minute' },
    isCurrent: { ...boolean, description: 'Whether it is the session of this call' },
  }),
} as const satisfies ResponseSchema;
