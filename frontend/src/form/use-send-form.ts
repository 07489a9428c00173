import { useEffect, useState } from 'react';
import type { Call, RequestFailure } from '../api-client/request.ts';
import { requestTimeout } from '../api-client/request-timeout.ts';
import { isGone } from '../ui/load-failure.ts';
import { firstTouch } from './form-token.ts';

/**
 * Returns a function that sends a public form. Redux and RTK Query, which send it, are loaded when a field is first
 * touched, so that a visitor who only reads does not load them. If they cannot be loaded, sending fails like a request.
 */
export function useSendForm(): (call: Call) => Promise<unknown> {
  const [gone, setGone] = useState<unknown>();
  useEffect(() => {
    // If this fails, sending loads them again and shows the failure.
    void firstTouch.then(() => load(setGone)).catch(() => undefined);
  }, []);
  // `LoadBoundary` then asks the visitor to reload the page.
  if (gone !== undefined) throw gone;
  return async (call) => {
    const { sendForm } = await load(setGone);
    return sendForm(call);
  };
}

/** @param onGone - called if a new release has renamed the script */
async function load(onGone: (error: unknown) => void) {
  try {
    return await Promise.race([import('../store/send-form.ts'), timeout()]);
  } catch (error) {
    if (isGone(error)) onGone(error);
    else reportError(error);
    const failure: RequestFailure = { code: 'unreachable', message: String(error), fieldErrors: [] };
    throw failure;
  }
}

function timeout(): Promise<never> {
  const error = new Error('Failed to fetch dynamically imported module in time');
  return new Promise((_, reject) => setTimeout(() => reject(error), requestTimeout));
}
