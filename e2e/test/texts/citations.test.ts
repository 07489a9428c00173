import { access } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { readTexts, root, type TextFile } from './repository.ts';

const headingsOf = ({ lines }: TextFile): readonly string[] =>
  lines.flatMap((line) => /^#{1,6} (.+)$/.exec(line)?.[1]?.trim() ?? []);

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Joins comment lines, so that a citation may be broken over two. */
const joined = ({ lines }: TextFile): string =>
  lines
    .map((line) => line.replace(/^\s*(\*|\/\/|#|--)\s?/, ' '))
    .join(' ')
    .replaceAll(/\s+/g, ' ');

describe('the citations', () => {
  let texts: readonly TextFile[] = [];
  const fileAt = (path: string): TextFile | undefined => texts.find((text) => text.path === path);
  before(async () => {
    texts = await readTexts();
  });

  it('name headings that exist', () => {
    const faults = texts.flatMap((text) =>
      [...joined(text).matchAll(/\b((?:docs\/)?[A-Z]+\.md)((?:, "[^"]+")+)/g)].flatMap(([, file = '', quoted = '']) => {
        const cited = fileAt(file) ?? fileAt(`docs/${file}`);
        const headings = cited ? headingsOf(cited) : [];
        return [...quoted.matchAll(/"([^"]+)"/g)]
          .map(([, heading = '']) => heading)
          .filter((heading) => !headings.includes(heading))
          .map((heading) => `${text.path}: ${file}, "${heading}"`);
      }),
    );
    expect(faults).to.deep.equal([]);
  });

  it('name decision records that exist', () => {
    const records = new Set(texts.flatMap(({ path }) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []));
    const faults = texts.flatMap((text) =>
      [...joined(text).matchAll(/\b(?:ADR|decisions?|record) (\d{4})\b/g)]
        .filter(([, number = '']) => !records.has(number))
        .map(([cited]) => `${text.path}: ${cited}`),
    );
    expect(faults).to.deep.equal([]);
  });

  it('name documents of this repository only', () => {
    const outside =
      /\(?\b(specification|decisions|reliability|architecture|visual)[,;]? ("|§)|\bspec(-2)?\.md\b|(?<!RFC \d{4}.{0,160})§ ?\d/;
    const faults = texts
      .filter(({ path }) => !path.startsWith('e2e/test/texts/'))
      .flatMap((text) => {
        const cited = outside.exec(joined(text));
        return cited === null ? [] : [`${text.path}: ${cited[0]}`];
      });
    expect(faults).to.deep.equal([]);
  });

  it('in Markdown link to files and headings that exist', async () => {
    const faults: string[] = [];
    for (const text of texts.filter(({ path }) => path.endsWith('.md'))) {
      const prose = text.lines.join('\n').replaceAll(/^```[\s\S]*?^```/gm, '');
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const path = file === '' ? text.path : normalize(join(dirname(text.path), file));
        const exists = await access(join(root, path)).then(
          () => true,
          () => false,
        );
        const cited = fileAt(path);
        const found = exists && (anchor === undefined || (cited && headingsOf(cited).map(anchorOf).includes(anchor)));
        if (!found) faults.push(`${text.path}: ${target}`);
      }
    }
    expect(faults).to.deep.equal([]);
  });
});
