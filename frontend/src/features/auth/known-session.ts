const key = 'staff-session';

/** Returns the storage that the tabs share; undefined if the visitor's settings block it, and cookies with it. */
function sharedStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether this browser may have a session: a user has signed in, and no response has shown that the session has
 * ended. The session's cookie itself is hidden from scripts.
 * @param storage - the one that the tabs share by default
 */
export function mayHaveSession(storage: Storage | undefined = sharedStorage()): boolean {
  return storage?.getItem(key) === 'yes';
}

/** Notes that a user is signed in. */
export function rememberSession(storage: Storage | undefined = sharedStorage()): void {
  try {
    storage?.setItem(key, 'yes');
  } catch {
    // The storage is full. Without the entry, the sign-in page shows its form to a user who is signed in.
  }
}

/** Notes that the session has ended. */
export function forgetSession(storage: Storage | undefined = sharedStorage()): void {
  storage?.removeItem(key);
}
