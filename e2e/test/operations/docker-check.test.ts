import { readFile } from 'node:fs/promises';
import { checkedCommands, commandsOf, overrideOf, paragraphsOf, sectionOf } from '@dune-tide/e2e/docker-check/runbook';
import { previousRelease } from '@dune-tide/db/schema';
import { expect } from 'chai';
import { parse } from 'yaml';

describe('make docker-check', () => {
  let runbook: string;
  before(async () => {
    runbook = await readFile(new URL('../../../docs/RUNBOOK.md', import.meta.url), 'utf8');
  });

  it('runs every block for Docker of the sections that change an installation', () => {
    const checked = checkedCommands.map((each) => commandsOf(runbook, each));
    expect(new Set(checked)).to.have.lengthOf(checkedCommands.length);
    for (const heading of [
      'Upgrade',
      'Backup and restore',
      'Mail server down',
      'Disk full',
      'Someone left the team',
      'Deploy with Docker',
      'Docker with external servers',
      'Rollback of a migration',
      'Metrics and alerts',
      'Rotate keys',
    ]) {
      const paragraphs = paragraphsOf(sectionOf(runbook, heading));
      expect(paragraphs, heading).to.have.length.above(0);
      expect(checked, heading).to.include.members(paragraphs);
    }
    expect(parse(overrideOf(runbook))).to.have.property('services');
  });

  it('goes back to the commit of the previous release', () => {
    expect(commandsOf(runbook, 'goBack')).to.include(`git checkout ${previousRelease.commit} `);
    expect(commandsOf(runbook, 'rollback')).to.match(
      new RegExp(`--back-to-release ${previousRelease.version} --yes && git checkout ${previousRelease.commit}\\n$`),
    );
  });

  it('fails if the runbook does not have exactly one paragraph of these commands', () => {
    const backup = '## Backup and restore\n\n```sh\nscripts/compose-backup.sh\n```\n';
    expect(commandsOf(backup, 'backup')).to.equal('scripts/compose-backup.sh\n');
    expect(() => commandsOf(backup, 'restore')).to.throw('0 paragraphs');
    expect(() => commandsOf(`${backup}${backup.slice(backup.indexOf('```'))}`, 'backup')).to.throw('2 paragraphs');
    // The same commands in another section do not count.
    expect(() => commandsOf(backup.replace('restore', 'keep'), 'backup')).to.throw('0 paragraphs');
  });
});
