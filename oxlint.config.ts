// What every file must keep to, and which folder may import which. Type imports count like any other.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig } from 'oxlint';

/** The rooms of src/core, from the ground up: a room imports only rooms before it in this list. */
const rooms = [
  'board',
  'schedules',
  'tools',
  'hooks',
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
  'storage',
  'context',
  'secrets',
  'hooks',
  'tools',
  'model',
  'mcp',
  'policy',
  'report',
  'logs',
  'skills',
  'notes',
  'built-in/files',
  'built-in/http',
  'built-in/bash',
  'built-in/report',
  'alerts',
  'built-in/schedule',
  'hosts',
  'toolsets',
  'delivery',
  'assembly',
];

/** Files with a function of more than 60 lines: the list only shrinks. */
const longFunctions = ['src/activities/assembly/assemble-context.ts'];

/** Files of more than 250 lines: the list only shrinks. Facts of clouds are made by a tool. */
export const longFiles = [
  'catalog/toolsets/trace-tree.ts',
  'packages/processes/src/run-process.ts',
  'packages/report/src/report.ts',
  'packages/scripted-model/src/model-script.ts',
  'packages/shell-judge/src/judge-script.ts',
  'packages/shell-judge/src/parse/rebuild.ts',
  'packages/shell-judge/src/table/aws-facts.ts',
  'packages/shell-judge/src/table/az-facts.ts',
  'packages/sources/src/json-reader.ts',
  'packages/sources/src/toolset.schema.ts',
  'packages/vocabulary/src/agent-spec.ts',
  'packages/vocabulary/src/agent-state.ts',
  'packages/vocabulary/src/events.ts',
  'packages/vocabulary/src/run-result.schema.ts',
  'packages/vocabulary/src/snapshot.ts',
  'src/activities/assembly/assemble-context.ts',
  'src/activities/delivery/card.ts',
  'src/activities/index.ts',
  'src/activities/model/complete.ts',
  'src/activities/report/complete-report.ts',
  'src/activities/report/run-facts.ts',
  'src/activities/toolsets/shown-answer.ts',
  'src/activities/toolsets/toolsets.ts',
  'src/cli/commands/follow.ts',
  'src/cli/doctor/config-checks.ts',
  'src/cli/live/follow-session.ts',
  'src/cli/live/live-view.ts',
  'src/cli/live/typed-words.ts',
  'src/cli/render/describe-event.ts',
  'src/client.ts',
  'src/client/deliveries.ts',
  'src/client/session-caller.ts',
  'src/client/session-handle.ts',
  'src/client/session-list.ts',
  'src/client/session-sender.ts',
  'src/config/config-file.ts',
  'src/config/config.ts',
  'src/core/loop/tool-batch.ts',
  'src/core/session/inbox.ts',
  'src/core/session/requests.ts',
  'src/core/session/session.ts',
  'src/core/state/reduce-condense.ts',
  'src/core/state/reduce-run.ts',
  'src/dev-server/dev-server.ts',
  'src/in-process/run-agent.ts',
  'src/worker.ts',
  'src/worker/parts.ts',
];

