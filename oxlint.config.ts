// What every file must keep to, and which folder may import which. Type imports count like any other.
import { posix } from 'node:path';
import { defineConfig } from 'oxlint';

/** The rooms of src/core, from the ground up: a room imports only rooms before it in this list. */
const rooms = [
  'base',
  'redaction',
  'model',
  'board',
  'schedules',
  'tools',
  'hooks',
  'report',
  'view',
  'agent',
  'alerts',
  'state',
  'checkpoint',
  'session',
  'loop',
];

/** The rooms of src/activities, from the ground up. The root (index.ts) is above them all. */
const activityRooms = [
  'base',
  'redaction',
  'storage',
  'context',
  'process',
  'secrets',
  'hooks',
  'tools',
  'model/providers',
  'model',
  'mcp',
  'policy',
  'report',
  'logs',
  'skills',
  'notes',
  'sandbox',
  'tools/built-in/files',
  'tools/built-in/http',
  'tools/built-in/bash',
  'tools/built-in/report',
  'alerts',
  'tools/built-in/schedule',
  'hosts',
  'toolsets',
  'delivery',
  'assembly',
];

/** Files with a function of more than 60 lines: the list only shrinks. */
const longFunctions = ['src/activities/assembly/assemble-context.ts'];

/** Modules of the wide world are closed unless they are named here. */
function only(...packages: string[]): string[] {
  return ['*', ...packages.map((name) => `!${name}`), '!./**', '!../**'];
}

function fence(files: string[], message: string, group: string[]) {
  return {
    files,
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] as ['error', object] },
  };
}

/** Folders and files of src, as a module beside them names them. */
function places(...names: string[]): string[] {
  return names.flatMap((name) => [`**/../${name}/**`, `**/../${name}.ts`]);
}

/** Only activities import the packages of this repository, and of each only its entry point. */
const packages = '**/packages/**';
const insidePackages = ['**/packages/*/src/*', '**/packages/*/src/*/**', '!**/packages/*/src/index.ts'];

const outsideCore = [
  'workflows',
  'workflow',
  'artifacts',
  'signs-of-life',
  'in-process',
  'activities',
  'cli',
  'client',
  'worker',
  'config',
  'dev-server',
  'testing',
  'scripted',
  'mcp-server',
  'codec',
  'stored',
  'calling',
  'nexus',
  'gateway',
];
/** Everything of src but core, by folder and by file. */
const shell = [...places(...outsideCore), packages];

const outsideActivities = [
  '@temporalio/workflow',
  '@temporalio/worker',
  '@temporalio/testing',
  ...places(...outsideCore.filter((name) => !['activities', 'scripted', 'stored'].includes(name))),
  ...insidePackages,
];

/** A room of src/activities, files in it and in a folder of it: specifiers of rooms above are named exactly. */
function activityRoom(room: string, index: number) {
  const above = activityRooms.slice(index + 1);
  const message = `activities/${room} imports only what lies under it: ${activityRooms.slice(0, index).join(', ') || 'nothing'}.`;
  const holdsRooms = activityRooms.some((name) => name.startsWith(`${room}/`));
  return (holdsRooms ? [room] : [room, `${room}/*`]).map((folder) => {
    const upper = above.map((name) => {
      const path = posix.relative(folder, name) || '.';
      return `${path.startsWith('.') ? path : `./${path}`}/${room.startsWith(`${name}/`) ? '*.ts' : '**'}`;
    });
    const files = [`src/activities/${folder}/*.ts`];
    return fence(files, message, [...outsideActivities, '**/../index.ts', ...upper]);
  });
}

