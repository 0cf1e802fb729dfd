// The suite's own tools: skipped tests are named with their reason, everything that is started is counted, a hang ends with what waited.
import { projectRoot } from '../support/project-root.ts';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sharedMissing } from '../support/shared.ts';
import { describeSkipped } from '../support/suite/skipped.ts';

const suite = join(projectRoot, 'test/support/suite');

/** A vitest run of its own over one test file, with the suite's set-up and reporter. */
function runSuite(body: string, patienceMs: number): { status: number | null; output: string } {
  mkdirSync(join(projectRoot, 'reports'), { recursive: true });
  // inside the project, so that the small project finds vitest
  const folder = mkdtempSync(join(projectRoot, 'reports/suite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const reporter = [join(suite, 'suite-reporter.ts'), { patienceMs }];
  const config = {
    test: { pool: 'forks', setupFiles: [join(suite, 'set-up.ts')], reporters: ['default', reporter] },
  };
  writeFileSync(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify(config)};`);
  const head = `import { spawn } from 'node:child_process';
import { test } from 'vitest';
import { waitingFor } from ${JSON.stringify(join(suite, 'waits.ts'))};
`;
  writeFileSync(join(folder, 'small.test.ts'), head + body);
  const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

test('skipped tests are counted by the reason in their title', () => {
  const missing = sharedMissing('data/wire');
  const titles = [`${missing} > a`, `${missing} > b`, `[X-01] reads (${missing}) > c`, 'needs an old Node'];
  expect(describeSkipped(titles)).toMatch(
    /^Skipped tests: 3 \(data\/wire is missing under \S+; set HOLDFAST_SHARED\), 1 \(no reason in the title\)$/,
  );
});

test('a run ends with the number of programs that its tests started', () => {
  const { status, output } = runSuite(
    `test('starts three', () => void [1, 2, 3].map(() => spawn('true')));`,
    60_000,
  );
  expect(output).toContain('Started: 0 workers, 0 Temporal servers, 3 other processes (true 3)');
  expect(status).toBe(0);
});

test('a test that runs out of time says for what it waited', () => {
  const { status, output } = runSuite(
    `test('waits', () => waitingFor('the ship', () => new Promise(() => undefined)), 500);`,
    60_000,
  );
  expect(output).toMatch(/in waits, waits for\n- the ship, for \d+ s\n.*small\.test\.ts:4/);
  expect(status).toBe(1);
});

test('a run without progress ends: each process names its test, its waits with their stack, and its children', () => {
  const { status, output } = runSuite(
    `test('hangs', async () => {
  spawn('sleep', ['30.25']);
  await waitingFor('the tide', () => new Promise(() => undefined));
}, 600_000);`,
    3_000,
  );
  expect(output).toMatch(/No test has begun or ended for \d+ s: the run hangs\./);
  expect(output).toMatch(/in hangs, waits for\n- the tide, for \d+ s\n.*small\.test\.ts:6/);
  expect(output).toMatch(/- child \d+: sleep 30\.25/);
  expect(status).toBe(1);
});

test('a run that hangs in a loop ends too, with the name of the file', () => {
  const { status, output } = runSuite(`test('loops', () => { for (;;); }, 600_000);`, 1_000);
  expect(output).toMatch(/has not ended: small\.test\.ts\nprocess \d+ is in a loop/);
  expect(status).toBe(1);
});

// files that run in one process share its pid, its server and the ids of its sessions
test('a name that a file makes from its pid is in no other file', () => {
  const names = globSync('{test,packages/*/test}/**/*.test.ts', { cwd: projectRoot }).flatMap((file) => {
    const found = readFileSync(join(projectRoot, file), 'utf8').match(/`[\w-]+-\$\{process\.pid\}/g);
    return [...new Set(found)];
  });
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
