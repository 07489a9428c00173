/** Marks the element that contains a field, its label and, last, its message. */
export const wholeField = { 'data-field': '' } as const;

/**
 * Scrolls a field that was reached with the Tab key into view completely; for a text area, browsers only show the
 * caret. It does not run on focus, because a clicked element must not move away from the pointer.
 */
export function showTabbedTo({ key, currentTarget }: { readonly key: string; readonly currentTarget: Element }): void {
  if (key === 'Tab') currentTarget.scrollIntoView({ block: 'nearest' });
}

/** Scrolls the focused invalid field into view, with priority for its message if the window is too small for both. */
export function showFault(input: Element): void {
  const field = input.closest('[data-field]');
  field?.scrollIntoView({ block: 'nearest' });
  // In a group of options the focused option matters most, because the group may fill the window.
  if (!input.matches('[type="radio"]')) field?.lastElementChild?.scrollIntoView({ block: 'nearest' });
}
