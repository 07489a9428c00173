import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import type { recipeResponse } from '@dune-tide/domain/responses/recipe';
import type { Json } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { validExample } from '@dune-tide/domain/test/examples';
import { freePort } from '@dune-tide/local/ports';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import type { OpenApiDocument } from '../src/openapi/document.ts';
import { expectDeclared, routes, UndeclaredResponseError } from './declared-responses.ts';
import { sessionOf, signIn, type TestSession } from './staff-support.ts';
import { withTestApi, type TestResponse, type ProblemBody } from './support.ts';

describe('the API’s description of itself', () => {
  const api = withTestApi();
  let staff: TestSession;
  let ids: Readonly<Record<string, string>> = {};
  before(async () => {
    staff = await signIn(api());
    const recipe = await staff.sendJson('POST', '/api/admin/recipes', validExample(recipeForm));
    ids = {
      '/api/admin/recipes/:id': (recipe.json() as Json<typeof recipeResponse>).id,
      '/api/admin/team/:id': staff.account.id,
    };
  });

  const sentTo = (path: string): string =>
    path.replaceAll(/:\w+/g, ids[path] ?? staff.account.id).replace('{*rest}', 'x');

  it('is public and valid OpenAPI 3.1, with a unique id for each operation', async () => {
    const document = (await api().send({ path: '/api/openapi.json' })).json() as OpenApiDocument;
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...document });
    expect(errors).to.equal(undefined);
    expect([valid, validator.version]).to.deep.equal([true, '3.1']);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map(({ operationId }) => operationId))).to.have.length(routes.length);
  });

  it('names the entry of the audit log that a staff call leaves', async () => {
    const { paths } = (await api().send({ path: '/api/openapi.json' })).json() as OpenApiDocument;
    expect(paths['/api/admin/recipes']?.['post']?.description).to.equal('The audit log records it as recipe_added.');
    expect(paths['/api/admin/recipes']?.['get']).to.not.have.property('description');
  });

  it('has the error message that the API returns for each field', async () => {
    for (const { method, path, body: rules } of routes) {
      const forms = rules?.schemas ?? [];
      for (const form of forms) {
        // These fields select one of several forms.
        const kept = forms.length > 1 ? ['service', 'serviceType'].filter((field) => field in form.properties) : [];
        const wrong = Object.entries(form.properties).filter(([field]) => !kept.includes(field));
        const body = Object.fromEntries([
          ...wrong.map(([field, { type }]) => [field, type === 'integer' ? '7' : 7]),
          ...kept.map((field) => [field, validExample(form)[field]]),
        ]);
        const response = await staff.sendJson(method, sentTo(path), body);

        expect(response.status, `${method} ${path}`).to.equal(422);
        expect((response.json() as ProblemBody).errors, `${method} ${path}`).to.deep.equal(
          wrong.map(([field, { messages }]) => ({ field, message: messages.default })),
        );
      }
    }
  });

  it('has a 403 for each call that other sites must not send', async () => {
    // Mail programs send the one-click request of an email from other sites.
    const sendable = routes.filter(({ method, access }) => method !== 'GET' && access !== 'link');
    for (const { method, path } of sendable) {
      const response = await staff.sendJson(method, sentTo(path), {}, { Origin: 'https://evil.example' });
      expect(response.status, `${method} ${path}`).to.equal(403);
    }
  });

  describe('while the database is unavailable', () => {
    let port = 0;
    before(async () => {
      port = await freePort(0, '127.0.0.1');
    });
    const away = withTestApi(() => ({ databaseUrl: `postgres://studio@127.0.0.1:${port}/nothing` }));

    it('has a 503 for each staff call', async () => {
      const session = sessionOf(away(), staff.account, staff.cookie);
      for (const { method, path } of Object.values(staffCalls)) {
        const response = await session.sendJson(method, sentTo(path), validExample(signInForm));
        expect(response.status, `${method} ${path}`).to.equal(503);
      }
    });
  });

  describe('over HTTPS', () => {
    const secure = withTestApi({ publicUrl: 'https://studio.example' });

    it('names the cookie with the __Host- prefix', async () => {
      const { components } = (await secure().send({ path: '/api/openapi.json' })).json() as OpenApiDocument;
      expect(components.securitySchemes['session']).to.include({ in: 'cookie', name: '__Host-session' });
    });
  });
});

/*
 * `sendTo` checks every response that a test gets against the declaration of its call. These tests prove that the check
 * finds responses that differ.
 */
