import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkScriptBudget, scriptBudget, scriptsOfFirstVisit } from '../build/first-visit.ts';

describe('the scripts of a first visit', () => {
  let site: string;

  before(async () => {
    site = await mkdtemp(join(tmpdir(), 'site-'));
    await mkdir(join(site, 'assets'));
    const scripts = {
      'index-1.js': 'import{a}from"./shared-1.js";import("./later-1.js");',
      'shared-1.js': 'import"./deep-1.js";export const a=1',
      'deep-1.js': 'export{b as c}from"./index-1.js";',
      'later-1.js': 'import"./much-1.js"',
      'idle-1.js': 'import"./much-1.js"',
      'preloaded-1.js': 'export{}',
      // Random, so that nothing is won by compressing it.
      'much-1.js': `"${randomBytes(scriptBudget).toString('base64')}"`,
    };
    for (const [name, code] of Object.entries(scripts)) await writeFile(join(site, 'assets', name), code);
  });

  after(() => rm(site, { recursive: true }));

  const namesOn = async (html: string) => (await scriptsOfFirstVisit(site, html)).map(({ name }) => name).toSorted();

  it('are those that the page runs with all that they import, but not what they load on demand', async () => {
    expect(await namesOn('<script type="module" crossorigin src="/assets/index-1.js"></script>')).to.deep.equal([
      'deep-1.js',
      'index-1.js',
      'shared-1.js',
    ]);
  });

  it('are those that it preloads, too', async () => {
    const html = '<link rel="modulepreload" crossorigin href="/assets/preloaded-1.js">';
    expect(await namesOn(html)).to.deep.equal(['preloaded-1.js']);
  });

  it('are those that it fetches while the visitor reads, each alone', async () => {
    const html = '<meta name="idle-scripts" content="/assets/idle-1.js /assets/preloaded-1.js" />';
    expect(await namesOn(html)).to.deep.equal(['idle-1.js', 'preloaded-1.js']);
  });

  it('may weigh no more than the budget', async () => {
    await writeFile(join(site, 'light.html'), '<script type="module" src="/assets/index-1.js"></script>');
    await checkScriptBudget(site, 'light.html');
    await writeFile(join(site, 'heavy.html'), '<script type="module" src="/assets/later-1.js"></script>');
    const error = await checkScriptBudget(site, 'heavy.html').catch((reason: unknown) => reason);
    expect(String(error)).to.match(/heavy\.html loads \d+ bytes of script, more than 130000:\n.*much-1\.js/s);
  });
});
