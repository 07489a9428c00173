import { readFileSync } from 'node:fs';

/** The browsers with a minimum version, by the names that Vite and MDN's data share. */
export type BrowserName = 'chrome' | 'firefox' | 'safari';

/** The oldest supported browsers: `browserslist` of package.json, with entries like `chrome >= 100`. */
export const oldestBrowsers: ReadonlyMap<BrowserName, string> = new Map(
  readList().map((entry) => {
    const [, name, version] = /^(chrome|firefox|safari) >= (\d+(?:\.\d+)?)$/.exec(entry) ?? [];
    if (name === undefined || version === undefined)
      throw new Error(`browserslist: "${entry}" must have the form "browser >= version"`);
    return [name as BrowserName, version];
  }),
);

function readList(): readonly string[] {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { readonly browserslist: readonly string[] }).browserslist;
}

/** The same list for `build.target`, e.g. `chrome100`. */
export const buildTarget: string[] = [...oldestBrowsers].map(([name, version]) => name + version);
