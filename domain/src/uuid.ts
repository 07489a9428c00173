/** The pattern of a UUID in lower case, as the database returns ids. */
export const uuidForm = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const uuid = new RegExp(`^${uuidForm}$`, 'i');

/** Checks that a text is a UUID, in upper or lower case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
