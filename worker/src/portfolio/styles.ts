import type { FontName } from './fonts.ts';

/** The style of a text. The leading is a multiple of a quarter row of the grid. */
export interface TextStyle {
  readonly font: FontName;
  readonly size: number;
  readonly leading: number;
  readonly tracking?: number;
}

/** The styles by use. A text that may be long has several sizes, of which the first that fits is used. */
export const styles = {
  cover: [
    { font: 'display', size: 188, leading: 171, tracking: -3.4 },
    { font: 'display', size: 168, leading: 153, tracking: -3 },
  ],
  title: [
    { font: 'display', size: 54, leading: 51.75, tracking: -1 },
    { font: 'display', size: 47, leading: 45, tracking: -0.85 },
    { font: 'display', size: 40, leading: 38.25, tracking: -0.7 },
    { font: 'display', size: 34, leading: 33.75, tracking: -0.6 },
  ],
  heading: [{ font: 'display', size: 62, leading: 60.75, tracking: -1.1 }],
  address: [
    { font: 'display', size: 94, leading: 90, tracking: -1.7 },
    { font: 'display', size: 88, leading: 85.5, tracking: -1.6 },
    { font: 'display', size: 70, leading: 67.5, tracking: -1.25 },
    { font: 'display', size: 58, leading: 58.5, tracking: -1 },
  ],
  numeral: [
    { font: 'display', size: 58, leading: 58.5, tracking: -1 },
    { font: 'display', size: 50, leading: 49.5, tracking: -0.9 },
    { font: 'display', size: 42, leading: 42.75, tracking: -0.75 },
    { font: 'display', size: 34, leading: 36, tracking: -0.6 },
  ],
  subheading: [{ font: 'displayMedium', size: 24, leading: 24.75, tracking: -0.3 }],
  client: [{ font: 'displayMedium', size: 18, leading: 20.25, tracking: -0.1 }],
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