export default defineConfig({
  plugins: ['eslint', 'typescript', 'import', 'unicorn', 'oxc', 'node'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error' },
  ignorePatterns: ['dist', 'reports', 'node_modules'],
  rules: {
    eqeqeq: 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-unused-vars': [
      'error',
      {
        argsIgnorePattern: '^_',
        varsIgnorePattern: '^_',
        caughtErrorsIgnorePattern: '^_',
        ignoreRestSiblings: true,
      },
    ],
    'no-var': 'error',
    'node/no-process-env': 'off',
    'prefer-const': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': ['error', { checkThenables: true }],
    'typescript/no-misused-promises': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/unbound-method': 'off',
  },
  overrides: [
    { files: ['bin/**'], rules: { 'no-var': 'off', 'typescript/no-floating-promises': 'off' } },
    {
      files: ['{src,toolsets,packages/*/src}/**'],
      rules: {
        'node/no-process-env': 'error',
        'typescript/no-non-null-assertion': 'error',
        'max-lines-per-function': ['error', { max: 60 }],
      },
    },
    {
      // a field that a source may leave out is no word "undefined" in a line
      files: ['toolsets/**'],
      rules: { 'typescript/restrict-template-expressions': ['error', { allowNullish: false }] },
    },
    { files: longFunctions, rules: { 'max-lines-per-function': 'off' } },
    { files: ['src/config/**'], rules: { 'node/no-process-env': 'off' } },
    fence(['src/**'], 'Only activities import packages of this repository.', [packages]),
    ...rooms.map((room, index) =>
      fence(
        [`src/core/${room}/**`],
        `core is pure, and core/${room} imports only what lies under it: ${rooms.slice(0, index).join(', ') || 'nothing'}.`,
        [...only('zod'), ...shell, ...rooms.slice(index + 1).map((upper) => `**/../${upper}/**`)],
      ),
    ),
    fence(
      ['src/workflows/**'],
      'The workflow sandbox imports core (no schemas) and @temporalio/workflow only.',
      [
        ...only('@temporalio/workflow', '@temporalio/common', '@temporalio/interceptors-opentelemetry/**'),
        ...shell.filter((pattern) => !pattern.includes('workflows')),
        '**/*.schema.ts',
      ],
    ),
    fence(
      ['src/calling/**', 'src/workflow.ts'],
      'What workflows of others import is safe in the sandbox: core (no schemas), the workflow API and @temporalio/workflow.',
      [
        ...only('@temporalio/workflow', '@temporalio/common', '@temporalio/common/lib/time.js', 'nexus-rpc'),
        ...shell.filter((pattern) => !/workflows|calling/.test(pattern)),
        '**/workflows/*',
        '!**/workflows/workflow-api.ts',
        '**/*.schema.ts',
      ],
    ),
    fence(
      ['src/nexus/**'],
      'The Nexus service imports core, the workflow API, its own definition, what Temporal gives handlers, and a timer.',
      [
        ...only(
          '@temporalio/client',
          '@temporalio/common',
          '@temporalio/nexus',
          'nexus-rpc',
          'node:timers/promises',
        ),
        ...shell.filter((pattern) => !/workflows|calling/.test(pattern)),
        '**/workflows/*',
        '!**/workflows/workflow-api.ts',
      ],
    ),
    fence(
      ['src/activities/*.ts'],
      'Activities import core, @temporalio/activity, @temporalio/common, node and vendor SDKs.',
      outsideActivities,
    ),
    ...activityRooms.flatMap(activityRoom),
    fence(
      ['src/codec/**'],
      'The codec imports core, the failure converter of the bundle, node, Temporal types, and hono for its server.',
      [
        ...only('node:*', '@temporalio/common', '@temporalio/proto', '@hono/node-server', 'hono', 'hono/*'),
        ...shell.filter((pattern) => !/workflows|codec/.test(pattern)),
        '**/workflows/*',
        '!**/workflows/failure-converter.ts',
      ],
    ),
    fence(
      ['src/stored/**'],
      'What reads stored texts imports core, node and zod: clients and workers share it.',
      [...only('node:*', 'zod'), ...shell.filter((pattern) => !pattern.includes('stored'))],
    ),
    fence(['src/scripted/**'], 'The script language and its player import core; nothing of the test kit.', [
      '@temporalio/*',
      packages,
      ...['workflows', 'cli', 'worker', 'testing'].flatMap((name) => [
        `**/../${name}/**`,
        `**/../${name}.ts`,
      ]),
    ]),
    // oxfmt-ignore
    fence(['src/client.ts', 'src/client/**'], 'The client imports core, workflow-api and workflow types.', [
      '@temporalio/worker', '@temporalio/activity', '@temporalio/testing',
      '**/activities/**', '**/cli/**', '**/worker.ts', '**/testing/**', '**/mcp-server/**', packages,
    ]),
    fence(
      ['src/worker.ts', 'src/worker/**'],
      'The worker imports activities, config and core; workflows by path.',
      // oxfmt-ignore
      [
        '@temporalio/workflow', '@temporalio/testing',
        '**/workflows/**', '**/cli/**', '**/client.ts', '**/testing/**', packages,
      ],
    ),
    fence(
      ['toolsets/*.ts'],
      'A reader of a source imports zod, other readers, what makes answers in src/activities/toolsets, and core/base.',
      [
        ...only('zod'),
        '../src/**',
        ...['json-reader', 'table-reader', 'source-answer', 'series-summary', 'template'].map(
          (name) => `!../src/activities/toolsets/${name}.ts`,
        ),
        '!../src/core/base/*.ts',
      ],
    ),
    fence(['packages/*/src/**'], 'A package imports libraries and its own files: nothing of src.', [
      'node:*',
      '@temporalio/*',
      '**/src/**',
    ]),
    fence(
      ['packages/*/test/**'],
      'A test of a package imports the package and the support of tests: nothing of src.',
      ['../../../src/**', '../../../../src/**'],
    ),
    fence(['src/mcp-server/**'], 'The MCP server is a thin front over the client: client and core only.', [
      '@temporalio/*',
      packages,
      ...['activities', 'workflows', 'worker', 'config', 'cli', 'dev-server', 'testing', 'scripted'].flatMap(
        (name) => [`**/../${name}/**`, `**/../${name}.ts`],
      ),
    ]),
    fence(['src/gateway/**'], 'The gateway is a thin front over the client: client, config and core only.', [
      '@temporalio/*',
      packages,
      ...places(
        'activities',
        'workflows',
        'worker',
        'cli',
        'dev-server',
        'testing',
        'scripted',
        'mcp-server',
      ),
    ]),
    // oxfmt-ignore
    fence(['src/cli/**'], 'The CLI is thin: it imports client, worker, config and core.', [
      '@temporalio/workflow', '@temporalio/activity', '@temporalio/testing',
      '**/activities/**', '**/workflows/**', '**/testing/**', packages,
    ]),
  ],
});
