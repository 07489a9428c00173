import type { PointerEvent } from 'react';

/**
 * Returns the position of a mouse between the left and the right edge of the window, from -1 to 1.
 * @returns 0 for a finger, and if the visitor prefers reduced motion
 */
export function pointerAcross({ pointerType, clientX }: PointerEvent): number {
  const likesCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return pointerType !== 'mouse' || likesCalm ? 0 : (2 * clientX) / window.innerWidth - 1;
}
