import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLogFile } from '../src/log-file.ts';

describe('the log of the local stack', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'log-'));
    path = join(directory, 'stack.log');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('continues the file of the last start, which only its owner can read', async () => {
    for (const line of ['one\n', 'two\n']) {
      const log = openLogFile(path);
      log.write(line);
      await log.close();
    }
    expect(await readFile(path, 'utf8')).to.equal('one\ntwo\n');
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('keeps a limited number of files of a limited size, with the newest lines', async () => {
    await writeFile(path, 'x'.repeat(95));
    const lines = Array.from({ length: 100 }, (_, index) => `line ${String(index).padStart(3, '0')}\n`);
    for (const line of lines) {
      const log = openLogFile(path, { fileBytes: 100, files: 3 });
      log.write(line);
      await log.close();
    }
    expect(await readdir(directory)).to.have.members(['stack.log', 'stack.log.1', 'stack.log.2']);
    const texts = await Promise.all(['.2', '.1', ''].map((age) => readFile(path + age, 'utf8')));
    for (const text of texts) expect(text.length).to.be.within(1, 100);
    expect(lines.join('')).to.satisfy((all: string) => all.endsWith(texts.join('')));
    expect(texts.join('').length).to.be.above(200);
  });

  it('loses lines while it cannot be written, reports it once, and continues afterwards', async () => {
    const errors: string[] = [];
    const log = openLogFile(path, { onError: (code) => errors.push(code) });
    const written = async (text: string): Promise<void> => {
      log.write(text);
      await log.close();
    };
    for (let outage = 1; outage <= 2; outage++) {
      await written('before\n');
      await rm(path);
      await mkdir(path);
      await written('lost\n');
      await written('lost too\n');
      await rmdir(path);
      await written('after\n');
      const [empty, notice, ...rest] = (await readFile(path, 'utf8')).split('\n');
      expect(empty).to.equal('');
      expect(JSON.parse(notice ?? '')).to.include({ level: 'warn', msg: 'log lines lost', bytes: 14 });
      expect(rest).to.deep.equal(['after', '']);
      expect(errors).to.have.length(outage);
    }
  });

  it('keeps a limited amount of text that waits to be written', async () => {
    const log = openLogFile(path);
    for (let line = 0; line < 30; line++) log.write('x'.repeat(99_999) + '\n');
    await log.close();
    const text = await readFile(path, 'utf8');
    expect(text).to.include('"bytes":2000000,"msg":"log lines lost"');
    expect(text.length).to.be.within(1_000_000, 1_000_200);
  });
});
