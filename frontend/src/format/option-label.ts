import type { Option } from '@dune-tide/domain/forms/option';

/** What is shown for a value of a selection; a value that is none of its entries is shown as it is. */
export const optionLabel = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;
