import { staffRoles } from '../staff-roles.ts';
import { boolean, dateTime, nullable, object, oneOf, string, uuid, type ResponseSchema } from './schema.ts';

/** An account with its name at the time of an entry. */
export const accountReference = object({ id: uuid, name: string });

/** An account as all staff see it. */
export const accountResponse = {
  title: 'account',
  description: 'A staff account',
  ...object({
    id: uuid,
    name: string,
    username: string,
    email: { ...nullable(string), description: 'For reminders; null if the account has none' },
    pendingEmail: { ...nullable(string), description: 'An address whose owner has not confirmed it yet' },
    lastSignInAt: { ...nullable(dateTime), description: 'Null before the first sign-in' },
    role: { ...oneOf(staffRoles), description: 'Whether the account may make the calls of owners' },
    isActive: { ...boolean, description: 'Whether the account can sign in' },
    createdAt: dateTime,
  }),
} as const satisfies ResponseSchema;
