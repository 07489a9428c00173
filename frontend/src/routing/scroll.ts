/**
 * Scrolls to a section, smoothly where the visitor likes motion, and lets the keyboard go on from there.
 * @param id - the section's id; one that the page does not have is left alone
 */
export function scrollToSection(id: string): void {
  const element = document.getElementById(id);
  if (!element) return;
  const likesCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ behavior: likesCalm ? 'auto' : 'smooth' });
  element.focus({ preventScroll: true });
}
