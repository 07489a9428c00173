import type { Ink } from '@dune-tide/domain/brand';

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

/** The schemes of the case studies. In this order, each page differs from its picture and from its neighbours. */
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
 * Returns the colours of a case study's page.
 * @param index - its position in the portfolio
 * @param backdrop - the background of its drawing; the page has another one, so that the edge of the picture is visible
 */
export function schemeFor(index: number, backdrop: Ink | undefined): Scheme {
  const choices = turn.map((_, step) => turn[(index + step * 2) % turn.length]);
  return choices.find((scheme) => scheme !== undefined && scheme.paper !== backdrop) ?? paper;
}

/** Returns the colours of the strip beside a drawing. The strip and the drawing have different backgrounds. */
export function stripFor({ strips: [first, second] }: Scheme, backdrop: Ink | undefined): StripInks {
  return first.paper === backdrop ? second : first;
}
