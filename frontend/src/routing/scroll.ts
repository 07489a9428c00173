import type { MouseEvent } from 'react';
import { opensElsewhere } from './link-modifiers.ts';

/**
 * Returns the element that a URL's fragment names. The name ends at `?` or `&`, because campaign tools append their
 * parameters to the fragment.
 * @param hash - with its `#`
 */
export function sectionOf(hash: string): HTMLElement | null {
  const [name = ''] = hash.slice(1).split(/[?&]/);
  return name === '' ? null : document.getElementById(name);
}

/**
 * Scrolls to a section, smoothly unless the visitor prefers reduced motion, and focuses it for keyboard users.
 * @param id - the section's id; an unknown id is ignored
 */
export function scrollToSection(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  const likesCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ behavior: likesCalm ? 'auto' : 'smooth' });
  element.focus({ preventScroll: true });
}

/** Follows a link to a section of the same page by scrolling. The link also works before the code has loaded. */
export function followToSection(event: MouseEvent, id: string): void {
  if (opensElsewhere(event)) return;
  event.preventDefault();
  scrollToSection(id);
}
