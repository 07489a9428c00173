import { forgetDrafts, tabStorage } from '../../form/draft-storage.ts';
import { staffArea } from '../../routing/staff-paths.ts';

const key = 'staff-account';

/**
 * Notes who uses the staff area in this tab, and forgets what anybody else was writing there: a session may end without
 * a logout, and another member sign in.
 * @param id - of the account
 * @param storage - the tab's own by default
 */
export function bindTabToAccount(id: string, storage: Storage | undefined = tabStorage()): void {
  if (!storage || storage.getItem(key) === id) return;
  forgetDrafts(staffArea, storage);
  try {
    storage.setItem(key, id);
  } catch {
    // The storage is full: what is written from now on counts as another's.
    storage.removeItem(key);
  }
}
