// Tools that run in the workflow, on a real server: what they cost in history, and what crosses a hand-over.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pinFindingTool } from '../../src/activities/assembly/built-in-tools.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { AgentEvent } from '../../src/core/model/events.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { functionModel } from '../support/function-model.ts';
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

test('[TOOL-01c] [TOOL-15b] [TOOL-03bd] [TOOL-17] [CKPT-07b] [PROMPT-04] [STATE-03a] [COND-23a] a loaded group and a pinned finding cross a hand-over after every turn, and the loaded tool runs', async () => {
  const model = functionModel(({ number }) => {
    if (number === 1) return { calls: [{ tool: 'load_tools', args: { groups: ['logs', 'nope'] } }] };
    if (number === 2) return { calls: [{ tool: 'pin_finding', args: { text: 'Pool is 5.' } }] };
    if (number === 3)
      return { calls: [{ tool: 'tail' }, { tool: 'pin_finding', args: { text: 'Pool was 50.' } }] };
    return { text: 'done' };
  });
  const bench = await createSessionBench({
    model,
    tools: [tail, echoTool(), pinFindingTool],
    toolGroups: { logs: ['tail'] },
  });
  const handle = await bench.start({
    prompt: 'go',
    tools: ['pin_finding', 'echo'],
    toolGroups: ['logs'],
    continueAsNewAfterTurns: 1,
  });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 4 });
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  expect(chain.length).toBeGreaterThanOrEqual(3);
  expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ['echo', 'load_tools', 'pin_finding'],
    ...[1, 2, 3].map(() => ['echo', 'load_tools', 'pin_finding', 'tail']),
  ]);
  // label, effect and the rest of a spec are for people and for the worker (TOOL-01)
  for (const { tools } of model.requests) {
    for (const tool of tools) expect(Object.keys(tool)).toEqual(['name', 'description', 'parameters']);
  }
  const log = await bench.readLog(handle.workflowId);
  expect(log.flatMap((record) => (record.role === 'tool_result' ? [textOf(record)] : []))).toEqual([
    'Loaded: tail. Unknown groups: nope. Groups: logs.',
    'Pinned as finding-1. 8182 of 8192 bytes are left for findings.',
    'line 1',
    'Pinned as finding-2. 8170 of 8192 bytes are left for findings.',
  ]);
  const snapshot = await bench.client.workflow.getHandle(handle.workflowId).query('snapshot');
  expect(snapshot).toMatchObject({
    loadedGroups: ['logs'],
    tools: ['echo', 'load_tools', 'pin_finding', 'tail'],
  });
  const { events } = await handle.query<{ events: AgentEvent[] }, [number]>('getEvents', 0);
  const changes = events.filter(({ type }) => type === 'prefix_changed');
  expect(changes).toMatchObject([{ reason: 'load_tools', turn: 2 }]);
  // the tools that run in the workflow schedule nothing but the one question to a worker
  const scheduled = eventsOf(chain).flatMap(({ activityTaskScheduledEventAttributes: it }) =>
    it?.activityType?.name ? [it.activityType.name] : [],
  );
  // oxfmt-ignore
  expect(scheduled.filter((name) => name !== 'archiveSegment')).toEqual([
    'assembleContext', 'callModel', 'resolveToolGroups', 'callModel', 'callModel', 'tool.tail',
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
