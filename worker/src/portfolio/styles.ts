import type { FontName } from './fonts.ts';

/** How a text is set. The leading is a multiple of a quarter row of the grid. */
export interface TextStyle {
  readonly font: FontName;
  readonly size: number;
  readonly leading: number;
  readonly tracking?: number;
}

/** From loud to quiet; where a text of unknown length stands, the first size that fits is taken. */
export const styles = {
  cover: [
    { font: 'display', size: 156, leading: 144, tracking: -5.2 },
    { font: 'display', size: 132, leading: 117, tracking: -4.4 },
  ],
  title: [
    { font: 'display', size: 42, leading: 40.5, tracking: -0.9 },
    { font: 'display', size: 36, leading: 36, tracking: -0.7 },
    { font: 'display', size: 31, leading: 31.5, tracking: -0.5 },
    { font: 'display', size: 27, leading: 27, tracking: -0.4 },
  ],
  heading: [{ font: 'display', size: 54, leading: 54, tracking: -1.2 }],
  address: [
    { font: 'display', size: 69, leading: 63, tracking: -2.1 },
    { font: 'display', size: 66, leading: 63, tracking: -2 },
    { font: 'display', size: 54, leading: 54, tracking: -1.6 },
    { font: 'display', size: 45, leading: 45, tracking: -1.2 },
  ],
  numeral: [
    { font: 'display', size: 60, leading: 63, tracking: -1.9 },
    { font: 'display', size: 51, leading: 54, tracking: -1.5 },
    { font: 'display', size: 45, leading: 45, tracking: -1.2 },
    { font: 'display', size: 36, leading: 36, tracking: -0.8 },
    { font: 'display', size: 28, leading: 27, tracking: -0.5 },
  ],
  subheading: [{ font: 'displayMedium', size: 20, leading: 22.5, tracking: -0.2 }],
  client: [{ font: 'displayMedium', size: 16, leading: 18 }],
  lead: [{ font: 'text', size: 17, leading: 22.5 }],
  body: [
    { font: 'text', size: 14, leading: 20.25 },
    { font: 'text', size: 13, leading: 18 },
    { font: 'text', size: 12, leading: 18 },
  ],
  small: [{ font: 'text', size: 11.5, leading: 15.75 }],
  label: [
    { font: 'text', size: 13, leading: 18 },
    { font: 'text', size: 11.5, leading: 18 },
  ],
  note: [{ font: 'text', size: 10.5, leading: 13.5 }],
  kicker: [{ font: 'textStrong', size: 11, leading: 13.5 }],
} as const satisfies Record<string, readonly TextStyle[]>;
