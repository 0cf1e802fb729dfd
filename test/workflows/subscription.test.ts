// What a subscriber of a real session gets, in the worker's process and in another one.
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { createClient, type Heard } from '../../src/client.ts';
import { mergeUpdate } from '@holdfast/vocabulary/session-events';
import type { PartialReply } from '@holdfast/vocabulary/session-events';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { until } from '../support/until.ts';
import { ModelFault } from '@holdfast/providers/faults';
import { approveShown } from '../support/approve-shown.ts';

const work = {
  name: 'work',
  description: 'Does a piece of work.',
  input: z.strictObject({ of: z.string() }),
  effect: 'read' as const,
};

/** The canonical names and the further ones of EVENT-01. */
const canonical = [
  'agent_start',
  'agent_end',
  'turn_start',
  'turn_end',
  'message_start',
  'message_update',
  'message_end',
  'tool_execution_start',
  'tool_execution_update',
  'tool_execution_end',
];
// oxfmt-ignore
const further = [
  'session_start', 'state_changed', 'queue_update', 'prefix_changed', 'condense_start', 'condense_end',
  'context_warning', 'memory_flush', 'plan_update', 'subagent_start', 'subagent_end',
  'approval_requested', 'approval_resolved', 'allowance_forgotten', 'question_asked', 'question_answered',
  'wait_escalated', 'policy_decision', 'checkpoint_saved', 'warning',
];

const short = (heard: Heard): string => {
  if (heard.type === 'message_update')
    return heard.delta.type === 'text' ? heard.delta.text : heard.delta.type;
  if (heard.type === 'tool_execution_update') return `partial ${heard.partial}`;
  return 'role' in heard ? `${heard.type} ${heard.role}` : heard.type;
};

