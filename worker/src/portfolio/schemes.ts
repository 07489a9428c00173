import type { Ink } from '@dune-tide/domain/brand';

/** The inks of the strip that holds the measured results. */
export interface StripInks {
  readonly paper: Ink;
  readonly numeral: Ink;
  readonly label: Ink;
}

/** The inks of one page. */
export interface Scheme {
  readonly paper: Ink;
  readonly ink: Ink;
  /** Descriptions and notes. */
  readonly quiet: Ink;
  /** Kickers and marks. */
  readonly accent: Ink;
  readonly rule: Ink;
  /** The strip that goes with it, and another one. */
  readonly strips: readonly [StripInks, StripInks];
}

const nightStrip: StripInks = { paper: 'night', numeral: 'terracottaSoft', label: 'sand' };
const sandStrip: StripInks = { paper: 'sandDeep', numeral: 'teal', label: 'night' };
const terracottaStrip: StripInks = { paper: 'terracotta', numeral: 'paper', label: 'paper' };
const tealStrip: StripInks = { paper: 'teal', numeral: 'paper', label: 'sand' };

const paper: Scheme = {
  paper: 'paper',
  ink: 'night',
  quiet: 'nightSoft',
  accent: 'terracotta',
  rule: 'dune',
  strips: [nightStrip, sandStrip],
};

const night: Scheme = {
  paper: 'night',
  ink: 'paper',
  quiet: 'sandDeep',
  accent: 'terracottaSoft',
  rule: 'slate',
  strips: [terracottaStrip, sandStrip],
};

const sandDeep: Scheme = {
  paper: 'sandDeep',
  ink: 'night',
  quiet: 'nightSoft',
  accent: 'night',
  rule: 'dune',
  strips: [tealStrip, nightStrip],
};

const teal: Scheme = {
  paper: 'teal',
  ink: 'paper',
  quiet: 'sand',
  accent: 'sand',
  rule: 'tealSoft',
  strips: [sandStrip, nightStrip],
};

const sand: Scheme = {
  paper: 'sand',
  ink: 'night',
  quiet: 'nightSoft',
  accent: 'terracotta',
  rule: 'dune',
  strips: [terracottaStrip, nightStrip],
};

const terracotta: Scheme = {
  paper: 'terracotta',
  ink: 'paper',
  quiet: 'paper',
  accent: 'paper',
  rule: 'terracottaSoft',
  strips: [nightStrip, sandStrip],
};

export const schemes = { paper, night, sandDeep, teal, sand, terracotta } as const satisfies Record<string, Scheme>;

/** The order in which case studies take their inks, so that each stands out from its picture and its neighbours. */
const turn: readonly Scheme[] = [
  terracotta,
  paper,
  teal,
  night,
  sand,
  teal,
  terracotta,
  sandDeep,
  night,
  paper,
  terracotta,
];

/**
 * The inks of a case study's page.
 * @param index - its place in the portfolio
 * @param backdrop - the ink behind its drawing; the page takes another one, so that the picture keeps its edge
 */
export function schemeFor(index: number, backdrop: Ink | undefined): Scheme {
  const choices = turn.map((_, step) => turn[(index + step * 2) % turn.length]);
  return choices.find((scheme) => scheme !== undefined && scheme.paper !== backdrop) ?? paper;
}

/** The inks of the strip beside a drawing: not the ink behind it. */
export function stripFor({ strips: [first, second] }: Scheme, backdrop: Ink | undefined): StripInks {
  return first.paper === backdrop ? second : first;
}
