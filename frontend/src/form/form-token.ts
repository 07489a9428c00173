import { formTokenPatience, minFormAge } from '@dune-tide/domain/limits';
import type { formTokenResponse } from '@dune-tide/domain/responses/form-token';
import type { Json, Unchecked } from '@dune-tide/domain/responses/schema';
import { earlyFormToken, honeypotField } from '@dune-tide/domain/spam';
import { timeoutSignal } from '../api-client/timeout-signal.ts';

let touchedAt: number | undefined;
let noteTouch: () => void;
let token: { readonly text: string; readonly cameAt: number } | undefined;

/** Resolves when a field of a public form is first touched. */
export const firstTouch = new Promise<void>((resolve) => (noteTouch = resolve));

/** Requests the page's form token when a field of its public forms is first touched. */
export function watchFirstTouch(): void {
  // Capturing, because React stops events in a part of the page whose code has not loaded yet.
  for (const type of ['focusin', 'input']) document.addEventListener(type, onTouch, { capture: true, passive: true });
}

/**
 * Returns the proof of the form's age, without waiting for it.
 * @returns undefined if no token has arrived, or if it arrived too late to prove the age
 */
export function formToken(): string | undefined {
  const now = performance.now();
  if (touchedAt !== undefined && now - touchedAt < minFormAge) return token?.text ?? earlyFormToken;
  // A token that arrived late is younger than the form.
  return token && now - token.cameAt >= minFormAge ? token.text : undefined;
}

function onTouch({ target }: Event): void {
  // A form that is sent by its first touch was filled in earlier, e.g. from a draft, at an unknown time.
  const form = target instanceof Element && !target.closest('button') ? target.closest('form') : null;
  if (touchedAt !== undefined || !form?.elements.namedItem(honeypotField)) return;
  touchedAt = performance.now();
  noteTouch();
  void askForToken();
}

async function askForToken(): Promise<void> {
  try {
    const response = await fetch('/api/form-token', { signal: timeoutSignal(formTokenPatience) });
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null) return;
    const { token: text }: Unchecked<Json<typeof formTokenResponse>> = body;
    if (typeof text === 'string') token = { text, cameAt: performance.now() };
  } catch {
    // Without a connection, or if it is slow, the form is sent without a token.
  }
}
