// Delegation on a real server: child workflows, what the history holds of them, and what becomes of them when somebody stops.
import { createReadArtifactTool } from '../../src/activities/built-in/files/read-artifact.ts';
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { setTimeout as pause } from 'node:timers/promises';
import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import type { Saying, Turn } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { BenchOptions, SessionBench, SessionHandle } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { echoTool } from '../support/session-worker.ts';
import { delegating } from '../support/team.ts';
import { until } from '../support/until.ts';
import { untilStopped } from '../support/until-stopped.ts';

const { ParentClosePolicy } = proto.temporal.api.enums.v1;
const complete = (summary: string): Saying => ({
  calls: [{ tool: 'task_complete', args: { status: 'completed', summary } }],
});

type Says = Record<string, (turn: Turn) => Saying | Promise<Saying>>;

/** The top session, `tester`, may delegate to every other agent that says something. */
function team(says: Says, more: Partial<BenchOptions> = {}): Promise<SessionBench> {
  const model = functionModel(async (turn) => {
    const say = says[turn.request.metadata.agent];
    if (!say) throw new Error(`nothing was expected of ${turn.request.metadata.agent}`);
    return say(turn);
  });
  const others = Object.keys(says).filter((name) => name !== 'tester');
  return createSessionBench({
    model,
    policy: [{ tool: '*', decision: 'allow' }],
    ...more,
    agent: mergeOptions({ delegation: { agents: ['*'] } }, more.agent ?? {}),
    agents: Object.fromEntries(
      others.map((name) => [name, mergeOptions({ loop: { maxTurns: 0 } }, more.agents?.[name] ?? {})]),
    ),
  });
}

const resultsIn = (log: LogRecord[]): unknown[] =>
  log.flatMap((record) =>
    record.role === 'tool_result' && record.toolName === 'delegate' && record.content[0]?.type === 'text'
      ? [JSON.parse(record.content[0].text)]
      : [],
  );

const textsOf = (log: LogRecord[], tool: string): string[] =>
  log.flatMap((record) =>
    record.role === 'tool_result' && record.toolName === tool ? [textOf(record)] : [],
  );

const snapshotOf = (handle: SessionHandle) => handle.query<Snapshot>('snapshot');

/** Until a child of this agent is in a call of its tool. */
async function statusOf({ client }: SessionBench, id: string): Promise<string> {
  return (await client.workflow.getHandle(id).describe()).status.name;
}

test('[SUB-05ab] [SUB-06c] [SUB-09ab] [SUB-15a] [CKPT-07b] [SUB-03cd] children are workflows of the same type; a parent that continues as new after every turn gives them the same names', async () => {
  const says: Says = {
    tester: ({ number }) =>
      number <= 2
        ? delegating(
            { agent: 'analyst', task: `pool ${number}`, context: 'since noon' },
            { agent: 'fixer', task: 'mend' },
          )
        : { text: 'All done.' },
    analyst: ({ number }) =>
      number === 1 ? { calls: [{ tool: 'echo', args: { text: 'look' } }] } : complete('The pool is 2.'),
    fixer: () => ({ text: 'Mended.' }),
  };
  const bench = await team(says);
  const handles = [
    await bench.start({ prompt: 'Go.' }),
    await bench.start({ prompt: 'Go.', continueAsNewAfterTurns: 1 }),
  ];
  const [whole, cut] = await Promise.all(
    handles.map(async (handle) => ({
      result: await handle.result(),
      log: await bench.readLog(handle.workflowId),
      chain: await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId),
      snapshot: await snapshotOf(handle),
    })),
  );
  expect(cut?.chain.length).toBeGreaterThan(1);
  const answers = ['pool', 'pool'].map(() => [
    {
      agent: 'analyst',
      result: 'The pool is 2.',
      completion: { status: 'completed', summary: 'The pool is 2.' },
    },
    { agent: 'fixer', result: 'Mended.' },
  ]);
  expect([whole, cut].map((session) => resultsIn(session?.log ?? []))).toEqual([answers, answers]);
  const names = ['analyst-pool-1', 'fixer-mend-1', 'analyst-pool-2', 'fixer-mend-2'];
  for (const [index, session] of [whole, cut].entries()) {
    const id = handles[index]?.workflowId ?? '';
    const events = eventsOf(session?.chain ?? []);
    const started = events.flatMap(({ startChildWorkflowExecutionInitiatedEventAttributes: child }) =>
      child ? [child] : [],
    );
    expect(
      started.map(({ workflowId, workflowType, parentClosePolicy }) => [
        workflowId,
        workflowType?.name,
        parentClosePolicy,
      ]),
    ).toEqual(
      names.map((name) => [
        `${id}/${name}`,
        'agentSession',
        ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL,
      ]),
    );
    expect(session?.snapshot.children.map(({ name, state }) => [name, state])).toEqual(
      names.map((name) => [name, 'ended']),
    );
    // in one history or in many: the children are paid for once
    expect(session?.result).toMatchObject({
      status: 'completed',
      usage: { main: { input: 3 * 10 + 2 * 20 + 2 * 10 } },
    });
  }
  const { userMetadata } =
    eventsOf(whole?.chain ?? []).find(
      ({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child,
    ) ?? {};
  // no words of the task (STATE-14)
  expect(JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString())).toBe('analyst-pool-1');
});

