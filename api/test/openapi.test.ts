import { allForms } from '@dune-tide/domain/forms/all-forms';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { discoveryForm } from '@dune-tide/domain/forms/discovery';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { passkeyNameForm } from '@dune-tide/domain/forms/second-factor';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import { newPasswordForm } from '@dune-tide/domain/forms/account';
import { leadItems } from '@dune-tide/domain/responses/lead';
import { problemResponse } from '@dune-tide/domain/responses/problem';
import type { recipeResponse } from '@dune-tide/domain/responses/recipe';
import type { Json } from '@dune-tide/domain/responses/schema';
import { validExample } from '@dune-tide/domain/test/examples';
import { allResponses } from '@dune-tide/domain/test/responses';
import { freePort } from '@dune-tide/local/ports';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { isApiPath } from '../src/http/errors/unanswered.ts';
import { routesOf } from '../src/http/koa-router-internals.ts';
import type { OpenApiDocument } from '../src/openapi/document.ts';
import { description, expectConforming, NonconformingAnswerError } from './conformance.ts';
import { sessionOf, signIn, type TestSession } from './staff-support.ts';
import { withTestApi, type Answer, type ProblemBody, type StoredLead } from './support.ts';

/** Each call with the forms that its body may match. */
const calls = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => {
    const schema = requestBody?.content['application/json'].schema ?? { anyOf: [] };
    const bodies = '$ref' in schema ? [schema] : schema.anyOf;
    const forms = bodies.map(({ $ref }) => description.components.schemas[$ref.split('/').at(-1) ?? ''] as FormSchema);
    return { method: method.toUpperCase(), path, operationId, parameters, forms };
  }),
);

