import { hash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { type LeadRecord, leadDefinitions, leadKinds, valuesOf } from '../src/leads.ts';
import { detailsOf, searchedFields, searchedParts } from '../src/leads/definition.ts';
import {
  asciiForm,
  foundIn,
  indexedForm,
  indexedParts,
  searchTerms,
  searchText,
  searchVersion,
} from '../src/search.ts';

/** A career application with its searched fields. */
interface Fields {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly message?: string;
}

const textOf = (record: LeadRecord): string =>
  searchText(searchedFields(leadDefinitions[record.kind], valuesOf(record)));

function lead({ name = 'Sara', email = 'x@y.example', phone = '0115550100', message = 'Hello' }: Fields): LeadRecord {
  const fields = {
    firstName: name,
    lastName: 'Z',
    email,
    phone,
    position: 'Designer',
    experience: 'mid',
    coverLetter: message,
  };
  return { kind: 'career_application', email, fields: fields as never };
}

const finds = (search: string, fields: Fields): boolean => isIn(textOf(lead(fields)), search);

/** Returns whether a search text has every word of a search. */
function isIn(text: string, search: string): boolean {
  const indexed = indexedForm(text);
  return searchTerms(search).every((term) =>
    term.some((all) =>
      all.every((fragment) => {
        const isFound = text.includes(fragment);
        // The index may have more, but never less.
        if (isFound)
          expect(
            indexedParts(fragment).every((part) => indexed.includes(part)),
            fragment,
          ).to.equal(true);
        return isFound;
      }),
    ),
  );
}

const cases: readonly (readonly [
  name: string,
  fields: Fields,
  found: readonly string[],
  notFound: readonly string[],
])[] = [
  ['capitals', { name: 'Noura AL-HARBI' }, ['noura', 'NOURA', 'nOuRa'], ['nora']],
  ['accents', { name: 'Zoë Müller-Gonçalves' }, ['zoe', 'muller', 'Müller', 'goncalves', 'mu\u0308ller'], ['mueller']],
  ['letters that do not decompose', { name: 'Søren Łukasz Þór' }, ['soren', 'lukasz', 'thor', 'Søren'], []],
  ['ß', { name: 'Weiß Straße' }, ['weiss', 'WEISS', 'weiß', 'strasse', 'WEIẞ'], ['weib']],
  ['ligatures', { name: 'Oﬃce Œuvre Ægir' }, ['office', 'oeuvre', 'aegir'], []],
  ['a Turkish i', { name: 'İpek Işık' }, ['ipek', 'isik', 'İPEK'], []],
  ['letters with several lower cases', { name: 'ᲀіктор ᲇ' }, ['віктор', 'ВІКТОР', 'ᲀік'], []],
  ['letters of mathematics', { name: '𝐍𝐨𝐮𝐫𝐚 ℋarbi' }, ['noura', 'NOURA', 'harbi', '𝐍𝐨𝐮'], []],
  ['a final sigma', { name: 'Γιώργος' }, ['γιωργος', 'ΓΙΩΡΓΟΣ', 'γιωργοσ'], []],
  ['Arabic diacritics', { name: 'مُحَمَّد' }, ['محمد', 'مُحمد'], ['احمد']],
  ['tatweel', { name: 'مـحـمـد' }, ['محمد'], []],
  ['forms of alef', { name: 'أحمد إبراهيم آمنة ٱلله' }, ['احمد', 'ابراهيم', 'امنه', 'الله', 'إحمد'], []],
  ['forms of hamza', { name: 'هناء مؤمن شيء رئيس' }, ['هنا', 'مومن', 'شئ', 'رييس'], []],
  ['forms of ya', { name: 'ليلى علي فارسی' }, ['ليلي', 'على', 'فارسي'], []],
  ['ta marbuta', { name: 'نورة' }, ['نوره', 'نورة'], ['نورا']],
  ['forms of kaf and ha', { name: 'کریم ھدى' }, ['كريم', 'هدى'], []],
  ['presentation forms', { name: 'ﻧﻮﺭﺓ' }, ['نوره'], []],
  ['Arabic-Indic digits', { message: 'الميزانية ٥٠٠٠٠ ريال' }, ['50000', '٥٠٠٠٠'], ['500001']],
  ['Persian digits', { message: 'سال ۱۴۰۳' }, ['1403', '١٤٠٣'], []],
  ['full-width and half-width forms', { name: 'ＡＢＣ ｶﾀｶﾅ' }, ['abc', 'カタカナ', 'ｶﾀｶﾅ'], []],
  ['right-to-left marks', { name: '\u200fلمى\u200e' }, ['لمي', '\u2067لمى\u2069'], []],
  ['joiners', { name: 'نامه\u200cای' }, ['نامهای', 'نامه\u200cای'], []],
  ['an apostrophe', { name: 'O’Brien D´Souza' }, ["o'brien", 'obrien', 'brien', 'O’BRIEN', 'dsouza', 'ob'], ['ri']],
  [
    'a double name',
    { name: 'Jean-Luc Al-Harbi' },
    ['jean-luc', 'jeanluc', 'jean luc', 'al-harbi', 'ha', 'harbi', 'lu'],
    ['uc'],
  ],
  ['a name with a space', { name: 'Al Harbi' }, ['al-harbi', 'al harbi'], ['alharbi']],
  [
    'an email address',
    { email: 'noura.al-harbi+web@mail.example.com' },
    [
      'noura',
      'noura.al-harbi',
      'harbi+web',
      'mail.example',
      'ra.al',
      '@mail',
      'noura.al-harbi+web@mail.example.com',
      'we',
    ],
    ['oura.b', 'ai'],
  ],
  ['an email address with digits', { email: 'lerato2024@example.com' }, ['lerato2024', '2024@exa', '2024'], ['2025']],
  [
    'a phone number with a country code',
    { phone: '+966 55 123 4567' },
    [
      '+966551234567',
      '966 55 123 4567',
      '0551234567',
      '055 123 4567',
      '00966 55 1234567',
      '1234',
      '123-4567',
      '+966 (0)55 123 4567',
      '٠٥٥١٢٣٤٥٦٧',
    ],
    ['0551234568', '666'],
  ],
  [
    'a phone number without a country code',
    { phone: '055-123-4567' },
    ['+966551234567', '00966551234567', '966551234567', '551234567', '0551234567', '055 1234'],
    ['+966551234568'],
  ],
  [
    'a phone number in a message',
    { message: 'Call me: (021) 555-0134, thanks' },
    ['0215550134', '+27 21 555 0134', '5550134'],
    ['0215550135'],
  ],
  [
    'numbers that are not one',
    { message: 'In 2026 we have 100000 leads' },
    ['2026 100000', '100000 2026', '2026'],
    ['2026 100001'],
  ],
  [
    'emoji',
    { message: 'Great work👩\u200d🎨 🇸🇦 ❤\ufe0f' },
    ['👩', '👩\u200d🎨', '🇸🇦', '❤', 'work👩', 'work 👩'],
    ['🇿🇦', '🙂'],
  ],
  ['words without a letter', { name: 'Noura' }, ['noura - &', '!', '', ' ', '-', "'"], []],
  ['characters of patterns', { name: 'Noura 100%' }, ['100%', '100_', 'nou%ra'], ['n%a', 'n_u_a', '%q']],
  ['short words, only at the beginning', { name: 'Lerato' }, ['l', 'le', 'ler', 'era', 'ato'], ['r', 'er', 'to']],
  [
    'Han characters',
    { name: '株式会社東京 王', message: '我们需要视频' },
    ['東', '東京', '京', '王', '会社', '视', '频'],
    ['北', '京東', '視'],
  ],
  [
    'kana',
    { name: 'さくら', message: 'バッグのデザイン' },
    ['さ', 'く', 'くら', 'グ', 'デザ', 'の', 'ﾃﾞ'],
    ['ね', 'らく'],
  ],
  ['hangul', { name: '김한국', message: '서울에서' }, ['김', '한', '국', '한국', '울', '하'], ['부', '국한']],
  ['Han characters beside others', { message: 'A東 2号店' }, ['東', 'a東', '2号', '号', '店'], ['b東']],
  [
    'the Arabic article',
    { name: 'الحربي', message: 'في الرياض وبالسوق' },
    ['الحربي', 'حربي', 'الرياض', 'رياض', 'ا', 'ال', 'بالسوق', 'سوق', 'ف'],
    ['حر', 'يا', 'والحربي'],
  ],
  [
    'every word',
    { name: 'Lerato', message: 'perfume shop' },
    ['perfume lerato', 'ler per', 'fume'],
    ['lerato perfumes', 'lerato soap'],
  ],
];

describe('a search', () => {
  for (const [name, fields, found, notFound] of cases) {
    it(`takes care of ${name}`, () => {
      for (const search of found) expect(finds(search, fields), search).to.equal(true);
      for (const search of notFound) expect(finds(search, fields), search).to.equal(false);
    });
  }

  it('finds each field of each kind', () => {
    const contact = {
      firstName: 'Aone',
      lastName: 'Btwo',
      email: 'c@three.example',
      service: 'mvp',
      message: 'Dfour',
    } as const;
    for (const word of ['aone', 'btwo', 'cthree', 'mvp', 'dfour']) {
      expect(textOf({ kind: 'contact', email: contact.email, fields: contact })).to.include(` ${word}`);
    }
    const inquiry = {
      name: 'Aone',
      email: 'b@two.example',
      company: 'Cthree',
      phone: '+27 21 555 0134',
      service: 'Dfour',
      serviceType: 'Efive',
      budget: 'Height',
      timeframe: 'Inine',
      urgency: 'Jten',
      projectDetails: 'Fsix',
      goals: 'Gseven',
    };
    const text = textOf({ kind: 'service_inquiry', email: inquiry.email, fields: inquiry });
    for (const word of [
      'aone',
      'btwo',
      'cthree',
      '27215550134',
      'dfour',
      'efive',
      'fsix',
      'gseven',
      'height',
      'inine',
      'jten',
    ]) {
      expect(text).to.include(` ${word}`);
    }
    expect(textOf(lead({}))).to.include(' designer');
  });

  it('keeps each word once', () => {
    expect(textOf(lead({ name: 'Sara', message: 'sara SARA sára' }))).to.equal(
      ' sara z xyexample y example 0115550100 designer mid level 25 5',
    );
  });

  it('finds a lead by any part of a text of at least three letters, in any form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 3, maxLength: 30 }), fc.nat(), (message, at) => {
        const [word = ''] = message.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/u) ?? [];
        const part = Array.from(word)
          .slice(at % Math.max(Array.from(word).length, 1))
          .join('');
        if (
          Array.from(part.normalize('NFKD').replace(/[^\p{L}\p{N}]|[ـءʼʻʹ\p{Default_Ignorable_Code_Point}]/gu, ''))
            .length < 3
        )
          return;
        expect(finds(part, { message }), part).to.equal(true);
        expect(finds(part.toUpperCase(), { message: message.normalize('NFD') }), part).to.equal(true);
      }),
    );
  });

  for (const name of leadKinds) {
    const kind = leadDefinitions[name];

    /** Generates the values of a lead: any options and any texts, e.g. with numbers, prices, addresses and other alphabets. */
    const anyValues = fc.record(
      Object.fromEntries(
        kind.fields.map(({ key, options, staffOptions }) => {
          const known = (options ?? staffOptions)?.map(({ value }) => value);
          const word = fc.oneof(
            fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
            fc.constantFrom('$3,000-$5,000/month', '+27 (0)21 555-0134', '10000 - 20000', 'https://a.example/b?c=1#d'),
            fc.constantFrom(
              '東京都',
              'さくら',
              '한국',
              'الرياض',
              'وبالسوق',
              "O'Neill",
              'B2B',
              'C++',
              '٥٠٠٠',
              '100%',
              'a@b.example',
            ),
          );
          const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
          return [key, fc.option(known ? fc.constantFrom(...known) : text, { nil: undefined })];
        }),
      ),
    );

    it(`finds each text that staff read of a lead of the kind ${name}, typed as it stands`, () => {
      fc.assert(
        fc.property(anyValues, (values) => {
          const text = searchText(searchedFields(kind, values));
          const shown = detailsOf(kind, values).flatMap(({ value }) => value ?? []);
          for (const each of [...shown, ...searchedParts(kind, values).map((part) => part.text)]) {
            const isFound = isIn(text, each);
            expect(isFound, each).to.equal(true);
          }
        }),
        { numRuns: 25 },
      );
    });

    it(`finds each label that staff read of a lead of the kind ${name}`, () => {
      for (const field of kind.fields) {
        for (const { value, label } of [...(field.options ?? []), ...(field.staffOptions ?? [])]) {
          const values = { [field.key]: value };
          const text = searchText(searchedFields(kind, values));
          for (const typed of [label, label.toUpperCase(), value]) expect(isIn(text, typed), typed).to.equal(true);
        }
      }
    });
  }

  it('takes a time that grows with the length of the text', () => {
    for (const text of ['(', '+', '1 ', "'", 'a-', '\u0640', '👩', '0'].map((part) => part.repeat(13_000))) {
      const since = performance.now();
      textOf(lead({ message: text }));
      searchTerms(text);
      expect(performance.now() - since, text.slice(0, 3)).to.be.below(2_000);
    }
  });
});

