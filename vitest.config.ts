import { defineConfig } from 'vitest/config';

const forks = { pool: 'forks' as const, maxWorkers: 2 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...forks, name: 'unit', include: ['test/{core,activities,testing,client,cli,house}/**/*.test.ts'] } },
      {
        test: {
          ...forks,
          name: 'temporal',
          include: ['test/{workflows,end-to-end}/**/*.test.ts'],
          globalSetup: ['test/support/dev-server-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      { test: { ...forks, name: 'replay', include: ['test/replay/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
});
