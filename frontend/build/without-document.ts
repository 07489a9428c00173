import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const entities = 'decode-named-character-reference';

/**
 * Vite plugin for workers, which have no document. The package `decode-named-character-reference` has a version for
 * browsers, which needs the document; the plugin loads its other version, which has a table.
 */
export function withoutDocument(): Plugin {
  return {
    name: 'without-document',
    enforce: 'pre',
    resolveId: (id) => (id === entities ? fileURLToPath(import.meta.resolve(entities)) : null),
  };
}
