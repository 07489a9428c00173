import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readTexts } from './repository.ts';

/** Words that make a reader stop, with a plain replacement (CONTRIBUTING.md, "English"). */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bwho(ever|soever|mever)\b/i, 'name the actor: staff, the visitor, a caller'],
  [/\b(some|no)body('s)?\b/i, 'name the actor, or "no one"'],
  [/\bat once\b/i, '"immediately" or "concurrently"'],
  [/\banew\b/i, '"again"'],
  [/\b(is|are) no (?!longer\b)/i, '"does not", "not a", "none"'],
  [/\bbegun\b/i, '"started"'],
  [/\bmeanwhile\b/i, '"in the meantime", only where time matters'],
  [/^\s*(\/\/|\/\*\*?|#|\*|--)\s*(Of|By|As|What|Who|Whose|That which) /, 'start with a verb or with what the thing is'],
];

/** Places that keep a banned word, as `path: a part of the line`. */
async function readExceptions(): Promise<ReadonlySet<string>> {
  const text = await readFile(new URL('prose-exceptions.txt', import.meta.url), 'utf8');
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
}

const checked = new Set(['e2e/test/texts/prose.test.ts', 'e2e/test/texts/prose-exceptions.txt']);

/** Lists each use of a banned pattern, as `path:line: text`. */
function findBanned(
  path: string,
  lines: readonly string[],
): readonly { place: string; line: string; instead: string }[] {
  return lines.flatMap((line, index) =>
    banned
      .filter(([pattern]) => pattern.test(line))
      .map(([, instead]) => ({ place: `${path}:${index + 1}`, line: line.trim(), instead })),
  );
}

describe('the English of code and documents', () => {
  it('uses plain words', async () => {
    const exceptions = await readExceptions();
    const used = new Set<string>();
    const found: string[] = [];
    for (const { path, lines } of await readTexts()) {
      if (checked.has(path)) continue;
      for (const { place, line, instead } of findBanned(path, lines)) {
        const exception = [...exceptions].find((each) => {
          const [file, part] = split(each);
          return file === path && line.includes(part);
        });
        if (exception === undefined) found.push(`${place}: ${line}  [${instead}]`);
        else used.add(exception);
      }
    }
    expect(found.join('\n')).to.equal('');
    expect(
      [...exceptions].filter((each) => !used.has(each)),
      'unused exceptions',
    ).to.deep.equal([]);
  });

  it('is checked by patterns that find every kind of banned phrase', () => {
    const samples = [
      'Whoever asks.',
      'Nobody knows.',
      'Ends at once.',
      'Begins anew.',
      'There is no file.',
      'It has begun.',
      'Meanwhile, it waits.',
      '  // By what waits',
    ];
    for (const sample of samples) expect(findBanned('x', [sample]), sample).to.have.lengthOf(1);
    expect(findBanned('x', ['It is no longer used.', 'Returns the rows of a page.'])).to.deep.equal([]);
  });
});

function split(exception: string): readonly [file: string, part: string] {
  const colon = exception.indexOf(': ');
  return [exception.slice(0, colon), exception.slice(colon + 2)];
}
