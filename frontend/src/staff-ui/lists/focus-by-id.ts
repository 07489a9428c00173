/**
 * Focuses an element, or the page's heading if the element does not exist.
 * @param id - the id of a focusable element
 */
export function focusById(id?: string): void {
  const place = id === undefined ? null : document.getElementById(id);
  (place ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

/**
 * A `ref` callback. When an element disappears with the focus inside it, it passes the focus to the same control in the
 * next row, or to the nearest focusable ancestor. Otherwise keyboard users would start at the top of the page again.
 */
export function leaveFocus(element: HTMLElement | null): () => void {
  const around = element?.closest<HTMLElement>('[tabindex="-1"]');
  return () => {
    if (!element?.contains(document.activeElement)) return;
    const like = likeInNextRow(element);
    // Runs after the element has left the page, unless another element has the focus by then.
    queueMicrotask(() => {
      if (document.activeElement !== document.body) return;
      if (like?.isConnected) like.focus();
      else around?.focus({ preventScroll: true });
    });
  };
}

const pressable = 'a, button';

function likeInNextRow(row: HTMLElement): HTMLElement | undefined {
  if (!row.matches('tr, li')) return undefined;
  const next = row.nextElementSibling ?? row.previousElementSibling;
  const place = [...row.querySelectorAll(pressable)].findIndex((each) => each === document.activeElement);
  return [...(next?.querySelectorAll<HTMLElement>(pressable) ?? [])][place];
}
