// What a session knows of its children over executions: plain data crosses, and nothing else.
import { expect, test } from 'vitest';
import { noUsage } from '@holdfast/vocabulary/messages';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import { noThoughts } from '../../../src/core/state/thoughts.ts';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

const workflow = { runsIn: 'workflow' } as const;
const delegate = (id: string) =>
  `${id}:delegate:${JSON.stringify({ tasks: [{ agent: 'analyst', task: 'pool', context: '' }] })}`;
const complete = `c:task_complete:${JSON.stringify({ status: 'completed', summary: 'all of it' })}`;

function ended(sessionId: string): SessionResult {
  return {
    sessionId,
    runId: 'run-1',
    status: 'completed',
    answer: 'fine',
    content: '',
    thoughts: noThoughts,
    newMessages: { fromSeq: 1, toSeq: 2 },
    usage: { condense: { ...noUsage, input: 7 } },
    costUsd: 1,
    turns: 1,
    toolCalls: 2,
    condenses: 0,
    startedAt: 0,
    endedAt: 1,
    undelivered: [],
  };
}

test('[CKPT-07b] [SUB-03d] [SUB-16] children, their counters and a completion travel, and the next child has the next number', async () => {
  const options: MemoryOptions = {
    model: inTurn(calls(delegate('a')), calls(complete), calls(delegate('b')), says('done')),
    specs: { delegate: workflow, task_complete: workflow },
    context: { agents: [{ name: 'analyst' }] },
    child: ({ id }) => ended(id),
    keepAlive: true,
  };
  const first = new MemorySession(options);
  first.prompt('go');
  const running = first.run();
  await first.until(() => !first.busy);
  first.requestHandOver();
  expect(await running).toBe('hand_over');
  const second = new MemorySession(options, first.carry());
  const workflowRunId = second.snapshot.workflowRunId;
  expect(second.snapshot).toEqual({ ...first.snapshot, continuedAsNew: 1, workflowRunId });
  expect(second.snapshot).toMatchObject({
    completion: { status: 'completed', summary: 'all of it' },
    costUsd: 1,
    usage: { condense: { input: 7 } },
    children: [{ name: 'analyst-pool-1', state: 'ended' }],
  });
  expect(second.state.childToolCalls).toBe(2);
  second.prompt('again');
  void second.run();
  await second.until(() => !second.busy);
  expect(second.children.map(({ id }) => id)).toEqual(['session-1/analyst-pool-2']);
  expect(second.state.childIds).toEqual({ analyst: 2 });
  // of the newest run, which did not call it
  expect(second.snapshot).not.toHaveProperty('completion');
});

test('[SUB-03b] a model that uses the id of a call again gets a child that begins afresh', async () => {
  const session = new MemorySession({
    model: inTurn(calls(delegate('a')), calls(delegate('a')), says('done')),
    specs: { delegate: workflow },
    context: { agents: [{ name: 'analyst' }] },
    child: ({ id }) => ended(id),
  });
  await session.ask('go');
  expect(session.children.map(({ input }) => [input.checkpoint, input.parent?.taskId])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});
