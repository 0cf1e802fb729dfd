// What code adds to the report of a run when it ends, with the activities that ship.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createReportTool } from '../../src/activities/tools/built-in/report.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { RunResult } from '../../src/core/model/run-result.ts';
import type { Report } from '../../src/core/report/report.ts';
import { reportJsonName } from '../../src/core/report/report.ts';
import type { JsonObject } from '../../src/core/base/json.ts';
import type { SessionInput } from '../../src/core/model/session-input.ts';
import { functionModel, type Saying } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';
import { echoTool } from '../support/session-worker.ts';

const restart = defineTool({
  name: 'restart',
  description: 'Restarts a service.',
  input: z.strictObject({ service: z.string() }),
  effect: 'once',
  summaryArguments: ['service'],
  run: async ({ service }) => {
    if (service === 'gone') throw new Error('there is no such service');
    return { text: `${service} restarted` };
  },
});

const claim = (quote: string, callId = 'call_1_1'): JsonObject => ({
  text: 'The pool is too small.',
  quotes: [{ callId, quote }],
});
const report = (grade: string, ...claims: JsonObject[]) => ({
  tool: 'report',
  args: { summary: 'The pool is empty.', grade, claims },
});

/** The model says this turn by turn; the report of the run is read from the store. */
async function run(says: Saying[], input: SessionInput = {}) {
  const session = await localSession(
    {
      model: functionModel(({ number }) => says[number - 1] ?? { text: 'Done.' }),
      tools: [echoTool(), createReportTool(), restart],
      policy: [{ tool: 'restart', decision: 'allow' }],
    },
    input,
  );
  const result = await session.ask('Why is checkout slow?\nSince 03:00.');
  return { session, result, ...(await readReport(session.artifactsDir, result)) };
}

async function readReport(folder: string, { report: ref }: RunResult) {
  const store = await createFileArtifactStore(folder);
  const read = async (name: string): Promise<string> =>
    Buffer.from((await store.get('session', name)) ?? []).toString('utf8');
  if (!ref) return {};
  const json = await read(reportJsonName(ref.artifactId));
  return { json, report: JSON.parse(json) as Report, markdown: await read(ref.artifactId) };
}

const look = { calls: [{ tool: 'echo', args: { text: 'pool_size 2 of 2 in use' } }] };

describe('[REPORT-09] by code', () => {
  test('title, status, times, model, figures and links', async () => {
    const { report: made, result } = await run([
      look,
      { calls: [report('confirmed', claim('pool_size 2 of 2 in use'))] },
      { text: 'The pool is too small.' },
    ]);
    expect(made?.run).toMatchObject({
      title: 'Why is checkout slow? Since 03:00.',
      status: 'completed',
      startedAt: new Date(result.startedAt).toISOString(),
      models: ['scripted:test'],
      unpriced: ['scripted:test'],
      turns: 3,
      toolCalls: 2,
      tokens: 45,
      costUsd: 0,
      links: { show: 'holdfast show session' },
      actions: [],
      instructions: [],
      steering: [],
      answer: 'The pool is too small.',
    });
    expect(made?.run).not.toHaveProperty('afterReport');
    expect(made?.run).not.toHaveProperty('left');
    expect(
      made?.run?.calls.map(({ callId, call, result: said, isError }) => [callId, call, said, isError]),
    ).toEqual([
      ['call_1_1', 'echo pool_size 2 of 2 in use', 'pool_size 2 of 2 in use', false],
      ['call_2_1', 'report confirmed The pool is empty.', expect.stringMatching(/^Report stored/), false],
    ]);
    expect(result.report).toMatchObject({ artifactId: 'report-of-run-1.md', grade: 'confirmed' });
  });
});

describe('[REPORT-11] a run that does not complete', () => {
  test('has a report by code, and an answer that says how it ended', async () => {
    const { report: made, result } = await run([look, look, look], { maxTurns: 2, onLimit: 'error' });
    expect(result).toMatchObject({
      status: 'max_iterations',
      answer: expect.stringMatching(
        /^The run ended at its limit of turns: .*\. Its report has what was found\.$/,
      ),
      report: { byCode: true, grade: 'inconclusive' },
    });
    expect(made).toMatchObject({
      author: 'code',
      grade: 'inconclusive',
      claims: [],
      run: {
        status: 'max_iterations',
        left: { lastTried: expect.arrayContaining([expect.stringContaining('echo')]) },
      },
    });
  });
});
