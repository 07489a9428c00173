import type { MouseEvent } from 'react';

/**
 * The whole row leads where its first link does, for a pointer, into a new tab as well: its texts can still be marked.
 */
export function openRow({ target, currentTarget, nativeEvent }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a, button')) return;
  if (window.getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', nativeEvent));
}
