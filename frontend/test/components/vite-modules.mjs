const prefix = 'virtual:validator/';
let folder = '';

/** @param {{ readonly folder: string }} data */
export function initialize(data) {
  folder = data.folder;
}

/** Resolves the modules that Vite generates in the build. Component tests do not start the preview's worker. */
export function resolve(specifier, context, next) {
  if (specifier.endsWith('?worker')) return { url: 'data:text/javascript,export default class {}', shortCircuit: true };
  if (!specifier.startsWith(prefix)) return next(specifier, context);
  return { url: `${folder}${specifier.slice(prefix.length)}.mjs`, shortCircuit: true };
}
