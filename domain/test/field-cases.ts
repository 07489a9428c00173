/** A value of a field, and what the field's rules say about it. */
export interface FieldCase {
  readonly name: string;
  /** `undefined` leaves the field out. */
  readonly value: unknown;
  /** The message of the field, or null if the value is valid. */
  readonly message: string | null;
  /**
   * Set for cases that the API decides before it applies the form's rules: it returns 400 for unstorable text, and
   * `service` and `serviceType` select the rules of an inquiry (docs/PRODUCT.md, "Problems", "Inquiry rules").
   */
  readonly formOnly?: true;
}

const blanks = ' \t\n\u00a0 ';

/** Values that count as not filled in. */
export const notFilledIn = (message: string | null): FieldCase[] => [
  { name: 'missing', value: undefined, message },
  { name: 'null', value: null, message },
  { name: 'empty', value: '', message },
  { name: 'only white space', value: blanks, message },
  { name: 'only invisible characters', value: ' \u200b\u2800\u3164\u115f\u034f\ufe0f\u00ad\u0085\u2060 ', message },
];

export const notText = (message: string): FieldCase[] => [
  { name: 'a number', value: 42, message },
  { name: 'a boolean', value: true, message },
  { name: 'a list', value: ['text'], message },
  { name: 'an object', value: { length: 20 }, message },
];

interface LengthRule {
  /** 0 for an optional field. */
  readonly min: number;
  readonly max: number;
  /** The message if the value is missing, too short or not a text. */
  readonly missed: string;
  readonly tooLong: string;
  /** The message for control characters. */
  readonly unprintable: string;
}

function lengthCases({ min, max, missed, tooLong, unprintable }: LengthRule): FieldCase[] {
  const least = Math.max(min, 1);
  const tooShort: FieldCase[] =
    min > 1
      ? [
          { name: `${min - 1} characters`, value: 'x'.repeat(min - 1), message: missed },
          { name: `${min - 1} characters between white space`, value: `  ${'x'.repeat(min - 1)}\n`, message: missed },
          { name: `${min - 1} emoji`, value: '🌊'.repeat(min - 1), message: missed },
        ]
      : [];
  return [
    ...notFilledIn(min === 0 ? null : missed),
    ...notText(missed),
    ...tooShort,
    { name: `${least} characters`, value: 'x'.repeat(least), message: null },
    { name: `${least} emoji`, value: '🌊'.repeat(least), message: null },
    { name: `${max} characters`, value: 'x'.repeat(max), message: null },
    { name: `${max} characters between white space`, value: ` ${'x'.repeat(max)} `, message: null },
    { name: `${max + 1} characters`, value: 'x'.repeat(max + 1), message: tooLong },
    { name: 'U+0000', value: `${'x'.repeat(least)}\u0000x`, message: unprintable, formOnly: true },
    { name: 'a lone surrogate', value: `${'x'.repeat(least)}\ud800x`, message: unprintable, formOnly: true },
  ];
}

/** A text between 50 and 100 characters long, which every length rule allows. */
const ordinaryText = 'مرحبا "Zoë" <b>O\'Neill</b> 🌊 \u202bx\u202c \'; DROP TABLE leads; -- and some more.';

