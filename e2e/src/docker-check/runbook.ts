/** The commands of the runbook that the check runs: the section, and a text that only their code block contains. */
const paragraphs = {
  command: ['Deploy with Docker', 'staff.js list'],
  backup: ['Back up and restore', 'docker compose exec -T postgres sh -s'],
  restore: ['Back up and restore', 'docker compose exec -T postgres pg_restore'],
} as const;

export type RunbookCommands = keyof typeof paragraphs;

/**
 * Returns the commands of an operator from the runbook, so that the check runs what the page says.
 * @param text - docs/RUNBOOK.md
 * @throws if the runbook does not have exactly one paragraph of them
 */
export function commandsOf(text: string, commands: RunbookCommands): string {
  const [heading, part] = paragraphs[commands];
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.flatMap((block) => block.split(/\n{2,}/)).filter((paragraph) => paragraph.includes(part));
  const [paragraph] = found;
  if (paragraph === undefined || found.length > 1) {
    throw new Error(`The runbook's section "${heading}" has ${found.length} paragraphs of commands with "${part}"`);
  }
  return paragraph;
}
