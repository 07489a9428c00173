import { requestTimeout } from '../../api-client/request-timeout.ts';
import { keepingChoices } from '../../ui/lasting-choices.ts';
import { timeoutSignal } from '../../api-client/timeout-signal.ts';

let ending: Promise<boolean> = Promise.resolve(true);

/**
 * Ends the session on the server. RTK Query would abort the request when its state is reset; this one continues after
 * the page has been left.
 * @returns whether the session has ended
 */
export function endSession(): Promise<boolean> {
  // The response empties the storage, so that no draft of any tab is left on a shared computer.
  ending = keepingChoices(send);
  return ending;
}

/** Waits for a pending logout. Its response clears the cookie, which must not be that of a new session. */
export async function sessionEnded(): Promise<void> {
  await ending;
}

async function send(): Promise<boolean> {
  try {
    const { ok, status } = await fetch('/api/admin/logout', {
      method: 'POST',
      credentials: 'include',
      keepalive: true,
      signal: timeoutSignal(requestTimeout),
    });
    return ok || status === 401;
  } catch {
    return false;
  }
}
