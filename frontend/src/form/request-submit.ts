/**
 * Sends a form as its button does. The form checks its fields itself, so the event is all that
 * `HTMLFormElement.requestSubmit` would add, which is newer than the oldest browsers.
 */
export function requestSubmit(form: HTMLFormElement): void {
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
}
