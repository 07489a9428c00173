import { expect } from 'chai';
import { routes, staffShellPage } from '../build/staff-shell.ts';
import { pages } from '../src/app/pages.ts';
import { accountPage, loginPage, staffPages, staffPaths } from '../src/app/staff-pages.ts';

describe('the staff pages', () => {
  it('are those of docs/PRODUCT.md, with a path for each lead and recipe', () => {
    expect(staffPaths).to.deep.equal([
      '/admin/login',
      '/admin/dashboard',
      '/admin/leads',
      '/admin/leads/:id',
      '/admin/follow-ups',
      '/admin/recipes',
      '/admin/recipes/:id',
      '/admin/people',
      '/admin/team',
      '/admin/account',
    ]);
  });

  it('are served with one HTML file', () => {
    expect(JSON.parse(routes.content)).to.deep.equal({ 'admin.html': staffPaths });
  });

  it('have titles that are unique among all pages, including the public ones', () => {
    const titles = [...pages, loginPage, ...staffPages, accountPage].map(({ title }) => title);
    expect(new Set(titles).size).to.equal(titles.length);
  });

  it('start from a shell that is hidden from search engines', () => {
    const shell = '<html><head><title>Site</title></head><body><div id="root"></div></body></html>';
    const html = staffShellPage(shell, ['/assets/start-1.js']);
    expect(html).to.include('<title>Admin Portal – Dune &amp; Tide</title>');
    expect(html).to.include('<meta name="robots" content="noindex" />');
    expect(html).to.include('<link rel="modulepreload" crossorigin href="/assets/start-1.js">');
    expect(html).to.include('<noscript>');
    expect(html).to.not.match(/canonical|og:|<script/);
  });
});
