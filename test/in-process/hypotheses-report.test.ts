// The hypotheses of a run that ends without a report of the agent.
import { expect, test } from 'vitest';
import { hypothesesTool } from '../../src/activities/assembly/hypotheses-tool.ts';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { type Report, reportJsonName } from '@holdfast/report/report';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { runTeam } from '../support/team.ts';

const inUse = 'pool_size 2 of 2 in use';
const status = defineTool({
  name: 'status',
  description: 'The pool.',
  input: z.strictObject({}),
  effect: 'read',
  run: () => Promise.resolve({ text: inUse }),
});

test('[HYP-05b] a report by code has the hypotheses, with what their calls have shown', async () => {
  const artifacts = createMemoryArtifactStore();
  const predictions = [{ call: 'status', expect: 'all in use', refutes: true }];
  const add = { statement: 'It is too small.', component: 'pool', kind: 'capacity', predictions };
  const replies = [
    { calls: [{ tool: 'hypotheses', args: { add: [add, { ...add, statement: 'It leaks.' }] } }] },
    { calls: [{ tool: 'status' }] },
    {
      calls: [
        { tool: 'hypotheses', args: { test: [{ id: 'h1.1', callId: 'call_2_1', quote: inUse }] } },
        {
          tool: 'hypotheses',
          args: { test: [{ id: 'h2.1', callId: 'call_2_1', quote: 'nothing like it' }] },
        },
      ],
    },
    { text: 'I stop here.' },
    { text: 'I stop here.' },
  ];
  const { ended } = await runTeam({
    tools: [status, createReportTool(), hypothesesTool],
    artifacts,
    agent: { tools: ['status', 'report', 'hypotheses'] },
    input: { prompt: 'Why?' },
    says: { tester: ({ number }) => replies[number - 1] ?? { text: 'Done.' } },
  });
  expect(ended.report).toMatchObject({ byCode: true });
  const name = reportJsonName(ended.report?.artifactId ?? '');
  const text = Buffer.from((await artifacts.get('top', name)) ?? []).toString('utf8');
  const report: Report = JSON.parse(text);
  expect(
    report.hypotheses?.map(({ id, status, predictions: [first] }) => [id, status, first?.result]),
  ).toEqual([
    ['h1', 'supported', 'met'],
    ['h2', 'untested', 'not_counted'],
  ]);
  const markdown = Buffer.from((await artifacts.get('top', ended.report?.artifactId ?? '')) ?? []).toString(
    'utf8',
  );
  expect(markdown).toContain('## Considered, and why not');
});
