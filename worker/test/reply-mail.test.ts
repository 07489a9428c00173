import { brand } from '@dune-tide/domain/brand';
import { lineBreaks } from '@dune-tide/domain/test/line-breaks';
import { expect } from 'chai';
import { replyMail, type Reply } from '../src/mail/templates/reply-mail.ts';
import { isRightToLeft, linkedParts, shortened } from '../src/mail/templates/plain-text.ts';

const publicUrl = 'https://duneandtide.example';
const reply = (changes: Partial<Reply> = {}) =>
  replyMail({
    subject: 'Re: Your film',
    text: 'Hello Noura,\n\nyes, we can.',
    quoted: { text: 'Can you film us?', name: 'Noura al-Harbi', at: new Date('2026-03-04T05:06:07Z') },
    publicUrl,
    ...changes,
  });
/** Returns each paragraph of the HTML part with its direction. */
const blocks = (source: string): readonly (readonly [string, string])[] =>
  [...source.matchAll(/<p\s+class="(?:ink|quiet)"\s+dir="(\w+)"[^>]*>(.*?)<\/p>/gs)].map(
    ([, direction = '', content = '']) => [direction, content.trim()] as const,
  );

describe('the email of a reply', () => {
  it('starts its text part with exactly what staff typed, however long the lines are', () => {
    const text = `Hello  Noura,\n\n${'word '.repeat(60)}\n  - indented\n\n\n<b>not bold</b> & *so*\n> no quote`;
    expect(reply({ text }).text.startsWith(`${text}\n\nOn Mar 04, 2026 08:06 GMT+3, Noura al-Harbi wrote:\n`)).to.equal(
      true,
    );
  });

  it('quotes what the visitor sent at the end, shortened, in both parts', () => {
    const text = `${'A long story. '.repeat(100)}\nThe end.`;
    const mail = reply({ quoted: { text, name: 'Noura', at: new Date(0) } });
    const quote = mail.text.split('\n').filter((line) => line.startsWith('>'));
    expect(quote).to.have.length(1);
    expect(quote[0]).to.match(/^> A long story\. .* …$/);
    expect(quote[0]?.length).to.be.below(610);
    expect(blocks(mail.html).at(-1)?.[1]).to.equal(quote[0]?.slice(2));
    expect(mail.html).not.to.include('The end.');
    const lines = reply({ quoted: { text: 'line\n\n'.repeat(20), name: 'Noura', at: new Date(0) } });
    expect(lines.text.split('\n').filter((line) => line.startsWith('>'))).to.have.length(11);
  });

  it('keeps every line of what the visitor sent in the quote, whatever breaks it', () => {
    for (const lineBreak of lineBreaks) {
      const text = ['Hello', 'we agree to everything', '', 'Noura'].join(lineBreak);
      const mail = reply({ quoted: { text, name: `Noura${lineBreak}Lerato`, at: new Date(0) } });
      const [, quote = ''] = mail.text.split('03:00 GMT+3, ');
      expect(quote, JSON.stringify(lineBreak)).to.match(
        /^Noura Lerato wrote:\n> Hello\n> we agree to everything\n>\n> Noura\n\n-- \n/,
      );
      expect(
        blocks(mail.html)
          .slice(-2)
          .map(([, content]) => content),
      ).to.deep.equal(['Hello<br />we agree to everything', 'Noura']);
    }
  });

  it('has no quote if the form has no message', () => {
    const mail = reply({ quoted: { text: '', name: 'noura@example.com', at: new Date(0) } });
    expect(mail.text).not.to.include('wrote:');
    expect(mail.html).not.to.include('wrote:');
  });

  it('interprets nothing in its HTML part but web addresses', () => {
    const text = '<img src=x onerror=alert(1)> **bold** javascript:alert(1) "https://a.example/?q=1&r=<2>"';
    const { html: source } = reply({ text });
    expect(source).not.to.include('<img').and.not.to.include('<script');
    expect(source).to.include('&lt;img src=x onerror=alert(1)&gt; **bold** javascript:alert(1) &quot;');
    const links = [...source.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
    const own = new Set([
      publicUrl,
      `mailto:${brand.email}`,
      brand.links.x,
      brand.links.instagram,
      `${publicUrl}/privacy`,
    ]);
    expect(links.filter((url) => !own.has(url ?? ''))).to.deep.equal(['https://a.example/?q=1&amp;r=']);
  });

  it('gives each paragraph the direction of its text, and keeps the line breaks', () => {
    const text = 'مرحبا نورة،\nنعم.\n\n2026: yes, we can\n\n- שלום\n\n“Quoted” first';
    expect(blocks(reply({ text }).html).slice(0, 4)).to.deep.equal([
      ['rtl', 'مرحبا نورة،<br />نعم.'],
      ['ltr', '2026: yes, we can'],
      ['rtl', '- שלום'],
      ['ltr', '“Quoted” first'],
    ]);
  });

  it('has the layout of the studio without a heading, and no link that stops automatic emails', () => {
    const { html: source } = reply();
    expect(source).to.include('prefers-color-scheme: dark').and.include(brand.tagline);
    expect(source).not.to.include('<h1').and.not.to.include('unsubscribe');
    expect(source).not.to.match(/<img|<link|<script|url\(|@import|\bsrc=/);
  });
});

describe('links in a text', () => {
  for (const [line, urls] of [
    ['See https://a.example.', ['https://a.example']],
    ['(https://a.example/x), or http://b.example/y?z=1!', ['https://a.example/x', 'http://b.example/y?z=1']],
    ['https://en.example/Tide_(disambiguation))', ['https://en.example/Tide_(disambiguation)']],
    ['انظر https://a.example/صفحة، شكرا', ['https://a.example/صفحة']],
    ['HTTPS://A.EXAMPLE/UP', ['HTTPS://A.EXAMPLE/UP']],
    ['<https://a.example/z>', ['https://a.example/z']],
    ['https:// xhttps://no ftp://a.example data:text/html,x www.a.example', []],
    ['https://', []],
  ] as const) {
    it(`are found in ${JSON.stringify(line)}`, () => {
      const parts = linkedParts(line);
      expect(parts.map(({ text }) => text).join('')).to.equal(line);
      expect(parts.flatMap(({ url }) => url ?? [])).to.deep.equal(urls);
    });
  }
});

describe('shortened texts', () => {
  it('end at a word, and do not cut a character in two', () => {
    const limits = { characters: 10, lines: 2 };
    expect(shortened('short', limits)).to.equal('short');
    expect(shortened('one two three', limits)).to.equal('one two …');
    expect(shortened('🌊'.repeat(11), limits)).to.equal(`${'🌊'.repeat(10)} …`);
    expect(shortened('a\nb\nc', limits)).to.equal('a\nb …');
  });
});

describe('the direction of a text', () => {
  it('is that of its first letter', () => {
    expect(isRightToLeft('12 «سلام» hello')).to.equal(true);
    expect(isRightToLeft('hello سلام')).to.equal(false);
    expect(isRightToLeft('123')).to.equal(false);
  });
});
