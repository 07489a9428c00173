import { brand, type Ink } from '@dune-tide/domain/brand';
import { setText, type TextBlock } from '../layout.ts';
import { styles } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';

/** The place of a folio: right-aligned on the first line of a column of text. */
export interface FolioPlace {
  readonly x: number;
  readonly width: number;
  readonly baseline: number;
  readonly ink: Ink;
}

/**
 * Lays out the studio's name and the page number.
 * @param number - the page number, counted from 1
 */
export function folio(typesetter: Typesetter, number: number, { x, width, baseline, ink }: FolioPlace): TextBlock {
  const ownWidth = 120;
  return setText(typesetter, `${brand.name}, ${number}`, styles.note, {
    x: x + width - ownWidth,
    width: ownWidth,
    baseline,
    ink,
    tag: 'Artifact',
    align: 'right',
  });
}
