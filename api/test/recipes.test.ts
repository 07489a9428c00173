import { randomUUID } from 'node:crypto';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { maxBodyBytes } from '@dune-tide/domain/limits';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { bodiesOfNoForm, impossibleIds, ordinaryTexts } from './hostile-values.ts';
import { withSession } from './staff-support.ts';
import { withTestApi, type TestResponse, type ProblemBody } from './support.ts';

type Item = Record<string, unknown>;

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const valid = (): Item => validExample(recipeForm);
const fields = Object.keys(recipeForm.properties);

describe('the staff’s recipes', () => {
  const api = withTestApi();
  const staff = withSession(api);
  beforeEach(() => api().database('recipes').delete());

  async function add(changes: Item = {}): Promise<Item> {
    const response = await staff().post('/recipes', { ...valid(), ...changes });
    expect(response.status, response.text).to.equal(201);
    return response.json() as Item;
  }
  const list = async (): Promise<Item[]> => {
    const response = await staff().get('/recipes');
    expect(response.status, response.text).to.equal(200);
    return response.json() as Item[];
  };
  const patch = (recipe: Item, changes: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
    staff().patch(`/recipes/${String(recipe['id'])}`, changes, headers);
  const errorsOf = (response: TestResponse): ProblemBody['errors'] => {
    expect(response.status, response.text).to.equal(422);
    expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
    return (response.json() as ProblemBody).errors;
  };

  describe('GET /recipes', () => {
    it('returns an empty array without recipes', async () => {
      expect(await list()).to.deep.equal([]);
    });

    it('returns every recipe, newest first, as it was returned when it was stored', async () => {
      const added: Item[] = [];
      for (const title of ['first', 'second', 'third']) added.push(await add({ title }));
      await api().database('recipes').where({ id: added[0]?.['id'] }).update({ created_at: '2030-01-01' });

      const [first, ...others] = await list();
      expect(first).to.deep.equal({ ...added[0], createdAt: '2030-01-01T00:00:00.000Z' });
      expect(others).to.have.deep.members(added.slice(1));
    });
  });

  describe('POST /recipes', () => {
    it('returns 201 with the recipe, its path and its version', async () => {
      const response = await staff().post('/recipes', valid());

      expect(response.status).to.equal(201);
      const recipe = response.json() as Item;
      expect(recipe['id']).to.match(uuid);
      expect(recipe['createdAt']).to.match(isoTime);
      expect(recipe).to.deep.equal({
        id: recipe['id'],
        ...valid(),
        createdAt: recipe['createdAt'],
        updatedAt: recipe['createdAt'],
        version: 1,
      });
      expect(response.headers['location']).to.equal(`/api/admin/recipes/${String(recipe['id'])}`);
      expect(response.headers['etag']).to.equal('"1"');
    });

    it('adds the default values', async () => {
      const { title, description, instructions, category } = valid();
      const recipe = await staff().post('/recipes', { title, description, instructions, category });
      expect(recipe.json()).to.include({
        difficulty: 'medium',
        notionPageUrl: null,
        estimatedTime: null,
        isPublic: false,
      });
      expect(recipe.json()).to.deep.include({ tags: [], tools: [] });
    });

    it('ignores unknown keys', async () => {
      const id = randomUUID();
      const recipe = await add({ id, createdAt: '2001-01-01', updatedAt: '2001-01-01', version: 99, isAdmin: true });
      expect(recipe['id']).to.not.equal(id);
      expect(recipe['createdAt']).to.not.match(/^2001/);
      expect(recipe).to.include({ version: 1 });
      expect(recipe).to.not.have.property('isAdmin');
    });

    it('stores one recipe per Idempotency-Key, and refuses the key for another', async () => {
      const key = randomUUID();
      const post = (changes: Item = {}): Promise<TestResponse> =>
        staff().post('/recipes', { ...valid(), ...changes }, { 'Idempotency-Key': key });
      const responses = await Promise.all(Array.from({ length: 20 }, () => post()));
      expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([201]));
      expect(new Set(responses.map(({ text }) => text)).size).to.equal(1);
      expect((await post({ unknown: 'key', title: `  ${String(valid()['title'])}` })).text).to.equal(
        responses[0]?.text,
      );
      expect((await post({ title: 'Another' })).status).to.equal(422);
      const [stored, ...others] = await list();
      expect(others).to.deep.equal([]);
      expect(stored).to.deep.equal(responses[0]?.json());

      const changed = await patch(stored ?? {}, { title: 'Changed since' });
      expect((await post()).text, 'the current state of the recipe').to.equal(changed.text);
      expect(await list()).to.have.length(1);
      const wrong = await staff().post('/recipes', valid(), { 'Idempotency-Key': 'with blanks' });
      expect(wrong.status).to.equal(400);
      expect(wrong.text).to.not.include('with blanks');
    });

    it('stores texts as typed, including markup, SQL and right-to-left text', async () => {
      for (const [name, text] of ordinaryTexts) {
        const recipe = await add({
          title: text.slice(0, 60).trim(),
          instructions: text,
          tags: [text.slice(0, 20).replaceAll(',', '').trim()],
        });
        expect(recipe, name).to.include({ instructions: text });
      }
      expect((await list()).map(({ instructions }) => instructions)).to.have.members(
        ordinaryTexts.map(([, text]) => text),
      );
    });

    it('accepts any text in the lists of tags and tools', async () => {
      const tags = ['a;b', '{c}', '"d"', "e'f", 'g\\h', 'NULL', 'شعار', '🌊', '<b>'];
      expect(await add({ tags, tools: ['', ' x '] })).to.deep.include({ tags, tools: ['x'] });
    });

    it('accepts a recipe with every field at its maximum length', async () => {
      const longest = {
        title: 'x'.repeat(100),
        description: 'x'.repeat(5_000),
        instructions: 'x'.repeat(50_000),
        tags: Array.from({ length: 30 }, (_, index) => String(index).padStart(50, 'x')),
        tools: Array.from({ length: 30 }, (_, index) => String(index).padStart(50, 'x')),
        estimatedTime: 'x'.repeat(100),
        notionPageUrl: `https://example.com/${'x'.repeat(2_028)}`,
      };
      expect(await add(longest)).to.deep.include(longest);
      expect(
        (errorsOf(await staff().post('/recipes', { ...valid(), instructions: 'x'.repeat(50_001) })) ?? []).map(
          ({ field }) => field,
        ),
      ).to.deep.equal(['instructions']);
    });

    for (const [name, letter] of [
      ['Arabic', 'ا'],
      ['emoji', '🌊'],
    ] as const) {
      it(`accepts as many characters as fit into the body: ${name}`, async () => {
        const most = Math.floor(60_000 / Buffer.byteLength(letter));
        const instructions = letter.repeat(most);
        expect(await add({ instructions })).to.include({ instructions });
        expect((await staff().post('/recipes', { ...valid(), instructions: letter.repeat(50_000) })).status).to.equal(
          413,
        );
      });
    }

    it('refuses a body above the limit', async () => {
      const body = JSON.stringify(valid());
      const padded = (bytes: number): string => body + ' '.repeat(bytes - body.length);
      expect((await staff().post('/recipes', padded(maxBodyBytes))).status).to.equal(201);
      const response = await staff().post('/recipes', padded(maxBodyBytes + 1));
      expect(response.status).to.equal(413);
      expect(response.json()).to.include({ detail: 'The body is larger than 64 KiB.' });
    });
  });

  describe('PATCH /recipes/{id}', () => {
    it('changes the fields that were sent and increments the version', async () => {
      const recipe = await add();
      const response = await patch(recipe, { title: 'Ship it in two days', tags: ['new'], isPublic: true });

      expect(response.status).to.equal(200);
      expect(response.headers['etag']).to.equal('"2"');
      const changed = response.json() as Item;
      expect(changed['updatedAt']).to.match(isoTime);
      expect(changed).to.deep.equal({
        ...recipe,
        title: 'Ship it in two days',
        tags: ['new'],
        isPublic: true,
        updatedAt: changed['updatedAt'],
        version: 2,
      });
      expect(await list()).to.deep.equal([changed]);
    });

    it('changes nothing with {}, with unknown keys or with the current values', async () => {
      const recipe = await add();
      for (const body of [
        {},
        { id: randomUUID(), createdAt: '2001-01-01', version: 7, x: 1 },
        { title: recipe['title'] },
      ]) {
        const response = await patch(recipe, body);
        expect(response.status).to.equal(200);
        expect(response.json()).to.deep.equal(recipe);
      }
      expect(await list()).to.deep.equal([recipe]);
    });

    for (const empty of [null, '', ' ']) {
      it(`clears optional fields with ${JSON.stringify(empty)}, but no required field`, async () => {
        const recipe = await add({ notionPageUrl: 'https://notion.example.com/a', estimatedTime: '2 hours' });
        const changed = (await patch(recipe, { notionPageUrl: empty, estimatedTime: empty })).json();
        expect(changed).to.include({ notionPageUrl: null, estimatedTime: null, version: 2 });

        for (const field of ['title', 'description', 'instructions', 'category']) {
          const errors = errorsOf(await patch(recipe, { [field]: empty })) ?? [];
          expect(errors.map((error) => error.field)).to.deep.equal([field]);
        }
        expect(await list()).to.deep.equal([changed]);
      });
    }

    it('clears a list with an empty list', async () => {
      const recipe = await add({ tags: ['a'], tools: ['b'] });
      expect((await patch(recipe, { tags: [], tools: [] })).json()).to.deep.include({ tags: [], tools: [] });
    });

    it('refuses a change for another version, and does not change the recipe', async () => {
      const recipe = await add();
      const first = await patch(recipe, { title: 'of the first' }, { 'If-Match': '"1"' });
      expect(first.status).to.equal(200);
      for (const stale of ['"1"', '"3"', 'W/"2"', '2', '"2', 'nonsense', '"1", "3"']) {
        const response = await patch(recipe, { title: 'of the second' }, { 'If-Match': stale });
        expect(response.status, stale).to.equal(412);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
      expect(await list()).to.deep.equal([first.json()]);
      for (const [version, current] of ['"2"', '"1", "3"', '*'].entries()) {
        const response = await patch(recipe, { title: `of ${version}` }, { 'If-Match': current });
        expect(response.status, current).to.equal(200);
      }
    });

    it('checks the version before the fields', async () => {
      expect((await patch(await add(), { title: '' }, { 'If-Match': '"9"' })).status).to.equal(412);
    });

    it('accepts one of many concurrent changes for the same version', async () => {
      const recipe = await add();
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) => patch(recipe, { title: `of ${index}` }, { 'If-Match': '"1"' })),
      );
      expect(responses.map(({ status }) => status)).to.have.members([200, ...Array<number>(11).fill(412)]);
      const [stored] = await list();
      expect(stored).to.deep.equal(responses.find(({ status }) => status === 200)?.json());
    });

    it('applies all concurrent changes of different fields without a version', async () => {
      const recipe = await add();
      const changes: Item = {
        title: 'new title',
        description: 'new description',
        instructions: 'new instructions',
        category: 'process',
        difficulty: 'expert',
        tags: ['new'],
        tools: ['newer'],
        estimatedTime: 'a new hour',
      };
      const responses = await Promise.all(
        Object.entries(changes).map(([field, value]) => patch(recipe, { [field]: value })),
      );
      expect(responses.map(({ status }) => status)).to.deep.equal(Object.keys(changes).map(() => 200));
      const [stored] = await list();
      expect(stored).to.deep.include({ ...changes, version: 1 + Object.keys(changes).length });
    });
  });

  describe('DELETE /recipes/{id}', () => {
    it('returns 204 once, then 404, and deletes only that recipe', async () => {
      const [recipe, other] = [await add(), await add()];
      const response = await staff().delete(`/recipes/${String(recipe['id'])}`);
      expect(response.status).to.equal(204);
      expect(response.text).to.equal('');
      expect((await staff().delete(`/recipes/${String(recipe['id'])}`)).status).to.equal(404);
      expect((await patch(recipe, { title: 'too late' })).status).to.equal(404);
      expect(await list()).to.deep.equal([other]);
    });

    it('refuses to delete another version, and keeps the recipe', async () => {
      const recipe = await add();
      const changed = (await patch(recipe, { title: 'Changed since' })).json();
      const remove = (ifMatch: string): Promise<TestResponse> =>
        staff().delete(`/recipes/${String(recipe['id'])}`, { 'If-Match': ifMatch });
      for (const stale of ['"1"', 'W/"2"', '2', '"1", "3"']) {
        const response = await remove(stale);
        expect(response.status, stale).to.equal(412);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
      expect(await list()).to.deep.equal([changed]);
      expect((await remove('"2"')).status).to.equal(204);
      expect((await remove('"2"')).status, 'gone').to.equal(404);
    });

    it('does not delete a recipe that is changed concurrently', async () => {
      for (let round = 0; round < 8; round += 1) {
        const recipe = await add();
        const [removed, changed] = await Promise.all([
          staff().delete(`/recipes/${String(recipe['id'])}`, { 'If-Match': '"1"' }),
          patch(recipe, { title: 'Changed since' }, { 'If-Match': '"1"' }),
        ]);
        expect([removed.status, changed.status].join()).to.be.oneOf(['204,404', '412,200']);
      }
    });

    it('returns 204 to one of many concurrent requests', async () => {
      const recipe = await add();
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => staff().delete(`/recipes/${String(recipe['id'])}`)),
      );
      expect(responses.map(({ status }) => status)).to.have.members([204, ...Array<number>(7).fill(404)]);
    });
  });

  it('return 404 for an unknown or malformed id before other checks', async () => {
    for (const id of [randomUUID(), ...impossibleIds]) {
      expect((await staff().patch(`/recipes/${id}`, { title: '' })).status, id).to.equal(404);
      expect((await staff().delete(`/recipes/${id}`)).status, id).to.equal(404);
    }
    expect((await staff().patch('/recipes/abc', 'no JSON', { 'Content-Type': 'text/plain' })).status).to.equal(404);
  });

  it('return 405 for an unsupported method', async () => {
    const { id } = await add();
    for (const [method, path, allowed] of [
      ['GET', `/recipes/${String(id)}`, 'PATCH, DELETE'],
      ['PUT', `/recipes/${String(id)}`, 'PATCH, DELETE'],
      ['DELETE', '/recipes', 'HEAD, GET, POST'],
    ] as const) {
      const response = await staff().sendJson(method, `/api/admin${path}`);
      expect(response.status, `${method} ${path}`).to.equal(405);
      expect(String(response.headers['allow']).split(', ')).to.have.members(allowed.split(', '));
    }
  });

  describe('a recipe that is changed', () => {
    it('is refused if the body is not a recipe', async () => {
      const recipe = await add();
      for (const [what, body] of bodiesOfNoForm) {
        // An object without a recipe's fields is a valid change without effect.
        const isNoChange = ['an empty object', 'thousands of keys', '10,000 nested objects'].includes(what);
        expect((await patch(recipe, body)).status, what).to.be.oneOf(isNoChange ? [200, 400] : [400, 422]);
      }
    });

    it('is refused with the name of each field that has a wrong type, or text that cannot be stored', async () => {
      const recipe = await add();
      for (const field of fields) {
        const errors = errorsOf(await patch(recipe, { [field]: { toString: 'x', length: 99 } })) ?? [];
        expect(errors.map((error) => error.field)).to.deep.equal([field]);
        const text = field === 'tags' || field === 'tools' ? ['fine', 'a\u0000'] : 'a\ud800';
        expect((await patch(recipe, { [field]: text })).status, field).to.equal(400);
      }
      expect(await list()).to.deep.equal([recipe]);
    });
  });

  it('are refused with more than 30 tags', async () => {
    for (const count of [31, 8_000]) {
      expect(
        errorsOf(
          await staff().post('/recipes', { ...valid(), tags: Array.from({ length: count }, (_, index) => `${index}`) }),
        ),
      ).to.deep.equal([{ field: 'tags', message: 'Please enter at most 30 tags' }]);
    }
  });

  it('log no error', () => {
    const errors = api()
      .logLines()
      .filter(({ level }) => level === 'error' || level === 'fatal');
    expect(errors).to.deep.equal([]);
  });
});