test('[SUB-18a] [SUB-19ac] over a hand-over, and in a session that continues from the checkpoint, the names of a result still lead to it', async () => {
  const said = `${'x'.repeat(3_000)} CONCLUSION: it is the pool`;
  const call = { tool: 'read_artifact', args: { artifactId: 'writer-pool-1/result', character: 3_000 } };
  const isAnswered = new Set<string>();
  const says: Says = {
    tester: ({ number, request, newTexts }) => {
      if (number === 1) return delegating({ agent: 'writer' }, { agent: 'looker' });
      const { sessionId } = request.metadata;
      const isDone = isAnswered.has(sessionId) && newTexts.length === 0;
      isAnswered.add(sessionId);
      return isDone ? { text: 'All done.' } : { calls: [call] };
    },
    writer: () => ({ text: said }),
    looker: () => ({ text: 'It may be the pool.', calls: [{ tool: 'echo', args: { text: 'look' } }] }),
  };
  const bench = await team(says, {
    tools: [echoTool(), createReadArtifactTool()],
    agents: { looker: { loop: { maxTurns: 1 } } },
  });
  const first = await bench.start({ prompt: 'Go.', continueAsNewAfterTurns: 1 });
  expect(await first.result()).toMatchObject({ status: 'completed', answer: 'All done.' });
  const log = await bench.readLog(first.workflowId);
  expect(resultsIn(log)).toMatchObject([
    [
      {
        result: expect.stringMatching(/^x+\n.*left out here.*\nx+ CONCLUSION/),
        artifact: 'writer-pool-1/result',
      },
      { result: expect.stringMatching(/^unfinished: .*\(1\)\nIts last words: It may be the pool\.$/) },
    ],
  ]);
  const later = await bench.start({ taskId: first.workflowId, checkpoint: 'saved', prompt: 'Once more.' });
  expect(await later.result()).toMatchObject({ status: 'completed', answer: 'All done.' });
  for (const { workflowId } of [first, later])
    expect(textsOf(await bench.readLog(workflowId), 'read_artifact').at(-1)).toMatch(
      /^x CONCLUSION: it is the pool\n/,
    );
});

test('[SUB-15abc] an abort waits for a child that takes longer than a call may, and accounts for it', async () => {
  const atWork = Promise.withResolvers<void>();
  const says: Says = {
    tester: () => delegating({ agent: 'analyst' }),
    analyst: ({ number, options }) => {
      if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'look' } }] };
      atWork.resolve();
      return untilStopped(options.signal);
    },
  };
  const bench = await team(says, {
    // a call is given up 3 s after a stop
    beforePut: async (name, id) => {
      if (name === 'result.json' && id.includes('/')) await pause(4_000);
    },
  });
  const handle = await bench.start({ prompt: 'Go.' });
  await atWork.promise;
  await handle.signal('abort');
  expect(await handle.result()).toMatchObject({ status: 'aborted', usage: { main: { input: 20 } } });
  expect(resultsIn(await bench.readLog(handle.workflowId))).toEqual([
    [{ agent: 'analyst', error: 'canceled' }],
  ]);
  const { children } = await snapshotOf(handle);
  expect(children).toMatchObject([{ state: 'ended', status: 'aborted' }]);
  expect(await statusOf(bench, children[0]?.id ?? '')).toBe('COMPLETED');
});

test('[SUB-12d] a child that somebody ends from outside is the error of its task, however it was ended', async () => {
  const atWork = Promise.withResolvers<void>();
  let waiting = 0;
  const tasks = ['terminated', 'aborted', 'cancelled'];
  const says: Says = {
    tester: ({ number }) =>
      number === 1 ? delegating(...tasks.map((task) => ({ agent: 'analyst', task }))) : { text: 'Went on.' },
    analyst: ({ options }) => {
      if (++waiting === 3) atWork.resolve();
      return untilStopped(options.signal);
    },
  };
  const bench = await team(says, { own: 'what its client sends is watched' });
  const handle = await bench.start({ prompt: 'Go.' });
  await atWork.promise;
  const child = (name: string) => bench.client.workflow.getHandle(`${handle.workflowId}/analyst-${name}`);
  await child('terminated-1').terminate('by a test');
  await child('aborted-2').signal('abort');
  await child('cancelled-3').cancel();
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'Went on.' });
  expect(resultsIn(await bench.readLog(handle.workflowId))).toEqual([
    [
      { agent: 'analyst', error: 'subagent analyst-terminated-1: terminated' },
      { agent: 'analyst', error: 'subagent analyst-aborted-2: aborted' },
      { agent: 'analyst', error: 'subagent analyst-cancelled-3: aborted' },
    ],
  ]);
});

