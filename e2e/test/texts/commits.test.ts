import { expect } from 'chai';
import { git } from './repository.ts';

/** The last commit before the format applied. */
const before = 'ee7711d180c06f943302d523938cf8e50147cce3';

/** Describes what is wrong with a commit's message (CONTRIBUTING.md, "Commits"); undefined when nothing is. */
function findFault(subject: string, body: string): string | undefined {
  if (subject.length > 72) return `the subject has ${subject.length} characters, 72 are allowed`;
  if (!/^[a-z][a-z0-9 ,-]*: \S/.test(subject)) return 'the subject is not "area: imperative summary"';
  if (subject.endsWith('.')) return 'the subject ends with a full stop';
  if (/^[a-z0-9 ,-]+: \w+(ed|ing)\b/.test(subject) && !/: (embed|feed|need|speed|seed|bring|string)\b/.test(subject)) {
    return 'the summary is not an imperative';
  }
  if (body.trim() === '') return 'the body gives no reason';
  return undefined;
}

describe('the commits', () => {
  it('have the form that CONTRIBUTING.md states', async () => {
    // A shallow clone may not have that commit.
    const known = await git('cat-file', '-e', before).then(
      () => true,
      () => false,
    );
    const log = await git('log', '--no-merges', '--format=%h%x1f%s%x1f%b%x1e', known ? `${before}..HEAD` : '-1');
    const commits = log.split('\x1e').map((entry) => entry.trim().split('\x1f'));
    const faults = commits.flatMap(([hash = '', subject = '', body = '']) => {
      const fault = hash === '' ? undefined : findFault(subject, body);
      return fault === undefined ? [] : [`${hash} ${subject}: ${fault}`];
    });
    expect(faults).to.deep.equal([]);
  });

  it('are rejected if their message has another form', () => {
    expect(findFault('leads: add a status history', 'Staff need it.')).to.equal(undefined);
    expect(findFault('Add a status history', 'Staff need it.')).to.match(/area/);
    expect(findFault('leads: add a status history.', 'Staff need it.')).to.match(/full stop/);
    expect(findFault('leads: added a status history', 'Staff need it.')).to.match(/imperative/);
    expect(findFault(`leads: ${'x'.repeat(70)}`, 'Staff need it.')).to.match(/72/);
    expect(findFault('leads: add a status history', '')).to.match(/reason/);
  });
});
