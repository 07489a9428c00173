import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { newPasswordForm, newAccountForm, accountChangeForm } from '@dune-tide/domain/forms/account';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import { prepare } from '@dune-tide/domain/forms/validation';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import fc from 'fast-check';
import { ordinaryTexts } from './hostile-values.ts';
import { withSession } from './staff-support.ts';
import { publicForms, withTestApi, type TestResponse, type ProblemBody, type StoredLead } from './support.ts';

/*
 * Sends bodies that are built from each form's schema and then changed in their values, keys and bytes
 * (docs/PRODUCT.md, "Bad input"). A failure prints its seed. Set FUZZ_SEED to repeat it and FUZZ_SECONDS to search
 * longer.
 */

const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** Number of bodies per call without FUZZ_SECONDS. */
const runsAsAlways = 15;
const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0);

/** Text that often causes errors, in addition to random text. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(...ordinaryTexts.map(([, text]) => text)),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\r\n',
    'a\nb',
    'a@b.co\r\nBcc: x@y.zz',
    'a@b.co, c@d.co',
    '"x" <a@b.co>',
  ),
  fc.constantFrom(
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:pass@example.com',
    'http://[::1',
    '../../etc',
  ),
  fc.constantFrom(100, 101, 255, 2_049, 5_001, 50_001).map((length) => 'x'.repeat(length)),
);

const hostileKey = fc.oneof(
  hostileText,
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'id', 'createdAt', 'status', 'version'),
);

const hostileValue = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.constantFrom(null, true, {}, []),
);

/** Generates the body of a form: valid, or with some fields left out, replaced or added. */
const bodyOf = (form: FormSchema): fc.Arbitrary<Record<string, unknown>> => {
  const fields = Object.keys(form.properties);
  return fc
    .record({
      removed: fc.subarray(fields, { maxLength: Math.min(2, fields.length) }),
      replaced: fc.dictionary(fc.constantFrom(...fields), hostileValue, { maxKeys: 3, noNullPrototype: true }),
      added: fc.array(fc.tuple(hostileKey, hostileValue), { maxLength: 2 }),
    })
    .map(({ removed, replaced, added }) => {
      const body: Record<string, unknown> = { ...validExample(form), ...replaced };
      for (const field of removed) delete body[field];
      // An assignment to __proto__ would change the prototype, but JSON treats it as an ordinary key.
      for (const [key, value] of added)
        Object.defineProperty(body, key, { value, enumerable: true, configurable: true });
      return body;
    });
};

/** Generates the bytes of a body, in some runs with bytes removed or replaced. */
const sentAs = (form: FormSchema): fc.Arbitrary<Buffer> =>
  fc
    .record({
      body: bodyOf(form),
      spoiled: fc.option(fc.record({ at: fc.nat(4_000), length: fc.nat(5), bytes: fc.uint8Array({ maxLength: 5 }) }), {
        freq: 3,
      }),
    })
    .map(({ body, spoiled }) => {
      const bytes = Buffer.from(JSON.stringify(body));
      if (!spoiled) return bytes;
      const at = spoiled.at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), spoiled.bytes, bytes.subarray(at + spoiled.length)]);
    });

/** Checks the form's valid body first, then generated ones. */
async function everyBody(form: FormSchema, holds: (body: Buffer) => Promise<void>): Promise<void> {
  let last: Promise<void> = Promise.resolve();
  await fc.assert(
    fc.asyncProperty(sentAs(form), (body) => {
      last = holds(body);
      return last;
    }),
    {
      seed,
      examples: [[Buffer.from(JSON.stringify(validExample(form)))]],
      ...(seconds > 0 ? { numRuns: 1_000_000, interruptAfterTimeLimit: seconds * 1_000 } : { numRuns: runsAsAlways }),
    },
  );
  // After the time limit, fast-check does not wait for the run in progress.
  await last;
}

function expectProblem(response: TestResponse): void {
  expect(response.status, response.text).to.be.oneOf([400, 409, 413, 422, 429]);
  expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
  const problem = response.json() as ProblemBody;
  expect(problem.status).to.equal(response.status);
  if (response.status === 422) for (const { message } of problem.errors ?? []) expect(message).to.match(/\S/);
}

describe(`generated bodies (FUZZ_SEED=${seed})`, () => {
  const api = withTestApi();
  const staff = withSession(api);
  beforeEach(() => api().clear());
  afterEach(() => {
    const loud = api()
      .logLines()
      .filter(({ level }) => level === 'error' || level === 'fatal');
    expect(loud).to.deep.equal([]);
  });

  for (const { form, path, kind } of publicForms) {
    it(`are stored as a ${form.$id} with its follow-ups, or refused and not stored`, async () => {
      let leads = 0;
      await everyBody(form, async (body) => {
        const response = await api().post(path, body);
        if (response.status !== 201) {
          expectProblem(response);
          return;
        }
        leads += 1;
        const { id } = response.json() as StoredLead;
        const [lead] = await api().database('leads').where({ id });
        expect(lead).to.include({ kind });
        const typed = prepare(form, JSON.parse(body.toString())) as Record<string, unknown>;
        // The values of an inquiry can select another form, so its fields are not compared.
        if (kind !== 'service_inquiry') {
          for (const [field, value] of Object.entries(lead.answers as object)) {
            if (Object.hasOwn(form.properties, field)) expect(value).to.deep.equal(typed[field]);
          }
        }
        expect(await api().database('follow_ups').where({ lead_id: id })).to.have.length.above(0);
      });
      expect(await api().leads(), 'nothing else is stored').to.have.length(leads);
      expect(leads, 'some were valid').to.be.above(0);
    });
  }

  it('never sign in and never cause a server error', async () => {
    await everyBody(signInForm, async (body) => {
      const response = await api().post('/api/admin/login', body);
      if (response.status !== 401) expectProblem(response);
      expect(response.headers['set-cookie']).to.equal(undefined);
    });
  });

  it('are stored as recipes or refused with a problem', async () => {
    await everyBody(recipeForm, async (body) => {
      const response = await staff().post('/recipes', body);
      if (response.status !== 201) expectProblem(response);
    });
    const stored = (await staff().get('/recipes')).json() as unknown[];
    expect(stored).to.have.length.above(0);
  });

  it('change only one recipe, never its id or its creation time', async () => {
    const add = async () => (await staff().post('/recipes', validExample(recipeForm))).json() as Record<string, string>;
    const [recipe, other] = [await add(), await add()];
    await everyBody(recipeForm, async (body) => {
      const response = await staff().patch(`/recipes/${recipe['id']}`, body);
      if (response.status !== 200) expectProblem(response);
      const rows = await api()
        .database('recipes')
        .whereIn('id', [String(recipe['id']), String(other['id'])]);
      expect(rows).to.have.length(2);
    });
    const all = (await staff().get('/recipes')).json() as Record<string, string>[];
    expect(all.find(({ id }) => id === recipe['id'])?.['createdAt']).to.equal(recipe['createdAt']);
    expect(all.find(({ id }) => id === other['id'])).to.deep.equal(other);
  });

  for (const [form, call] of [
    [newAccountForm, ['POST', '/team']],
    [accountChangeForm, ['PATCH', '/team/00000000-0000-4000-8000-000000000000']],
    [newPasswordForm, ['PATCH', '/team/00000000-0000-4000-8000-000000000000']],
  ] as const) {
    it(`never cause a server error as a ${form.$id}`, async () => {
      await everyBody(form, async (body) => {
        const response = await staff().sendJson(call[0], `/api/admin${call[1]}`, body);
        if (response.status !== 201 && response.status !== 404) expectProblem(response);
      });
    });
  }
});
