/** Bodies that no form accepts. */
export const bodiesOfNoForm: readonly (readonly [name: string, body: string])[] = [
  ['an empty body', ''],
  ['malformed JSON', '{"email": "noura@example.com",}'],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '42'],
  ['a huge number', '1e999999'],
  ['a text', '"noura@example.com"'],
  ['an empty list', '[]'],
  ['an empty object', '{}'],
  ['15,000 nested lists', '['.repeat(15_000) + ']'.repeat(15_000)],
  ['15,000 unclosed lists', '['.repeat(15_000)],
  ['10,000 nested objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ['thousands of keys', `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')}}`],
];

/** Values that no field accepts. */
export const wrongValues: readonly (readonly [name: string, value: unknown])[] = [
  ['a number', 7],
  ['a huge number', 1e300],
  ['a boolean', true],
  ['a list', ['noura@example.com']],
  ['a list of lists', [[[]]]],
  ['an object', { toString: 'x', length: 99 }],
  ['a MongoDB operator', { $gt: '' }],
];

/** Unusual but valid texts (docs/PRODUCT.md, "Text rules"). */
export const ordinaryTexts: readonly (readonly [name: string, text: string])[] = [
  ['emoji', 'A wave 🌊, a family 👨‍👩‍👧‍👦, a flag 🇿🇦, a heart ❤️ and a skin 👍🏽 — nothing else here.'],
  ['right-to-left text', 'مرحبا بكم في الاستوديو، نريد حملة جديدة لعطور العود في الرياض وجدة.'],
  ['bidi controls', 'left \u202eright\u202c \u2066isolated\u2069 \u200fmarks\u200e and so on, and so on, and on'],
  ['zero-width characters', 'zero\u200bwidth\u200djoiner\u2060word\ufeffmark and so on, and so on, and on and on.'],
  [
    'combining characters',
    'Z\u0351\u036b\u0343a\u0329\u034dlgo and e\u0301, which is not the same text as \u00e9, stay.',
  ],
  ['HTML', '<script>alert("x")</script><img src=x onerror=alert(1)> &amp; <b>bold</b> and so on'],
  ['SQL', `'; drop table leads; -- " OR 1=1 /* and so on */ :id ? $1 \\ %s {0} and more text`],
  ['template and shell syntax', '${process.exit()} {{7*7}} `id` $(id) <%= 1 %> #{1} and so on and so forth'],
  ['quotes', `"double" 'single' «guillemets» “curly” \\"escaped\\" and so on, and so on, on.`],
  ['text that looks like JSON', '{"__proto__": {"a": 1}, "constructor": {"prototype": 1}, "x": "\\u0000"}'],
  ['non-characters', 'noncharacters \ufffe \uffff \u{1ffff} and private \ue000 ones, and the rest of a text.'],
];

/** Ids that no row can have. */
export const impossibleIds: readonly string[] = [
  '0',
  '-1',
  'abc',
  '1.5',
  '2147483648',
  'null',
  '%00',
  '..%2f',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '%ff',
  '%',
  "'%20or%201=1",
  '{}',
  '00000000-0000-0000-0000-00000000000',
  '00000000-0000-0000-0000-0000000000000',
  '00000000-0000-0000-0000-00000000000g',
  '{00000000-0000-4000-8000-000000000000}',
  '00000000000040008000000000000000',
  'x'.repeat(5_000),
];
