import { gzipSync } from 'node:zlib';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import { newAccountForm, accountChangeForm } from '@dune-tide/domain/forms/account';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { signIn, type TestSession } from './staff-support.ts';
import { publicForms, withTestApi, type ProblemBody, type TestRequest, type StoredLead } from './support.ts';

type Values = Record<string, unknown>;

/** A call with a body. */
interface Endpoint {
  readonly name: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly valid: () => Values;
  readonly isForStaff?: boolean;
}

/** An invalid request, independent of the call (docs/PRODUCT.md, "Bad input"). */
interface BadRequest {
  readonly name: string;
  /** Sent to every call; the others are sent to one call of each kind, because all calls read the body in the same way. */
  readonly isForAll?: boolean;
  readonly status: 400 | 403 | 413 | 415 | 422;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: (valid: Values) => string | Buffer;
  readonly isChunked?: boolean;
}

const json = { 'Content-Type': 'application/json' };
const written = (values: Values): string => JSON.stringify(values);
const withKey = (key: string, values: Values): string => `{${key}, ${written(values).slice(1)}`;
const padded = (values: Values, bytes: number): string => {
  const bare = written({ ...values, filler: '' });
  return written({ ...values, filler: 'x'.repeat(bytes - Buffer.byteLength(bare)) });
};
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

const unreadable = (name: string, body: (valid: Values) => string | Buffer): BadRequest => ({
  name,
  status: 400,
  body,
});
const notJson = (name: string, headers: BadRequest['headers'], body: BadRequest['body'] = written): BadRequest => ({
  name,
  status: 415,
  headers: headers ?? {},
  body,
});
const encoded = (encoding: string) => ({ ...json, 'Content-Encoding': encoding });

const badRequests: readonly BadRequest[] = [
  { ...unreadable('an empty body', () => ''), isForAll: true },
  unreadable('text that is not JSON', () => 'email=noura%40example.com'),
  unreadable('truncated JSON', (valid) => written(valid).slice(0, -5)),
  unreadable('JSON with trailing text', (valid) => `${written(valid)}]`),
  unreadable('single quotes', () => "{'email': 'noura@example.com'}"),
  unreadable('a comment', (valid) => `${written(valid)} // hello`),
  unreadable('NaN', (valid) => withKey('"more": NaN', valid)),
  unreadable('a raw line break in a text', (valid) => withKey('"more": "a\nb"', valid)),
  unreadable('invalid UTF-8', (valid) => Buffer.concat([latin('{"more": "\xc3("'), Buffer.from(written(valid))])),
  unreadable('UTF-16', (valid) => Buffer.from(written(valid), 'utf16le')),
  unreadable('an encoded surrogate', () => latin('{"more": "\xed\xa0\x80"}')),
  unreadable('15,000 unclosed arrays', () => '['.repeat(15_000)),
  unreadable('__proto__', (valid) => withKey('"__proto__": {"isAdmin": true}', valid)),
  unreadable('an escaped __proto__', (valid) => withKey('"\\u005f_proto__": 1', valid)),
  unreadable('a nested __proto__', (valid) => withKey('"a": [{"__proto__": 1}]', valid)),
  unreadable('constructor.prototype', (valid) => withKey('"constructor": {"prototype": {"a": 1}}', valid)),
  ...['null', 'true', '42', '1e999999', '"noura@example.com"', '[]', '[{}]'].map((body): BadRequest => ({
    name: `${body} as the body`,
    isForAll: body === 'null',
    status: 422,
    body: () => body,
  })),
  notJson('no content type', {}),
  { ...notJson('text', { 'Content-Type': 'text/plain' }), isForAll: true },
  notJson('a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, () => 'email=noura%40example.com'),
  notJson('multipart', { 'Content-Type': 'multipart/form-data; boundary=x' }, () => '--x--'),
  notJson('XML', { 'Content-Type': 'application/xml' }, () => '<contact/>'),
  notJson('a type that looks like JSON', { 'Content-Type': 'application/jsonp' }),
  notJson('a broken content type', { 'Content-Type': ';;/application/json' }),
  notJson('gzip', encoded('gzip'), (valid) => gzipSync(written(valid))),
  notJson('a gzip bomb', encoded('gzip'), () => bomb),
  notJson('brotli', encoded('br'), () => 'x'),
  notJson('an unknown encoding', encoded('mystery'), () => 'x'),
  { name: 'one byte too many', isForAll: true, status: 413, body: (valid) => padded(valid, maxBodyBytes + 1) },
  {
    name: 'one byte too many, chunked',
    status: 413,
    body: (valid) => padded(valid, maxBodyBytes + 1),
    isChunked: true,
  },
  { name: 'twenty times the maximum', status: 413, body: (valid) => padded(valid, 20 * maxBodyBytes) },
  {
    name: 'another origin',
    isForAll: true,
    status: 403,
    headers: { ...json, Origin: 'https://evil.example' },
    body: written,
  },
  { name: 'the origin null', status: 403, headers: { ...json, Origin: 'null' }, body: written },
  { name: 'another site', status: 403, headers: { ...json, 'Sec-Fetch-Site': 'cross-site' }, body: written },
];

const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));

