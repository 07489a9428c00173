import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/rules';
import { expect } from 'chai';
import { publicForms, withTestApi, type Answer, type ProblemBody } from './support.ts';

type Values = Record<string, unknown>;

/** A body in each of the ways that no form is. */
const bodiesOfNoForm: readonly (readonly [name: string, body: string])[] = [
  ['nothing', ''],
  ['malformed JSON', '{"email": "noura@example.com",}'],
  ['null', 'null'],
  ['true', 'true'],
  ['a number', '42'],
  ['a huge number', '1e999999'],
  ['a text', '"noura@example.com"'],
  ['an empty list', '[]'],
  ['an empty object', '{}'],
  ['15,000 nested lists', '['.repeat(15_000) + ']'.repeat(15_000)],
  ['15,000 lists that nobody closes', '['.repeat(15_000)],
  ['10,000 nested objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ['thousands of keys', `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":1`).join(',')}}`],
];

/** What a field may hold that no field takes. */
const wrongValues: readonly (readonly [name: string, value: unknown])[] = [
  ['a number', 7],
  ['a huge number', 1e300],
  ['a boolean', true],
  ['a list', ['noura@example.com']],
  ['a list of lists', [[[]]]],
  ['an object', { toString: 'x', length: 99 }],
  ['a MongoDB operator', { $gt: '' }],
];

/** Ordinary text, however it looks (decisions, "Text"). */
const ordinaryTexts: readonly (readonly [name: string, text: string])[] = [
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
  ['what looks like JSON', '{"__proto__": {"a": 1}, "constructor": {"prototype": 1}, "x": "\\u0000"}'],
  ['non-characters', 'noncharacters \ufffe \uffff \u{1ffff} and private \ue000 ones, and the rest of a text.'],
];

const textFields: Readonly<Record<string, string>> = {
  contact: 'message',
  'career-application': 'coverLetter',
  'project-inquiry': 'businessDescription',
  'service-inquiry': 'projectDetails',
  'discovery-inquiry': 'projectDetails',
};

describe('bad input', () => {
  const api = withTestApi();
  beforeEach(() => api().clear());

  const expectRefused = async (answer: Answer): Promise<ProblemBody> => {
    expect(answer.status, answer.text).to.be.within(400, 499);
    expect(answer.headers['content-type']).to.match(/^application\/problem\+json/);
    const problem = answer.json() as ProblemBody;
    expect(problem.status).to.equal(answer.status);
    if (answer.status === 422) expect(problem.errors).to.have.length.above(0);
    return problem;
  };
  const expectNothingStored = async (): Promise<void> => {
    expect(await api().leads()).to.have.length(0);
    expect(await api().followUps()).to.have.length(0);
  };

  for (const { form, path } of publicForms) {
    const valid = (): Values => validExample(form);
    const fields = Object.keys(validExample(form)).filter((field) => field !== 'service' && field !== 'serviceType');

    describe(`sent as a ${form.$id} to ${path}`, () => {
      it('is refused as a body that is no form', async () => {
        for (const [name, body] of bodiesOfNoForm) {
          const answer = await api().post(path, body);
          expect(answer.status, name).to.be.oneOf([400, 422]);
          await expectRefused(answer);
        }
        await expectNothingStored();
      });

      it('is refused in every field that holds no text, with that field named', async () => {
        for (const field of fields) {
          for (const [name, value] of wrongValues) {
            const answer = await api().post(path, { ...valid(), [field]: value });
            const problem = await expectRefused(answer);
            expect(
              problem.errors?.map((error) => error.field),
              `${field}: ${name}`,
            ).to.deep.equal([field]);
          }
        }
        await expectNothingStored();
      });

      it('is refused with unusable text in every field', async () => {
        for (const field of fields) {
          for (const text of ['\u0000', '\ud800', '\udfff', '🌊\ud83c']) {
            const answer = await api().post(path, { ...valid(), [field]: `${String(valid()[field])}${text}` });
            expect(answer.status, field).to.equal(400);
            await expectRefused(answer);
          }
        }
        await expectNothingStored();
      });

      it('is refused with 50 KB for an address, a link or a name, within 50 ms', async () => {
        const long = [
          'x'.repeat(50_000),
          `${'a.'.repeat(25_000)}@`,
          `a@${'a.'.repeat(25_000)}`,
          `https://${'a.'.repeat(24_000)}`,
        ];
        for (const field of fields.filter((name) => name === 'email' || name === 'portfolio' || name === 'name')) {
          for (const value of long) {
            let took = Infinity;
            // The best of three: a busy machine may hold one up.
            for (let tries = 0; tries < 3; tries++) {
              const started = performance.now();
              const answer = await api().post(path, { ...valid(), [field]: value });
              took = Math.min(took, performance.now() - started);
              expect((await expectRefused(answer)).errors?.map((error) => error.field)).to.deep.equal([field]);
            }
            expect(took, `${field}: ${value.slice(0, 10)}…`).to.be.below(50);
          }
        }
        await expectNothingStored();
      });

      it('counts the last of two equal keys, as JSON does', async () => {
        const body = JSON.stringify(valid());
        const answer = await api().post(path, `{"email": "first@example.com", ${body.slice(1)}`);

        expect(answer.status).to.equal(201);
        expect((await api().leads())[0]?.email).to.equal(valid()['email']);
        await expectRefused(await api().post(path, `${body.slice(0, -1)}, "email": "nobody"}`));
      });

      const textField = textFields[form.$id];
      if (textField === undefined) return;
      it(`is no bad input when it is ordinary text in ${textField}: stored as typed`, async () => {
        for (const [name, text] of ordinaryTexts) {
          const answer = await api().post(path, { ...valid(), [textField]: text });
          expect(answer.status, `${name}: ${answer.text}`).to.equal(201);
        }
        const stored = (await api().leads()).map(({ answers }) => answers[textField]);
        expect(stored).to.have.members(ordinaryTexts.map(([, text]) => text));
      });
    });
  }

  it('in the request itself is never answered 5xx', async () => {
    const targets = [
      'http://[',
      'http://',
      '//',
      '///',
      '/api/%',
      '/api/%00',
      '/%ff',
      '*',
      '/?%',
      '/api/contact?a[b]=c',
      '/api/../x',
    ];
    for (const target of targets) {
      const text = await api().exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(text, target).to.match(/^HTTP\/1\.1 [24]\d\d /);
    }
    const heads = [
      'POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n',
      'POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
      'POST /api/contact HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: mystery\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n`,
      'GET / HTTP/1.1\r\n',
      'GET / HTTP/9.9\r\nHost: x\r\n',
      'MYSTERY / HTTP/1.1\r\nHost: x\r\n',
      '\u0016\u0003\u0001',
    ];
    for (const head of heads) {
      const text = await api().exchange(`${head}Connection: close\r\n\r\n`);
      expect(text, head.slice(0, 60)).to.match(/^HTTP\/1\.1 4\d\d /);
    }
    await expectNothingStored();
  });

  it('leaves the API as it was', async () => {
    expect((await api().post('/api/contact', validExample(contactForm))).status).to.equal(201);
    expect(({} as { isAdmin?: unknown }).isAdmin).to.equal(undefined);
    expect(
      api()
        .logLines()
        .filter(({ level }) => level === 'error' || level === 'fatal'),
    ).to.deep.equal([]);
  });
});
