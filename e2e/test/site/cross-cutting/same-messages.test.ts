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

/** What `messagesOf` in the page returns: the messages by field of each body. */
type Messages = Readonly<Record<string, string>>[];

const nameOf = ({ form, field, name }: RuleCase): string => `${form.$id}, ${field}: ${name}`;

/** The validators of all forms behind the site's own `formValidator`, built as the site is. */
async function buildRules(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rules-'));
  try {
    const entry = join(folder, 'rules.ts');
    const validation = fileURLToPath(new URL('src/form/validation.ts', frontend));
    // The site is typed for Vite, this suite for Node.
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

/** The API answers the same cases in api/test/rules.test.ts. */
describe('The rules of every form', () => {
  const inBrowser = new Map<RuleCase, Messages[number]>();

  before(async function () {
    const script = await buildRules();
    const policy = (await fetch(stack().siteUrl)).headers.get('content-security-policy') ?? '';
    expect(policy, 'the site lets its own scripts run and none made from text').to.match(/script-src 'self'(;|$)/);
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
      // As text: a lone surrogate would be lost on the way to the browser.
      const answers = await page.evaluate((list) => {
        const { messagesOf } = globalThis as unknown as { messagesOf: (cases: string) => Messages };
        return messagesOf(list);
      }, cases);
      for (const [index, rule] of ruleCases.entries()) inBrowser.set(rule, answers[index] ?? {});
    }).call(this);
  });

  it('are all there, of every field', () => {
    expect(new Set(ruleCases.map(({ form }) => form.$id))).to.deep.equal(new Set(allForms.map(({ $id }) => $id)));
    const rules = new Set(ruleCases.map(({ form, field }) => `${form.$id}.${field}`));
    const fields = allForms.flatMap((form) => Object.keys(form.properties).map((field) => `${form.$id}.${field}`));
    expect([...rules]).to.have.members(fields);
    expect(inBrowser.size).to.equal(ruleCases.length).and.to.be.above(1_000);
  });

  for (const form of allForms) {
    const cases = ruleCases.filter((rule) => rule.form === form);

    it(`say in the browser what the rules say: ${form.$id}, ${cases.length} cases`, () => {
      const said = cases.map((rule) => [nameOf(rule), inBrowser.get(rule)]);
      expect(Object.fromEntries(said)).to.deep.equal(
        Object.fromEntries(
          cases.map((rule) => [nameOf(rule), rule.message === null ? {} : { [rule.field]: rule.message }]),
        ),
      );
    });
  }
});
