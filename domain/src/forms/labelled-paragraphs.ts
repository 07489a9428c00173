/** A label and what was answered under it. */
export type LabelledAnswer = readonly [label: string, answer: string];

/**
 * One text of several answers, each a paragraph under its label (specification §3).
 * @param answers - in the order in which they are to be read
 */
export function labelledParagraphs(answers: readonly LabelledAnswer[]): string {
  return answers.map(([label, answer]) => `${label}:\n${answer}`).join('\n\n');
}
