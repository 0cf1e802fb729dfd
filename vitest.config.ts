import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Half of the start of a process is compiling, and tests start hundreds of them.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/holdfast/compiled');

const workflows = 'test/workflows/**/*.test.ts';
const replay = 'test/replay/**/*.test.ts';
/** The second job: whole programs, real databases and brokers, other languages, a browser, the package. */
const system = ['test/end-to-end/**/*.test.ts', '{test,packages/*/test}/**/*.system.test.ts'];

/**
 * Most of the suite's time is waiting for servers, timers and processes, so that a core can take several files.
 * Modules are loaded once for all files of a worker process; what a test starts, it ends.
 */
const shared = {
  pool: 'forks' as const,
  maxWorkers: Math.min(3 * availableParallelism(), 8),
  isolate: false,
  experimental: { viteModuleRunner: false },
  setupFiles: ['test/support/suite/set-up.ts', 'test/support/property-seed.ts'],
  // a poll ends when its answer comes; how long that takes is the machine's affair
  expect: { poll: { timeout: 30_000 } },
  // Workers of the test processes run workflows without a thread of their own, which costs a second of CPU a worker. The CLI's
  // processes have theirs: they do not inherit this.
  env: { TEMPORAL_DEBUG: '1' },
};

/** Of projects whose files share the suite's Temporal server. */
const withServer = {
  ...shared,
  globalSetup: ['test/support/dev-server-setup.ts'],
  setupFiles: [...shared.setupFiles, 'test/support/one-log.ts'],
  testTimeout: 120_000,
  hookTimeout: 300_000,
};

/** Files that wait longest. They begin first, so that none of them is left running alone at the end. */
const slowest = [
  'test/workflows/query-race.system.test.ts',
  'test/end-to-end/calling-languages.test.ts',
  'test/end-to-end/schedules-restart.test.ts',
  'test/end-to-end/schedules.test.ts',
  'test/end-to-end/demo.test.ts',
  'test/end-to-end/demo-alert.test.ts',
  'test/end-to-end/alert-storm.test.ts',
  'test/workflows/lost-worker.test.ts',
  'test/workflows/lost-completion.test.ts',
  'test/workflows/fit-worker.test.ts',
  'test/end-to-end/tutorial.test.ts',
  'packages/demo/test/script.system.test.ts',
  'test/end-to-end/cli-paused.test.ts',
  'test/end-to-end/cli-run.test.ts',
  'test/end-to-end/cli-idle.test.ts',
  'test/end-to-end/cli-embedded.test.ts',
  'packages/demo/test/incident.system.test.ts',
  'test/end-to-end/cli-pasted.test.ts',
  'test/end-to-end/cli-fork.test.ts',
  'test/workflows/waiting-memo.test.ts',
  'test/house/package.system.test.ts',
];

const gone = slowest.filter((file) => !existsSync(join(import.meta.dirname, file)));
if (gone.length > 0) throw new Error(`vitest.config.ts names ${gone.join(', ')}: expected test files.`);

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = slowest.findIndex((file) => moduleId.endsWith(`/${file}`));
      return found === -1 ? slowest.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => place(left) - place(right));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './test/support/suite/suite-reporter.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{test,packages/*/test}/**/*.test.ts'],
          // what is not named elsewhere is a unit test, so that no file is forgotten
          exclude: [...configDefaults.exclude, workflows, replay, ...system],
          // property tests share the cores with everything else
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...withServer,
          name: 'workflows',
          include: [workflows],
          exclude: [...configDefaults.exclude, ...system],
        },
      },
      { test: { ...shared, name: 'replay', include: [replay], testTimeout: 60_000 } },
      { test: { ...withServer, name: 'system', include: system } },
    ],
  },
});