describe('the API’s description of itself', () => {
  const api = withTestApi();
  let staff: TestSession;
  let ids: Readonly<Record<string, string>> = {};
  before(async () => {
    staff = await signIn(api());
    const recipe = await staff.sendJson('POST', '/api/admin/recipes', validExample(recipeForm));
    const lead = await api().post('/api/contact', validExample(contactForm));
    ids = {
      '/api/admin/leads/{id}/history': (lead.json() as StoredLead).id,
      '/api/admin/recipes/{id}': (recipe.json() as Json<typeof recipeResponse>).id,
      '/api/admin/team/{id}': staff.account.id,
    };
  });

  const sentTo = (path: string): string =>
    path.replaceAll(/\{(id|noteId)\}/g, ids[path] ?? staff.account.id).replace('{rest}', 'x');

  it('is public and valid OpenAPI 3.1', async () => {
    const answer = await api().send({ path: '/api/openapi.json' });
    expect(answer.json()).to.deep.equal(JSON.parse(JSON.stringify(description)));

    const validator = new Validator();
    const { valid, errors } = await validator.validate(answer.json() as Record<string, unknown>);
    expect(errors).to.equal(undefined);
    expect([valid, validator.version]).to.deep.equal([true, '3.1']);
  });

  it('has exactly the routes of the app', () => {
    const routes = api()
      .koa.middleware.flatMap(routesOf)
      .flatMap(({ path, methods }) =>
        methods
          .filter((method) => method !== 'HEAD')
          .map((method) => `${method} ${path.replaceAll(/\{?[:*](\w+)\}?/g, '{$1}')}`),
      );
    expect(routes).to.include('GET /readyz').and.to.include('DELETE /api/admin/recipes/{id}');
    const described = calls.map(({ method, path }) => `${method} ${path}`);
    expect({
      undescribed: routes.filter((route) => !described.includes(route)),
      gone: described.filter((call) => !routes.includes(call)),
    }).to.deep.equal({ undescribed: [], gone: [] });
  });

  it('has a unique id for each operation', () => {
    const names = calls.map(({ operationId }) => operationId);
    expect(new Set(names)).to.have.length(names.length);
  });

  it('uses the schemas that validate the forms', () => {
    const ofTheBrowserAlone = new Set<FormSchema>([discoveryForm, newPasswordForm, passkeyNameForm]);
    const sent = allForms.filter((form) => !ofTheBrowserAlone.has(form));
    for (const form of sent) expect(description.components.schemas[form.$id], form.$id).to.equal(form);
  });

  it('describes links as URIs', () => {
    const { properties } = description.components.schemas[recipeForm.$id] as FormSchema;
    expect(properties['notionPageUrl']).to.include({ type: 'string', format: 'uri' });
  });

  it('uses the schemas of the responses, and no other schema', () => {
    const { schemas } = description.components;
    // Portfolio requests have no list.
    const described = allResponses.filter(
      (response) => response !== problemResponse && response !== leadItems.portfolio_request,
    );
    for (const response of described) expect(schemas[response.title], response.title).to.equal(response);
    const forms = Object.values(schemas).filter((schema) => '$id' in schema);
    expect(Object.keys(schemas)).to.have.length(forms.length + described.length);
  });

  it('has the error message that the API returns for each field', async () => {
    const withBody = calls.filter(({ forms }) => forms.length > 0);
    expect(withBody).to.have.length.above(10);
    for (const { method, path, forms } of withBody) {
      for (const form of forms) {
        // These fields select one of several forms.
        const kept = forms.length > 1 ? ['service', 'serviceType'].filter((field) => field in form.properties) : [];
        const wrong = Object.entries(form.properties).filter(([field]) => !kept.includes(field));
        const body = Object.fromEntries([
          ...wrong.map(([field]) => [field, 7]),
          ...kept.map((field) => [field, validExample(form)[field]]),
        ]);
        const answer = await staff.sendJson(method, sentTo(path), body);

        expect(answer.status, `${method} ${path}`).to.equal(422);
        expect((answer.json() as ProblemBody).errors, `${method} ${path}`).to.deep.equal(
          wrong.map(([field, { messages }]) => ({ field, message: messages.default })),
        );
      }
    }
  });

  it('has the limits of the page size', async () => {
    const lists = calls.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));
    expect(lists).to.have.length(8);
    for (const { path, parameters } of lists) {
      const { minimum = 0, maximum = 0 } = parameters.find(({ name }) => name === 'limit')?.schema ?? {};
      const query = 'state=sent&email=noura@example.com';
      const get = (limit: number): Promise<Answer> => staff.send({ path: `${sentTo(path)}?${query}&limit=${limit}` });
      for (const limit of [minimum, maximum]) expect((await get(limit)).status, path).to.equal(200);
      for (const limit of [minimum - 1, maximum + 1]) expect((await get(limit)).status, path).to.equal(422);
    }
  });

  it('has the values that a parameter accepts', async () => {
    const lists = calls.filter(({ method }) => method === 'GET');
    const choices = lists.flatMap(({ path, parameters }) =>
      parameters.flatMap(({ name, schema: { enum: values } }) =>
        Array.isArray(values) ? [{ path, name, values }] : [],
      ),
    );
    const names = ['spam', 'sort', 'spam', 'sort', 'state', 'order', 'transport', 'transport'];
    expect(choices.map(({ name }) => name)).to.deep.equal(names);
    for (const { path, name, values } of choices) {
      const get = (value: unknown): Promise<Answer> =>
        staff.send({ path: `${path}?${new URLSearchParams({ state: 'sent', [name]: String(value) }).toString()}` });
      for (const value of values) expect((await get(value)).status, String(value)).to.equal(200);
      expect((await get('another')).status, name).to.equal(422);
    }
  });

  it('has a 403 for each call that other sites must not send', async () => {
    // Mail programs send the one-click request of an email from other sites.
    const sendable = calls.filter(({ method, path }) => method !== 'GET' && isApiPath(path));
    for (const { method, path } of sendable) {
      const answer = await staff.sendJson(method, sentTo(path), {}, { Origin: 'https://evil.example' });
      expect(answer.status, `${method} ${path}`).to.equal(403);
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
      for (const { method, path } of calls.filter((call) => call.path.startsWith('/api/admin/'))) {
        const answer = await session.sendJson(method, sentTo(path), validExample(signInForm));
        expect(answer.status, `${method} ${path}`).to.equal(503);
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
 * `sendTo` checks every response that a test gets against the description. These tests prove that the check finds
 * responses that do not match.
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

  const answerOf = (status: number, body: unknown, answerHeaders: Record<string, string> = headers): Answer => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return { status, headers: answerHeaders, text, bytes: Buffer.from(text), json: () => JSON.parse(text) as unknown };
  };
  const without = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

  it('accepts responses that match the description', () => {
    expectConforming('GET', recipes, answerOf(200, [recipe, { ...recipe, notionPageUrl: null }]));
    expectConforming('GET', `${recipes.toUpperCase()}/?x=1`, answerOf(200, []));
    expectConforming('HEAD', recipes, answerOf(200, ''));
    expectConforming('DELETE', `${recipes}/${id}`, answerOf(204, '', without('content-type')));
    expectConforming('GET', '/api/nothing', answerOf(404, problem, problemHeaders));
    expectConforming('GET', '/a-page-of-the-site', answerOf(404, '<!doctype html>', {}));
  });

  const wrong: readonly (readonly [what: string, method: string, path: string, answer: Answer, says: RegExp])[] = [
    ['a status', 'GET', recipes, answerOf(418, []), /status is not described/],
    ['a problem', 'GET', recipes, answerOf(404, problem, problemHeaders), /status is not described/],
    ['a member', 'GET', recipes, answerOf(200, [{ ...recipe, secret: 1 }]), /"additionalProperty":"secret"/],
    ['a value outside an enum', 'GET', recipes, answerOf(200, [{ ...recipe, category: 'x' }]), /\/0\/category/],
    ['a time', 'GET', recipes, answerOf(200, [{ ...recipe, createdAt: 'today' }]), /\/0\/createdAt .*date-time/],
    ['null', 'GET', recipes, answerOf(200, [{ ...recipe, title: null }]), /\/0\/title/],
    ['a body', 'DELETE', `${recipes}/${id}`, answerOf(204, '{}'), /not have a body/],
    ['a body of HEAD', 'HEAD', recipes, answerOf(200, []), /not have a body/],
    [
      'a content type',
      'GET',
      recipes,
      answerOf(200, [], { ...headers, 'content-type': 'text/html' }),
      /text\/html is not described/,
    ],
    ['text that is not JSON', 'GET', recipes, answerOf(200, '[', headers), /not JSON/],
    ['a page for an unknown path', 'GET', '/api/nothing', answerOf(200, '<p>'), /must return 404/],
    ['a page for a wrong method', 'PUT', recipes, answerOf(200, '<p>'), /must return 405/],
    [
      'another status in a problem',
      'GET',
      '/api/x',
      answerOf(404, { ...problem, status: 400 }, problemHeaders),
      /status/,
    ],
    ['a stack trace in a problem', 'GET', '/api/x', answerOf(404, { ...problem, stack: '' }, problemHeaders), /stack/],
  ];
  for (const [what, method, path, answer, says] of wrong) {
    it(`rejects ${what} that is not described`, () => {
      expect(() => expectConforming(method, path, answer)).to.throw(NonconformingAnswerError, says);
    });
  }

  it('rejects a response that lacks a member or a header', () => {
    for (const name of Object.keys(recipe)) {
      const rest = Object.fromEntries(Object.entries(recipe).filter(([each]) => each !== name));
      expect(() => expectConforming('GET', recipes, answerOf(200, [rest])), name).to.throw(NonconformingAnswerError);
    }
    for (const name of Object.keys(headers)) {
      expect(() => expectConforming('GET', recipes, answerOf(200, [], without(name))), name).to.throw(
        NonconformingAnswerError,
      );
    }
    const added = (etag: Record<string, string>) => answerOf(201, recipe, { ...headers, location: '/', ...etag });
    expectConforming('POST', recipes, added({ etag: '"1"' }));
    expect(() => expectConforming('POST', recipes, added({}))).to.throw(NonconformingAnswerError, /ETag is missing/);
  });
});
