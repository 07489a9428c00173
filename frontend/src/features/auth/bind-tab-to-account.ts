import { forgetDrafts, tabStorage } from '../../form/draft-storage.ts';
import { staffArea } from '../../routing/staff-paths.ts';

const key = 'staff-account';

/**
 * Binds this tab to an account, and deletes the drafts of any other account. A session may end without a logout and
 * another user sign in.
 * @param id - the account's id
 * @param storage - the tab's own by default
 */
export function bindTabToAccount(id: string, storage: Storage | undefined = tabStorage()): void {
  if (!storage || storage.getItem(key) === id) return;
  forgetDrafts(staffArea, storage);
  try {
    storage.setItem(key, id);
  } catch {
    // The storage is full. Without the entry, the next sign-in deletes the drafts.
    storage.removeItem(key);
  }
}
