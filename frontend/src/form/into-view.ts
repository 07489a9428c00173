/** Marks the element of a field with its label and, as its last part, its message. */
export const wholeField = { 'data-field': '' } as const;

/**
 * Brings a field that the Tab key went to into view as a whole: in a text area browsers look at the caret only. Not by
 * focus, which a press brings as well: what is pressed must not move from under the pointer.
 */
export function showTabbedTo({ key, currentTarget }: { readonly key: string; readonly currentTarget: Element }): void {
  if (key === 'Tab') currentTarget.scrollIntoView({ block: 'nearest' });
}

/** Brings a faulty field that has the focus into view, its message even where the window has no room for the whole. */
export function showFault(input: Element): void {
  const field = input.closest('[data-field]');
  field?.scrollIntoView({ block: 'nearest' });
  // Of options the one with the focus counts: they may fill the window.
  if (!input.matches('[type="radio"]')) field?.lastElementChild?.scrollIntoView({ block: 'nearest' });
}
