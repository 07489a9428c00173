import { readFileSync } from 'node:fs';

/** The browsers whose oldest version is stated, by the name that Vite and MDN's data share. */
export type BrowserName = 'chrome' | 'firefox' | 'safari';

/** The oldest browsers that are supported: `browserslist` of package.json, whose entries read `chrome >= 100`. */
export const oldestBrowsers: ReadonlyMap<BrowserName, string> = new Map(
  readList().map((entry) => {
    const [, name, version] = /^(chrome|firefox|safari) >= (\d+(?:\.\d+)?)$/.exec(entry) ?? [];
    if (name === undefined || version === undefined)
      throw new Error(`browserslist: "${entry}" is no "browser >= version"`);
    return [name as BrowserName, version];
  }),
);

function readList(): readonly string[] {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { readonly browserslist: readonly string[] }).browserslist;
}

/** The same for `build.target`: `chrome100`. */
export const buildTarget: string[] = [...oldestBrowsers].map(([name, version]) => name + version);