export function lineCases(rule: LengthRule): FieldCase[] {
  return [
    ...lengthCases(rule),
    { name: 'a bell character', value: `${'x'.repeat(rule.min)}x\u0007x`, message: null },
    { name: 'a C1 control character', value: `${'x'.repeat(rule.min)}x\u009bx`, message: null },
    { name: 'a line break', value: `${'x'.repeat(rule.min)}x\nx`, message: null },
    { name: 'a carriage return', value: `${'x'.repeat(rule.min)}x\rx`, message: null },
    { name: 'a tab', value: `${'x'.repeat(rule.min)}x\tx`, message: null },
    { name: 'a line separator', value: `${'x'.repeat(rule.min)}x\u2028x`, message: null },
    { name: 'invisible characters between', value: `${'x'.repeat(rule.min)}\u2067\u200bx\ufeff\u2069`, message: null },
    {
      name: `${rule.max} characters between isolates and after a tab`,
      value: `\t\u2068${'x'.repeat(rule.max)}\u2069`,
      message: null,
    },
    ...(rule.min > 1
      ? [
          {
            name: `${rule.min - 1} characters and invisible ones`,
            value: `${'x'.repeat(rule.min - 1)}${'\u200b'.repeat(rule.min)}`,
            message: rule.missed,
          },
        ]
      : []),
    ...(rule.max >= 100 ? [{ name: 'other alphabets, quotes, markup', value: ordinaryText, message: null }] : []),
  ];
}

export function textCases(rule: LengthRule): FieldCase[] {
  return [
    ...lengthCases(rule),
    {
      name: 'line and page breaks of a document',
      value: `${'x'.repeat(rule.min)}x\u000bx\u000cx`,
      message: null,
    },
    { name: 'control characters', value: `${'x'.repeat(rule.min)}x\u0007\u001b\u009bx`, message: null },
    { name: 'several lines with tabs', value: `${'x'.repeat(rule.min)}x\r\n\tx\u0085x`, message: null },
    { name: 'other alphabets, quotes, markup', value: `${ordinaryText}\n`, message: null },
  ];
}

export const nameLine = (label: string, missed: string, min = 1): FieldCase[] =>
  lineCases({
    min,
    max: 100,
    missed,
    tooLong: `${label} must be at most 100 characters`,
    unprintable: `${label} must be one line of plain text`,
  });

/** The cases of a selection, which accepts more than its current labels. */
export const selection = (label: string, missed: string): FieldCase[] => [
  ...nameLine(label, missed),
  { name: 'a label that the list does not have', value: 'Something of last year', message: null },
];

export const optionalLine = (label: string, max: number): FieldCase[] =>
  lineCases({
    min: 0,
    max,
    missed: `${label} must be one line of plain text`,
    tooLong: `${label} must be at most ${max} characters`,
    unprintable: `${label} must be one line of plain text`,
  });

export const longText = (label: string, min: number, missed: string): FieldCase[] =>
  textCases({
    min,
    max: 5000,
    missed,
    tooLong: `${label} must be at most 5,000 characters`,
    unprintable: `${label} must be plain text`,
  });

const usernameMessage = 'Username must be plain text without spaces';

export const newUsername: readonly FieldCase[] = [
  ...lengthCases({
    min: 1,
    max: 100,
    missed: 'Username is required',
    tooLong: 'Username must be at most 100 characters',
    unprintable: usernameMessage,
  }),
  ...[
    ['a space', 'lerato mokoena'],
    ['a no-break space', 'lerato\u00a0mokoena'],
    ['a tab', 'lerato\tmokoena'],
    ['a line break', 'lerato\nmokoena'],
    ['a noncharacter', 'lerato\uffff'],
  ].map(([name = '', value]) => ({ name, value, message: usernameMessage })),
  // They are removed.
  ...[
    ['a Hangul filler', 'lerato\u3164'],
    ['a Hangul initial filler', 'lerato\u115f'],
    ['a Braille blank', 'lerato\u2800'],
    ['a variation selector', 'lerato\ufe0f'],
    ['a grapheme joiner', 'lerato\u034f'],
  ].map(([name = '', value]) => ({ name, value, message: null })),
  { name: 'an email address', value: 'lerato@example.com', message: null },
  { name: 'a zero-width space', value: 'lerato\u200bmokoena', message: null },
  { name: 'a bidi control', value: 'lerato\u202emokoena', message: null },
  { name: 'a byte order mark', value: '\ufefflerato', message: null },
  { name: 'another alphabet', value: 'نورة', message: null },
  { name: 'markup', value: '<b>&"\'', message: null },
];

