import type { Metric } from '@dune-tide/domain/content/case-study';
import { fits, setText, type Group } from '../layout.ts';
import type { StripInks } from '../schemes.ts';
import { styles, type TextStyle } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';

/** The place of one result; the baseline is its numeral's. */
export interface MetricCell {
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
}

/** From a numeral's baseline to its label's. */
const labelDistance = 22.5;

function item(
  typesetter: Typesetter,
  { value, label }: Metric,
  cell: MetricCell,
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
 * The results as a list: large numerals, all in the largest size that fits each of them, over what they count.
 * @param cells - one place for each result
 */
export function metricList(
  typesetter: Typesetter,
  metrics: readonly Metric[],
  cells: readonly MetricCell[],
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
