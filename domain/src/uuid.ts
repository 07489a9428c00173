/** The form of a UUID, in the letters that the database gives ids in. */
export const uuidForm = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const uuid = new RegExp(`^${uuidForm}$`, 'i');

/** Whether a text has the form of an id, in letters of either case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
