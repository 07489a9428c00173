import { requestTimeout } from '../../api-client/request-timeout.ts';
import { loadFailure } from '../../ui/load-failure.ts';

/*
 * What a visitor presses before its code is there. The press waits, and its button shows that, until it is repeated or
 * forgotten. A press must never act later than the visitor means it.
 */

interface QueuedPress {
  readonly button: HTMLElement;
  readonly patience: ReturnType<typeof setTimeout>;
}

/** By the button, or by the form that it sends, which may be rendered again in the meantime. */
const presses = new Map<HTMLElement | string, QueuedPress>();

let notice: HTMLElement | undefined;

/** The key of a form's press: of that form on this page. */
export const formKey = (form: HTMLFormElement): string => `${location.pathname}:${form.dataset['form']}`;

/**
 * Queues a press for as long as a running form waits for its response; then the failure is shown.
 * @param pressed - the button, or the key of the form that it sends
 */
export function queuePress(pressed: HTMLElement | string, button: HTMLElement): void {
  takePress(pressed);
  button.setAttribute('aria-busy', 'true');
  const patience = setTimeout(() => {
    takePress(pressed);
    // What did not load may have said so in the place of the form.
    if (button.isConnected) showLoadError(document.body);
  }, requestTimeout);
  presses.set(pressed, { button, patience });
}

/** @returns whether a press on it was queued; it no longer is */
export function takePress(pressed: HTMLElement | string): boolean {
  const press = presses.get(pressed);
  if (!press) return false;
  clearTimeout(press.patience);
  press.button.removeAttribute('aria-busy');
  return presses.delete(pressed);
}

/** @returns whether any press was queued; none is any longer */
export function clearPresses(): boolean {
  return [...presses.keys()].map(takePress).length > 0;
}

/**
 * Shows what `LoadBoundary` would show, whose code has not arrived either. Created each time, because it is announced
 * when it appears. Its style is in app/base.css and, for the empty staff page, in build/staff-shell.ts.
 */
export function showLoadError(place: HTMLElement): void {
  hideLoadError();
  notice = document.createElement('p');
  notice.id = 'not-loaded';
  notice.setAttribute('role', 'alert');
  const link = Object.assign(document.createElement('a'), { href: '', textContent: loadFailure.link });
  notice.append(loadFailure.text, ' ', link);
  place.append(notice);
}

/** Once the code is there after all. */
export function hideLoadError(): void {
  notice?.remove();
}
