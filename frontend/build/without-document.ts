import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const entities = 'decode-named-character-reference';

/**
 * Vite plugin for workers, which have no document: uses a package's table where its browser version uses the document.
 */
export function withoutDocument(): Plugin {
  return {
    name: 'without-document',
    enforce: 'pre',
    resolveId: (id) => (id === entities ? fileURLToPath(import.meta.resolve(entities)) : null),
  };
}
