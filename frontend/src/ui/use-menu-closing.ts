import { type RefObject, useEffect, useEffectEvent } from 'react';
import { wideFrom } from '../styles/layout-constants.ts';
import { useCloseRequest } from './use-close-request.ts';

/**
 * Closes the menu of narrow windows on Escape and on a phone's Back, and returns the focus to its button. Also closes
 * it when the window becomes so wide that the menu is not needed, because the page must not stay covered.
 * @param button - opens and closes the menu
 */
export function useMenuClosing(isOpen: boolean, close: () => void, button: RefObject<HTMLElement | null>): void {
  const closeMenu = useEffectEvent(close);
  useCloseRequest(isOpen, () => {
    close();
    button.current?.focus();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      // A toast above the menu handles the key press itself.
      if (event.key !== 'Escape' || event.defaultPrevented) return;
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