/** The cases of a password, which is not trimmed. */
export const newPassword = (missed: string | null): readonly FieldCase[] => {
  const tooShort = 'Password must be at least 8 characters';
  const tooLong = 'Password must be at most 200 characters';
  return [
    { name: 'missing', value: undefined, message: missed },
    { name: 'null', value: null, message: missed },
    { name: 'empty', value: '', message: missed },
    ...notText(tooShort),
    { name: '7 characters', value: 'x'.repeat(7), message: tooShort },
    { name: '7 emoji', value: '🌊'.repeat(7), message: tooShort },
    { name: '8 characters', value: 'x'.repeat(8), message: null },
    { name: '8 blanks', value: ' '.repeat(8), message: null },
    { name: '8 emoji', value: '🌊'.repeat(8), message: null },
    { name: '200 characters', value: 'x'.repeat(200), message: null },
    { name: '201 characters', value: 'x'.repeat(201), message: tooLong },
    { name: '200 characters and a blank', value: `${'x'.repeat(200)} `, message: tooLong },
  ];
};

export const knownPassword = (label: string): readonly FieldCase[] => {
  const missed = `${label} is required`;
  const tooLong = `${label} must be at most 200 characters`;
  return [
    { name: 'missing', value: undefined, message: missed },
    { name: 'null', value: null, message: missed },
    { name: 'empty', value: '', message: missed },
    ...notText(missed),
    { name: '1 character', value: 'x', message: null },
    { name: '200 characters', value: 'x'.repeat(200), message: null },
    { name: '201 characters', value: 'x'.repeat(201), message: tooLong },
    { name: '200 characters and a blank', value: `${'x'.repeat(200)} `, message: tooLong },
  ];
};

export const closedSet = (message: string, values: readonly string[]): FieldCase[] => [
  ...values.map((value) => ({ name: value, value, message: null })),
  ...notText(message),
  { name: 'outside the set', value: 'something-else', message },
  { name: 'in capitals', value: values[0]?.toUpperCase(), message },
];

