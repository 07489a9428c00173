import { type Ink, palette } from '@dune-tide/domain/brand';

/** Returns the colour of an ink. An ancestor can override it, e.g. to show a scene at night. */
export const inkColour = (ink: Ink): string => `var(--ink-${ink}, ${palette[ink]})`;

/** For pictures on a dark page, whose night colour would otherwise have no visible edge. */
export const deepNight = { '@media (prefers-color-scheme: dark)': { '--ink-night': '#0A131A' } };

/** A scene after sunset, for dark systems: the sand colour becomes the page's background. */
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
