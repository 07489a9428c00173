const prefix = 'virtual:validator/';
let folder = '';
let notistack = '';

/** @param {{ readonly folder: string; readonly notistack: string }} data */
export function initialize(data) {
  folder = data.folder;
  notistack = data.notistack;
}

/** Resolves the modules that Vite generates in the build. Component tests do not start the preview's worker. */
export function resolve(specifier, context, next) {
  if (specifier.endsWith('?worker')) return { url: 'data:text/javascript,export default class {}', shortCircuit: true };
  // Its CommonJS build assigns exports later, which an import does not see. Vite uses the other build as well.
  if (specifier === 'notistack') return { url: notistack, format: 'module', shortCircuit: true };
  if (!specifier.startsWith(prefix)) return next(specifier, context);
  return { url: `${folder}${specifier.slice(prefix.length)}.mjs`, shortCircuit: true };
}
