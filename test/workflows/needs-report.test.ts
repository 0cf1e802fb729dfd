// Sessions whose start asks for a report: without one they are failed workflows that still have a result.
import { expect, test } from 'vitest';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { callCli } from '../support/cli.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench, type SessionBench } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';

const report = { summary: 'Nothing is wrong.', grade: 'likely', claims: [], ruledOut: [], gaps: [] };

/** Reports on "Report.", and only then. */
const bench = (): Promise<SessionBench> =>
  createSessionBench({
    model: functionModel(({ newTexts }) =>
      newTexts.at(-1) === 'Report.'
        ? { calls: [{ tool: 'report', args: report }] }
        : { text: 'All is well.' },
    ),
    tools: [echoTool(), createReportTool()],
    agents: { talker: { tools: ['echo'] } },
  });
const asking: SessionInput = { needsReport: true, throwOnFailure: true };

test.each(['tester', 'talker'])(
  '[SCHED-05abc] a run of %s without a report fails its workflow; result and exit code say why',
  async (agent) => {
    const { start, holdfast, address, artifactsDir } = await bench();
    const handle = await start({ ...asking, agent, prompt: 'Is all well?' });
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'RunFailed', message: 'The run completed without a report of the agent.' },
    });
    expect(await holdfast.session(handle.workflowId).result()).toMatchObject({
      status: 'completed',
      cause: 'no_report',
      lastWords: 'All is well.',
      report: { byCode: true },
    });
    const environment = { TEMPORAL_ADDRESS: address };
    const shown = await callCli(['result', handle.workflowId], { cwd: artifactsDir, environment });
    expect(shown).toMatchObject({
      code: 14,
      stdout: expect.stringContaining('without a report of the agent'),
    });
  },
);

test('[SCHED-05b] with its report, or without throwOnFailure, the workflow completes', async () => {
  const { start } = await bench();
  const reported = await start({ ...asking, prompt: 'Report.' });
  expect(await reported.result()).toMatchObject({ status: 'completed', cause: 'answer' });
  const silent = await start({ needsReport: true, agent: 'talker', prompt: 'Is all well?' });
  expect(await silent.result()).toMatchObject({ status: 'completed', cause: 'no_report' });
});

test('[SCHED-05d] in a session that stays the last run decides', async () => {
  const { start, holdfast } = await bench();
  const ends = async (...prompts: string[]) => {
    const handle = await start({ ...asking, keepAlive: true });
    const session = holdfast.session(handle.workflowId);
    for (const prompt of prompts) await session.result(await session.prompt(prompt));
    await session.shutdown();
    return handle.result().then(
      () => 'completed',
      () => 'failed',
    );
  };
  expect(await ends('Is all well?', 'Report.')).toBe('completed');
  // words about a report need no second one
  expect(await ends('Report.', 'Is all well?')).toBe('completed');
  expect(await ends('Is all well?')).toBe('failed');
  expect(await ends()).toBe('completed');
});
