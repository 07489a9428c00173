import { type Recipe, recipeForm } from '@dune-tide/domain/forms/recipe';
import { expect } from 'chai';
import { renderToStaticMarkup } from 'react-dom/server';
import {
  changedFields,
  fieldsValidator,
  replacedFields,
  toFields,
  toRecipe,
} from '../src/features/recipes/recipe-fields.ts';
import { filterRecipes, noFilter, readFilter, writeFilter } from '../src/features/recipes/recipe-filter.ts';
import type { StoredRecipe } from '../src/features/recipes/recipes-api.ts';
import { renderMarkdown } from '../src/features/recipes/render-markdown.ts';

const recipe = (own: Partial<StoredRecipe> = {}): StoredRecipe => ({
  id: '6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a01',
  title: 'Kick-off',
  description: 'How a project begins',
  instructions: '# Call\nAsk.',
  category: 'process',
  difficulty: 'medium',
  tags: ['clients', 'calls'],
  tools: ['Notion'],
  notionPageUrl: null,
  estimatedTime: null,
  isPublic: false,
  createdAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:00.000Z',
  version: 1,
  ...own,
});

describe('the form of a recipe', () => {
  it('shows lists as comma-separated text, and splits and trims them', () => {
    const fields = toFields(recipe());
    expect(fields.tags).to.equal('clients, calls');
    expect(toRecipe({ ...fields, tags: ' a ,, b,c , ', tools: '' })).to.include({ title: 'Kick-off' });
    expect(toRecipe({ ...fields, tags: ' a ,, b,c , ', tools: '' })).to.deep.include({
      tags: ['a', 'b', 'c'],
      tools: [],
    });
  });

  it('starts with the values that an emptied field has, so that it is pristine', () => {
    expect(toFields(recipe({ tags: [], tools: [] }))).to.include({
      tags: undefined,
      tools: undefined,
      notionPageUrl: undefined,
      estimatedTime: undefined,
    });
  });

  it('is validated as the recipe that it describes', () => {
    const checked: unknown[] = [];
    const inner = Object.assign(
      (value: unknown) => {
        checked.push(value);
        return false;
      },
      { errors: [{ instancePath: '/tags/0', keyword: 'maxLength', params: {} }] },
    );
    const check = fieldsValidator(inner);
    expect(check({ ...toFields(recipe()), tags: 'a, b' })).to.equal(false);
    expect((checked[0] as Recipe).tags).to.deep.equal(['a', 'b']);
    expect(check.errors).to.equal(inner.errors);
  });

  it('sends no unchanged values', () => {
    const stored = recipe({ notionPageUrl: 'https://notion.so/a', estimatedTime: '1 day' });
    expect(changedFields(stored, toRecipe(toFields(stored)))).to.deep.equal({});
  });

  it('sends changed values, and null for emptied ones', () => {
    const stored = recipe({ notionPageUrl: 'https://notion.so/a' });
    const fields = { ...toFields(stored), title: 'Begin', notionPageUrl: '', tags: 'clients', isPublic: true };
    expect(changedFields(stored, toRecipe(fields))).to.deep.equal({
      title: 'Begin',
      notionPageUrl: null,
      tags: ['clients'],
      isPublic: true,
    });
  });

  it('overwrites the fields that the user changed, unless both made the same change', () => {
    const before = toRecipe(toFields(recipe()));
    const theirs = recipe({ title: 'Theirs', tags: ['agreed'], instructions: 'Their steps' });
    const mine = { ...before, title: 'Mine', tags: ['agreed'], tools: ['Pencil'] };
    expect(replacedFields(before, theirs, mine)).to.deep.equal(['title', 'tools']);
    expect(replacedFields(before, theirs, before), 'nothing of mine').to.deep.equal([]);
  });

  it('has every field of a recipe', () => {
    expect(Object.keys(toFields(recipe())).toSorted()).to.deep.equal(Object.keys(recipeForm.properties).toSorted());
  });
});

