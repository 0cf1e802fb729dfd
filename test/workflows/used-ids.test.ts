// A session id that is used again: what each session has stored stays its own, its subagents' too, and is read by a name.
import { setTimeout } from 'node:timers/promises';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { type AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { markedName, readNames } from '@holdfast/stored/session-names';
import type { agentSession } from '../../src/workflows/session/agent-session.ts';
import { agentSessionType, updates } from '../../src/workflow.ts';
import { functionModel, type Saying, type Turn } from '../support/function-model.ts';
import { type BenchOptions, createSessionBench, type SessionBench } from '../support/session-bench.ts';
import { startReceiver, webhooks } from '../support/receiver.ts';
import { echoTool } from '../support/session-worker.ts';
import { delegating } from '../support/team.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const keys: string[] = [];
const change = defineTool({
  name: 'change',
  description: 'Changes something.',
  input: z.strictObject({}),
  effect: 'once',
  run: async (_, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    return { text: 'changed' };
  },
});

const reportOf = (said: string) => ({
  tool: 'report',
  args: {
    summary: said,
    grade: 'confirmed',
    claims: [{ text: said, quotes: [{ callId: 'call_1_1', quote: said }] }],
    ruledOut: [],
    gaps: [],
  },
});

/** Looks, reports and answers with the words of the task, so that two sessions differ in nothing else. */
const look = ({ number, request }: Turn): Saying => {
  const [said = ''] = /pool is \d+/.exec(JSON.stringify(request.messages)) ?? [];
  if (number === 1) return { calls: [{ tool: 'echo', args: { text: said } }] };
  return number === 2 ? { calls: [reportOf(said)] } : { text: said };
};
const looking = functionModel(look);

const openBench = (more: Partial<BenchOptions> = {}): Promise<SessionBench> =>
  createSessionBench({
    model: looking,
    own: 'several sessions have one id',
    tools: [echoTool(), createReportTool(), change],
    policy: [{ tool: '*', decision: 'allow' }],
    ...more,
  });

const begin = ({ client, taskQueue, name }: SessionBench, input: SessionInput) =>
  client.workflow.start<typeof agentSession>(agentSessionType, {
    workflowId: name,
    taskQueue,
    args: [{ agent: 'tester', ...input }],
  });

test('[STATE-19f] a list names the earlier sessions of an id, and what is sent to such a name is told where to go', async () => {
  const bench = await openBench();
  const { holdfast, name } = bench;
  const first = await begin(bench, { prompt: 'The pool is 10.', continueAsNewAfterTurns: 1 });
  await first.result();
  const second = await begin(bench, { prompt: 'The pool is 20.' });
  await second.result();
  const firstName = markedName(name, first.firstExecutionRunId);
  const named = await until('both in the list', async () => {
    const found = await holdfast.list({ idPrefix: name });
    const ended = await holdfast.list({ idPrefix: name, status: 'ended' });
    // lists learn of an end a little later
    if (found.length < 2 || found.some(({ closedAt }) => closedAt === undefined)) return undefined;
    expect(ended).toEqual(found);
    return found.map((each) => [each.sessionId, each.storedAs]);
  });
  expect(named).toEqual([
    [name, undefined],
    [name, firstName],
  ]);
  await expect(holdfast.session(firstName).steer('look')).rejects.toThrow(
    `It names what a session of ${name} has stored, for result, show and logs. Everything else goes to ${name}, which means the newest.`,
  );
});

test('[STATE-19ab] two sessions of one id keep their own log, outputs, report and result, each under a name; the id is the newest', async () => {
  const bench = await openBench();
  const { holdfast, name, artifactsDir } = bench;
  const first = await begin(bench, { prompt: 'The pool is 10.' });
  await first.result();
  const before = await holdfast.session(name).storedMessages();
  const second = await begin(bench, { prompt: 'The pool is 20.', continueAsNewAfterTurns: 1 });
  const { sessionId: key } = await second.result();
  expect(key).toBe(markedName(name, second.firstExecutionRunId));
  const firstName = markedName(name, first.firstExecutionRunId);
  for (const [asked, said] of [
    [name, 'pool is 20'],
    [key, 'pool is 20'],
    [firstName, 'pool is 10'],
  ] as const) {
    const session = holdfast.session(asked);
    expect(await session.storedResult()).toMatchObject({ lastWords: said });
    expect(await session.readReport()).toMatchObject({ summary: said });
    expect((await session.readOutput('call_1_1'))?.lines.join()).toContain(said);
    expect(JSON.stringify(await session.storedMessages())).toContain(said);
  }
  expect(await holdfast.session(firstName).storedMessages()).toEqual(before);
  expect(await readNames(await createFileArtifactStore(artifactsDir), name)).toMatchObject([
    { storedAs: name, execution: first.firstExecutionRunId },
    { storedAs: key, execution: second.firstExecutionRunId },
  ]);
});

test('[STATE-19c] a session under a used id shows nothing of the one before it: while it runs, after it was terminated, after a start that fails', async () => {
  const mayAnswer = Promise.withResolvers<void>();
  const bench = await openBench({
    model: functionModel(async (turn) => {
      if (JSON.stringify(turn.request.messages).includes('wait')) await mayAnswer.promise;
      return { text: 'pool is 10' };
    }),
  });
  const { holdfast, name } = bench;
  const session = holdfast.session(name);
  await (await begin(bench, { prompt: 'The pool is 10.' })).result();
  const second = await begin(bench, { prompt: 'Please wait.' });
  await until('the second session works', async () => (await session.snapshot()).turn > 0 || undefined);
  const nothing = async () => [await session.storedResult(), await session.storedMessages()];
  expect(await nothing()).toEqual([undefined, undefined]);
  await second.terminate();
  expect(await nothing()).toEqual([undefined, undefined]);
  mayAnswer.resolve();
  const third = await begin(bench, { prompt: 'Go.', loop: { maxTurns: -1 } });
  const failed = await third.result();
  expect(failed.error).toMatchObject({ code: 'Run.ContextFailed' });
  expect(await session.storedResult()).toMatchObject({ status: 'failed', startedAt: failed.startedAt });
});

test.each([
  ['used', 'silent'],
  ['new', 'silent'],
  ['new', 'without a reply'],
])(
  '[STATE-19e] a session under a %s id that begins while the store is %s overwrites nothing, and is the newest once it stores',
  async (id, down) => {
    const files = await createFileArtifactStore(await temporaryFolder());
    let isDown = false;
    const failing = () => Promise.reject(Object.assign(new Error('no access'), { code: 'EACCES' }));
    const bench = await openBench({
      artifacts: {
        ...files,
        get: (...asked) => (isDown && down === 'silent' ? failing() : files.get(...asked)),
        put: async (...given) => {
          if (!isDown || down !== 'silent') await files.put(...given);
          if (isDown) await failing();
        },
      },
      model: functionModel((turn) => {
        isDown = false;
        return look(turn);
      }),
    });
    const { holdfast, name } = bench;
    const expected: [asked: string, said: string][] = [];
    if (id === 'used') {
      const first = await begin(bench, { prompt: 'The pool is 10.' });
      await first.result();
      expected.push([markedName(name, first.firstExecutionRunId), 'pool is 10']);
    }
    isDown = true;
    const second = await begin(bench, { prompt: 'The pool is 20.', continueAsNewAfterTurns: 1 });
    const { sessionId: key, lastWords } = await second.result();
    expect([key, lastWords]).toEqual([markedName(name, second.firstExecutionRunId), 'pool is 20']);
    for (const [asked, said] of [...expected, [name, 'pool is 20'], [key, 'pool is 20']] as const) {
      const session = holdfast.session(asked);
      expect(await session.storedResult()).toMatchObject({ lastWords: said });
      expect((await session.readOutput('call_1_1'))?.lines.join()).toContain(said);
    }
  },
);

test('[STATE-19a] under a used id, too, what was stored behind its call is in the store before the log of the session is', async () => {
  const files = await createFileArtifactStore(await temporaryFolder());
  const stored: string[] = [];
  const bench = await openBench({
    artifacts: {
      ...files,
      async put(sessionId, artifact, bytes) {
        if (artifact.startsWith('tool-')) await setTimeout(1_000);
        await files.put(sessionId, artifact, bytes);
        stored.push(`${sessionId} ${artifact}`);
      },
    },
    model: functionModel(({ number }) =>
      number === 1 ? { calls: [{ tool: 'echo', args: { text: 'pool is 20' } }] } : { text: 'done' },
    ),
  });
  await (await begin(bench, { prompt: 'The pool is 10.' })).result();
  const { sessionId: key } = await (
    await begin(bench, { prompt: 'The pool is 20. '.repeat(2_000), continueAsNewAfterTurns: 1 })
  ).result();
  const own = stored.filter((each) => each.startsWith(`${key} `));
  expect(own.slice(0, 2)).toEqual([`${key} tool-call_1_1`, expect.stringContaining(' log-')]);
});

test('[STATE-20ab] keys of once calls and the ids of subagents are never those of an earlier session of the id', async () => {
  const bench = await openBench({
    agent: mergeOptions<AgentOptionValues>({ delegation: { agents: ['*'] } }, {}),
    agents: { helper: {} },
    model: functionModel(({ number, request: { metadata, messages } }) => {
      const [said = ''] = /pool is \d+/.exec(JSON.stringify(messages)) ?? [];
      if (metadata.agent === 'helper')
        return number === 1 ? { calls: [{ tool: 'echo', args: { text: said } }] } : { text: said };
      if (number === 1) return { calls: [{ tool: 'change', args: {} }] };
      return number === 2 ? delegating({ agent: 'helper', task: `The ${said}.` }) : { text: said };
    }),
  });
  const { holdfast, name } = bench;
  const first = await begin(bench, { prompt: 'The pool is 10.', mode: 'act' });
  await first.result();
  const second = await begin(bench, { prompt: 'The pool is 20.', mode: 'act' });
  const { sessionId: key } = await second.result();
  const call = (id: string): string => `${id}/call_1_1`;
  expect(keys.filter((each) => each.startsWith(name))).toEqual([call(name), call(key)]);
  const [child] = (await second.query<{ children: { id: string; name: string }[] }, []>('snapshot')).children;
  expect(child?.id).toBe(`${key}/${child?.name ?? ''}`);
  const output = `${child?.name ?? ''}/call_1_1`;
  for (const [asked, said] of [
    [name, 'pool is 20'],
    [markedName(name, first.firstExecutionRunId), 'pool is 10'],
  ] as const)
    expect((await holdfast.session(asked).readOutput(output))?.lines.join()).toContain(said);
  const tree = await holdfast.session(name).tree();
  expect(tree.children.map(({ sessionId }) => sessionId)).toEqual([child?.id]);
  // the histories of both, and nothing of a session whose id only begins like it
  const { sessionIds } = await holdfast.session(name).remove();
  expect(sessionIds).toContain(child?.id);
});

test('[STATE-20c] the messages of a second session have ids of their own, and its end names its own report', async () => {
  const receiver = await startReceiver();
  const bench = await openBench({ destinations: await webhooks({ team: receiver.url }) });
  const deliver: SessionInput['deliver'] = [{ to: 'team', on: ['start', 'end'] }];
  await (await begin(bench, { prompt: 'The pool is 10.', deliver })).result();
  const { sessionId: key } = await (await begin(bench, { prompt: 'The pool is 20.', deliver })).result();
  const messages = receiver.taken();
  expect(messages).toHaveLength(4);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(4);
  const [, one, , two] = messages;
  expect(one?.end).toMatchObject({
    summary: 'pool is 10',
    report: `holdfast report ${bench.name} --run run-1`,
  });
  expect(two?.end).toMatchObject({ summary: 'pool is 20', report: `holdfast report '${key}' --run run-1` });
});

test('[STATE-20d] a checkpoint that is continued under its own id is a session of its own, and has all outputs', async () => {
  const bench = await openBench();
  const { holdfast, name } = bench;
  await (await begin(bench, { prompt: 'The pool is 10.' })).result();
  const checkpoint = await holdfast.session(name).checkpoint();
  const second = await begin(bench, { checkpoint, prompt: 'And now?' });
  const { sessionId: key } = await second.result();
  expect(key).toBe(markedName(name, second.firstExecutionRunId));
  expect((await holdfast.session(key).readOutput('call_1_1'))?.lines.join()).toContain('pool is 10');
});

test('[CALL-12ab] one session for each incident: an alert is a prompt to the session that runs; after its end the next one begins another under the id, and both are kept', async () => {
  const bench = await openBench();
  const { client, holdfast, name, taskQueue } = bench;
  const alert = async (words: string): Promise<string> => {
    const startWorkflowOperation = new WithStartWorkflowOperation(agentSessionType, {
      workflowId: name,
      taskQueue,
      args: [{ agent: 'tester', keepAlive: true, idleTimeoutMs: 3_600_000 }],
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    const { runId } = await client.workflow.executeUpdateWithStart(updates.prompt, {
      args: [words],
      startWorkflowOperation,
    });
    await holdfast.session(name).result({ runId });
    return runId;
  };
  const runs = [await alert('The pool is 10.'), await alert('Again: the pool is 10.')];
  await holdfast.session(name).shutdown();
  const { sessionId: first } = await holdfast.session(name).result();
  runs.push(await alert('The pool is 20.'));
  await holdfast.session(name).shutdown();
  const { sessionId: second } = await holdfast.session(name).result();
  expect(runs).toEqual(['run-1', 'run-2', 'run-1']);
  expect(first).toBe(name);
  expect(second).not.toBe(name);
  expect(await holdfast.session(name).readReport()).toMatchObject({ summary: 'pool is 20' });
  const names = await readNames(await createFileArtifactStore(bench.artifactsDir), name);
  const older = holdfast.session(markedName(name, names[0]?.execution ?? ''));
  expect(await older.readReport({ runId: 'run-1' })).toMatchObject({ summary: 'pool is 10' });
});

test("[STATE-19a] each execution of Temporal's cron schedule is a session of its own", async () => {
  const bench = await openBench();
  const { client, taskQueue, name } = bench;
  const handle = await client.workflow.start<typeof agentSession>(agentSessionType, {
    workflowId: name,
    taskQueue,
    cronSchedule: '@every 1s',
    args: [{ agent: 'tester', prompt: 'The pool is 10.' }],
  });
  const store = await createFileArtifactStore(bench.artifactsDir);
  const names = await until('two have stored', async () => {
    const all = await readNames(store, name);
    return all.length > 1 ? all : undefined;
  });
  await client.workflow.getHandle(handle.workflowId).terminate();
  expect(new Set(names.map(({ storedAs }) => storedAs)).size).toBe(names.length);
  expect(names[0]).toMatchObject({ storedAs: name, execution: handle.firstExecutionRunId });
});
