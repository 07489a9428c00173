import type { Plugin } from 'vite';

/** Code created from text, which the content security policy blocks at run time. */
const codeFromString = /\bnew Function\s*\(|(?<![.\w$])Function\s*\(\s*["'`]|(?<![.\w$])eval\s*[()]/;

/**
 * Finds a place where a script would create code from text.
 * @param code - the script
 * @returns an excerpt around the place; undefined if there is none
 */
export function findCodeFromString(code: string): string | undefined {
  const found = codeFromString.exec(code);
  return found ? code.slice(Math.max(0, found.index - 80), found.index + 80) : undefined;
}

/** Vite plugin: fails the build if a chunk could create code from text, e.g. because it includes a schema compiler. */
export function noCodeFromStrings(): Plugin {
  return {
    name: 'no-code-from-strings',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const near = findCodeFromString(chunk.code);
        if (near === undefined) continue;
        this.error(`${chunk.fileName} makes code from text, which the content security policy forbids: …${near}…`);
      }
    },
  };
}
