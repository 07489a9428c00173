import { brand, type Ink } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { setText, type TextBlock } from '../layout.ts';
import { styles } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';

/** The pages of the portfolio: the cover, the case studies, the services and the contact page. */
const pageCount = caseStudies.length + 3;

/** The place of a folio: right-aligned on the first line of a column of text. */
export interface FolioPlace {
  readonly x: number;
  readonly width: number;
  readonly baseline: number;
  readonly ink: Ink;
}

/**
 * Lays out the studio's name, the page number and the number of pages.
 * @param number - the page number, counted from 1
 */
export function folio(typesetter: Typesetter, number: number, { x, width, baseline, ink }: FolioPlace): TextBlock {
  const ownWidth = 120;
  return setText(typesetter, `${brand.name}  ${number}/${pageCount}`, styles.note, {
    x: x + width - ownWidth,
    width: ownWidth,
    baseline,
    ink,
    tag: 'Artifact',
    align: 'right',
  });
}