/** Texts that cannot be stored (docs/PRODUCT.md, "Text rules"). */
const unusableTexts: readonly (readonly [name: string, text: string])[] = [
  ['U+0000', 'a text\u0000'],
  ['a lone high surrogate', 'a text\ud800'],
  ['a lone low surrogate', '\udc00a text'],
];

describe('a bad request', () => {
  const api = withTestApi();
  let staff: TestSession;
  let endpoints: readonly Endpoint[] = [];
  before(async () => {
    staff = await signIn(api());
    const added = await staff.sendJson('POST', '/api/admin/recipes', validExample(recipeForm));
    const { id } = added.json() as StoredLead;
    const ofStaff = { isForStaff: true } as const;
    endpoints = [
      ...publicForms.map(({ form, path }): Endpoint => ({
        name: form.$id,
        method: 'POST',
        path,
        valid: () => validExample(form),
      })),
      { name: 'login', method: 'POST', path: '/api/admin/login', valid: () => validExample(signInForm) },
      {
        ...ofStaff,
        name: 'new recipe',
        method: 'POST',
        path: '/api/admin/recipes',
        valid: () => validExample(recipeForm),
      },
      {
        ...ofStaff,
        name: 'changed recipe',
        method: 'PATCH',
        path: `/api/admin/recipes/${id}`,
        valid: () => validExample(recipeForm),
      },
      {
        ...ofStaff,
        name: 'new account',
        method: 'POST',
        path: '/api/admin/team',
        valid: () => validExample(newAccountForm),
      },
      {
        ...ofStaff,
        name: 'changed account',
        method: 'PATCH',
        path: `/api/admin/team/${staff.account.id}`,
        valid: () => validExample(accountChangeForm),
      },
      ...(['retry', 'cancel'] as const).map((action): Endpoint => ({
        ...ofStaff,
        name: `${action} all follow-ups`,
        method: 'POST',
        path: `/api/admin/follow-ups/${action}`,
        valid: () => ({ state: action === 'retry' ? 'failed' : 'pending' }),
      })),
    ];
  });

  const stored = async (): Promise<unknown> => ({
    leads: await api().leads(),
    followUps: await api().followUps(),
    recipes: await api().database('recipes').orderBy('id'),
    staff: await api().database('staff').orderBy('id').select('id', 'username', 'name', 'is_active', 'password_hash'),
    sessions: (await api().database('sessions')).length,
  });

  /** Sends a bad request to several calls, and checks that each returns the same problem and stores nothing. */
  const expectRefused = async (bad: BadRequest): Promise<void> => {
    const before = await stored();
    for (const { name, method, path, valid, isForStaff } of endpoints) {
      if (!bad.isForAll && !['contact', 'login', 'changed recipe'].includes(name)) continue;
      const body = bad.body(valid());
      const request: TestRequest = {
        method,
        path,
        headers: bad.headers ?? json,
        body,
        ...(bad.isChunked && { isChunked: true }),
      };
      const response = await (isForStaff ? staff.send(request) : api().send(request));
      expect(response.status, `${name}: ${response.text}`).to.equal(bad.status);
      expect(response.headers['content-type'], name).to.match(/^application\/problem\+json(;|$)/);
      expect(response.headers['set-cookie'], name).to.equal(undefined);
      const problem = response.json() as ProblemBody;
      expect(problem.status, name).to.equal(bad.status);
      expect(problem.title, name).to.match(/\w/);
      if (bad.status === 422) expect(problem.errors, name).to.have.length.above(0);
      else expect(problem, name).to.not.have.property('errors');
    }
    expect(await stored(), 'nothing is stored').to.deep.equal(before);
  };

  for (const bad of badRequests) {
    it(`with ${bad.name} gets ${bad.status}`, () => expectRefused(bad));
  }

  for (const [name, text] of unusableTexts) {
    it(`with ${name} in a text gets 400`, async () => {
      const spoil = (valid: Values): Values => {
        const field = Object.keys(valid).find((key) => typeof valid[key] === 'string');
        return { ...valid, [String(field)]: text };
      };
      await expectRefused({
        name,
        status: 400,
        isForAll: text.includes('\u0000'),
        body: (valid) => written(spoil(valid)),
      });
    });
  }

  it('leaves the API working, without logged errors', () => {
    expect(({} as { isAdmin?: unknown }).isAdmin).to.equal(undefined);
    const loud = api()
      .logLines()
      .filter(({ level }) => level === 'error' || level === 'fatal');
    expect(loud).to.deep.equal([]);
  });
});