export const email = (message: string): FieldCase[] => {
  const taken = (name: string, value: string): FieldCase => ({ name, value, message: null });
  const refused = (name: string, value: string): FieldCase => ({ name, value, message });
  const label = 'x'.repeat(63);
  const domain = `${label}.${label}.${'x'.repeat(57)}.com`;
  return [
    ...notFilledIn(message),
    ...notText(message),
    taken('an address between blanks', '  noura@example.com\n'),
    taken('an address between direction marks', '\u202anoura@example.com\u202c'),
    taken('a tag', 'noura+studio@example.com'),
    taken('dots, an apostrophe and digits', "t.o'neill-7@mail.example.co.za"),
    taken('the shortest', 'a@b.co'),
    taken('a domain of another alphabet as punycode', 'info@xn--mgbh0fb.xn--mgberp4a5d4ar'),
    taken('another alphabet in the domain', 'info@مثال.السعودية'),
    taken('an accent in the domain', 'noura@bücher.example'),
    taken('a direction mark inside', 'noura@\u200fexample.com'),
    taken('a soft hyphen and a zero-width space', 'no\u00adura@exam\u200bple.com'),
    taken('a bell character', 'noura\u0007@example.com'),
    taken('a copied mailto link', 'mailto:noura@example.com'),
    taken('full-width characters', 'ｎｏｕｒａ＠ｅｘａｍｐｌｅ．ｃｏｍ'),
    taken('an ideographic full stop', 'noura@example。com'),
    taken('64 characters before the @', `${'x'.repeat(64)}@example.com`),
    taken('254 characters', `${'x'.repeat(64)}@${domain}`),
    refused('65 characters before the @', `${'x'.repeat(65)}@example.com`),
    refused('65 characters with dots before the @', `${'x.'.repeat(32)}x@example.com`),
    refused('255 characters', `${'x'.repeat(64)}@x${domain.slice(1).replace('.com', '.info')}`),
    refused('64 characters in a label', `a@${'x'.repeat(64)}.com`),
    refused('no @', 'noura.example.com'),
    refused('two @', 'noura@home@example.com'),
    refused('nothing before the @', '@example.com'),
    refused('nothing after the @', 'noura@'),
    refused('no dot in the domain', 'noura@localhost'),
    taken('a trailing dot', 'noura@example.com.'),
    refused('two dots in the domain', 'noura@example..com'),
    taken('two dots before the @', 'noura..h@example.com'),
    taken('a leading dot', '.noura@example.com'),
    taken('a dot before the @', 'noura.@example.com'),
    refused('a hyphen at the end of a label', 'noura@example-.com'),
    refused('a number as top-level domain', 'noura@192.168.0.10'),
    refused('an address in brackets', 'noura@[192.168.0.10]'),
    refused('a space', 'noura harbi@example.com'),
    refused('a comma', 'noura@example,com'),
    refused('two addresses', 'noura@example.com,thabo@example.com'),
    refused('two addresses with a semicolon', 'noura@example.com; thabo@example.com'),
    taken('a display name', 'Noura <noura@example.com>'),
    taken('angle brackets', '<noura@example.com>'),
    refused('group syntax', 'team: noura@example.com, thabo@example.com;'),
    refused('a quoted name', '"noura harbi"@example.com'),
    refused('a comment', 'noura(work)@example.com'),
    refused('a header after a line break', 'noura@example.com\r\nBcc: thabo@example.com'),
    refused('a line break inside', 'noura@exam\nple.com'),
    refused('a tab inside', 'noura@exam\tple.com'),
    refused('a no-break space inside', 'noura\u00a0harbi@example.com'),
    refused('a domain of another alphabet with a path', 'info@مثال.السعودية/a'),
    refused('a domain of another alphabet with a user name', 'info@ü:x@example.com'),
    refused('a domain of another alphabet with an encoded dot', 'info@bücher%2eexample'),
    refused('a domain of another alphabet without a dot', 'info@السعودية'),
    refused('a domain of another alphabet in invalid Punycode', 'info@xn--ü.example'),
    refused('254 characters of another alphabet', `info@${'ü'.repeat(250)}.example`),
    refused('another alphabet before the @', 'zoë@example.com'),
    refused('a look-alike letter', 'nour\u0430@example.com'),
    { ...refused('U+0000', 'noura@example.com\u0000'), formOnly: true },
  ];
};

