import { configDefaults, defineConfig } from 'vitest/config';

const forks = { pool: 'forks' as const, maxWorkers: 2 };
/** Folders whose tests share the suite's Temporal server. */
const temporal = 'test/{workflows,end-to-end}/**/*.test.ts';
const replay = 'test/replay/**/*.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...forks,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          // what is not named elsewhere is a unit test, so that no file is forgotten
          exclude: [...configDefaults.exclude, temporal, replay],
          setupFiles: ['test/support/property-seed.ts'],
          // property tests share two cores with everything else
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...forks,
          name: 'temporal',
          include: [temporal],
          globalSetup: ['test/support/dev-server-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      { test: { ...forks, name: 'replay', include: [replay], testTimeout: 60_000 } },
    ],
  },
});