test('[EVENT-01ab] [EVENT-08b] [EVENT-05ab] [EVENT-06abc] [EVENT-10a] one ordered stream of events and updates, by their names', async () => {
  const deltaBus = createDeltaBus();
  let tries = 0;
  const model = functionModel(({ number, request, options }) => {
    if (request.metadata.purpose === 'condense') return { text: 'notes' };
    const say = (text: string) => options.onDelta({ type: 'text', text });
    if (number === 1) return { text: 'looking', calls: [{ tool: 'work', args: { of: 'log' } }] };
    say(++tries === 1 ? 'half' : 'do');
    if (tries === 1) throw new ModelFault('Model.StreamCut', 'cut off');
    say('ne');
    return { text: 'done' };
  });
  const bench = await createSessionBench({
    model,
    deltaBus,
    policy: [{ tool: 'work', decision: 'ask' }],
    tools: [
      defineTool({
        ...work,
        run: async ({ of }, { onUpdate }) => {
          onUpdate(`reading ${of}`);
          return { text: `result of ${of}` };
        },
      }),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  const { workflowId: id } = handle;
  const heard: Heard[] = [];
  const subscription = bench.holdfast.session(id).subscribe((event) => void heard.push(event));
  await until('an approval is asked for', async () =>
    heard.some(({ type }) => type === 'approval_requested'),
  );
  await handle.signal('steer', { id: 's1', message: 'Look at the pool.' });
  await handle.signal('steer', 'no message');
  const [pending] = await bench.holdfast.session(id).pendingApprovals();
  await approveShown(bench.holdfast.session(id), pending?.id ?? '', { actor: 'test' });
  expect(await handle.result()).toMatchObject({ answer: 'done' });
  await subscription.ended;

  const inTurn = (turn: number) =>
    heard.flatMap((event) =>
      'turn' in event && event.turn === turn && /^(message|tool)_/.test(event.type) ? [short(event)] : [],
    );
  // oxfmt-ignore
  expect(inTurn(1)).toEqual([
    'message_start user', 'message_end user', 'message_start assistant', 'message_end assistant',
    'tool_execution_start', 'partial reading log', 'tool_execution_end',
    'message_start tool_result', 'message_end tool_result',
  ]);
  // oxfmt-ignore
  expect(inTurn(2)).toEqual([
    'message_start user', 'message_end user', 'message_start assistant',
    'half', 'reset', 'do', 'ne', 'message_end assistant',
  ]);
  const partial = heard.reduce<PartialReply | undefined>(
    (before, event) => (event.type === 'message_update' ? mergeUpdate(before, event) : before),
    undefined,
  );
  expect(partial).toMatchObject({ runId: 'run-1', turn: 2, attempt: 2, text: 'done' });
  expect(heard.find(({ type }) => type === 'tool_execution_update')).toMatchObject({
    callId: 'call_1_1',
    tool: 'work',
    args: { of: 'log' },
    attempt: 1,
  });
  const durable = heard.filter((event) => 'seq' in event && 'at' in event);
  expect(durable.map((event) => ('seq' in event ? event.seq : 0))).toEqual(
    durable.map((_, index) => index + 1),
  );
  const types = new Set<string>(heard.map(({ type }) => type));
  expect([...canonical].filter((type) => !types.has(type))).toEqual([]);
  for (const type of [
    'session_start',
    'state_changed',
    'queue_update',
    'approval_requested',
    'approval_resolved',
  ])
    expect(types).toContain(type);
  for (const type of ['checkpoint_saved', 'warning']) expect(types).toContain(type);
  expect([...types].filter((type) => ![...canonical, ...further].includes(type))).toEqual([]);
});

test('[EVENT-17f] the worker of a session hears of its readers in other processes, and the history does not', async () => {
  const deltaBus = createDeltaBus();
  const watched = Promise.withResolvers<void>();
  const model = functionModel(async ({ options }) => {
    options.onDelta({ type: 'text', text: 'I look' });
    await watched.promise;
    return { text: 'I look' };
  });
  const bench = await createSessionBench({ model, deltaBus, own: 'the sinks of a worker' });
  const [one, other] = await Promise.all([bench.start({ prompt: 'Go.' }), bench.start({ prompt: 'Go.' })]);
  // its heartbeats alone reach this client, as from another process
  const connection = await Connection.connect({ address: bench.address });
  onTestFinished(() => connection.close());
  const elsewhere = createClient({ connection, namespace: 'default', taskQueue: bench.taskQueue });
  const subscription = elsewhere.session(one.workflowId).subscribe(() => undefined);
  await expect.poll(() => deltaBus.hasReader(one.workflowId), { timeout: 20_000 }).toBe(true);
  expect(deltaBus.hasReader(other.workflowId)).toBe(false);
  watched.resolve();
  await Promise.all([one.result(), other.result()]);
  await subscription.ended;
  const [noted, unnoted] = await Promise.all([one.fetchHistory(), other.fetchHistory()]);
  expect(noted.events?.length).toBe(unnoted.events?.length);
});

test('[EVENT-05b] [EVENT-06b] [EVENT-10a] from another process the updates come out of the heartbeats', async () => {
  const heard: Heard[] = [];
  const saw = (text: string) => () => heard.some((event) => short(event).includes(text));
  const model = functionModel(async ({ number, options }) => {
    if (number > 1) return { text: 'done' };
    options.onDelta({ type: 'text', text: 'I look ' });
    await expect.poll(saw('I look'), { timeout: 20_000 }).toBe(true);
    options.onDelta({ type: 'text', text: 'at the log' });
    await expect.poll(saw('at the log'), { timeout: 20_000 }).toBe(true);
    return { text: 'I look at the log', calls: [{ tool: 'work', args: { of: 'log' } }] };
  });
  const bench = await createSessionBench({
    model,
    tools: [
      defineTool({
        ...work,
        run: async ({ of }, { onUpdate }) => {
          onUpdate(`reading ${of}`);
          await expect.poll(saw('reading log'), { timeout: 20_000 }).toBe(true);
          return { text: 'x' };
        },
      }),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  const subscription = bench.holdfast.session(handle.workflowId).subscribe((event) => void heard.push(event));
  await handle.result();
  await subscription.ended;
  const updates = heard.filter((event) => event.type.endsWith('_update') && event.type !== 'queue_update');
  expect(updates.map(short)).toEqual(['I look ', 'at the log', 'partial reading log']);
  const order = heard.map(short);
  expect(order.indexOf('I look ')).toBeGreaterThan(order.indexOf('message_start assistant'));
  expect(order.indexOf('at the log')).toBeLessThan(order.indexOf('message_end assistant'));
  expect(order.indexOf('partial reading log')).toBeLessThan(order.indexOf('tool_execution_end'));
});
