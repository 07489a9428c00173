import { dateTime, nullable, object, oneOf, string, uuid, type ResponseSchema } from './schema.ts';

/** The kinds of actors of the audit log (docs/PRODUCT.md, "Audit log"). */
export const auditActors = ['staff', 'operator', 'system', 'unknown'] as const;

/** An entry of the audit log. */
export const auditEntryResponse = {
  title: 'audit-entry',
  description: 'An entry of the audit log',
  ...object({
    id: uuid,
    createdAt: dateTime,
    actor: oneOf(auditActors),
    actorName: { ...nullable(string), description: 'The current name of a member of staff; null for other actors' },
    action: { ...string, description: 'E.g. signed_in or lead_status' },
    subjectId: { ...nullable(uuid), description: 'The id of what the action affects, e.g. of an account or a lead' },
    subjectName: { ...nullable(string), description: 'The current name of an account; null for anything else' },
    network: { ...nullable(string), description: 'The network of a sign-in or a refusal, e.g. 192.0.2.0/24' },
    device: { ...nullable(string), description: 'Its browser and system, e.g. Firefox on Windows' },
  }),
} as const satisfies ResponseSchema;
