import { createProgress, progressOf } from '@dune-tide/platform/progress';
import { expect } from 'chai';

describe('The progress of a command', () => {
  const written: string[] = [];
  const output = (isTTY: boolean, columns = 80) => ({
    isTTY,
    columns,
    write: (text: string) => written.push(text) > 0,
  });
  beforeEach(() => written.splice(0));

  it('replaces one line of a terminal and removes it at the end', () => {
    const progress = createProgress(output(true));
    progress.show('Storing leads');
    progress.clear();
    progress.show(`Storing leads, ${progressOf(12_000, 50_000)}`);
    progress.clear();
    expect(written.map((text) => text.replace(/\d+ s/, 'N s'))).to.deep.equal([
      '\r\x1b[KStoring leads (N s)',
      '\r\x1b[K',
      '\r\x1b[KStoring leads, 12,000 of 50,000 (N s)',
      '\r\x1b[K',
    ]);
  });

  it('never wraps', () => {
    const progress = createProgress(output(true, 20));
    progress.show('x'.repeat(200));
    progress.clear();
    expect(written[0]).to.equal(`\r\x1b[K${'x'.repeat(19)}`);
  });

  it('writes nothing to a file or a pipe', () => {
    const progress = createProgress(output(false));
    progress.show('Storing leads');
    progress.clear();
    expect(written).to.deep.equal([]);
  });
});
