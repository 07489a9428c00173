import { requestTimeout } from '../../api-client/request-timeout.ts';
import { timeoutSignal } from '../../api-client/timeout-signal.ts';

let ending: Promise<boolean> = Promise.resolve(true);

/**
 * Ends the session on the server. Not by RTK Query, which ends its calls with its state: this one goes on when the page
 * has been left.
 * @returns whether there is none any more
 */
export function endSession(): Promise<boolean> {
  ending = send();
  return ending;
}

/** Waits for a logout under way: its answer clears the cookie, which may not be that of a new session. */
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
