import { type Ink, palette } from '@dune-tide/domain/brand';

/** Returns the colour of an ink. Dark systems have their own (`duskStyles`). */
export const inkColour = (ink: Ink): string => `var(--ink-${ink}, ${palette[ink]})`;

/**
 * The colours of every picture while the system prefers dark: the same scene after sunset. Sand turns into umber, and
 * what gives light stays light, so that drawings must use `paper` for a light shape on a dark ground, not `sand`.
 */
const duskInks: Record<Ink, string> = {
  paper: '#E6DCC8',
  sand: '#57452F',
  sandDeep: '#473826',
  dune: '#8F7650',
  night: '#0A131A',
  nightSoft: '#22343F',
  slate: '#7C8A92',
  terracotta: '#A83D1D',
  terracottaSoft: '#CE7750',
  teal: '#0B5A5D',
  tealSoft: '#64A39E',
  white: '#EDE6D8',
};

const darkSystem = '@media screen and (prefers-color-scheme: dark)';

/**
 * The colours in which screens differ from other pictures for dark systems. Screens give light and have texts, which
 * must stay legible on their cards.
 */
export const screenStyles = {
  [darkSystem]: { '--ink-sand': '#CDBF9F', '--ink-sandDeep': '#C4B28C', '--ink-slate': '#4F5C64' },
} as const;

/** The rule that repaints all pictures for dark systems. */
export const duskStyles = {
  [darkSystem]: {
    ':root': Object.fromEntries(Object.entries(duskInks).map(([ink, colour]) => [`--ink-${ink}`, colour])),
  },
};
