import type { Metric } from '@dune-tide/domain/content/case-study';
import { fits, setText, type Group } from '../layout.ts';
import type { StripInks } from '../schemes.ts';
import { styles, type TextStyle } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';

/** The place of one result. `baseline` is the baseline of its number. */
export interface ResultCell {
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
}

/** The distance from the baseline of a number to that of its label. */
const labelDistance = 22.5;

function item(
  typesetter: Typesetter,
  { value, label }: Metric,
  cell: ResultCell,
  size: TextStyle,
  inks: StripInks,
): Group {
  return {
    kind: 'group',
    tag: 'LI',
    elements: [
      setText(typesetter, value, [size], { ...cell, ink: inks.numeral, tag: 'LBody' }),
      setText(typesetter, label, styles.label, {
        ...cell,
        baseline: cell.baseline + labelDistance,
        ink: inks.label,
        tag: 'LBody',
      }),
    ],
  };
}

const allFit = (items: readonly Group[]) =>
  items.every(({ elements }) => elements.every((element) => element.kind === 'text' && fits(element)));

/**
 * Lays out the results as a list of large numbers above their labels. All numbers have the same size, the largest in
 * which each of them fits.
 * @param cells - one place for each result
 */
export function resultList(
  typesetter: Typesetter,
  metrics: readonly Metric[],
  cells: readonly ResultCell[],
  inks: StripInks,
): Group {
  const settings = styles.numeral.map((size) =>
    cells.flatMap((cell, index) => {
      const metric = metrics[index];
      return metric === undefined ? [] : [item(typesetter, metric, cell, size, inks)];
    }),
  );
  return { kind: 'group', tag: 'L', elements: settings.find(allFit) ?? settings.at(-1) ?? [] };
}
