import { expect } from 'chai';
import { bindTabToAccount } from '../src/features/auth/bind-tab-to-account.ts';
import { draftIds, draftKeeper, forgetDrafts, hasDraft } from '../src/form/draft-storage.ts';

/** A tab's storage with a limited number of characters. */
function tabStorage(room = Number.POSITIVE_INFINITY): Storage {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > room) throw new DOMException('no room', 'QuotaExceededError');
      items.set(key, value);
      Object.defineProperty(storage, key, { value, enumerable: true, configurable: true });
    },
    removeItem(key: string) {
      items.delete(key);
      delete (storage as Record<string, unknown>)[key];
    },
  };
  for (const method of ['getItem', 'setItem', 'removeItem'])
    Object.defineProperty(storage, method, { enumerable: false });
  return storage as unknown as Storage;
}

const draft = { values: { firstName: 'Zoë', message: 'We launch\nin March 🌊' }, idempotencyKey: 'a-key' };

describe("a form's draft", () => {
  it('is read as it was written', () => {
    const storage = tabStorage();
    draftKeeper('/', 'contact', storage).write(draft);
    expect(draftKeeper('/', 'contact', storage).read()).to.deep.equal(draft);
  });

  it('stores the version that an edit started from', () => {
    const storage = tabStorage();
    const change = { ...draft, begunFrom: { version: 3, values: { firstName: 'Zoe', isPublic: false } } };
    draftKeeper('/', 'contact', storage).write(change);
    expect(draftKeeper('/', 'contact', storage).read()).to.deep.equal(change);
  });

  it('belongs to one form of one page', () => {
    const storage = tabStorage();
    draftKeeper('/services/consulting', 'service-inquiry', storage).write(draft);
    expect(draftKeeper('/services/lead-generation', 'service-inquiry', storage).read()).to.equal(undefined);
    expect(draftKeeper('/services/consulting', 'contact', storage).read()).to.equal(undefined);
    expect(hasDraft('/services/consulting', storage)).to.equal(true);
    expect(hasDraft('/', storage)).to.equal(false);
  });

  it('of a stored entry is found by its id', () => {
    const storage = tabStorage();
    for (const form of ['recipe', 'recipe:1', 'recipe:2:b', 'reply:3']) {
      draftKeeper('/admin/recipes', form, storage).write(draft);
    }
    draftKeeper('/admin/leads', 'recipe:4', storage).write(draft);
    expect(draftIds('/admin/recipes', 'recipe', storage)).to.deep.equal(['1', '2:b']);
    expect(draftIds('/admin/recipes', 'recipe', undefined)).to.deep.equal([]);
  });

  it('is missing after it was cleared', () => {
    const storage = tabStorage();
    const keeper = draftKeeper('/', 'contact', storage);
    keeper.write(draft);
    keeper.clear();
    expect(keeper.read()).to.equal(undefined);
    expect(hasDraft('/', storage)).to.equal(false);
  });

  it('is deleted with those of a whole area', () => {
    const storage = tabStorage();
    const paths = ['/admin/recipes', '/admin/recipes/1', '/careers'];
    for (const path of paths) draftKeeper(path, 'recipe', storage).write(draft);
    forgetDrafts('/admin/', storage);
    expect(paths.map((path) => hasDraft(path, storage))).to.deep.equal([false, false, true]);
  });

  it('of the staff area is kept for its account and deleted for any other', () => {
    const storage = tabStorage();
    const keeper = draftKeeper('/admin/recipes', 'recipe', storage);
    bindTabToAccount('bob', storage);
    keeper.write(draft);
    draftKeeper('/careers', 'contact', storage).write(draft);
    bindTabToAccount('bob', storage);
    expect(keeper.read()).to.deep.equal(draft);
    bindTabToAccount('alice', storage);
    expect(keeper.read()).to.equal(undefined);
    expect(hasDraft('/careers', storage)).to.equal(true);
  });

  it('stores whether a box is checked', () => {
    const keeper = draftKeeper('/', 'contact', tabStorage());
    keeper.write({ values: { isPublic: true } });
    expect(keeper.read()).to.deep.equal({ values: { isPublic: true } });
  });

  it('may have no key yet', () => {
    const keeper = draftKeeper('/', 'contact', tabStorage());
    keeper.write({ values: { firstName: 'Zoë' } });
    expect(keeper.read()).to.deep.equal({ values: { firstName: 'Zoë' } });
  });

  for (const text of [
    '',
    'not JSON',
    'null',
    '[]',
    '{"values":{"a":1}}',
    '{"idempotencyKey":"x"}',
    '{"values":null}',
    '{"values":{},"begunFrom":{"version":"1","values":{}}}',
    '{"values":{},"begunFrom":{"version":1}}',
  ]) {
    it(`is missing if the storage contains ${JSON.stringify(text)}`, () => {
      const storage = tabStorage();
      storage.setItem('draft:/:contact', text);
      expect(draftKeeper('/', 'contact', storage).read()).to.equal(undefined);
    });
  }

  it('is deleted rather than left outdated when the storage is full', () => {
    const storage = tabStorage(200);
    const keeper = draftKeeper('/', 'contact', storage);
    keeper.write(draft);
    keeper.write({ ...draft, values: { message: 'x'.repeat(300) } });
    expect(keeper.read()).to.equal(undefined);
  });

  it('is notified when its content was stored, until it has no listener', () => {
    const heard: string[] = [];
    const keeper = draftKeeper('/', 'contact', undefined);
    const stop = keeper.onStored((content) => heard.push(content));
    draftKeeper('/', 'contact', undefined).stored('first');
    draftKeeper('/careers', 'contact', undefined).stored('of another page');
    stop();
    draftKeeper('/', 'contact', undefined).stored('second');
    expect(heard).to.deep.equal(['first']);
  });

  it('is missing if the visitor blocks storage', () => {
    const keeper = draftKeeper('/', 'contact', undefined);
    keeper.write(draft);
    expect(keeper.read()).to.equal(undefined);
  });
});
