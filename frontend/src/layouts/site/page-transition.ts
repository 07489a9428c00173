/**
 * Returns the class of the transition between pages (base.css), in browsers with the View Transitions API.
 * @returns `none`, with which React replaces the page directly, if the visitor prefers reduced motion
 */
export function pageTransition(): 'page' | 'none' {
  const isCalm = typeof window === 'undefined' || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return isCalm ? 'none' : 'page';
}
