import { expect } from 'chai';
import { textOfInstructions } from '../src/features/recipes/instructions-text.ts';

describe('the instructions of a recipe in an email', () => {
  for (const [name, markdown, text] of [
    [
      'without marks',
      '# **When** we start\n\nA *kind* `reply`, ~~not~~ \\*this\\* &amp; that,\nLayla',
      'When we start\n\nA kind reply, not *this* & that,\nLayla',
    ],
    ['a list with dashes', '* one\n* **two**\n  + nested\n  + more\n', '- one\n- two\n  - nested\n  - more'],
    ['a list with its numbers', '3. three\n3. four\n   - and', '3. three\n4. four\n   - and'],
    ['lists one after the other', '- a\n\n* b\n\n1. c', '- a\n\n- b\n\n1. c'],
    ['a list of paragraphs', '- one\n\n  more\n\n- two', '- one\n\n  more\n\n- two'],
    ['tasks', '- [x] done\n- [ ] to do', '- done\n- to do'],
    [
      'links with their addresses',
      '[Our work](https://example.com/a_b) and [us][1], <https://example.com>, www.example.com\n\n[1]: mailto:a@example.com',
      'Our work (https://example.com/a_b) and us (a@example.com), https://example.com, www.example.com',
    ],
    ['no address that is unsafe', '[Click](javascript:alert(1))', 'Click'],
    ['pictures as links', '![Plan](https://example.com/plan.png)', 'Plan (https://example.com/plan.png)'],
    ['breaks and rules', 'One\\\ntwo\n\n---\n\nThree', 'One\ntwo\n\nThree'],
    ['quotes', '> Quoted\n> **text**', 'Quoted\ntext'],
    ['code as it is', '```js\nconst a = "*b*";\n```', 'const a = "*b*";'],
    ['tables', '| Plan | Price |\n|---|--:|\n| Small | **10** |', 'Plan – Price\nSmall – 10'],
    ['HTML as text', 'a <b>bold</b> text', 'a <b>bold</b> text'],
    ['footnotes', 'Text[^1]\n\n[^1]: Note', 'Text[1]\n\n[1] Note'],
    ['placeholders', '**Dear {firstName}** of {company}', 'Dear {firstName} of {company}'],
    ['Arabic', '**مرحبا** {firstName}،\n\n1. أولا', 'مرحبا {firstName}،\n\n1. أولا'],
    ['nothing', '', ''],
  ] as const) {
    it(`has ${name}`, () => expect(textOfInstructions(markdown)).to.equal(text));
  }

  it('is as it was written if it cannot be parsed', () => {
    const quotes = `${'>'.repeat(200)} deep`;
    expect(textOfInstructions(quotes)).to.equal(quotes);
  });
});
