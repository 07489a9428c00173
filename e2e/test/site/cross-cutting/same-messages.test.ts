import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allForms } from '@dune-tide/domain/forms/all-forms';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { bodyOf, ruleCases, type RuleCase } from '@dune-tide/domain/test/rules';
import { onPage, stack } from '../../../src/browser/browser-suite.ts';
import { expect } from 'chai';
import { build, type Plugin } from 'vite';

const frontend = new URL('../../../../frontend/', import.meta.url);

const pagePath = '/rules';
const scriptPath = '/rules.js';

/** The result of `messagesOf` in the page: for each body, the messages by field. */
type Messages = Readonly<Record<string, string>>[];

const nameOf = ({ form, field, name }: RuleCase): string => `${form.$id}, ${field}: ${name}`;

/** Builds the validators of all forms with the site's own `formValidator` and build. */
async function buildRules(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rules-'));
  try {
    const entry = join(folder, 'rules.ts');
    const validation = fileURLToPath(new URL('src/form/validation.ts', frontend));
    // Imported at run time, because the site is compiled with Vite's types and this suite with those of Node.js.
    const { validators } = (await import(new URL('build/validators.ts', frontend).href)) as {
      validators: (forms: readonly FormSchema[]) => Plugin;
    };
    const forms = createRequire(import.meta.url).resolve('@dune-tide/domain/forms/all-forms');
    await writeFile(
      entry,
      `import { allForms } from ${JSON.stringify(forms)};
import { formValidator } from ${JSON.stringify(validation)};
${allForms.map(({ $id }, index) => `import validate${index} from 'virtual:validator/${$id}';`).join('\n')}
const validates = [${allForms.map((_, index) => `validate${index}`).join(', ')}];
const checks = new Map(allForms.map((form, index) => [form.$id, formValidator(form, validates[index])]));
globalThis.messagesOf = (cases) => JSON.parse(cases).map(({ form, body }) => checks.get(form)(body));`,
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      plugins: [validators(allForms)],
      resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
      build: { outDir: 'dist', rollupOptions: { input: entry, output: { entryFileNames: 'rules.js' } } },
    });
    return await readFile(join(folder, 'dist/rules.js'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** api/test/rules.test.ts checks the API with the same cases. */
describe('The rules of every form', () => {
  const inBrowser = new Map<RuleCase, Messages[number]>();

  before(async function () {
    const script = await buildRules();
    const policy = (await fetch(stack().siteUrl)).headers.get('content-security-policy') ?? '';
    expect(policy, 'the site allows its own scripts, but none from text').to.match(/script-src 'self'(;|$)/);
    const cases = JSON.stringify(ruleCases.map((rule) => ({ form: rule.form.$id, body: bodyOf(rule) })));
    await onPage('/', async ({ page }) => {
      const headers = { 'Content-Security-Policy': policy };
      await page.route(`**${pagePath}`, (route) =>
        route.fulfill({
          headers,
          contentType: 'text/html',
          body: `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${scriptPath}"></script>`,
        }),
      );
      await page.route(`**${scriptPath}`, (route) =>
        route.fulfill({ headers, contentType: 'text/javascript', body: script }),
      );
      await page.goto(stack().siteUrl + pagePath);
      // Sent as text, because a lone surrogate would be lost in the transfer.
      const responses = await page.evaluate((list) => {
        const { messagesOf } = globalThis as unknown as { messagesOf: (cases: string) => Messages };
        return messagesOf(list);
      }, cases);
      for (const [index, rule] of ruleCases.entries()) inBrowser.set(rule, responses[index] ?? {});
    }).call(this);
  });

  it('cover every field', () => {
    expect(new Set(ruleCases.map(({ form }) => form.$id))).to.deep.equal(new Set(allForms.map(({ $id }) => $id)));
    const rules = new Set(ruleCases.map(({ form, field }) => `${form.$id}.${field}`));
    const fields = allForms.flatMap((form) => Object.keys(form.properties).map((field) => `${form.$id}.${field}`));
    expect([...rules]).to.have.members(fields);
    expect(inBrowser.size).to.equal(ruleCases.length).and.to.be.above(1_000);
  });

  for (const form of allForms) {
    const cases = ruleCases.filter((rule) => rule.form === form);

    it(`give the same messages in the browser: ${form.$id}, ${cases.length} cases`, () => {
      const said = cases.map((rule) => [nameOf(rule), inBrowser.get(rule)]);
      expect(Object.fromEntries(said)).to.deep.equal(
        Object.fromEntries(
          cases.map((rule) => [nameOf(rule), rule.message === null ? {} : { [rule.field]: rule.message }]),
        ),
      );
    });
  }
});
