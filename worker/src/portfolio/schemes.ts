import type { Ink } from '@dune-tide/domain/brand';
import type { PagePaper } from '@dune-tide/domain/content/case-study';

/** The colours of the strip with the measured results. */
export interface StripInks {
  readonly paper: Ink;
  readonly numeral: Ink;
  readonly label: Ink;
}

/** The colours of one page. */
export interface Scheme {
  readonly paper: Ink;
  readonly ink: Ink;
  /** For descriptions and notes. */
  readonly quiet: Ink;
  /** For kickers and marks. */
  readonly accent: Ink;
  readonly rule: Ink;
  /** The preferred strip and an alternative. */
  readonly strips: readonly [StripInks, StripInks];
}

const nightStrip: StripInks = { paper: 'night', numeral: 'terracottaSoft', label: 'sand' };
const sandStrip: StripInks = { paper: 'sandDeep', numeral: 'teal', label: 'night' };
const terracottaStrip: StripInks = { paper: 'terracotta', numeral: 'paper', label: 'paper' };
const tealStrip: StripInks = { paper: 'teal', numeral: 'paper', label: 'sand' };

/** The colours of a page by its paper. */
export const schemes: Readonly<Record<PagePaper, Scheme>> = {
  paper: {
    paper: 'paper',
    ink: 'night',
    quiet: 'nightSoft',
    accent: 'terracotta',
    rule: 'dune',
    strips: [nightStrip, sandStrip],
  },
  night: {
    paper: 'night',
    ink: 'paper',
    quiet: 'sandDeep',
    accent: 'terracottaSoft',
    rule: 'slate',
    strips: [terracottaStrip, sandStrip],
  },
  sandDeep: {
    paper: 'sandDeep',
    ink: 'night',
    quiet: 'nightSoft',
    accent: 'night',
    rule: 'dune',
    strips: [tealStrip, nightStrip],
  },
  teal: {
    paper: 'teal',
    ink: 'paper',
    quiet: 'sand',
    accent: 'sand',
    rule: 'tealSoft',
    strips: [sandStrip, nightStrip],
  },
  sand: {
    paper: 'sand',
    ink: 'night',
    quiet: 'nightSoft',
    accent: 'terracotta',
    rule: 'dune',
    strips: [terracottaStrip, nightStrip],
  },
  terracotta: {
    paper: 'terracotta',
    ink: 'paper',
    quiet: 'paper',
    accent: 'paper',
    rule: 'terracottaSoft',
    strips: [nightStrip, sandStrip],
  },
};

/** Returns the colours of the strip beside a drawing. The strip and the drawing have different backgrounds. */
export function stripFor({ strips: [first, second] }: Scheme, backdrop: Ink | undefined): StripInks {
  return first.paper === backdrop ? second : first;
}
