// The modes of a run, on a real server: what is executed, asked about and offered, over hand-overs, forks and loads.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createReadArtifactTool } from '../../src/activities/tools/built-in/files/read-artifact.ts';
import { createReportTool } from '../../src/activities/tools/built-in/report/report.ts';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import type { AgentEvent } from '../../src/core/model/events.ts';
import { textOf } from '../../src/core/model/messages.ts';
import type { SessionInput } from '../../src/core/model/session-input.ts';
import type { Snapshot } from '../../src/core/model/snapshot.ts';
import { functionModel } from '../support/function-model.ts';
import type { Saying, Turn } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { BenchOptions, SessionBench, SessionHandle } from '../support/session-bench.ts';
import { readChain } from '../support/session-history.ts';
import { echoTool } from '../support/session-worker.ts';
import { until } from '../support/until.ts';

/** A changing tool whose calls are counted, with the session where `of` names one. */
function changeTool(ran: string[], of: 'no session' | 'session' = 'no session'): RegisteredTool {
  return defineTool({
    name: 'change',
    description: 'Changes something.',
    input: z.strictObject({ to: z.int(), forbidden: z.boolean().optional() }),
    effect: 'once',
    inspect: ({ to }) => ({ actions: [{ effect: 'once', command: `set ${to}` }], preview: `- 0\n+ ${to}` }),
    run: async ({ to }, { sessionId }) => {
      ran.push(of === 'session' ? sessionId : `change ${to}`);
      return { text: `changed to ${to}` };
    },
  });
}

const change = (args: object): Saying => ({ calls: [{ tool: 'change', args: { ...args } }] });

async function resultsOf(bench: SessionBench, sessionId: string) {
  const log = await bench.readLog(sessionId);
  return log.flatMap((record) =>
    record.role === 'tool_result' ? [{ text: textOf(record), isError: record.isError }] : [],
  );
}

async function eventsOf(handle: SessionHandle): Promise<AgentEvent[]> {
  const { events } = await handle.query<{ events: AgentEvent[] }, [number]>('getEvents', 0);
  return events;
}

const offered = ({ tools }: { tools: { name: string }[] }): string[] => tools.map(({ name }) => name);

test('[MODE-01a] [TOOL-04ac] mode, validation, policy, hook and dry run decide in this order: each answers when the one before it is taken away', async () => {
  const ran: string[] = [];
  const asked: string[] = [];
  const guard = defineHook({
    name: 'guard',
    beforeToolCall({ toolCall }) {
      asked.push(toolCall.arguments);
      return { block: true, reason: 'the hook says no' };
    },
  });
  // the prompt is the text of the arguments
  const model = functionModel(({ number, newTexts }) =>
    number === 1 ? { calls: [{ tool: 'change', rawArguments: newTexts[0] ?? '' }] } : { text: 'done' },
  );
  const bench = await createSessionBench({
    model,
    tools: [changeTool(ran)],
    hooks: [guard],
    policy: [{ tool: 'change', args: { forbidden: 'true' }, decision: 'deny', reason: 'the rule says no' }],
  });
  const closed: SessionInput = { mode: 'observe', dryRun: true, hooks: [{ name: 'guard' }] };
  const gates: [gate: string, input: SessionInput, expected: string | RegExp][] = [
    ['mode', { ...closed, prompt: '{"to":"x","forbidden":true}' }, 'Unknown tool change'],
    [
      'validation',
      { ...closed, mode: 'act', prompt: '{"to":"x","forbidden":true}' },
      /^Invalid arguments for change: to: /,
    ],
    ['policy', { ...closed, mode: 'act', prompt: '{"to":3,"forbidden":true}' }, 'Denied: the rule says no'],
    ['hook', { ...closed, mode: 'act', prompt: '{"to":3}' }, /the hook says no/],
    [
      'dry run',
      { ...closed, mode: 'act', prompt: '{"to":4}', hooks: [] },
      /^Dry run: change was not executed/,
    ],
    ['none', { mode: 'act', prompt: '{"to":5}' }, 'changed to 5'],
  ];
  for (const [gate, input, expected] of gates) {
    const handle = await bench.start(input);
    expect(await handle.result(), gate).toMatchObject({ status: 'completed' });
    const [result] = await resultsOf(bench, handle.workflowId);
    expect(result?.text, gate).toMatch(expected);
  }
  expect(asked).toEqual(['{"to":3}']);
  expect(ran).toEqual(['change 5']);
});

