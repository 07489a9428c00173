import { expect } from 'chai';
import { careerApplicationForm } from '../src/forms/career-application.ts';
import { normalise, type LineKind } from '../src/forms/normalise.ts';
import { recipeForm } from '../src/forms/recipe.ts';
import { prepare } from '../src/forms/validation.ts';

const cases: Readonly<Record<LineKind, readonly (readonly [name: string, typed: string, meant: string])[]>> = {
  line: [
    ['a tab between words', 'Noura\tal-Harbi', 'Noura al-Harbi'],
    ['an address of three lines', 'Studio 4\r\nOlaya Street\u2028Riyadh', 'Studio 4 Olaya Street Riyadh'],
    ['special spaces', 'Cape\u00a0Roasters\u3000(Pty)\u202fLtd', 'Cape Roasters (Pty) Ltd'],
    ['control characters', 'Tha\u0007bo\u009b', 'Thabo'],
    ['isolates of a copied contact', '\u2068Zoë\u2069 \u202aNkosi\u202c', 'Zoë Nkosi'],
    ['break hints and a byte order mark', '\ufeffHand\u00adels\u200bhaus\u2060', 'Handelshaus'],
    ['direction marks at the ends', '\u200f\u200eلمى\u061c ', 'لمى'],
    ['a direction mark inside', 'شركة C++\u200e الرياض', 'شركة C++\u200e الرياض'],
    ['joiners and variation selectors', 'نامه\u200cای 👩\u200d🎨 ❤\ufe0f', 'نامه\u200cای 👩\u200d🎨 ❤\ufe0f'],
    ['full-width letters', 'ＡＢＣ 株式会社', 'ＡＢＣ 株式会社'],
    ['U+0000', 'a\0ä', 'a\0ä'],
  ],
  code: [
    ['Arabic-Indic digits', '١٢٣ ٤٥٦', '123 456'],
    ['Persian digits', '۱۲۳۴۵۶', '123456'],
    ['full-width digits', '１２３－４５６', '123-456'],
    ['invisible characters', '\u202a123\u200b456\u202c', '123456'],
    ['full-width letters', 'ａｂｃｄ－２３４５', 'abcd-2345'],
  ],
  username: [
    ['full-width letters', 'ｎｏｕｒａ', 'noura'],
    ['another Unicode form, also with a joiner in it', 'cafe\u0301 cafe\u200d\u0301'.replace(' ', ''), 'cafécafé'],
    ['invisible characters', '\u2066al\u200dira\u200c\ufeff\u2069', 'alira'],
  ],
  phone: [
    ['Arabic-Indic digits', '٠٥٠١٢٣٤٥٦٧', '0501234567'],
    ['Persian digits with a plus and spaces', '+۹۸ ۲۱ ۵۵۵ ۰۱۷۷', '+98 21 555 0177'],
    ['Devanagari digits', '०१२३४५६७८९', '0123456789'],
    ['Thai digits', '๐๑๒๓๔๕๖๗๘๙', '0123456789'],
    ['full-width digits', '＋８１（３）５５５－０１９９', '+81(3)555-0199'],
    ['a number that iOS copied from a contact', '\u202a+27\u00a021\u00a0555\u00a00134\u202c', '+27 21 555 0134'],
    ['minus signs', '021\u2212555\u22120199', '021-555-0199'],
    ['two lines', '021 555 0199\n082 555 0100', '021 555 0199 082 555 0100'],
    ['an extension', '٠١١ ٥٥٥ ext. ٤', '011 555 ext. 4'],
    ['a superscript, which is not a decimal digit', '12²', '12²'],
    ['digits of mathematics', '𝟙23', '𝟙23'],
  ],
  email: [
    ['copied marks', '\u2067\u202a\u00a0noura@example.com\u202c \u2069\ufeff', 'noura@example.com'],
    ['an invisible character inside', 'no\u200bura\u200f@exam\u00adple.com', 'noura@example.com'],
    ['an Arabic domain', 'info@مثال.السعودية', 'info@xn--mgbh0fb.xn--mgberp4a5d4ar'],
    ['an accent in upper case', 'Lerato@BÜCHER.example', 'Lerato@xn--bcher-kva.example'],
    ['capitals', 'Noura@Example.COM', 'Noura@Example.COM'],
    ['full-width characters', 'ｎｏｕｒａ＋ｗｅｂ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'noura+web@example.com'],
    ['Japanese full stops', 'yuki@日本語。example', 'yuki@xn--wgv71a119e.example'],
    ['a mailto link', 'MAILTO:noura@example.com', 'noura@example.com'],
    ['a subject', 'mailto:noura@example.com?subject=Your%20films', 'noura@example.com'],
    ['a name', 'Noura al-Harbi <noura@example.com>', 'noura@example.com'],
    ['a name in quotes and a comma', '"al-Harbi, Noura" <mailto:noura@example.com>,', 'noura@example.com'],
    ['a full stop', 'noura@example.com.', 'noura@example.com'],
    ['a semicolon of a list', 'noura@example.com; ', 'noura@example.com'],
    ['an Arabic comma', 'noura@example.com،', 'noura@example.com'],
    ['quotes', '“noura@example.com”', 'noura@example.com'],
    ['spaces around the @', 'noura @ example.com', 'noura@example.com'],
    ['dots of a Japanese provider', 'taro..yama.@example.ne.jp', 'taro..yama.@example.ne.jp'],
    ['two addresses', 'Noura <noura@example.com>, lerato@example.com', 'Noura <noura@example.com>, lerato@example.com'],
    ['another alphabet before the @', 'zoë@bücher.example', 'zoë@xn--bcher-kva.example'],
    ['a domain with a path', 'a@ü.example/b', 'a@ü.example/b'],
    ['a domain that is not valid', 'a@xn--ü.example', 'a@xn--ü.example'],
    ['no @', 'bücher', 'bücher'],
  ],
  link: [
    ['no scheme', 'www.example.com', 'https://www.example.com'],
    ['a path and no scheme', 'behance.net/layla?a=b#c', 'https://behance.net/layla?a=b#c'],
    ['a port and no scheme', 'example.co.za:8080/a', 'https://example.co.za:8080/a'],
    ['no scheme and another alphabet', 'مثال.السعودية', 'https://مثال.السعودية'],
    ['a host with an accent', 'https://bücher.example/ä', 'https://bücher.example/ä'],
    ['full-width characters', 'ｗｗｗ．ｅｘａｍｐｌｅ．ｃｏｍ／ａ', 'https://www.example.com/a'],
    ['a full-width path', 'https://example.com/ａ', 'https://example.com/ａ'],
    ['a wrapped line', 'https://example.com/long-\r\n\tname', 'https://example.com/long-name'],
    ['invisible characters', '\u2066https://exam\u200bple.com/\u200e\u2069', 'https://example.com/'],
    ['no colon', 'http//example.com', 'http://example.com'],
    ['one slash', 'https:/example.com/a', 'https://example.com/a'],
    ['no slash', 'https:example.com', 'https://example.com'],
    ['three slashes', 'https:///example.com', 'https://example.com'],
    ['a missing letter', 'htp://example.com', 'http://example.com'],
    ['a letter too many', 'htttps://example.com', 'https://example.com'],
    ['the first letter lost', 'ttps://example.com', 'https://example.com'],
    ['a semicolon in its scheme', 'https;//example.com', 'https://example.com'],
    ['a space after its scheme', 'https:// example.com', 'https://example.com'],
    ['two schemes', 'https://https://example.com', 'https://example.com'],
    ['no scheme but its slashes', '//example.com', 'https://example.com'],
    ['brackets and a comma', '<https://example.com/a>,', 'https://example.com/a'],
    ['a path that ends with a full stop', 'https://example.com/St.', 'https://example.com/St.'],
    ['a host that starts like a scheme', 'http.cat', 'https://http.cat'],
    ['two addresses', 'example.com, example.org', 'example.com, example.org'],
    ['another scheme', 'javascript:alert(1)', 'javascript:alert(1)'],
    ['an email address', 'noura@example.com', 'noura@example.com'],
    ['a version number', 'v3.14', 'v3.14'],
  ],
};

describe('normalise', () => {
  for (const [kind, kindCases] of Object.entries(cases) as [LineKind, (typeof cases)[LineKind]][]) {
    for (const [name, typed, meant] of kindCases) {
      it(`changes a ${kind} with ${name} to what the visitor meant`, () => {
        expect(normalise(kind, typed)).to.equal(meant);
        expect(normalise(kind, meant), 'a second time').to.equal(meant);
      });
    }

    it(`is linear for a ${kind}: 100 KB take less than a second`, () => {
      for (const part of [
        'a.',
        'ü.',
        '\u200b ',
        ' \u200e',
        '\u00a0',
        '٣',
        '／',
        'ü@',
        '<',
        '.,',
        'http:',
        ':/',
        '\n',
      ]) {
        const text = part.repeat(100_000 / part.length);
        const started = performance.now();
        normalise(kind, `x${text}"`);
        expect(performance.now() - started, JSON.stringify(part)).to.be.below(1_000);
      }
    });
  }

  it('only trims a text on any number of lines', () => {
    expect(normalise(undefined, ' ٣\t\u200bnew\n\n lines\u00a0! \n')).to.equal('٣\t\u200bnew\n\n lines\u00a0!');
  });
});

describe('the forms', () => {
  it('normalise each field by its kind', () => {
    const typed = {
      firstName: 'Layla\t',
      lastName: 'ـHaddad\u200b',
      email: 'layla@bücher.example',
      phone: '٠٥٠ ١٢٣ ٤٥٦٧',
      portfolio: 'www.layla.example',
      position: 'Full\u00a0Stack Developer',
      coverLetter: '٣ years\u200b\n of work',
    };
    expect(prepare(careerApplicationForm, typed)).to.deep.equal({
      firstName: 'Layla',
      lastName: 'ـHaddad',
      email: 'layla@xn--bcher-kva.example',
      phone: '050 123 4567',
      portfolio: 'https://www.layla.example',
      position: 'Full Stack Developer',
      coverLetter: '٣ years\u200b\n of work',
    });
  });

  for (const none of ['N/A', 'n.a.', 'None', ' none. ', '-', '—', '...', 'No', 'لا يوجد', 'なし']) {
    it(`leave an optional link out that says "${none}"`, () => {
      expect(prepare(careerApplicationForm, { portfolio: none })).to.not.have.property('portfolio');
      expect(prepare(careerApplicationForm, { position: none })).to.deep.equal({ position: none.trim() });
    });
  }

  it('normalise the entries of a list', () => {
    expect(prepare(recipeForm, { tags: ['vite\u200b', 'react\nrouter', '\ufeff'] })).to.deep.include({
      tags: ['vite', 'react router'],
    });
  });

  it('keep one of the entries of a list that look the same', () => {
    const tags = ['Café', 'cafe\u0301', 'CAFÉ', 'ca\u200dfé', 'Cafe', '５', '5'];
    expect(prepare(recipeForm, { tags })).to.deep.include({ tags: ['Café', 'Cafe', '５'] });
  });
});
