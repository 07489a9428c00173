import type { CaseStudy } from '@dune-tide/domain/content/case-study';
import { caseStudyPath } from '@dune-tide/domain/content/case-study-heads';
import { fullPage, gutter, margin, narrow, page, readingColumn, row, stripHeight, wide, type Box } from '../grid.ts';
import { band, below, inkBox, rule, setText, type PageElement, type PageLayout } from '../layout.ts';
import { schemes, stripFor, type Scheme } from '../schemes.ts';
import { styles } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';
import { folio } from './folio.ts';
import { resultList, type ResultCell } from './results.ts';

type Side = 'left' | 'right';

/** The positions on a case study's page. */
interface Arrangement {
  readonly textSide: Side;
  readonly art: Box;
  /** The first and the last baseline of the story. */
  readonly story: { readonly top: number; readonly foot: number };
  /** A strip across the page, for the results. */
  readonly strip: Box;
}

/** Places the 4:3 picture in a corner of the page. Four consecutive pages use the four corners. */
function arrangement(index: number): Arrangement {
  const textSide = index % 2 === 0 ? 'left' : 'right';
  const stripSide = index % 4 < 2 ? 'bottom' : 'top';
  const artHeight = page.height - stripHeight;
  const y = stripSide === 'top' ? stripHeight : 0;
  return {
    textSide,
    art: { x: textSide === 'left' ? narrow : 0, y, width: wide, height: artHeight },
    story: { top: y + 54, foot: y + artHeight - margin.bottom },
    strip: { x: 0, y: stripSide === 'top' ? 0 : artHeight, width: page.width, height: stripHeight },
  };
}

/** Lays out category, title, client, description and tags, from top to bottom. The client leads to the page at `url`. */
function story(
  typesetter: Typesetter,
  study: CaseStudy,
  { textSide, story: { top, foot } }: Arrangement,
  scheme: Scheme,
  url: string,
): PageElement[] {
  const column = readingColumn(textSide, narrow);
  const category = setText(typesetter, study.category, styles.kicker, { ...column, baseline: top, ink: scheme.accent });
  const title = setText(typesetter, study.title, styles.title, {
    ...column,
    baseline: top + 54,
    bottom: top + 162,
    ink: scheme.ink,
    tag: 'H1',
  });
  const client = setText(typesetter, study.client, styles.client, {
    ...column,
    baseline: below(title, 31.5, row / 2),
    ink: scheme.ink,
    tag: 'Link',
    link: url,
  });
  const underline = rule(inkBox(client).x, client.baseline + 3, client.setWidth, scheme.ink);
  const description = setText(typesetter, study.description, styles.body, {
    ...column,
    baseline: below(client, 27, row / 2),
    bottom: foot - 27,
    ink: scheme.quiet,
  });
  const tags = setText(typesetter, study.tags.join(', '), styles.note, { ...column, baseline: foot, ink: scheme.ink });
  return [category, title, underline, client, description, rule(column.x, foot - 18, column.width, scheme.rule), tags];
}

/** Returns cells of equal width between `x` and `right`. */
function spread(x: number, right: number, baseline: number, count: number): ResultCell[] {
  const step = (right + gutter - x) / count;
  return Array.from({ length: count }, (_, index) => ({ x: x + index * step, baseline, width: step - gutter }));
}

/** Returns cells side by side along the strip. Up to three cells are placed so that one starts with the right column. */
function stripCells({ textSide, strip }: Arrangement, count: number): ResultCell[] {
  const baseline = strip.y + 63;
  const right = page.width - margin.side;
  if (count > 3) return spread(margin.side, right, baseline, count);
  const vertical = readingColumn('right', textSide === 'left' ? wide : narrow).x;
  const before = textSide === 'left' ? 1 : count - 1;
  return [
    ...spread(margin.side, vertical - gutter, baseline, before),
    ...spread(vertical, right, baseline, count - before),
  ];
}

/** Lays out the measured results in their strip. */
function results(
  typesetter: Typesetter,
  { metrics, art }: CaseStudy,
  places: Arrangement,
  scheme: Scheme,
): PageElement[] {
  const inks = stripFor(scheme, art.shapes[0]?.fill);
  const cells = stripCells(places, metrics.length);
  return [band(places.strip, inks.paper), resultList(typesetter, metrics, cells, inks)];
}

/**
 * Lays out the page of one case study.
 * @param index - its position among the case studies, on which the sides depend
 * @param pageNumber - counted from 1
 * @param publicUrl - the site's address
 */
export function caseStudyPage(
  typesetter: Typesetter,
  study: CaseStudy,
  index: number,
  pageNumber: number,
  publicUrl: string,
): PageLayout {
  const scheme = schemes[study.paper];
  const places = arrangement(index);
  const column = readingColumn(places.textSide, narrow);
  return {
    title: study.title,
    elements: [
      band(fullPage, scheme.paper),
      ...story(typesetter, study, places, scheme, new URL(caseStudyPath(study.slug), publicUrl).href),
      ...results(typesetter, study, places, scheme),
      { kind: 'picture', art: study.art, box: places.art },
      folio(typesetter, pageNumber, { ...column, baseline: places.story.top, ink: scheme.quiet }),
    ],
  };
}
