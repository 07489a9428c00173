import { expect } from 'chai';
import { git, readTexts } from './repository.ts';

/** The sections of each chapter of ASVS 5.0.0 that have requirements of level 1 or 2. */
const sections: Readonly<Record<number, readonly number[]>> = {
  1: [1, 2, 3, 4, 5],
  2: [1, 2, 3, 4],
  3: [2, 3, 4, 5, 7],
  4: [1, 2, 3, 4],
  5: [1, 2, 3, 4],
  6: [1, 2, 3, 4, 5, 6, 8],
  7: [1, 2, 3, 4, 5, 6],
  8: [1, 2, 3, 4],
  9: [1, 2],
  10: [1, 2, 3, 4, 5, 6, 7],
  11: [1, 2, 3, 4, 5, 6],
  12: [1, 2, 3],
  13: [1, 2, 3, 4],
  14: [1, 2, 3],
  15: [1, 2, 3],
  16: [1, 2, 3, 4, 5],
  17: [1, 2, 3],
};
const numbers = Object.entries(sections).flatMap(([chapter, own]) => own.map((section) => `V${chapter}.${section}`));

describe('docs/ASVS.md', () => {
  let text = '';
  let rows: readonly (readonly string[])[] = [];
  before(async () => {
    const lines = (await readTexts()).find(({ path }) => path === 'docs/ASVS.md')?.lines ?? [];
    text = lines.join('\n');
    rows = lines
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
  });
  const sectionRows = () => rows.filter(([first = '']) => /^V\d+\.\d+ /.test(first));
  const requirementRows = () => rows.filter(([first = '']) => /^V\d+\.\d+\.\d+$/.test(first));

  it('has each section of levels 1 and 2 once, in order, with a place and a test', () => {
    expect(sectionRows().map(([first = '']) => first.split(' ')[0])).to.deep.equal(numbers);
    for (const [section, place, test, ...others] of sectionRows()) {
      expect(others, section).to.deep.equal([]);
      if (place === 'does not apply') expect(test, section).to.equal('–');
      else expect(test, section).to.match(/^`[\w/.-]+\.test\.tsx?`(, `[\w/.-]+\.test\.tsx?`)*$/);
    }
  });

  it('has a state and a reason for each requirement that is not met, each once', () => {
    const listed = requirementRows().map(([number = '']) => number);
    expect(new Set(listed)).to.have.length(listed.length);
    expect(listed).to.have.length.above(0);
    for (const [number = '', asks, state, reason, ...others] of requirementRows()) {
      expect(others, number).to.deep.equal([]);
      expect(numbers).to.include(number.replace(/\.\d+$/, ''));
      expect(asks, number).to.match(/\S/);
      expect(state, number).to.be.oneOf(['open', 'does not apply']);
      expect(reason, number).to.match(/\S/);
    }
  });

  it('names files and folders of this repository only', async () => {
    const files = (await git('ls-files', '--cached', '--others', '--exclude-standard')).split('\n');
    const named = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]*)+|[\w.-]+\.(?:md|yml)|\.dockerignore|Dockerfile)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named).to.have.length.above(100);
    // The build and `make run` write these.
    const written = new Set(['frontend/dist', '.data/log']);
    const missing = named.filter(
      (path) =>
        !written.has(path) && !files.some((file) => file === path || file.startsWith(path.replace(/\/?$/, '/'))),
    );
    expect(missing).to.deep.equal([]);
  });
});
