// The machinery of the golden set, on three of its incidents; `npm run evals` plays all of them.
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { incidents } from '../../tools/evals/incidents.ts';
import { runEvals } from '../../tools/evals/run-evals.ts';
import { toTable } from '../../tools/evals/table.ts';
import type { IncidentModule } from '../../tools/evals/system.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const main = join(import.meta.dirname, '../../tools/evals/main.ts');

test('[REPORT-27ac] a script finds the cause of a real incident that tempts by a decoy; what cannot start is skipped by name', async () => {
  const missing: IncidentModule = {
    lacks: () => 'openssl not installed',
    start: () => Promise.reject(new Error('not to be started')),
  };
  const { 'config-typo': tempting = missing } = incidents;
  const rows = await runEvals({
    dir: await realpath(await temporaryFolder()),
    address: inject('temporalAddress'),
    model: 'scripted',
    incidents: { 'config-typo': tempting, 'bad-deploy': missing },
    environment: readEnvironment(),
    say: () => undefined,
  });
  expect(rows[0]).toMatchObject({
    status: 'completed',
    verdict: { found: true, missing: [], falseClaims: [] },
  });
  const { found = 0, all = 0 } = rows[0]?.verdict.quotes ?? {};
  expect(found).toBe(all);
  expect(all).toBeGreaterThan(5);
  const lines = toTable(rows).split('\n');
  expect(lines[1]).toMatch(/^config-typo +yes +0 +(\d+)\/\1 /);
  expect(lines[2]).toMatch(/^bad-deploy +- .* skipped: openssl not installed$/);
  expect(lines[3]).toMatch(/^total +1\/1 +0 /);
});

test('[REPORT-27bd] npm run evals: an incident of two sources is asked by its toolset, a healthy system ends without a fault, and the kept folder comes with the commands that print the reports', async () => {
  const tmp = await temporaryFolder();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [main, '--only', 'wrong-limit,nightly-load', '--keep'],
    { env: { ...process.env, TMPDIR: tmp } },
  );
  const lines = stdout.split('\n');
  expect(lines[1]).toMatch(/^wrong-limit +yes +0 .* confirmed +logs, git /);
  expect(lines[2]).toMatch(/^nightly-load +yes +0 .* no fault +logs, the figures, earlier nights /);
  const printed = [...stderr.matchAll(/ --config (\S+) report (\S+)$/gm)];
  expect(printed).toHaveLength(2);
  const [, configFile = '', sessionId = ''] = printed[0] ?? [];
  const report = await callCli(['--config', configFile, 'report', sessionId], { cwd: tmp, environment: {} });
  expect(report.stdout).toMatch(/^# .*\n\nTask: .*\n\n\*\*The run completed\.\*\*/);
});

test('[REPORT-27e] a model without its key is refused before anything starts', async () => {
  const environment = { PATH: process.env['PATH'] };
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, [main, '--model', 'openai:gpt-5'], { env: environment }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    ),
  );
  expect(code).toBe(2);
  expect(stderr).toBe(
    '--model is "openai:gpt-5", and there is no key for openai: expected OPENAI_API_KEY or OPENAI_API_KEY_FILE in the ' +
      'environment. Nothing was started. Without a key, --model scripted proves the machinery.\n',
  );
});