test('[MODE-02abcd] [TOOL-04c] a dry run reads, and says of all else what it would have done: nobody is asked, and an unknown tool stays an error', async () => {
  const ran: string[] = [];
  const model = functionModel(({ number }) => {
    if (number > 1) return { text: 'done' };
    const calls = [
      { tool: 'echo', args: { text: 'hello' } },
      { tool: 'change', args: { to: 3 } },
      { tool: 'chnage', args: { to: 3 } },
      { tool: 'change', args: { to: 'far' } },
      { tool: 'change', args: { to: 9 } },
    ];
    return { calls };
  });
  const bench = await createSessionBench({
    model,
    tools: [echoTool(), changeTool(ran)],
    policy: [{ tool: 'change', command: 'set 9', decision: 'deny', reason: 'never 9' }],
  });
  for (const mode of ['ask', 'act'] as const) {
    const handle = await bench.start({ prompt: 'go', mode, dryRun: true });
    expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
    expect(await resultsOf(bench, handle.workflowId)).toEqual([
      { text: 'hello', isError: false },
      {
        text: 'Dry run: change was not executed, and nothing was changed. It would have run with {"to":3}.\n- 0\n+ 3',
        isError: false,
      },
      { text: 'Unknown tool chnage', isError: true },
      { text: expect.stringMatching(/^Invalid arguments for change/), isError: true },
      { text: 'Denied: never 9', isError: true },
    ]);
    const events = await eventsOf(handle);
    expect(events.filter(({ type }) => type === 'approval_requested')).toEqual([]);
  }
  expect(ran).toEqual([]);
});

test('[MODE-03] in observe a changing tool is not offered, and neither load_tools, setTools, a rule nor a fork brings it back', async () => {
  const ran: string[] = [];
  const loads = { calls: [{ tool: 'load_tools', args: { groups: ['changes'] } }] };
  const model = functionModel(({ number, newTexts }) => {
    if (newTexts.some((text) => text.startsWith('load'))) return loads;
    return number % 4 === 2 || newTexts.includes('again') ? change({ to: number }) : { text: 'done' };
  });
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => ({ text: 'seen' }),
  });
  const bench = await createSessionBench({
    model,
    tools: [echoTool(), changeTool(ran), look],
    toolGroups: { changes: ['change', 'look'] },
    policy: [{ tool: '*', decision: 'allow' }],
  });
  const tools = ['echo', 'change'];
  const handle = await bench.start({
    prompt: 'load',
    mode: 'observe',
    tools,
    toolGroups: ['changes'],
    keepAlive: true,
    loop: { warn: 0 },
  });
  const session = bench.holdfast.session(handle.workflowId);
  await until('the first run is over', async () => (await session.snapshot()).lastStatus !== undefined);
  await session.setTools(['change', 'echo']);
  const { runId } = await session.prompt('again');
  await session.result({ runId });
  for (const request of model.requests) expect(offered(request)).not.toContain('change');
  expect(model.requests.map(offered)).toContainEqual(['echo', 'load_tools', 'look']);
  expect((await session.snapshot()).tools).toEqual(['echo', 'load_tools']);
  const checkpoint = await session.checkpoint();
  await session.shutdown();
  await handle.result();

  // a fork keeps the mode of the start
  const forked = await bench.holdfast.start({ checkpoint, prompt: 'again', tools: ['change'] });
  await bench.holdfast.session(forked.sessionId).result();
  const results = [
    ...(await resultsOf(bench, handle.workflowId)),
    ...(await resultsOf(bench, forked.sessionId)),
  ].map(({ text }) => text);
  expect(results).toContain('Loaded: look. Groups: changes.');
  expect(results.filter((text) => text === 'Unknown tool change').length).toBeGreaterThanOrEqual(3);
  expect(results.filter((text) => text.startsWith('changed'))).toEqual([]);
  expect(ran).toEqual([]);
});

test('[MODE-03] [CKPT-04d] a call that was allowed in another session does not run where the session that continues it observes', async () => {
  const ran: string[] = [];
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => {
      begun.resolve();
      await held.promise;
      return { text: 'waited' };
    },
  });
  const model = functionModel(({ number }) =>
    number === 1 ? { calls: [{ tool: 'wait' }, { tool: 'change', args: { to: 1 } }] } : { text: 'done' },
  );
  const bench = await createSessionBench({ model, tools: [wait, changeTool(ran, 'session')] });
  const start: SessionInput = { prompt: 'go', mode: 'act', loop: { toolExecution: 'sequential' } };
  const handle = await bench.start(start);
  await begun.promise;
  const checkpoint = await bench.holdfast.session(handle.workflowId).checkpoint();
  const { sessionId } = await bench.holdfast.start({ checkpoint, mode: 'observe' });
  held.resolve();
  await bench.holdfast.session(sessionId).result();
  const texts = (await resultsOf(bench, sessionId)).map(({ text }) => text);
  expect(texts).toEqual([
    'waited',
    expect.stringMatching(/^(Denied by policy: .*In mode observe|Unknown tool change)/),
  ]);
  await handle.result();
  expect(ran).toEqual([handle.workflowId]);
});

