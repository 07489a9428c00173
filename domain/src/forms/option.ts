/** One entry of a selection: what is sent and what is shown. */
export interface Option {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** Options whose label is also the value that is sent. */
export function options<const Label extends string>(
  ...labels: Label[]
): readonly (Option & { readonly value: Label })[] {
  return labels.map((label) => ({ value: label, label }));
}
