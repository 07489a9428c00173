import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire, register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { allForms } from '@dune-tide/domain/forms/all-forms';
import { GlobalRegistrator } from '@happy-dom/global-registrator';
import * as react from 'react';
import { validatorModule } from '../../build/validators.ts';

/* For mocha's `--require`, before any component is imported: creates a document and the generated validators. */

const folder = await mkdtemp(join(tmpdir(), 'validators-'));
const lengthModule = new URL('../../src/form/code-point-length.ts', import.meta.url).href;
for (const form of allForms) await writeFile(join(folder, `${form.$id}.mjs`), validatorModule(form, lengthModule));
const notistack = pathToFileURL(createRequire(import.meta.url).resolve('notistack/notistack.esm.js')).href;
register('./vite-modules.mjs', import.meta.url, { data: { folder: pathToFileURL(`${folder}/`).href, notistack } });

GlobalRegistrator.register({ url: 'http://studio.example/', width: 1440, height: 900 });

// An open channel of Node.js keeps the process alive.
Object.assign(globalThis, {
  BroadcastChannel: class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      this.unref();
    }
  },
});

// React measures each rendering for the browser's tools with these functions, which takes a tenth of the time.
for (const name of ['timeStamp', 'createTask']) Reflect.deleteProperty(console, name);

// React captures a stack for each element that it creates, up to a number of them, which takes a third of the time.
Object.defineProperty(
  Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Infinity, set() {} },
);

// Styles that happy-dom computes take a sixth of the time, and components read only a few.
Object.assign(window, { getComputedStyle: (element: HTMLElement) => element.style });
// The page reads its font size.
document.documentElement.style.fontSize = '16px';

// Role queries skip the check of styles, which takes most of the time here. The import needs a document.
const { cleanup, configure } = await import('@testing-library/react/pure');
// A busy machine can take longer than the default of one second.
configure({ defaultHidden: true, asyncUtilTimeout: 120_000 });

export const mochaHooks: Mocha.RootHookObject = {
  afterEach() {
    cleanup();
    sessionStorage.clear();
    localStorage.clear();
  },
  async afterAll() {
    await GlobalRegistrator.unregister();
    await rm(folder, { recursive: true });
  },
};
