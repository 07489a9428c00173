/*
 * Everything that the build uses of Vite without Vite documenting it. `test/vite-internals.test.ts` fails when Vite
 * changes any of it.
 */

/** The module by which Vite loads what an `import()` needs. */
export const preloadHelper = {
  id: '\0vite/preload-helper.js',
  /**
   * The function that the module exports. It gets a function that imports the script, and the paths of all files that the
   * script needs, relative to the output folder; no paths when the script needs no other file.
   */
  functionName: '__vitePreload',
} as const;
