/**
 * Gives the focus to a part of the page, or to the page's heading where that part is not there.
 * @param id - of what can take the focus
 */
export function focusById(id?: string): void {
  const place = id === undefined ? null : document.getElementById(id);
  (place ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

/**
 * As a `ref`: what goes away with the focus in it leaves that to its like in the row that takes its place, or to the part
 * around it that can take it. From the body a keyboard would begin at the top again.
 */
export function leaveFocus(element: HTMLElement | null): () => void {
  const around = element?.closest<HTMLElement>('[tabindex="-1"]');
  return () => {
    if (!element?.contains(document.activeElement)) return;
    const like = likeInNextRow(element);
    // Once it is out of the page, unless something has taken the focus by then.
    queueMicrotask(() => {
      if (document.activeElement !== document.body) return;
      if (like?.isConnected) like.focus();
      else around?.focus({ preventScroll: true });
    });
  };
}

const pressable = 'a, button';

function likeInNextRow(row: HTMLElement): HTMLElement | undefined {
  if (!(row instanceof HTMLTableRowElement)) return undefined;
  const next = row.nextElementSibling ?? row.previousElementSibling;
  const place = [...row.querySelectorAll(pressable)].findIndex((each) => each === document.activeElement);
  return [...(next?.querySelectorAll<HTMLElement>(pressable) ?? [])][place];
}