describe('the version of the search texts', () => {
  it('is another one if the texts of stored leads change', () => {
    const texts = leadKinds.flatMap((name) => {
      const kind = leadDefinitions[name];
      const values = Object.fromEntries(
        kind.fields.map(({ key }, index) => [key, `Zoë-${index} 東京 وبالسوق +27 21 555 0134`]),
      );
      const labelled = kind.fields.flatMap(({ key, options = [], staffOptions = [] }) =>
        [...options, ...staffOptions].map(({ value }) => ({ [key]: value })),
      );
      return [values, ...labelled].map((each) => indexedForm(searchText(searchedFields(kind, each))));
    });
    const fingerprint = hash('sha256', texts.join('\n')).slice(0, 8);
    expect([searchVersion, fingerprint], 'increase searchVersion and replace the fingerprint').to.deep.equal([
      1,
      '0043528d',
    ]);
  });
});

describe('the ASCII form', () => {
  it('has only ASCII, and contains that of each part', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (a, b, c) => {
          expect(asciiForm(a + b + c)).to.match(/^[ -~]*$/);
          expect(asciiForm(a + b + c)).to.include(asciiForm(b));
        },
      ),
    );
  });

  it('tells the letters of Arabic apart', () => {
    const letters = Array.from('ابتثجحخدذرزسشصضطظعغفقكلمنهوي');
    expect(new Set(letters.map(asciiForm))).to.have.lengthOf(letters.length);
  });
});

