/*
 * The imports that each folder may have (docs/ARCHITECTURE.md, "Folders"), checked by `npm run boundaries`. Import
 * cycles, including those of types only, are errors everywhere.
 */

/** The other workspaces that each workspace may import. */
const workspaces = {
  domain: [],
  db: ['domain'],
  platform: ['domain'],
  api: ['domain', 'db', 'platform'],
  worker: ['domain', 'db', 'platform'],
  ops: ['domain', 'db', 'platform'],
  frontend: ['domain'],
  local: ['domain', 'db', 'platform', 'api', 'worker', 'ops', 'frontend'],
  testkit: ['domain', 'db', 'platform', 'worker', 'local'],
  e2e: ['domain', 'db', 'platform', 'api', 'worker', 'ops', 'frontend', 'local', 'testkit'],
  bench: ['domain', 'db', 'platform', 'api', 'worker', 'ops', 'frontend', 'local', 'testkit'],
};

/** The folders of frontend/src from top to bottom. A folder may not import the rows above it. */
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

/** The folders of frontend/src/features/leads from top to bottom. A folder may import only those after it. */
const leadsFolders = ['details', 'views', 'list', 'reply', 'work', 'keys'];

/** The other folders of db/src that each folder may import, by their index.ts only. */
const databaseFolders = {
  connection: [],
  'audit-log': ['connection'],
  'rate-limits': ['connection'],
  recipes: ['connection'],
  schema: ['connection'],
  'lead-expressions': [],
  'follow-ups': ['audit-log', 'connection', 'lead-expressions'],
  leads: ['connection', 'follow-ups', 'lead-expressions', 'rate-limits'],
  accounts: ['audit-log', 'connection', 'follow-ups', 'leads'],
  'personal-data': ['audit-log', 'connection', 'follow-ups', 'lead-expressions', 'leads'],
  backup: ['audit-log', 'connection', 'personal-data', 'schema'],
};

const oneOf = (names) => `(?:${names.join('|')})`;

/** Forbids imports of other workspaces that are not allowed, and relative paths that leave the workspace. */
function workspacePatterns(name) {
  const others = Object.keys(workspaces).filter((each) => each !== name);
  const refused = others.filter((each) => !workspaces[name].includes(each));
  return [
    ...(refused.length === 0
      ? []
      : [
          {
            regex: `^@dune-tide/${oneOf(refused)}(?:/|$)`,
            message: `${name} may import: ${workspaces[name].join(', ') || 'no other workspace'}.`,
          },
        ]),
    { regex: `^(?:\\.\\./)+${oneOf(others)}/`, message: 'Import other workspaces by their package name.' },
  ];
}

/** Forbids imports of the folders of frontend/src above a folder. */
function layerPatterns(folder) {
  const above = frontendLayers
    .slice(
      0,
      frontendLayers.findIndex((row) => row.includes(folder)),
    )
    .flat();
  return [
    ...workspacePatterns('frontend'),
    ...(above.length === 0
      ? []
      : [
          {
            regex: `^(?:\\.\\./)+${oneOf(above)}/`,
            message: `${folder}/ may not import the folders above it: ${frontendLayers.flat().join(', ')}.`,
          },
        ]),
  ];
}

/** Forbids imports of other features; `features` leads from the file to frontend/src/features. */
const otherFeature = (features) => ({
  regex: `${features}[^./][^/]*/`,
  message: 'A feature may not import another feature.',
});

const restrict = (files, patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
});

export default {
  plugins: ['import'],
  categories: { correctness: 'off' },
  rules: { 'import/no-cycle': ['error', { ignoreTypes: false }] },
  // The last override that matches a file replaces the earlier ones, so each repeats the rules that it narrows.
  overrides: [
    restrict(
      ['domain/src/**'],
      [...workspacePatterns('domain'), { regex: '^node:', message: 'domain also runs in the browser.' }],
    ),
    ...Object.keys(workspaces)
      .filter((name) => name !== 'domain')
      .map((name) => restrict([`${name}/src/**`, `${name}/sql/**`, `${name}/migrations/**`], workspacePatterns(name))),
    ...Object.entries(databaseFolders).map(([folder, allowed]) =>
      restrict(
        [`db/src/${folder}/**`],
        [
          ...workspacePatterns('db'),
          {
            group: ['../*/*', ...allowed.map((each) => `!../${each}/index.ts`)],
            message: `${folder}/ may import the index.ts of: ${allowed.join(', ') || 'no other folder'}.`,
          },
        ],
      ),
    ),
    restrict(
      ['api/src/http/*.ts'],
      [
        ...workspacePatterns('api'),
        { regex: '^\\.\\./', message: 'http/ is shared by all features and may not import them.' },
      ],
    ),
    restrict(
      ['api/src/http/*/**'],
      [
        ...workspacePatterns('api'),
        { regex: '^\\.\\./\\.\\./', message: 'http/ is shared by all features and may not import them.' },
      ],
    ),
    restrict(
      ['worker/src/delivery/**'],
      [
        ...workspacePatterns('worker'),
        {
          regex: '^\\.\\./|^nodemailer',
          message: 'The delivery is independent of the transport and may not import the rest of the worker.',
        },
      ],
    ),
    ...frontendLayers.flat().map((folder) => restrict([`frontend/src/${folder}/**`], layerPatterns(folder))),
    restrict(['frontend/src/features/*/*'], [...layerPatterns('features'), otherFeature('^\\.\\./')]),
    restrict(
      ['frontend/src/features/leads/*'],
      [
        ...layerPatterns('features'),
        otherFeature('^\\.\\./'),
        { regex: `^\\./${oneOf(leadsFolders)}/`, message: 'The files that these folders share may not import them.' },
      ],
    ),
    ...leadsFolders.map((folder, index) =>
      restrict(
        [`frontend/src/features/leads/${folder}/**`],
        [
          ...layerPatterns('features'),
          otherFeature('^\\.\\./\\.\\./'),
          ...(index === 0
            ? []
            : [
                {
                  regex: `^\\.\\./${oneOf(leadsFolders.slice(0, index))}/`,
                  message: `A folder of leads/ may import only those after it: ${leadsFolders.join(', ')}.`,
                },
              ]),
        ],
      ),
    ),
  ],
  ignorePatterns: ['**/dist', 'node_modules'],
};