test('[STATE-11ab] no stop terminates a workflow: an abort, a cancel and a shutdown end a session and its children at every level by themselves, with their calls answered', async () => {
  let working = 0;
  const says: Says = {
    tester: () => delegating({ agent: 'middle' }),
    middle: () => delegating({ agent: 'analyst' }),
    analyst: ({ options }) => {
      working += 1;
      return untilStopped(options.signal);
    },
  };
  const bench = await team(says, {
    own: 'what its client sends is watched',
    agents: { middle: { delegation: { maxDepth: 2 } } },
  });
  const { workflowService } = bench.client;
  const terminated: unknown[] = [];
  Object.assign(workflowService, {
    terminateWorkflowExecution: async (request: unknown) => void terminated.push(request),
  });
  type Stop = (session: ReturnType<SessionBench['holdfast']['session']>, handle: SessionHandle) => unknown;
  const stops: Stop[] = [
    (session) => session.abort(),
    (_, handle) => handle.cancel(),
    async (session) => {
      await session.shutdown();
      await session.abort();
    },
  ];
  for (const [index, stop] of stops.entries()) {
    const handle = await bench.start({ prompt: 'Go.', keepAlive: index === 2 });
    await until('the child of the child is at work', () => working > index);
    await stop(bench.holdfast.session(handle.workflowId), handle);
    const middle = `${handle.workflowId}/middle-pool-1`;
    for (const sessionId of [handle.workflowId, middle, `${middle}/analyst-pool-1`]) {
      const ended = bench.client.workflow.getHandle(sessionId);
      expect(await ended.result()).toMatchObject({ status: 'aborted', sessionId });
      const { events } = await ended.fetchHistory();
      expect(events?.at(-1)?.workflowExecutionCompletedEventAttributes).toBeTruthy();
    }
    expect(resultsIn(await bench.readLog(handle.workflowId))).toEqual([
      [{ agent: 'middle', error: 'canceled' }],
    ]);
    expect(resultsIn(await bench.readLog(middle))).toEqual([[{ agent: 'analyst', error: 'canceled' }]]);
  }
  expect(terminated).toEqual([]);
});

test('[SUB-15a] a parent that is gone takes its children with it, and the session that continues it does not do their work again', async () => {
  const began: string[] = [];
  const atWork = Promise.withResolvers<void>();
  let isLate = false;
  const says: Says = {
    tester: ({ number }) =>
      number === 1
        ? delegating({ agent: 'quick' }, { agent: 'slow', task: 'logs' }, { agent: 'slow', task: 'metrics' })
        : { text: 'All done.' },
    quick: () => {
      began.push('quick');
      return complete('fine');
    },
    slow: async ({ number, request, options }) => {
      const task = request.metadata.sessionId.includes('logs') ? 'logs' : 'metrics';
      began.push(`${task} ${number}`);
      if (number === 1) return { calls: [{ tool: 'echo', args: { text: `first of ${task}` } }] };
      if (isLate) return complete(`${task} read`);
      if (began.filter((each) => each.endsWith('2')).length === 2) atWork.resolve();
      return untilStopped(options.signal);
    },
  };
  const bench = await team(says);
  const handle = await bench.start({ prompt: 'Go.' });
  await atWork.promise;
  await until(
    'the quick child has ended',
    async () => (await snapshotOf(handle)).children[0]?.state === 'ended',
  );
  const checkpoint = await bench.holdfast.session(handle.workflowId).checkpoint();
  await handle.terminate('by a test');
  const former = ['slow-logs-1', 'slow-metrics-2'].map((name) => `${handle.workflowId}/${name}`);
  for (const id of former) {
    expect(await bench.client.workflow.getHandle(id).result()).toMatchObject({ status: 'aborted' });
  }
  isLate = true;
  const next = await bench.start({ checkpoint });
  const result = await next.result();
  expect(result).toMatchObject({ status: 'completed', answer: 'All done.' });
  expect(resultsIn(await bench.readLog(next.workflowId))).toEqual([
    [
      { agent: 'quick', result: 'fine', completion: { status: 'completed', summary: 'fine' } },
      { agent: 'slow', result: 'logs read', completion: { status: 'completed', summary: 'logs read' } },
      { agent: 'slow', result: 'metrics read', completion: { status: 'completed', summary: 'metrics read' } },
    ],
  ]);
  // what was finished is neither done nor paid for twice: the first turns of the slow ones are from before
  expect(began.filter((each) => each === 'quick')).toHaveLength(1);
  expect(began.filter((each) => each.endsWith(' 1'))).toHaveLength(2);
  const { children } = await snapshotOf(next);
  expect(children.map(({ name }) => name)).toEqual(['quick-pool-1', 'slow-logs-3', 'slow-metrics-4']);
  const log = await bench.readLog(`${next.workflowId}/slow-logs-3`);
  expect(
    log.flatMap((record) => (record.role === 'assistant' ? toolCallsOf(record).map(({ name }) => name) : [])),
  ).toEqual(['echo', 'task_complete']);
});
