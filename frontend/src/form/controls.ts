import type { DraftValue } from './draft-storage.ts';

/** An element that a visitor fills in. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function isControl(element: EventTarget | null): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/**
 * Returns the value that a field shows.
 * @param place - contains the controls of one field
 */
export function shownValue(place: Element): DraftValue {
  const controls = [...place.querySelectorAll('input, select, textarea')].filter(isControl);
  const [control] = controls;
  if (!(control instanceof HTMLInputElement)) return control?.value ?? '';
  if (control.type === 'checkbox') return control.checked;
  if (control.type !== 'radio') return control.value;
  return controls.find((option) => option instanceof HTMLInputElement && option.checked)?.value ?? '';
}
