// Every activity of our workflows has its contract, timeouts and attempts in the table of core: one file schedules them.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/project-root.ts';

const scheduling =
  /import \{[^}]*\b(?:scheduleActivity|scheduleLocalActivity|proxyActivities|proxyLocalActivities)\b[^}]*\}/;

test('the workflows schedule activities in one file, which reads the table', () => {
  const files = globSync('src/workflows/**/*.ts', { cwd: projectRoot });
  const found = files.filter((file) => scheduling.test(readFileSync(`${projectRoot}/${file}`, 'utf8')));
  expect(found).toEqual(['src/workflows/activity-options.ts']);
});

test.each(['scheduleActivity', 'sleep, proxyActivities', 'scheduleLocalActivity as run'])(
  'the test itself sees an import of %s',
  (names) => {
    expect(`import { ${names} } from '@temporalio/workflow';`).toMatch(scheduling);
  },
);
