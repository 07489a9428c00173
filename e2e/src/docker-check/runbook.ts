/**
 * Returns the commands of an operator from the runbook, so that the check runs what the page says.
 * @param text - docs/RUNBOOK.md
 * @param heading - the section, such as `Back up and restore`
 * @param part - a text that only the wanted paragraph of the section's code contains
 * @throws if not exactly one paragraph contains it
 */
export function commandsOf(text: string, heading: string, part: string): string {
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.flatMap((block) => block.split(/\n{2,}/)).filter((paragraph) => paragraph.includes(part));
  if (found.length !== 1) {
    throw new Error(`The runbook's section "${heading}" has ${found.length} paragraphs of commands with "${part}"`);
  }
  return found[0] ?? '';
}
