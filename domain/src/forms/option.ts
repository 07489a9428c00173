/** An entry of a selection: `value` is sent, `label` is shown. */
export interface Option {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** Returns the label of an option, or the value itself if no option has it. */
export const optionLabel = (choices: readonly Option[], value: string): string =>
  choices.find((option) => option.value === value)?.label ?? value;

/** Creates options that send their label. */
export function options<const Label extends string>(
  ...labels: Label[]
): readonly (Option & { readonly value: Label })[] {
  return labels.map((label) => ({ value: label, label }));
}
