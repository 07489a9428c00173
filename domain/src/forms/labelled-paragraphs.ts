/** A value with its label. */
export interface LabelledText {
  readonly label: string;
  readonly text: string;
}

/**
 * Joins labelled texts into one text.
 * @param texts - in the order of the result
 * @returns one paragraph for each text, under its label
 */
export function labelledParagraphs(texts: readonly LabelledText[]): string {
  return texts.map(({ label, text }) => `${label}:\n${text}`).join('\n\n');
}