export const webLink = (label: string): FieldCase[] => {
  const message = 'Please enter a web address, e.g. https://example.com';
  const taken = (name: string, value: string): FieldCase => ({ name, value, message: null });
  const refused = (name: string, value: string): FieldCase => ({ name, value, message });
  return [
    ...notFilledIn(null),
    ...notText(message),
    taken('https', 'https://example.com'),
    taken('http', 'http://example.com/'),
    taken('a scheme in upper case', 'HTTPS://Example.com'),
    taken('white space around', ' https://example.com/work \n'),
    taken('the lowest port', 'http://example.com:0/'),
    taken('the highest port', 'https://example.com:65535/work'),
    taken('a query and a fragment', "https://example.com/a/b?c=d&e=%20#f:g@h'i"),
    taken('a query directly after the host', 'https://example.com?c=d'),
    taken('a path in another alphabet', 'https://example.com/أعمال/🌊'),
    taken('a host in another alphabet', 'https://مثال.السعودية/'),
    taken('an IPv4 host', 'http://192.0.2.1:8080/'),
    taken('numbers before a name', 'https://192.0.2.1.example.com/'),
    taken('an IPv6 host', 'http://[2001:db8::1]:8080/'),
    taken('an IPv6 host of zeros only', 'http://[::]/'),
    taken('an IPv6 host with all its groups', 'http://[2001:db8:0:0:0:0:0:1]/'),
    taken('an IPv6 host that starts with ::', 'http://[::2:3:4:5:6:7:8]/'),
    taken('an IPv6 host that ends with ::', 'http://[1:2:3:4:5:6:7::]/'),
    taken('an IPv6 host with an IPv4 part', 'http://[::ffff:192.0.2.1]/'),
    taken('no scheme', 'example.com/work'),
    taken('www and no scheme', 'www.example.com'),
    taken('no scheme, with a port and a query', 'portfolio.example.co.za:8080?page=2'),
    taken('no scheme and another alphabet', 'مثال.السعودية/أعمال'),
    taken('no scheme and a hyphen', 'my-work.example'),
    taken('a wrapped line', 'https://example.com/a\nb'),
    taken('a tab', 'https://example.com/a\tb'),
    taken('a bell character', 'https://example.com/\u0007'),
    taken('isolates around and a zero-width space inside', '\u2066https://exam\u200bple.com/work\u2069'),
    taken('full-width characters', 'ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｃｏｍ／ｗｏｒｋ'),
    taken('full-width characters in the path', 'https://example.com/ｗｏｒｋ'),
    taken('2,048 characters', `https://example.com/${'x'.repeat(2028)}`),
    taken('2,048 characters with the added scheme', `example.com/${'x'.repeat(2028)}`),
    {
      name: '2,049 characters with the added scheme',
      value: `example.com/${'x'.repeat(2029)}`,
      message: `${label} must be at most 2,048 characters`,
    },
    {
      name: '2,049 characters',
      value: `https://example.com/${'x'.repeat(2029)}`,
      message: `${label} must be at most 2,048 characters`,
    },
    refused('no scheme and no dot', 'localhost/work'),
    refused('no scheme and a user name', 'noura:secret@example.com'),
    refused('an email address', 'noura@example.com'),
    refused('a number with a dot', '3.5'),
    taken('only dots', '...'),
    taken('a word for none', 'N/A'),
    refused('no scheme and a word as its port', 'example.com:alert(1)'),
    refused('words', 'Please see example.com'),
    refused('two links', 'https://example.com https://example.org'),
    refused('only a scheme', 'https://'),
    taken('a relative scheme', '//example.com'),
    taken('one slash', 'https:/example.com'),
    refused('no host', 'https:///work'),
    refused('a host of dots only', 'https://...'),
    refused('javascript', 'javascript:alert(1)'),
    refused('javascript with slashes', 'javascript://example.com/%0aalert(1)'),
    refused('javascript before a line with a link', 'javascript:alert(1)\nhttps://example.com'),
    refused('data', 'data:text/html,<script>alert(1)</script>'),
    refused('ftp', 'ftp://example.com'),
    refused('a file', 'file:///etc/passwd'),
    refused('mailto', 'mailto:noura@example.com'),
    refused('a user name', 'https://noura@example.com'),
    refused('a user name and a password', 'https://noura:secret@example.com/'),
    refused('a host that looks like a user name', 'https://example.com\\@example.org'),
    taken('a host with a joiner', 'https://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com/'),
    taken('a host with an emoji', 'https://i\u2764\ufe0f.ws/'),
    refused('a host of invisible characters only', 'https://\u200b'),
    refused('a filler in the host', 'https://example\u3164.com'),
    refused('numbers outside the range of IPv4', 'http://999.999.999.999/'),
    refused('a fifth number', 'http://127.0.0.1.1'),
    refused('only a number', 'http://7'),
    refused('a number as top-level domain, with a trailing dot', 'http://example.7.:80/'),
    refused('a space in the host', 'https://exam ple.com'),
    refused('a space in the path', 'https://example.com/my work'),
    refused('a port that is too high', 'https://example.com:65536/'),
    refused('a port that is not a number', 'https://example.com:https/'),
    refused('an empty port', 'https://example.com:/'),
    refused('an IPv6 host without a closing bracket', 'http://[2001:db8::1/'),
    refused('an IPv6 host with too few groups', 'http://[1:2]/'),
    refused('an IPv6 host with too many groups', 'http://[1:2:3:4:5:6:7:8:9]/'),
    refused('an IPv6 host with eight groups and ::', 'http://[1:2:3:4::5:6:7:8]/'),
    refused('an IPv6 host with two ::', 'http://[1::2::3]/'),
    refused('an IPv6 host with a group that is too long', 'http://[::12345]/'),
    refused('an IPv6 host with an invalid IPv4 part', 'http://[::256.0.2.1]/'),
    refused('a quote', 'https://example.com/"onclick="alert(1)'),
    refused('angle brackets', 'https://example.com/<b>'),
    { ...refused('U+0000', 'https://example.com/\u0000'), formOnly: true },
    { ...refused('a lone surrogate', 'https://example.com/\udc00'), formOnly: true },
  ];
};