describe('the filter of the recipes', () => {
  const [kickOff, film, arabic] = [
    recipe(),
    recipe({
      id: '2',
      title: 'Café film',
      category: 'design',
      difficulty: 'hard',
      tags: ['video'],
      tools: ['DaVinci'],
    }),
    recipe({ id: '3', title: 'دليل الحملة', category: 'design', instructions: 'Steps', tags: [], tools: [] }),
  ];
  const all = [kickOff, film, arabic];
  const found = (filter: object) => filterRecipes(all, { ...noFilter, ...filter });

  it('matches all recipes if it is empty', () => {
    expect(found({})).to.deep.equal(all);
    expect(found({ text: '   ' })).to.deep.equal(all);
  });

  for (const [part, text] of [
    ['title', 'KICK'],
    ['description', 'project beg'],
    ['instructions', 'ask'],
    ['tags', 'clients'],
    ['tools', 'notion clients'],
  ] as const) {
    it(`searches the ${part}`, () => expect(found({ text })[0]).to.equal(kickOff));
  }

  it('requires every word, regardless of case and accents', () => {
    for (const text of ['cafe DAVINCI', 'cafe\u0301 ｄavinci', 'Ca\u200dfé']) {
      expect(found({ text }), text).to.deep.equal([film]);
    }
    expect(found({ text: 'cafe notion' })).to.deep.equal([]);
    expect(found({ text: 'الحملة' })).to.deep.equal([arabic]);
  });

  it('filters by category and difficulty', () => {
    expect(found({ category: 'design' })).to.deep.equal([film, arabic]);
    expect(found({ category: 'design', difficulty: 'hard' })).to.deep.equal([film]);
  });

  it('is restored from its URL', () => {
    for (const filter of [noFilter, { text: 'a & b?', category: 'client-management', difficulty: 'expert' }]) {
      expect(readFilter(writeFilter(filter))).to.deep.equal(filter);
    }
    expect(writeFilter(noFilter)).to.equal('');
    expect(writeFilter({ text: 'x', category: 'design', difficulty: 'hard' })).to.equal(
      '?q=x&category=design&difficulty=hard',
    );
  });

  it('ignores unknown categories and difficulties', () => {
    expect(readFilter('?category=toString&difficulty=%00&q=a')).to.deep.equal({ ...noFilter, text: 'a' });
  });
});

describe('rendered instructions', () => {
  const html = (text: string) => renderToStaticMarkup(renderMarkdown(text)).replace(/ class="[^"]*"/g, '');

  it('show Markdown with lists, tables and code', () => {
    const rendered = html('**b** *i* ~~s~~ `c`\n\n- x\n\n1. y\n\n|a|b|\n|-|-|\n|1|2|\n\n```\n<p>\n```\n\n- [x] done');
    for (const part of [
      '<strong>b',
      '<em>i',
      '<del>s',
      '<code>c',
      '<li dir="auto">x',
      '<ol>',
      '<th>a',
      '<td>2',
      '&lt;p&gt;',
    ]) {
      expect(rendered).to.include(part);
    }
    expect(rendered).to.include('aria-label="Done"');
  });

  for (const [what, text, levels] of [
    ['begin below the page', '# a\n## b', [3, 4]],
    ['leave no gap where levels are left out', '### a\n###### b\n# c', [3, 4, 3]],
    ['end at the last level', '# a\n## b\n### c\n#### d\n##### e', [3, 4, 5, 6, 6]],
  ] as const) {
    it(`have headings that ${what}`, () => {
      expect([...html(text).matchAll(/<h(\d)/g)].map(([, level]) => Number(level))).to.deep.equal(levels);
    });
  }

  for (const text of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x()">b</b>',
    '<iframe src="https://example.com"></iframe>',
    '<svg/onload=alert(1)>',
    '<style>*{}</style>',
  ]) {
    it(`show ${text} as text`, () => {
      expect(html(text)).to.not.match(/<(script|img|b|iframe|svg|style)\b/);
      expect(html(text)).to.include('&lt;');
    });
  }

  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#x6A;avascript:alert(1)',
    'java%0Ascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//example.com',
    '/api/admin/recipes',
    'https://bank.example@evil.example/',
  ]) {
    it(`do not link to ${address}`, () => {
      expect(html(`[text](<${address}>) ![picture](<${address}>) <${address}>`)).to.not.match(/<(a|img)\b/);
      expect(html(`[text][1]\n\n[1]: <${address}>`)).to.not.match(/<a\b/);
    });
  }

  it('link to web pages and email addresses without a referrer', () => {
    const rel = 'target="_blank" rel="noopener noreferrer nofollow"';
    expect(html('[t](https://example.com/a?b=c)')).to.include(`href="https://example.com/a?b=c" ${rel}>t</a>`);
    expect(html('<a@example.com>')).to.include(`href="mailto:a@example.com" ${rel}`);
    expect(html('www.example.com')).to.include(`href="http://www.example.com/" ${rel}`);
  });

  it('show a link instead of an image', () => {
    expect(html('![Board](https://example.com/b.png)'))
      .to.include('href="https://example.com/b.png"')
      .and.include('>Board</a>');
    expect(html('[![Board](https://a.example/b.png)](https://c.example)').match(/<a /g)).to.have.length(1);
    expect(html('![Board][1]\n\n[1]: https://example.com/b.png')).to.include('>Board</a>').and.not.include('<img');
  });

  it('show text that is nested too deeply as written', () => {
    expect(html('> '.repeat(10_000))).to.include('&gt; &gt; &gt;');
  }).timeout(30_000);
});
