import { requestTimeout } from '../../api-client/request-timeout.ts';
import { loadFailure } from '../../ui/load-failure.ts';

/*
 * A queue of the visitor's clicks on buttons whose code has not loaded yet. The button shows that it is busy until the
 * click is repeated or dropped. A click must never take effect later than the visitor expects.
 */

interface QueuedPress {
  readonly button: HTMLElement;
  readonly patience: ReturnType<typeof setTimeout>;
}

/** Keyed by the button, or by the key of its form, because the form's button may be rendered again. */
const presses = new Map<HTMLElement | string, QueuedPress>();

let notice: HTMLElement | undefined;

/** Returns the key of a form on the current page. */
export const formKey = (form: HTMLFormElement): string => `${location.pathname}:${form.dataset['form']}`;

/**
 * Queues a click for as long as a form waits for its response. Then it shows the failure.
 * @param pressed - the button, or the key of the form that it sends
 */
export function queuePress(pressed: HTMLElement | string, button: HTMLElement): void {
  takePress(pressed);
  button.setAttribute('aria-busy', 'true');
  const patience = setTimeout(() => {
    takePress(pressed);
    // A `LoadBoundary` may already show the error instead of the form.
    if (button.isConnected) showLoadError(document.body);
  }, requestTimeout);
  presses.set(pressed, { button, patience });
}

/**
 * Removes a click from the queue.
 * @returns whether one was queued
 */
export function takePress(pressed: HTMLElement | string): boolean {
  const press = presses.get(pressed);
  if (!press) return false;
  clearTimeout(press.patience);
  press.button.removeAttribute('aria-busy');
  return presses.delete(pressed);
}

/**
 * Removes all clicks from the queue.
 * @returns whether any was queued
 */
export function clearPresses(): boolean {
  return [...presses.keys()].map(takePress).length > 0;
}

/**
 * Shows the error of `LoadBoundary`, whose code has not loaded either. The element is created each time, because it is
 * announced when it appears. Its style is in app/base.css and, for the empty staff page, in build/staff-shell.ts.
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

/** Hides the error when the code has loaded after all. */
export function hideLoadError(): void {
  notice?.remove();
}
