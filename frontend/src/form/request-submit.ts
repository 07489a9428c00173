/**
 * Submits a form as its button does. The oldest supported browsers lack `HTMLFormElement.requestSubmit`. The event is
 * enough, because the form validates its fields itself.
 */
export function requestSubmit(form: HTMLFormElement): void {
  form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
}
