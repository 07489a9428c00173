import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allForms } from '@dune-tide/domain/forms/all-forms';
import { GlobalRegistrator } from '@happy-dom/global-registrator';
import { validatorModule } from '../../build/validators.ts';

/*
 * For mocha's `--require`, before any component is imported: a document, and the validators that the build makes.
 */

const folder = await mkdtemp(join(tmpdir(), 'validators-'));
const lengthModule = new URL('../../src/form/code-point-length.ts', import.meta.url).href;
for (const form of allForms) await writeFile(join(folder, `${form.$id}.mjs`), validatorModule(form, lengthModule));
register('./validator-hooks.mjs', import.meta.url, { data: { folder: pathToFileURL(`${folder}/`).href } });

GlobalRegistrator.register({ url: 'http://studio.example/', width: 1440, height: 900 });

export const mochaHooks: Mocha.RootHookObject = {
  async afterEach() {
    const { cleanup } = await import('@testing-library/react/pure');
    cleanup();
    sessionStorage.clear();
    localStorage.clear();
  },
  async afterAll() {
    await GlobalRegistrator.unregister();
    await rm(folder, { recursive: true });
  },
};
