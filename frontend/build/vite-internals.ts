/* Undocumented parts of Vite that the build depends on. `test/vite-internals.test.ts` fails if Vite changes them. */

/** The module with which Vite loads the dependencies of an `import()`. */
export const preloadHelper = {
  id: '\0vite/preload-helper.js',
  /**
   * The function that the module exports. Its arguments are a function that imports the script, and the paths of all
   * files that the script needs, relative to the output folder. The paths are missing if the script needs no other
   * file.
   */
  functionName: '__vitePreload',
} as const;
