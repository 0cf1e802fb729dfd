// `holdfast demo` as a person starts it: the command as a process, its own server, worker and incident.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planIncident } from '../../examples/demo/checkout/plan.ts';
import {
  causeOf,
  eventsOf,
  expectAllVerified,
  expectNothingRuns,
  runDemo,
  startDemo,
  type Demo,
} from '../support/run-demo.ts';
import { sandboxCheck } from '../support/sandbox.ts';

const limits = { timeout: 180_000 };

test('a seed decides the fault, the agent finds and fixes it, every quote is verified', limits, async () => {
  const demo = await runDemo(['--seed', '7', '--yes']);
  expect(demo.exitCode).toBe(0);
  expect(demo.result).toMatchObject({ status: 'completed', report: { grade: 'confirmed' } });
  expect(demo.result.answer).toMatch(/^Found and fixed\./);
  expect(demo.report).toContain(causeOf(7));
  expect(callsPerTurn(demo)).toContain(3);
  const shellCalls = eventsOf(demo, 'tool_execution_end').filter(({ tool }) => tool === 'bash');
  expect(shellCalls).toMatchObject(sandboxCheck.ok ? [{ isError: false }] : []);
  const { deployIds, poolBefore } = planIncident(7);
  expect(demo.record).toMatchObject({
    running: deployIds.payments,
    poolSize: poolBefore,
    executions: 1,
    contradictions: [],
  });
  expectAllVerified(demo);
  await expectRealLines(demo);
  await expectNothingRuns(demo);
});

test('on a healthy system the same script ends with nothing wrong found', limits, async () => {
  const demo = await runDemo(['--healthy']);
  expect(demo.exitCode).toBe(0);
  expect(demo.result.answer).toMatch(/^Nothing wrong found/);
  expect(eventsOf(demo, 'approval_requested')).toEqual([]);
  expectAllVerified(demo);
});

test('Ctrl-C in the middle of a run ends server, worker and incident', limits, async () => {
  const demo = await startDemo(['--yes']);
  const { uiUrl } = await demo.line('session');
  const incident = await demo.line('incident');
  await demo.line('event');
  demo.interrupt();
  expect(await demo.ended).toMatchObject({ exitCode: 130 });
  await expectNothingRuns({ incident });
  await expect(fetch(uiUrl)).rejects.toThrow();
});

function callsPerTurn(demo: Demo): number[] {
  const turns = eventsOf(demo, 'tool_execution_start').map((event) => event.turn);
  return [...new Set(turns)].map((turn) => turns.filter((other) => other === turn).length);
}

/** The log lines that the report quotes stand in the log files of this run. */
async function expectRealLines({ report, incident }: Demo): Promise<void> {
  const files = ['logs/payments.log', 'logs/shop.log', 'deploys.log'].map((name) =>
    join(incident.dir, 'system', name),
  );
  const logs = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  // a quote is indented; the timeline of the calls has lines that are cut
  const quoted =
    report.match(/^ {5}\d{4}-\d\d-\d\dT[\d:.]+Z (?:ERROR|INFO|WARN|deploy|rollback) .*$/gm) ?? [];
  expect(quoted.length).toBeGreaterThanOrEqual(4);
  for (const line of quoted) expect(logs).toContain(line.trim());
}
