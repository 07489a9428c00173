import type { PointerEvent } from 'react';

/**
 * Returns the horizontal position of the mouse, from -1 at the left edge of the window to 1 at the right one.
 * @returns 0 for a finger or a pen, and if the visitor prefers reduced motion
 */
export function pointerAcross({ pointerType, clientX }: PointerEvent): number {
  const prefersReducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return pointerType !== 'mouse' || prefersReducedMotion ? 0 : (2 * clientX) / window.innerWidth - 1;
}
