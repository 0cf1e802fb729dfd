// Tools that run in the workflow, on a real server: what they cost in history, and what crosses a hand-over.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pinFindingTool, updatePlanTool } from '../../src/activities/assembly/built-in-tools.ts';
import { hypothesesTool } from '../../src/activities/assembly/hypotheses-tool.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { functionModel } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { activityInputs, eventsOf, readChain } from '../support/session-history.ts';
import { echoTool } from '../support/session-worker.ts';

const tail = defineTool({
  name: 'tail',
  description: 'Newest lines.',
  input: z.strictObject({}),
  effect: 'read',
  run: () => Promise.resolve({ text: 'line 1' }),
});

test('[TOOL-01c] [TOOL-15b] [TOOL-03bd] [TOOL-17] [CKPT-07b] [PLAN-02ab] [PLAN-09f] [STATE-03a] [STATE-14b] [COND-23a] a loaded group, a pinned finding and a plan cross a hand-over after every turn, and the loaded tool runs', async () => {
  const steps = [
    { text: 'Look at the pool', criterion: 'its size is known' },
    { text: 'Check again', criterion: 'it explains the errors', verify: true },
  ];
  const mark = (id: string, status: string) => ({ tool: 'update_plan', args: { id, status } });
  const model = functionModel(({ number, request }) => {
    if (request.metadata.purpose === 'planner') return { text: JSON.stringify({ steps }) };
    if (number === 1) return { calls: [{ tool: 'load_tools', args: { groups: ['logs', 'nope'] } }] };
    if (number === 2) return { calls: [{ tool: 'pin_finding', args: { text: 'Pool is 5.' } }] };
    if (number === 3)
      return {
        calls: [
          { tool: 'tail' },
          { tool: 'pin_finding', args: { text: 'Pool was 50.' } },
          mark('1', 'done'),
          mark('2', 'done'),
        ],
      };
    return { text: 'done' };
  });
  const bench = await createSessionBench({
    model,
    tools: [tail, echoTool(), pinFindingTool, updatePlanTool],
    toolGroups: { logs: ['tail'] },
  });
  const handle = await bench.start({
    prompt: 'go',
    tools: ['pin_finding', 'echo'],
    toolGroups: ['logs'],
    plan: { strategy: 'plan_and_solve' },
    continueAsNewAfterTurns: 1,
  });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 6 });
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  expect(chain.length).toBeGreaterThanOrEqual(3);
  const requests = model.requests.filter(({ metadata }) => metadata.purpose === 'main');
  expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ['echo', 'load_tools', 'pin_finding', 'update_plan'],
    ...[1, 2, 3].map(() => ['echo', 'load_tools', 'pin_finding', 'update_plan', 'tail']),
  ]);
  // label, effect and the rest of a spec are for people and for the worker (TOOL-01)
  for (const { tools } of requests) {
    for (const tool of tools) expect(Object.keys(tool)).toEqual(['name', 'description', 'parameters']);
  }
  const log = await bench.readLog(handle.workflowId);
  expect(resultTexts(log)).toEqual([
    'Loaded: tail. Unknown groups: nope. Groups: logs.',
    'Pinned as finding-1. 8182 of 8192 bytes are left for findings.',
    'line 1',
    'Pinned as finding-2. 8170 of 8192 bytes are left for findings.',
    expect.stringContaining('Done so far: 1/2, next 2: Check again'),
    expect.any(String),
  ]);
  const snapshot = await bench.client.workflow.getHandle(handle.workflowId).query('snapshot');
  expect(snapshot).toMatchObject({
    loadedGroups: ['logs'],
    tools: ['echo', 'load_tools', 'pin_finding', 'update_plan', 'tail'],
  });
  expect(await bench.holdfast.session(handle.workflowId).plan()).toMatchObject({
    steps: [
      { id: '1', status: 'done' },
      { id: '2', status: 'done', text: 'Check again' },
    ],
  });
  const ui = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(ui.currentDetails).toContain('- plan 2/2');
  // the tools that run in the workflow schedule nothing but the questions to a worker
  const scheduled = eventsOf(chain).flatMap(({ activityTaskScheduledEventAttributes: it }) =>
    it?.activityType?.name ? [it.activityType.name] : [],
  );
  // oxfmt-ignore
  expect(scheduled.filter((name) => name !== 'archiveSegment')).toEqual([
    'assembleContext', 'askModel', 'callModel', 'resolveToolGroups', 'callModel', 'callModel', 'tool.tail',
    'callModel', 'saveResult',
  ]);
  // references, not texts: the worker knows what the digest names
  expect(activityInputs(eventsOf(chain), 'resolveToolGroups')).toEqual([
    {
      sessionId: handle.workflowId,
      contextDigest: expect.stringMatching(/^[0-9a-f]{32}$/),
      groups: ['logs', 'nope'],
    },
  ]);
});

test('[HYP-02ad] [HYP-04e] hypotheses cross a hand-over after every turn, stand in the details of the UI, and carry a confirmed report', async () => {
  const predict = (call: string, expected: string) => ({ call, expect: expected, refutes: true });
  const head = { component: 'pool', kind: 'capacity' };
  const add = [
    {
      ...head,
      statement: 'It is too small.',
      predictions: [{ call: 'tail', expect: 'line 1' }, predict('tail', 'in use')],
    },
    { ...head, statement: 'It leaks.', predictions: [predict('tail', 'a leak')] },
  ];
  const quoted = (id: string, callId: string, quote: string) => ({ id, callId, quote });
  const claim = {
    text: 'The pool is full.',
    role: 'cause',
    quotes: [{ callId: 'call_2_1', quote: 'pool: 2 of 2 in use' }],
  };
  const report = {
    summary: 'The pool is too small.',
    grade: 'confirmed',
    rootCause: { ...head, text: 'Both are in use: it is too small.', hypothesis: 'h1' },
    claims: [claim],
    ruledOut: [
      { text: 'A leak on the heap.', quotes: [{ callId: 'call_2_1', quote: 'heap: 120 MB, steady' }] },
    ],
  };
  const model = functionModel(({ number }) => {
    if (number === 1) return { calls: [{ tool: 'hypotheses', args: { add } }] };
    if (number === 2) return { calls: [{ tool: 'tail' }] };
    if (number === 3) {
      const answered = [
        quoted('h1.1', 'call_2_1', 'line 1 of the log'),
        quoted('h1.2', 'call_2_1', 'pool: 2 of 2 in use'),
      ];
      return {
        calls: [
          { tool: 'hypotheses', args: { test: answered } },
          { tool: 'report', args: report },
        ],
      };
    }
    return { text: 'done' };
  });
  const long = {
    ...tail,
    run: () => Promise.resolve({ text: 'line 1 of the log\npool: 2 of 2 in use\nheap: 120 MB, steady' }),
  };
  const bench = await createSessionBench({ model, tools: [long, hypothesesTool, createReportTool()] });
  const handle = await bench.start({
    prompt: 'go',
    tools: ['hypotheses', 'tail', 'report'],
    continueAsNewAfterTurns: 1,
  });
  const { report: ref } = await handle.result();
  expect(ref).toMatchObject({ grade: 'confirmed', quotes: 2, verifiedQuotes: 2 });
  const ui = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(ui.currentDetails).toContain('- hypothesis h1 (2/2): It is too small.');
  expect(ui.currentDetails).toContain('- hypothesis h2 (0/1): It leaks.');
});