describe('the check of every response', () => {
  const recipes = '/api/admin/recipes';
  const id = '9b2f4c1e-3d5a-4c6b-8e7f-0a1b2c3d4e5f';
  const time = '2026-01-02T03:04:05.678Z';
  const recipe = { id, ...validExample(recipeForm), createdAt: time, updatedAt: time, version: 1 };
  const headers = {
    'x-request-id': id,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  };
  const problem = { type: 'about:blank', title: 'Not Found', status: 404 };
  const problemHeaders = { ...headers, 'content-type': 'application/problem+json' };

  const responseOf = (
    status: number,
    body: unknown,
    responseHeaders: Record<string, string> = headers,
  ): TestResponse => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      status,
      headers: responseHeaders,
      text,
      bytes: Buffer.from(text),
      json: () => JSON.parse(text) as unknown,
    };
  };
  const without = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

  it('accepts responses as they are declared', () => {
    expectDeclared('GET', recipes, responseOf(200, [recipe, { ...recipe, notionPageUrl: null }]));
    expectDeclared('GET', `${recipes.toUpperCase()}/?x=1`, responseOf(200, []));
    expectDeclared('HEAD', recipes, responseOf(200, ''));
    expectDeclared('DELETE', `${recipes}/${id}`, responseOf(204, '', without('content-type')));
    expectDeclared('GET', '/api/nothing', responseOf(404, problem, problemHeaders));
    expectDeclared('GET', '/a-page-of-the-site', responseOf(404, '<!doctype html>', {}));
  });

  const wrong: readonly (readonly [
    what: string,
    method: string,
    path: string,
    response: TestResponse,
    says: RegExp,
  ])[] = [
    ['a status', 'GET', recipes, responseOf(418, []), /status is not declared/],
    ['a problem', 'GET', recipes, responseOf(404, problem, problemHeaders), /status is not declared/],
    ['a member', 'GET', recipes, responseOf(200, [{ ...recipe, secret: 1 }]), /"additionalProperty":"secret"/],
    ['a value outside an enum', 'GET', recipes, responseOf(200, [{ ...recipe, category: 'x' }]), /\/0\/category/],
    ['a time', 'GET', recipes, responseOf(200, [{ ...recipe, createdAt: 'today' }]), /\/0\/createdAt .*date-time/],
    ['null', 'GET', recipes, responseOf(200, [{ ...recipe, title: null }]), /\/0\/title/],
    ['a body', 'DELETE', `${recipes}/${id}`, responseOf(204, '{}'), /not have a body/],
    ['a body of HEAD', 'HEAD', recipes, responseOf(200, []), /not have a body/],
    [
      'a content type',
      'GET',
      recipes,
      responseOf(200, [], { ...headers, 'content-type': 'text/html' }),
      /text\/html is not declared/,
    ],
    ['text that is not JSON', 'GET', recipes, responseOf(200, '[', headers), /not JSON/],
    ['a page for an unknown path', 'GET', '/api/nothing', responseOf(200, '<p>'), /must return 404/],
    ['a page for a wrong method', 'PUT', recipes, responseOf(200, '<p>'), /must return 405/],
    [
      'another status in a problem',
      'GET',
      '/api/x',
      responseOf(404, { ...problem, status: 400 }, problemHeaders),
      /status/,
    ],
    [
      'a stack trace in a problem',
      'GET',
      '/api/x',
      responseOf(404, { ...problem, stack: '' }, problemHeaders),
      /stack/,
    ],
  ];
  for (const [what, method, path, response, says] of wrong) {
    it(`rejects ${what} that is not declared`, () => {
      expect(() => expectDeclared(method, path, response)).to.throw(UndeclaredResponseError, says);
    });
  }

  it('rejects a response that lacks a member or a header', () => {
    for (const name of Object.keys(recipe)) {
      const rest = Object.fromEntries(Object.entries(recipe).filter(([each]) => each !== name));
      expect(() => expectDeclared('GET', recipes, responseOf(200, [rest])), name).to.throw(UndeclaredResponseError);
    }
    for (const name of Object.keys(headers)) {
      expect(() => expectDeclared('GET', recipes, responseOf(200, [], without(name))), name).to.throw(
        UndeclaredResponseError,
      );
    }
    const added = (etag: Record<string, string>) => responseOf(201, recipe, { ...headers, location: '/', ...etag });
    expectDeclared('POST', recipes, added({ etag: '"1"' }));
    expect(() => expectDeclared('POST', recipes, added({}))).to.throw(UndeclaredResponseError, /ETag is missing/);
  });
});