describe('what a search marks in a text', () => {
  const marked = (text: string, search: string) =>
    foundIn(text, searchTerms(search)).map(({ from, to }) => text.slice(from, to));

  for (const [text, search, parts] of [
    ['Zoë Botha', 'zoe bot', ['Zoë', 'Bot']],
    ['Zoe\u0308 Botha', 'ZOË', ['Zoe\u0308']],
    ['Noura al-Harbi', 'alharbi', ['al-Harbi']],
    ['Noura al-Harbi', 'al-har', ['al-Har']],
    ["Siobhán O'Brien", 'obrien', ["O'Brien"]],
    ['أحمد', 'احمد', ['أحمد']],
    ['+27 21 555 0101', '5550101', ['555 0101']],
    ['Straße', 'strasse', ['Straße']],
    ['Banana', 'ana', ['anana']],
    ['An anagram', 'an', ['An', 'an']],
    ['Perfume 🌸 shop', '🌸', ['🌸']],
    ['Khan', 'khalid', []],
    ['Khan', '', []],
  ] as const) {
    it(`marks ${parts.length === 0 ? 'nothing' : parts.join(', ')} in ${text} for "${search}"`, () => {
      expect(marked(text, search)).to.deep.equal(parts);
    });
  }

  it('is a part of the text, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, search) => {
        let end = 0;
        for (const { from, to } of foundIn(text, searchTerms(search))) {
          expect(from).to.be.at.least(end);
          expect(to).to.be.above(from).and.at.most(text.length);
          end = to;
        }
      }),
    );
  });
});
