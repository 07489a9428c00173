import type { Plugin } from 'vite';

/** What the content security policy forbids at run time: code made from text. */
const codeFromString = /\bnew Function\s*\(|(?<![.\w$])Function\s*\(\s*["'`]|(?<![.\w$])eval\s*[()]/;

/**
 * Where a script would make code from text.
 * @param code - the script
 * @returns the place with what stands around it; undefined if there is none
 */
export function findCodeFromString(code: string): string | undefined {
  const found = codeFromString.exec(code);
  return found ? code.slice(Math.max(0, found.index - 80), found.index + 80) : undefined;
}

/** Vite plugin: the build fails if a chunk could make code from text, e.g. because a schema compiler slipped in. */
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
