// What every file must keep to, and which folder may import which. Type imports count like any other.
import { defineConfig } from 'oxlint';

/** The rooms of src/core, from the ground up: a room imports only rooms before it in this list. */
const rooms = [
  'base',
  'model',
  'board',
  'tools',
  'hooks',
  'report',
  'view',
  'agent',
  'state',
  'checkpoint',
  'session',
  'loop',
];

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

const outsideCore = [
  'workflows',
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
];
/** Everything of src but core, by folder and by file. */
const shell = outsideCore.flatMap((name) => [`**/../${name}/**`, `**/../${name}.ts`]);

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
    'unicorn/no-useless-spread': 'off',
  },
  overrides: [
    { files: ['bin/**'], rules: { 'no-var': 'off', 'typescript/no-floating-promises': 'off' } },
    {
      files: ['src/**'],
      rules: { 'node/no-process-env': 'error', 'typescript/no-non-null-assertion': 'error' },
    },
    { files: ['src/config/**'], rules: { 'node/no-process-env': 'off' } },
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
        ...only(
          ...['@temporalio/workflow', '@temporalio/common', '@temporalio/common/lib/time.js', 'nexus-rpc'],
        ),
        ...shell.filter((pattern) => !/workflows|calling/.test(pattern)),
        ...['**/workflows/*', '!**/workflows/workflow-api.ts', '**/*.schema.ts'],
      ],
    ),
    fence(
      ['src/nexus/**'],
      'The Nexus service imports core, the workflow API, its own definition, and what Temporal gives handlers.',
      [
        ...only('@temporalio/client', '@temporalio/common', '@temporalio/nexus', 'nexus-rpc'),
        ...shell.filter((pattern) => !/workflows|calling/.test(pattern)),
        ...['**/workflows/*', '!**/workflows/workflow-api.ts'],
      ],
    ),
    fence(
      ['src/activities/**'],
      'Activities import core, @temporalio/activity, @temporalio/common, node and vendor SDKs.',
      [
        ...['@temporalio/workflow', '@temporalio/worker', '@temporalio/testing'],
        ...[
          'workflows',
          'cli',
          'client',
          'worker',
          'config',
          'dev-server',
          'testing',
          'codec',
          'mcp-server',
        ].flatMap((name) => [`**/../${name}/**`, `**/../${name}.ts`]),
      ],
    ),
    fence(
      ['src/codec/**'],
      'The codec imports core, the failure converter of the bundle, node and Temporal types.',
      [
        ...only('node:*', '@temporalio/common', '@temporalio/proto'),
        ...shell.filter((pattern) => !/workflows|codec/.test(pattern)),
        ...['**/workflows/*', '!**/workflows/failure-converter.ts'],
      ],
    ),
    fence(
      ['src/stored/**'],
      'What reads stored texts imports core, node and zod: clients and workers share it.',
      [...only('node:*', 'zod'), ...shell.filter((pattern) => !pattern.includes('stored'))],
    ),
    fence(['src/scripted/**'], 'The script language and its player import core; nothing of the test kit.', [
      '@temporalio/*',
      ...['workflows', 'cli', 'worker', 'testing'].flatMap((name) => [
        `**/../${name}/**`,
        `**/../${name}.ts`,
      ]),
    ]),
    fence(['src/client.ts', 'src/client/**'], 'The client imports core, workflow-api and workflow types.', [
      ...['@temporalio/worker', '@temporalio/activity', '@temporalio/testing'],
      ...['**/activities/**', '**/cli/**', '**/worker.ts', '**/testing/**', '**/mcp-server/**'],
    ]),
    fence(
      ['src/worker.ts', 'src/worker/**'],
      'The worker imports activities, config and core; workflows by path.',
      [
        ...['@temporalio/workflow', '@temporalio/testing'],
        ...['**/workflows/**', '**/cli/**', '**/client.ts', '**/testing/**'],
      ],
    ),
    fence(['src/mcp-server/**'], 'The MCP server is a thin front over the client: client and core only.', [
      '@temporalio/*',
      ...['activities', 'workflows', 'worker', 'config', 'cli', 'dev-server', 'testing', 'scripted'].flatMap(
        (name) => [`**/../${name}/**`, `**/../${name}.ts`],
      ),
    ]),
    fence(['src/cli/**'], 'The CLI is thin: it imports client, worker, config and core.', [
      ...['@temporalio/workflow', '@temporalio/activity', '@temporalio/testing'],
      ...['**/activities/**', '**/workflows/**', '**/testing/**'],
    ]),
  ],
});
