import type { Option } from '@dune-tide/domain/forms/option';

/** Returns the label of an option, or the value itself if no option has it. */
export const optionLabel = (options: readonly Option[], value: string): string =>
  options.find((option) => option.value === value)?.label ?? value;
