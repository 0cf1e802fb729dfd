// `holdfast demo` as a person starts it: the command as a process, its own server, worker and incident. The demo with a team is
// in cli-pasted.test.ts, the one by alert in demo-alert.test.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { planIncident } from '../../packages/demo/src/checkout/plan.ts';
import { startScriptedModelServer } from '@holdfast/scripted-model/scripted-model-server';
import {
  causeOf,
  crashesOf,
  eventsOf,
  expectAllVerified,
  expectNothingRuns,
  runDemo,
  startDemo,
  type Demo,
} from '../support/run-demo.ts';
import { sandboxCheck } from '../support/sandbox.ts';

const limits = { timeout: 180_000 };

test(
  '[FAULT-4] [FAULT-5] [CLI-09ab] killed in a model call, a tool and the once tool, it finds and fixes the fault of its seed, repeats nothing, and quotes real lines',
  limits,
  async () => {
    const demo = await runDemo(['--crash', '--seed', '7']);
    expect(demo.exitCode).toBe(0);
    // on a slow machine a kill may come just after the answer, and takes nothing; the next attempt may be lost, too
    const crashes = crashesOf(demo).filter((crash) => 'attempt' in crash || crash.where === 'once tool');
    expect(crashes).toMatchObject([
      { where: 'model call', activity: 'callModel', attempt: expect.any(Number) },
      { where: 'tool', activity: expect.stringMatching(/^tool\.(?!rollback)/), attempt: expect.any(Number) },
      { where: 'once tool', activity: 'tool.rollback_config' },
    ]);
    expect(crashes[2]).not.toHaveProperty('attempt');
    const ends = (tool: string) =>
      eventsOf(demo, 'tool_execution_end').filter((event) => event.tool === tool);
    expect(ends('rollback_config')).toMatchObject([
      { isError: true, text: expect.stringMatching(/outcome unknown/i) },
    ]);
    expect(ends('bash')).toMatchObject(sandboxCheck.ok ? [{ isError: false }] : []);
    expect(callsPerTurn(demo)).toContain(3);
    const { deployIds, poolBefore } = planIncident(7);
    expect(demo.record).toMatchObject({
      running: deployIds.payments,
      poolSize: poolBefore,
      executions: 1,
      contradictions: [],
    });
    expect(demo.result).toMatchObject({ status: 'completed', report: { grade: 'confirmed' } });
    expect(demo.result.lastWords).toMatch(/^Found and fixed\./);
    expect(demo.report).toContain(causeOf(7));
    expect(demo.report).toMatch(/\*\*Closed by a later read\.\*\* rollback_config .*Outcome unknown/);
    expectAllVerified(demo);
    await expectRealLines(demo);
    await expectNothingRuns(demo);
  },
);

test(
  '[CLI-09cd] on a healthy system, through OPENAI_BASE_URL: an end that contradicts the record is named, and is no success',
  limits,
  async () => {
    const { fault, payments } = planIncident(7).deployIds;
    // once as words without a report, and once more when it is asked for one
    const steps = ['answer', 'again'].map((id) => ({
      id,
      text: `The fault is still there. The rollback of ${fault} was not applied.`,
      ...(id === 'again' ? { next: 'end' } : {}),
    }));
    const model = await startScriptedModelServer({ script: { name: 'lie', steps } });
    onTestFinished(() => model.close());
    const environment = { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: model.openAiBaseUrl };
    const demo = await runDemo(['--healthy', '--seed', '7'], environment);
    expect(demo.result.status).toBe('completed');
    expect(demo.exitCode).toBe(13);
    expect(demo.record).toMatchObject({ running: payments, executions: 0 });
    expect(demo.record.contradictions).toHaveLength(2);
    expect(demo.stderr).toContain(`"The rollback of ${fault} was not applied", but payments runs`);
    await expectNothingRuns(demo);
  },
);

test('[CLI-09e] Ctrl-C in the middle of a run ends server, worker and incident', limits, async () => {
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
  // a quoted line has its number before it, of grep also its file; the timeline of the calls has lines that are cut
  const quoted =
    report.match(
      /(?<=^ {5}> \d+ {2}(?:[\w/.-]+:\d+:)?)\d{4}-\d\d-\d\dT[\d:.]+Z (?:ERROR|INFO|WARN|deploy|rollback) .*$/gm,
    ) ?? [];
  expect(quoted.length).toBeGreaterThanOrEqual(4);
  for (const line of quoted) expect(logs).toContain(line.trim());
}
