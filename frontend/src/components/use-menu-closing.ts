import { type RefObject, useEffect, useEffectEvent } from 'react';
import { wideFrom } from './page-parts.ts';

/**
 * Closes the menu of narrow windows on Escape, with the focus back on its button, and when the window becomes so wide
 * that there is no menu: the page must not stay covered.
 * @param button - opens and closes the menu
 */
export function useMenuClosing(isOpen: boolean, close: () => void, button: RefObject<HTMLElement | null>): void {
  const closeMenu = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      closeMenu();
      button.current?.focus();
    };
    const closeAtOnce = () => closeMenu();
    const wide = window.matchMedia(`(min-width: ${wideFrom}rem)`);
    document.addEventListener('keydown', closeOnEscape);
    wide.addEventListener('change', closeAtOnce);
    return () => {
      document.removeEventListener('keydown', closeOnEscape);
      wide.removeEventListener('change', closeAtOnce);
    };
  }, [isOpen, button]);
}
