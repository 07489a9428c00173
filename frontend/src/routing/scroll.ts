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
