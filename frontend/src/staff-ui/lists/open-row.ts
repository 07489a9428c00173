import type { MouseEvent } from 'react';

/**
 * Makes a click in a row, except on a control, follow the row's first link, with the same modifier keys, e.g. Control
 * for a new tab. The row's texts can still be selected.
 */
export function openRow({ target, currentTarget, nativeEvent }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a, button, input')) return;
  if (window.getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', nativeEvent));
}