export const textList = (label: string, item: string): FieldCase[] => {
  const message = `${label} must be a list of texts`;
  const unprintable = `${item} must be one line of plain text without commas`;
  return [
    ...notFilledIn(null),
    { name: 'an empty list', value: [], message: null },
    { name: 'blank entries', value: ['', ' a ', blanks, '\u200b'], message: null },
    { name: '30 entries of 50 characters', value: Array.from({ length: 30 }, () => 'x'.repeat(50)), message: null },
    {
      name: '30 entries and blank ones',
      value: [...Array.from({ length: 30 }, (_, index) => String(index)), ' '],
      message: null,
    },
    {
      name: '31 entries',
      value: Array.from({ length: 31 }, (_, index) => String(index)),
      message: `Please enter at most 30 ${label.toLowerCase()}`,
    },
    {
      name: 'a thousand entries',
      value: Array.from({ length: 1_000 }, (_, index) => String(index)),
      message: `Please enter at most 30 ${label.toLowerCase()}`,
    },
    {
      name: 'an entry of 51 characters',
      value: ['a', 'x'.repeat(51)],
      message: `${item} must be at most 50 characters`,
    },
    { name: 'an entry with a line break', value: ['a\nb'], message: null },
    { name: 'an entry with a comma', value: ['a, b'], message: unprintable },
    {
      name: 'an entry with U+0000',
      value: ['a\u0000'],
      message: unprintable,
      formOnly: true,
    },
    { name: 'an entry that is a number', value: ['a', 7], message },
    { name: 'an entry that is null', value: [null], message },
    { name: 'a list in the list', value: [['a']], message },
    { name: 'a text', value: 'a, b', message },
    { name: 'a number', value: 42, message },
    { name: 'an object', value: { 0: 'a', length: 1 }, message },
  ];
};

export const formOnly = (fieldCases: readonly FieldCase[]): FieldCase[] =>
  fieldCases.map((fieldCase) => ({ ...fieldCase, formOnly: true }));

/** Changes cases for a field that is optional or has a default. */
export const ifFilledIn = (fieldCases: readonly FieldCase[]): FieldCase[] =>
  fieldCases.map((fieldCase) =>
    notFilledIn(null).some(({ name }) => name === fieldCase.name) ? { ...fieldCase, message: null } : fieldCase,
  );

/** The cases of a field that null clears. A blank value counts as left out. */
export const ifChanged = (fieldCases: readonly FieldCase[]): FieldCase[] =>
  ifFilledIn(fieldCases).filter(
    ({ value }) => value !== undefined && (value === null || typeof value !== 'string' || value.trim() !== ''),
  );

export const onOrOff = (message: string): FieldCase[] => [
  { name: 'missing', value: undefined, message: null },
  { name: 'true', value: true, message: null },
  { name: 'false', value: false, message: null },
  { name: 'the word true', value: 'true', message },
  { name: 'the number 0', value: 0, message },
];
