const prefix = 'virtual:validator/';
let folder = '';

/** @param {{ readonly folder: string }} data */
export function initialize(data) {
  folder = data.folder;
}

/** Finds the modules that Vite makes in the build. The worker of a preview is none that a component test starts. */
export function resolve(specifier, context, next) {
  if (specifier.endsWith('?worker')) return { url: 'data:text/javascript,export default class {}', shortCircuit: true };
  if (!specifier.startsWith(prefix)) return next(specifier, context);
  return { url: `${folder}${specifier.slice(prefix.length)}.mjs`, shortCircuit: true };
}