/** Modules of the wide world are closed unless they are named here. */
function only(...packages: string[]): string[] {
  return ['*', ...packages.map((name) => `!${name}`), '!./**', '!../**', '!@holdfast/**'];
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

/**
 * The packages of this repository, from the ground up: each imports what its package.json names, and nothing of src. Those without
 * `node` run anywhere, also in the workflow sandbox.
 */
export const packages: Record<string, { node?: true }> = {
  base: {},
  vocabulary: {},
  redaction: {},
  report: {},
  view: {},
  stored: { node: true },
  'alert-intake': { node: true },
  'shell-judge': {},
  processes: { node: true },
  sources: {},
  'scripted-model': { node: true },
  providers: { node: true },
};

const packageNames = Object.keys(packages);

function dependenciesOf(name: string, ofTests = false): string[] {
  const path = new URL(`packages/${name}/package.json`, import.meta.url);
  const { dependencies, peerDependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8'));
  return Object.keys({ ...dependencies, ...peerDependencies, ...(ofTests ? devDependencies : {}) });
}

/** Packages that every folder of src may import. */
const common = ['base', 'vocabulary', 'redaction', 'report', 'view'];
/** Folders that run in the workflow sandbox; all others import `stored`, too. */
const sandboxed = ['core', 'workflows', 'calling', 'workflow'];

/** Packages as others import them: by their names, so that their `exports` decide what is open. */
function named(names: string[]): string[] {
  return names.flatMap((name) => [`@holdfast/${name}`, `@holdfast/${name}/**`]);
}

/** All packages but the open ones. The demo is a package over src: only the command line imports it. */
function closedPackages(open: string[]): string[] {
  const others = packageNames.filter((name) => ![...common, ...open].includes(name));
  return ['**/packages/**', ...named([...others, 'demo'])];
}

function packageFences(name: string) {
  const dependencies = dependenciesOf(name);
  const othersThan = (open: string[]): string[] =>
    [...packageNames, 'demo'].filter((each) => !open.includes(`@holdfast/${each}`));
  const message = `packages/${name} imports ${dependencies.join(', ') || 'its own files'} (its package.json).`;
  const world = only(
    ...dependencies.flatMap((each) => [each, `${each}/**`]),
    ...(packages[name]?.node ? ['node:*', 'node:*/*'] : []),
  );
  const ofSource = ['../../../src/**', '../../../../src/**', '../../../../../src/**'];
  return [
    fence([`packages/${name}/src/**`], message, [
      ...world,
      ...named(othersThan(dependencies)),
      '**/../*/src/**',
      ...ofSource,
    ]),
    fence(
      [`packages/${name}/test/**`],
      'A test of a package imports the package, its dependencies and the support of tests: nothing of src.',
      [...named(othersThan([`@holdfast/${name}`, ...dependenciesOf(name, true)])), ...ofSource],
    ),
  ];
}

/**
 * The folders of src, from the ground up, with the folders that each may import: all of them are above it in this table, so that no
 * import goes up. A file src/<folder>.ts is the entry to its folder and keeps to the same row.
 */
const house: Record<string, string[]> = {
  core: [],
  common: ['core'],
  workflows: ['core'],
  calling: ['core', 'workflows'],
  workflow: ['core', 'workflows', 'calling'],
  nexus: ['core', 'workflows', 'calling'],
  codec: ['core', 'workflows'],
  activities: ['core'],
  'in-process': ['core', 'common', 'workflows', 'activities'],
  client: ['core', 'common', 'workflows', 'codec'],
  config: ['core', 'common', 'workflows', 'codec', 'activities'],
  artifacts: ['core', 'config'],
  'dev-server': ['core', 'common', 'config'],
  worker: ['core', 'common', 'nexus', 'codec', 'activities', 'in-process', 'config'],
  gateway: ['core', 'client', 'config'],
  'mcp-server': ['core', 'client'],
  // oxfmt-ignore
  testing: ['core', 'activities', 'in-process', 'client', 'config', 'dev-server', 'worker'],
  // oxfmt-ignore
  cli: [
    'core', 'common', 'codec', 'artifacts', 'in-process', 'client', 'config', 'dev-server', 'worker', 'gateway', 'mcp-server',
  ],
};

/** Folders of src that a file of this folder does not import, as `spell` writes them. */
function closed(folder: string, spell = places): string[] {
  const open = [folder, ...(house[folder] ?? [])];
  return spell(...Object.keys(house).filter((name) => !open.includes(name)));
}

/** Folders and files of src, as an entry names them. */
function placesBelow(...names: string[]): string[] {
  return names.flatMap((name) => [`./${name}/**`, `./${name}.ts`]);
}

/** A folder of src with its entry: only the folders of its row, and of the wide world what `world` leaves open. */
function fenceOf(
  folder: string,
  {
    world = [],
    beside = [],
    packages: open = [],
  }: { world?: string[]; beside?: string[]; packages?: string[] } = {},
) {
  const message = `src/${folder} imports of src only ${house[folder]?.join(', ')} (the table "house" of oxlint.config.ts).`;
  const others = [...closedPackages(sandboxed.includes(folder) ? open : ['stored', ...open]), ...beside];
  return [
    fence([`src/${folder}.ts`], message, [...world, ...closed(folder, placesBelow), ...others]),
    fence([`src/${folder}/**`], message, [...world, ...closed(folder), ...others]),
  ];
}

const outsideActivities = [
  '@temporalio/workflow',
  '@temporalio/worker',
  '@temporalio/testing',
  ...closed('activities'),
  ...closedPackages(['stored', 'shell-judge', 'scripted-model', 'providers', 'sources', 'processes']),
];

/** No schema enters the sandbox. */
const noSchemas = ['**/*.schema.ts'];

/** Of src/workflows only what callers share with it. */
const workflowApiOnly = ['**/workflows/*', '**/workflows/*/*', '!**/workflows/session/workflow-api.ts'];

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
      files: ['{src,catalog/toolsets,packages/*/src}/**'],
      rules: {
        'node/no-process-env': 'error',
        'typescript/no-non-null-assertion': 'error',
        'max-lines-per-function': ['error', { max: 60 }],
        'max-lines': ['error', { max: 250 }],
      },
    },
    {
      // a field that a source may leave out is no word "undefined" in a line
      files: ['catalog/toolsets/**'],
      rules: { 'typescript/restrict-template-expressions': ['error', { allowNullish: false }] },
    },
    { files: longFunctions, rules: { 'max-lines-per-function': 'off' } },
    { files: longFiles, rules: { 'max-lines': 'off' } },
    { files: ['src/config/**'], rules: { 'node/no-process-env': 'off' } },
    ...rooms.map((room, index) =>
      fence(
        [`src/core/${room}/**`],
        `core is pure, and core/${room} imports only what lies under it: ${rooms.slice(0, index).join(', ') || 'nothing'}.`,
        [
          ...only('zod'),
          ...closed('core'),
          ...closedPackages([]),
          ...rooms.slice(index + 1).map((upper) => `**/../${upper}/**`),
        ],
      ),
    ),
    ...fenceOf('common', { world: only('node:*', '@temporalio/client', '@temporalio/common') }),
    ...fenceOf('workflows', {
      world: only('@temporalio/workflow', '@temporalio/common', '@temporalio/interceptors-opentelemetry/**'),
      beside: noSchemas,
    }),
    ...['calling', 'workflow'].flatMap((folder) =>
      fenceOf(folder, {
        world: only(
          '@temporalio/workflow',
          '@temporalio/common',
          '@temporalio/common/lib/time.js',
          'nexus-rpc',
        ),
        beside: [...workflowApiOnly, ...noSchemas],
      }),
    ),
    ...fenceOf('nexus', {
      world: only(
        '@temporalio/client',
        '@temporalio/common',
        '@temporalio/nexus',
        'nexus-rpc',
        'node:timers/promises',
      ),
      beside: workflowApiOnly,
    }),
    ...fenceOf('codec', {
      world: only('node:*', '@temporalio/common', '@temporalio/proto', '@hono/node-server', 'hono', 'hono/*'),
      beside: ['**/workflows/*', '**/workflows/*/*', '!**/workflows/failure-converter.ts'],
    }),
    fence(
      ['src/activities/*.ts'],
      'Activities import core, @temporalio/activity, @temporalio/common, node and vendor SDKs.',
      outsideActivities,
    ),
    ...activityRooms.flatMap(activityRoom),
    ...fenceOf('in-process'),
    ...fenceOf('client', { world: ['@temporalio/worker', '@temporalio/activity', '@temporalio/testing'] }),
    ...fenceOf('config', { packages: ['alert-intake', 'processes', 'providers', 'sources'] }),
    ...fenceOf('artifacts'),
    ...fenceOf('dev-server', { packages: ['processes'] }),
    ...fenceOf('worker', {
      world: ['@temporalio/workflow', '@temporalio/testing'],
      packages: ['scripted-model', 'processes', 'providers', 'sources'],
    }),
    ...fenceOf('gateway', { world: ['@temporalio/*'], packages: ['alert-intake'] }),
    ...fenceOf('mcp-server', { world: ['@temporalio/*'] }),
    ...fenceOf('testing', { packages: ['scripted-model', 'providers'] }),
    ...fenceOf('cli', {
      world: ['@temporalio/workflow', '@temporalio/activity', '@temporalio/testing'],
      packages: ['alert-intake', 'scripted-model'],
      beside: ['!@holdfast/demo'],
    }),
    fence(
      ['catalog/toolsets/*.ts'],
      'A reader of a source imports zod, other readers, packages/sources and packages/base.',
      [
        ...only('zod'),
        '../../src/**',
        '**/packages/**',
        ...named(packageNames.filter((name) => !['base', 'sources'].includes(name))),
      ],
    ),
    ...packageNames.flatMap(packageFences),
  ],
});
