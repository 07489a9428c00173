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
      'start-1.js': 'import"./shared-1.js"',
      'later-1.js': 'import"./much-1.js"',
      'preloaded-1.js': 'export{}',
      // Random, so that it cannot be compressed.
      'much-1.js': `"${randomBytes(scriptBudget).toString('base64')}"`,
    };
    for (const [name, code] of Object.entries(scripts)) await writeFile(join(site, 'assets', name), code);
  });

  after(() => rm(site, { recursive: true }));

  const namesOn = async (html: string) =>
    (await scriptsOfFirstVisit(site, html, 'start-1.js')).map(({ name }) => name).toSorted();

  it('are those that the page runs and that start the application, without dynamic imports', async () => {
    expect(await namesOn('<script type="module" crossorigin src="/assets/index-1.js"></script>')).to.deep.equal([
      'deep-1.js',
      'index-1.js',
      'shared-1.js',
      'start-1.js',
    ]);
  });

  it('include those that the page preloads', async () => {
    const html = '<link rel="modulepreload" crossorigin href="/assets/preloaded-1.js">';
    expect(await namesOn(html)).to.include('preloaded-1.js');
  });

  it('must not exceed the budget', async () => {
    const html = '<script type="module" src="/assets/index-1.js"></script>';
    await checkScriptBudget(site, html, 'start-1.js');
    const error = await checkScriptBudget(site, html, 'later-1.js').catch((reason: unknown) => reason);
    const expected = new RegExp(
      `Every page loads \\d+ bytes of script, more than ${scriptBudget}:\n.*much-1\\.js`,
      's',
    );
    expect(String(error)).to.match(expected);
  });
});
