import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { paragraphsOf, sectionOf } from '@dune-tide/e2e/docker-check/runbook';
import { migrations, previousRelease, releases } from '@dune-tide/db/schema';
import { settingRules } from '@dune-tide/platform/settings';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { hangLimitSeconds } from '@dune-tide/testkit/until';
import { expect } from 'chai';

const root = new URL('../../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');

describe("the operators' documents", () => {
  for (const file of ['docs/RUNBOOK.md', 'docs/CONFIGURATION.md', 'README.md', 'CONTRIBUTING.md']) {
    it(`mention only programs, files, commands and settings that exist: ${file}`, async () => {
      const text = await read(file);
      const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, word = '']) => word);

      const programs = all(/node (?:--env-file=\S+ )?(\w+\/dist\/src\/[\w-]+)\.js/g);
      for (const program of programs) await access(new URL(`${program.replace('/dist/', '/')}.ts`, root));
      for (const path of all(/\b((?:deploy|scripts)\/[\w/.-]+\w)/g)) {
        // A script creates these.
        if (!path.startsWith('deploy/secrets')) await access(new URL(path, root));
      }
      for (const [, path = ''] of text.matchAll(/\]\((?!http|#)([^)#]+)/g))
        await access(new URL(path, new URL(file, root)));

      const makefile = await read('Makefile');
      for (const target of all(/(?:`|^|; )make ([a-z-]+)/gm)) expect(makefile).to.match(new RegExp(`^${target}:`, 'm'));
      for (const version of all(/--back-to-release (\d\S+)/g)) expect(version).to.equal(previousRelease.version);
      const compose = [...(await read('docker-compose.yml')).matchAll(/\$\{(\w+):-/g)].map(([, name]) => name);
      // Read by the site's build, Node.js and make docker-check; NAME_FILE stands for any setting.
      const others = ['SITE_URL', 'NODE_EXTRA_CA_CERTS', 'DOCKER_CHECK_FOLDER', 'NAME'];
      const settings = [...Object.keys(settingRules), ...compose, ...others];
      for (const name of all(/`([A-Z]+_[A-Z_]+)`/g)) expect(settings).to.include(name.replace(/_FILE$/, ''));
    });
  }
});

describe('the runbook', () => {
  it('begins with the five bad days, each at most 20 lines, and has at most 450 lines', async () => {
    const text = await read('docs/RUNBOOK.md');
    expect(text.trimEnd().split('\n').length).to.be.at.most(450);
    const [, ...sections] = text.split(/^## /m);
    const days = sections.slice(0, 5).map((section) => section.trimEnd().split('\n'));
    expect(days.map(([heading]) => heading)).to.deep.equal([
      'Upgrade',
      'Backup and restore',
      'Mail server down',
      'Disk full',
      'Someone left the team',
    ]);
    for (const [heading, ...lines] of days) expect(lines.length + 1, heading).to.be.at.most(20);
  });

  it('has only blocks that a shell can read', async () => {
    for (const paragraph of paragraphsOf(await read('docs/RUNBOOK.md'))) {
      const shell = promisify(execFile)('sh', ['-n'], { timeout: hangLimitSeconds * 1000 });
      shell.child.stdin?.end(paragraph);
      await shell;
    }
  });

  it('names no git tag, because releases are commits', async () => {
    for (const file of ['docs/RUNBOOK.md', 'README.md', 'CONTRIBUTING.md', 'docs/SCALING.md']) {
      for (const [, name] of (await read(file)).matchAll(/git checkout (\S+)/g)) {
        expect(['NEW', ...releases.map(({ commit }) => commit)], file).to.include(name);
      }
    }
  });
});

describe("the runbook's query for guessed passwords", () => {
  const test = withTestDatabase();

  it('counts the refused sign-ins of an account by network', async () => {
    const section = sectionOf(await read('docs/RUNBOOK.md'), 'Guessed passwords and floods');
    const [, query = ''] = /--command "(.*?)"/s.exec(section) ?? [];
    const { database } = test();
    const { id, username } = await addAccount(database);
    for (const at of ['0 hours', '1 hour', '2 days']) {
      await database('audit_log').insert({
        action: 'sign_in_refused',
        actor: 'unknown',
        subject_id: id,
        at: database.raw('now() - ?::interval', at),
      });
    }
    const { rows } = await database.raw<{ rows: readonly object[] }>(query);
    expect(rows).to.deep.equal([{ action: 'sign_in_refused', username, network: null, count: '2' }]);
  });
});

describe('the list of releases', () => {
  it('equals the releases of CHANGELOG.md', async () => {
    const headings = /^## \[(\d\S*)\] - \S+\n\nCommit (\w+), migration (\S+)\.$/gm;
    const named = [...(await read('CHANGELOG.md')).matchAll(headings)].map(([, version, commit, lastMigration]) => ({
      version,
      commit,
      lastMigration,
    }));
    expect(named.toReversed()).to.deep.equal(releases);
  });

  it('names only migrations that exist, in their order', () => {
    const names = migrations.map(({ name }) => name);
    const places = releases.map(({ lastMigration }) => names.indexOf(lastMigration));
    expect(places).to.not.include(-1);
    expect(places).to.deep.equal(places.toSorted((a, b) => a - b));
  });
});
