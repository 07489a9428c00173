/** An answer and its label. */
export type LabelledAnswer = readonly [label: string, answer: string];

/**
 * Joins answers into one text.
 * @param answers - in the order of the text
 * @returns one paragraph for each answer, under its label
 */
export function labelledParagraphs(answers: readonly LabelledAnswer[]): string {
  return answers.map(([label, answer]) => `${label}:\n${answer}`).join('\n\n');
}
