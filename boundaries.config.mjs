/*
 * Which folder may import which (docs/ARCHITECTURE.md, "Folders"), checked by `npm run boundaries`. Cycles of files, also
 * of types alone, are refused everywhere.
 */

/** What each workspace may import of the others. */
const workspaces = {
  domain: [],
  db: ['domain'],
  platform: ['domain'],
  api: ['domain', 'db', 'platform'],
  worker: ['domain', 'db', 'platform'],
  ops: ['domain', 'db', 'platform'],
  frontend: ['domain'],
  local: ['domain', 'db', 'platform', 'api', 'worker', 'ops', 'frontend'],
  testkit: ['domain', 'db', 'platform', 'local'],
  e2e: ['domain', 'db', 'platform', 'api', 'worker', 'ops', 'frontend', 'local', 'testkit'],
  bench: ['domain', 'db', 'platform', 'api', 'worker', 'ops', 'frontend', 'local', 'testkit', 'e2e'],
};

/** The folders of frontend/src from top to bottom; those of one row do not import the rows above. */
const frontendLayers = [
  ['app'],
  ['pages'],
  ['features'],
  ['layouts'],
  ['staff-ui'],
  ['form'],
  ['toasts', 'store'],
  ['ui'],
  ['api-client', 'routing', 'format', 'styles'],
];

const oneOf = (names) => `(?:${names.join('|')})`;

/** No import of a workspace that is not allowed, and none by a path that leaves the workspace. */
function workspacePatterns(name) {
  const others = Object.keys(workspaces).filter((each) => each !== name);
  const refused = others.filter((each) => !workspaces[name].includes(each));
  return [
    ...(refused.length === 0
      ? []
      : [
          {
            regex: `^@dune-tide/${oneOf(refused)}(?:/|$)`,
            message: `${name} may import: ${workspaces[name].join(', ') || 'nothing of ours'}.`,
          },
        ]),
    { regex: `^(?:\\.\\./)+${oneOf(others)}/`, message: 'Import other workspaces by their package name.' },
  ];
}

const restrict = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

export default {
  plugins: ['import'],
  categories: { correctness: 'off' },
  rules: { 'import/no-cycle': ['error', { ignoreTypes: false }] },
  // The last override that fits a file replaces the ones before, so each repeats what it narrows.
  overrides: [
    restrict(
      ['domain/src/**'],
      [...workspacePatterns('domain'), { regex: '^node:', message: 'domain also runs in the browser.' }],
    ),
    ...Object.keys(workspaces)
      .filter((name) => name !== 'domain')
      .map((name) => restrict([`${name}/src/**`, `${name}/migrations/**`], workspacePatterns(name))),
    restrict(
      ['api/src/http/*.ts'],
      [
        ...workspacePatterns('api'),
        { regex: '^\\.\\./', message: 'http/ is shared by all features and imports none of them.' },
      ],
    ),
    restrict(
      ['api/src/http/*/**'],
      [
        ...workspacePatterns('api'),
        { regex: '^\\.\\./\\.\\./', message: 'http/ is shared by all features and imports none of them.' },
      ],
    ),
    restrict(
      ['worker/src/delivery/**'],
      [
        ...workspacePatterns('worker'),
        {
          regex: '^\\.\\./|^nodemailer',
          message: 'The delivery knows no transport: it imports nothing of the rest of the worker.',
        },
      ],
    ),
    ...frontendLayers.flatMap((row, index) =>
      row.map((folder) =>
        restrict(
          [`frontend/src/${folder}/**`],
          [
            ...workspacePatterns('frontend'),
            ...(index === 0
              ? []
              : [
                  {
                    regex: `^(?:\\.\\./)+${oneOf(frontendLayers.slice(0, index).flat())}/`,
                    message: `${folder}/ imports nothing above it: ${frontendLayers.flat().join(', ')}.`,
                  },
                ]),
            ...(folder === 'features' ? [{ regex: '^\\.\\./[^./][^/]*/', message: 'Features stand alone.' }] : []),
          ],
        ),
      ),
    ),
  ],
  ignorePatterns: ['**/dist', 'node_modules'],
};
