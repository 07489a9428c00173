/** The commands of the runbook that the check runs: the section, and a text that only their paragraph contains. */
const paragraphs = {
  upgrade: ['Upgrade', 'scripts/compose-images.sh'],
  goBack: ['Upgrade', 'git checkout 12be1d2b'],
  backup: ['Backup and restore', 'scripts/compose-backup.sh'],
  restore: ['Backup and restore', 'pg_restore'],
  waitingEmails: ['Mail server down', 'list pending'],
  diskFull: ['Disk full', 'docker system df'],
  leave: ['Someone left the team', 'deactivate'],
  install: ['Deploy with Docker', 'git clone'],
  externalServers: ['Docker with external servers', '--force-recreate'],
  rollbackList: ['Rollback of a migration', 'git checkout NEW'],
  rollback: ['Rollback of a migration', '--yes'],
  monitoring: ['Metrics and alerts', '--profile monitoring'],
  rotation: ['Rotate keys', 'deploy/secrets/session-keys'],
} as const;

export type RunbookCommands = keyof typeof paragraphs;

/** All commands that the check runs. */
export const checkedCommands = Object.keys(paragraphs) as readonly RunbookCommands[];

/** Returns the paragraphs of all shell blocks in a section, or on the whole page. */
export function paragraphsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) => block.split(/\n{2,}/));
}

/** Returns the text of a section of the page; empty if there is none. */
export const sectionOf = (text: string, heading: string): string =>
  text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';

/**
 * Returns the commands of an operator from the runbook, so that the check runs what the page says.
 * @param text - docs/RUNBOOK.md
 * @throws if the runbook does not have exactly one paragraph of them
 */
export function commandsOf(text: string, commands: RunbookCommands): string {
  const [heading, part] = paragraphs[commands];
  const found = paragraphsOf(sectionOf(text, heading)).filter((paragraph) => paragraph.includes(part));
  const [paragraph] = found;
  if (paragraph === undefined || found.length > 1) {
    throw new Error(`The runbook's section "${heading}" has ${found.length} paragraphs of commands with "${part}"`);
  }
  return paragraph;
}

/** Returns the settings of the section about external servers, for docker-compose.override.yml. */
export function overrideOf(text: string): string {
  const [, override] = /^```yaml\n(.*?)^```/ms.exec(sectionOf(text, 'Docker with external servers')) ?? [];
  if (override === undefined) throw new Error('The runbook has no settings for external servers');
  return override;
}
