import { readFile } from 'node:fs/promises';
import { commandsOf } from '@dune-tide/e2e/docker-check/runbook';
import { expect } from 'chai';

describe('make docker-check', () => {
  let runbook: string;
  before(async () => {
    runbook = await readFile(new URL('../../../docs/RUNBOOK.md', import.meta.url), 'utf8');
  });

  it('finds the commands that it runs in the runbook', () => {
    expect(commandsOf(runbook, 'command')).to.match(/^docker compose run --rm api node .*staff\.js list\n/);
    expect(commandsOf(runbook, 'backup')).to.match(/ > \/mnt\/safe\/.*\.dump/);
    expect(commandsOf(runbook, 'restore')).to.match(/dropdb .*pg_restore .*docker compose up --detach/s);
  });

  it('fails if the runbook does not have exactly one paragraph of these commands', () => {
    const backup = '## Back up and restore\n\n```sh\ndocker compose exec -T postgres sh -s a\n```\n';
    expect(commandsOf(backup, 'backup')).to.equal('docker compose exec -T postgres sh -s a\n');
    expect(() => commandsOf(backup, 'restore')).to.throw('0 paragraphs');
    expect(() => commandsOf(`${backup}${backup.slice(backup.indexOf('```'))}`, 'backup')).to.throw('2 paragraphs');
    // The same commands in another section do not count.
    expect(() => commandsOf(backup.replace('restore', 'keep'), 'backup')).to.throw('0 paragraphs');
  });
});
