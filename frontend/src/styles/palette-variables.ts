import { type Ink, palette } from '@dune-tide/domain/brand';

/** The ink's colour, which a surrounding element may change, e.g. to show a scene by night. */
export const inkColour = (ink: Ink): string => `var(--ink-${ink}, ${palette[ink]})`;

/** For pictures on a dark page: what is drawn on night would have no edge there. */
export const deepNight = { '@media (prefers-color-scheme: dark)': { '--ink-night': '#0A131A' } };

/** Any scene after sunset, for dark systems: what was sand is the ground of the page. */
export const nightInks = {
  '--ink-sand': '#13202B',
  '--ink-sandDeep': '#31424C',
  '--ink-dune': '#6E6A5C',
  '--ink-night': '#0A131A',
  '--ink-terracotta': '#A83D1D',
  '--ink-terracottaSoft': '#C26A47',
  '--ink-teal': '#0B4D52',
  '--ink-tealSoft': '#5C9A97',
  '--ink-paper': '#D9DFDA',
  '--ink-white': '#D9DFDA',
};
