import { requestTimeout } from '../../api-client/request-timeout.ts';
import { loadFailure } from '../../ui/load-failure.ts';

/*
 * What a visitor presses before its code is there: it waits for that, and looks so, until it is done or forgotten. A
 * press must never act later than the visitor means it.
 */

interface EarlyPress {
  readonly button: HTMLElement;
  readonly patience: ReturnType<typeof setTimeout>;
}

/** By what waits for its code: a button, or the form that a button sends. */
const presses = new Map<HTMLElement, EarlyPress>();

let notice: HTMLElement | undefined;

/**
 * Has a press wait, for as long as a running form waits for its answer; then the failure is said.
 * @param pressed - the button, or the form that it sends
 */
export function queueClick(pressed: HTMLElement, button: HTMLElement = pressed): void {
  takeQueuedClick(pressed);
  button.setAttribute('aria-busy', 'true');
  const patience = setTimeout(() => {
    takeQueuedClick(pressed);
    // What did not load may have said so in the place of the form.
    if (pressed.isConnected) showLoadError(document.body);
  }, requestTimeout);
  presses.set(pressed, { button, patience });
}

/** @returns whether a press on it waits; it does not any more */
export function takeQueuedClick(pressed: HTMLElement): boolean {
  const press = presses.get(pressed);
  if (!press) return false;
  clearTimeout(press.patience);
  press.button.removeAttribute('aria-busy');
  return presses.delete(pressed);
}

/** @returns whether any press waited; none does any more */
export function clearQueuedClicks(): boolean {
  return [...presses.keys()].map(takeQueuedClick).length > 0;
}

/**
 * Says what `LoadBoundary` would say, whose code has not arrived either. Made anew each time, because it is announced when
 * it appears. Its style is in app/base.css and, for the empty staff page, in build/staff-shell.ts.
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
