import { useState } from 'react';
import type { LastingEntry } from '../../ui/lasting-choices.ts';
import { ActionNotice } from '../../staff-ui/dialogs/ActionNotice.tsx';
import { focusById } from '../../staff-ui/lists/focus-by-id.ts';
import type { Account } from './accounts-api.ts';

/** The entry of the browser's storage that hides the note. */
const storageKey: LastingEntry = 'roles-note';

function wasDismissed(): boolean {
  try {
    return window.localStorage.getItem(storageKey) !== null;
  } catch {
    // The user's settings block the storage.
    return false;
  }
}

/** Tells an owner once that each of several accounts is an owner, as after the upgrade to the release with roles. */
export function RolesNote({ members }: { readonly members: readonly Account[] }) {
  const [isDismissed, setIsDismissed] = useState(wasDismissed);
  if (isDismissed || members.length < 2 || members.some(({ role }) => role !== 'owner')) return null;
  const dismiss = () => {
    setIsDismissed(true);
    // The button disappears with the focus.
    focusById();
    try {
      window.localStorage.setItem(storageKey, 'dismissed');
    } catch {
      // The note then appears again.
    }
  };
  return (
    <ActionNotice action="Got it" onAct={dismiss}>
      Every account is an owner and can do everything. To limit what an account can do, change its role to Member.
    </ActionNotice>
  );
}