test('[CKPT-07b] [STATE-03a] the modes are the same after every hand-over, and shown', async () => {
  const ran: string[] = [];
  const model = functionModel(({ number }) => (number <= 3 ? change({ to: number }) : { text: 'done' }));
  const bench = await createSessionBench({ model, tools: [changeTool(ran), echoTool()] });
  const modes = { mode: 'act', dryRun: true } as const;
  const handle = await bench.start({ prompt: 'go', ...modes, continueAsNewAfterTurns: 1 });
  await handle.result();
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  expect(chain.length).toBeGreaterThanOrEqual(3);
  const results = await resultsOf(bench, handle.workflowId);
  expect(results).toHaveLength(3);
  for (const { text } of results) expect(text).toMatch(/^Dry run: /);
  expect(ran).toEqual([]);
  const shown = await handle.query<Snapshot>('snapshot');
  expect(shown).toMatchObject({ ...modes, offTheRecord: false });
  const ui = await handle.query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
  expect(ui.currentDetails).toContain('- agent tester, model scripted:test, mode act, dry run\n');

  // and in observe no execution offers the tool
  const watching = await bench.start({ prompt: 'go', mode: 'observe', continueAsNewAfterTurns: 1 });
  const before = model.requests.length;
  await watching.result();
  expect(model.requests.slice(before).map(offered)).toEqual([1, 2, 3, 4].map(() => ['echo']));
  expect(await watching.query<Snapshot>('snapshot')).toMatchObject({ mode: 'observe', dryRun: false });
});

/** A bench that counts what is stored. */
async function recordless(options: Omit<BenchOptions, 'beforePut'>) {
  const stored: string[] = [];
  const bench = await createSessionBench({
    ...options,
    beforePut: async (artifactId) => void stored.push(artifactId),
  });
  return { bench, stored };
}

const mcp: RegisteredTool = (() => {
  const tool = defineTool({
    name: 'github_issues',
    description: 'Reads.',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => ({ text: 'issues' }),
  });
  return { ...tool, spec: { ...tool.spec, source: 'mcp:github' } };
})();

test('[MODE-04abd] off the record only what reads is offered, nothing of MCP servers, and nothing is stored: large outputs, condense, hand-overs, reset, checkpoints', async () => {
  const ran: string[] = [];
  const keeps = defineTool({
    name: 'keeps',
    description: 'Stores.',
    input: z.strictObject({}),
    effect: 'read',
    run: async (_, { sessionId, artifacts }) => {
      await artifacts.put(sessionId, 'mine', 'x');
      return { text: 'kept' };
    },
  });
  const turn = ({ number }: Turn): Saying => {
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'abcdefghij', times: 5_000 } }] };
    if (number === 2) return { calls: [{ tool: 'keeps' }, { tool: 'change', args: { to: 1 } }] };
    return number <= 6 ? { calls: [{ tool: 'echo', args: { text: `turn ${number}` } }] } : { text: 'done' };
  };
  const summaries = (request: { metadata: { purpose: string } }): boolean =>
    request.metadata.purpose === 'condense';
  const model = functionModel((asked) => (summaries(asked.request) ? { text: 'the summary' } : turn(asked)));
  const { bench, stored } = await recordless({
    model,
    tools: [echoTool(), keeps, changeTool(ran), mcp, createReadArtifactTool(), createReportTool()],
  });
  const handle = await bench.start({
    prompt: 'go',
    mode: 'act',
    offTheRecord: true,
    keepAlive: true,
    loop: { checkpointEvery: 'tool' },
    continueAsNewAfterTurns: 2,
    condense: { keepLastN: 1 },
  });
  const session = bench.holdfast.session(handle.workflowId);
  const first = await session.result({ runId: 'run-1' });
  expect(first).toMatchObject({ status: 'completed', answer: 'done' });
  const chain = await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId);
  expect(chain.length).toBeGreaterThanOrEqual(3);
  for (const request of model.requests) expect(offered(request)).toEqual(['echo', 'keeps']);
  const results = await resultsOf(bench, handle.workflowId);
  expect(results[0]?.text).toContain('The rest was not kept: the session is off the record.');
  expect(results.slice(1, 3)).toEqual([
    { text: expect.stringContaining('Nothing is stored: the session is off the record.'), isError: true },
    { text: 'Unknown tool change', isError: true },
  ]);
  // every message is still there, and in the result
  expect(first.newMessages.toSeq).toBe((await session.snapshot()).lastSeq);

  await session.condense();
  const { runId } = await session.prompt('and now?');
  expect(await session.result({ runId })).toMatchObject({ status: 'completed', answer: 'done' });
  const last = model.requests.at(-1);
  expect(last?.messages.map(textOf).join('\n')).toContain('the summary');
  await session.reset();
  await until('the view is empty', async () => (await session.snapshot()).state === 'idle');
  await session.shutdown();
  await handle.result();
  expect(await session.snapshot()).toMatchObject({ mode: 'act', offTheRecord: true });
  expect(stored).toEqual([]);
  expect(ran).toEqual([]);
});

test('[MODE-04e] without an encrypting codec a start off the record is warned about, and no other', async () => {
  const model = functionModel(() => ({ text: 'done' }));
  const { bench, stored } = await recordless({ model });
  const warningsOf = async (input: SessionInput) => {
    const handle = await bench.start({ prompt: 'go', ...input });
    await handle.result();
    const events = await eventsOf(handle);
    return events.flatMap((event) => (event.type === 'warning' ? [event.code] : []));
  };
  expect(await warningsOf({ offTheRecord: true })).toEqual(['otr_history_not_encrypted']);
  expect(stored).toEqual([]);
  expect(await warningsOf({})).toEqual([]);
  expect(stored.length).toBeGreaterThan(0);
});
