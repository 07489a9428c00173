/* oxlint-disable no-underscore-dangle -- MDN's data has a member `__compat` */
import data, { type CompatStatement, type Identifier } from '@mdn/browser-compat-data' with { type: 'json' };
import { type ESTree, parseSync, type Plugin, Visitor } from 'vite';
import { oldestBrowsers } from './oldest-browsers.ts';

/** Newer built-ins that the code works without, each with the file that checks for them. */
const optional: ReadonlyMap<string, string> = new Map([
  ['Intl.Segmenter', '@mui/x-charts'],
  ['CloseWatcher', 'src/ui/use-close-request.ts'],
  ['requestIdleCallback', 'src/app/main.ts'],
  ['navigation', 'react-dom'],
  ['setImmediate', 'react-dom'],
  ['startViewTransition()', 'react-dom'],
  ['getAuthenticatorData()', '@simplewebauthn/browser'],
  ['getPublicKey()', '@simplewebauthn/browser'],
  ['getPublicKeyAlgorithm()', '@simplewebauthn/browser'],
  ['getTransports()', '@simplewebauthn/browser'],
]);

/** Newer built-ins that the site provides before it loads a chunk (`src/features/dashboard/find-last.ts`). */
const provided: ReadonlyMap<string, readonly string[]> = new Map([['Charts', ['findLast()', 'findLastIndex()']]]);

/** Library methods with the name of a newer built-in, each with its library. */
const otherMethods: ReadonlyMap<string, string> = new Map([
  ['alpha()', '@mui/material'],
  ['check()', 'micromark'],
  ['dispose()', '@mui/x-internals'],
  ['handle()', 'mdast-util-to-hast'],
  ['intersection()', 'luxon'],
  ['navigate()', 'react-router'],
  ['toArray()', 'react'],
  ['union()', 'luxon'],
]);

/** Browser objects whose members are also globals. */
const scopes: ReadonlySet<string> = new Set(['Window', 'WindowOrWorkerGlobalScope']);

/** The names of the global object. */
const globalObjects: ReadonlySet<string> = new Set(['window', 'self', 'globalThis']);

/**
 * Newer built-ins as they are written: `Iterator`, `Object.groupBy`, `toReversed()`. A method counts only if no object
 * of the oldest browsers has a method with that name, because a script does not reveal the type of its objects.
 */
const newer: ReadonlySet<string> = findNewer();
const hasLookbehind = isInOldest(data.javascript['regular_expressions']?.['lookbehind_assertion']?.['__compat']);

function findNewer(): ReadonlySet<string> {
  const found = new Set<string>();
  const older = new Set<string>();
  for (const [name, object] of membersOf({ ...data.api, ...data.javascript['builtins'] })) {
    const isOld = isInOldest(object['__compat']);
    if (!isOld) found.add(name);
    for (const [key, { __compat: support }] of membersOf(object)) {
      const member = key.replace(/_static$/, '');
      const isOldMember = isOld && isInOldest(support);
      if (isOldMember) older.add(`${member}()`);
      else {
        found.add(`${name}.${member}`);
        if (scopes.has(name)) found.add(member);
        if (isOld && member === key) found.add(`${member}()`);
      }
    }
  }
  for (const name of older) found.delete(name);
  return found;
}

function membersOf(object: Identifier): [string, Identifier][] {
  return Object.entries<Identifier>(object).filter(([key]) => key !== '__compat');
}

/**
 * Returns whether all of the oldest browsers support a feature without a prefix or flag. Features without data count as
 * supported.
 */
function isInOldest(compat: CompatStatement | undefined): boolean {
  if (!compat) return true;
  return [...oldestBrowsers].every(([browser, oldest]) =>
    [compat.support[browser]].flat().some((support) => {
      if (!support || support.prefix || support.alternative_name || support.flags || support.version_removed)
        return false;
      const { version_added: added } = support;
      return added !== false && compareVersions(added.replace('≤', ''), oldest) <= 0;
    }),
  );
}

function compareVersions(a: string, b: string): number {
  const [major = 0, minor = 0] = a.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = b.split('.').map(Number);
  // Visitors do not use preview versions.
  return Number.isNaN(major) ? 1 : major - otherMajor || minor - otherMinor;
}

/**
 * Lists the built-ins of a script that the oldest browsers may lack. Properties that are only read are not checked.
 * @param code - the script as it is sent to browsers
 * @returns the names, except optional ones
 */
export function findNewerBuiltIns(code: string): readonly string[] {
  const found = new Set<string>();
  const note = (name: string): void => {
    if (newer.has(name) && !optional.has(name) && !otherMethods.has(name)) found.add(name);
  };
  const noteRegExp = (pattern: string): void => {
    if (!hasLookbehind && /\(\?<[=!]/.test(pattern)) found.add('lookbehind in a regular expression');
  };
  // Collected before the nodes inside them are visited.
  const keys = new Set<ESTree.Node>();
  new Visitor({
    MemberExpression({ object, property, computed }) {
      if (computed || property.type !== 'Identifier') return;
      keys.add(property);
      if (object.type !== 'Identifier') return;
      note(globalObjects.has(object.name) ? property.name : `${object.name}.${property.name}`);
    },
    Property({ key, computed, shorthand }) {
      if (!computed && !shorthand) keys.add(key);
    },
    MethodDefinition: ({ key, computed }) => void (computed || keys.add(key)),
    PropertyDefinition: ({ key, computed }) => void (computed || keys.add(key)),
    CallExpression({ callee }) {
      if (callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier')
        note(`${callee.property.name}()`);
    },
    NewExpression({ callee, arguments: [pattern] }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp' && pattern?.type === 'Literal')
        noteRegExp(String(pattern.value));
    },
    Identifier(node) {
      if (!keys.has(node)) note(node.name);
    },
    Literal(node) {
      if ('regex' in node) noteRegExp(node.regex.pattern);
    },
  }).visit(parseSync('script.js', code).program);
  return [...found];
}

/** Vite plugin: fails the build if a script, including libraries, uses built-ins that the oldest browsers lack. */
export function noNewerBuiltIns(): Plugin {
  return {
    name: 'no-newer-built-ins',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const found = findNewerBuiltIns(chunk.code).filter((name) => !provided.get(chunk.name)?.includes(name));
        if (found.length === 0) continue;
        const browsers = [...oldestBrowsers].map(([name, version]) => `${name} ${version}`).join(', ');
        this.error(`${chunk.fileName} uses what ${browsers} lack: ${found.join(', ')}`);
      }
    },
  };
}
