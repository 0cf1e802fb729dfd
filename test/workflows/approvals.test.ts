// Calls that wait for a person: answered once, as they were shown, and denied by silence.
import { expect, test } from 'vitest';
import { digestOf } from '../../src/activities/base/digest.ts';
import type { PendingApproval } from '../../src/core/model/snapshot.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { callsFirst } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import { activityInputs } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

/** What any caller may send, whatever the types say. */
function toArguments(args: unknown[]): { args: [] } {
  return { args: args as [] };
}

const pendingOf = (bench: SessionBench, sessionId: string, count: number): Promise<PendingApproval[]> =>
  until(`${count} calls wait`, async () => {
    const pending = await bench.holdfast.session(sessionId).pendingApprovals();
    return pending.length === count && pending;
  });

test('[MODE-09abefghi] [MODE-10e] [FAULT-39] approve runs exactly what was shown, deny tells the model why, the first answer wins, and a refused one leaves no event', async () => {
  const ran: unknown[] = [];
  const bench = await createSessionBench({
    model: callsFirst(['a', 'b'].map((target) => ({ tool: 'change', args: { target } }))),
    tools: [
      fakeTool(
        (args) => {
          ran.push(args);
          return { text: `changed ${JSON.stringify(args)}` };
        },
        { name: 'change', effect: 'once' },
      ),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  const id = handle.workflowId;
  const [first, second] = await pendingOf(bench, id, 2);
  expect(first).toMatchObject({ id: 'call_1_1', tool: 'change', args: '{"target":"a"}', turn: 1 });
  expect(first?.argsDigest).toBe(digestOf({ target: 'a' }));
  expect(await bench.holdfast.session(id).snapshot()).toMatchObject({ waitingFor: 'approval' });
  // a steering message is no answer, and the wait survives the death of its worker's memory
  await bench.holdfast.session(id).steer('Please hurry.', { id: 's1' });
  expect(await pendingOf(bench, id, 2)).toEqual([first, second]);

  const before = (await handle.fetchHistory()).events?.length;
  for (const args of [
    ['call_9_9', { approve: true, actor: 'kim' }],
    ['call_1_1', { approve: 'yes', actor: 'kim' }],
    ['call_1_1', { approve: true }],
    ['call_1_1', { approve: true, actor: 'kim', reason: 'x'.repeat(5_000) }],
  ]) {
    await expect(handle.executeUpdate('resolveApproval', toArguments(args))).rejects.toThrow();
  }
  expect((await handle.fetchHistory()).events).toHaveLength(before ?? 0);

  await bench.holdfast.session(id).approve('call_1_1', { actor: 'kim@desk' });
  await expect(bench.holdfast.session(id).deny('call_1_1', { actor: 'lee' })).rejects.toThrow(
    /approved by kim@desk/,
  );
  await bench.holdfast.session(id).deny('call_1_2', { actor: 'lee', reason: 'not on a Friday' });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(ran).toEqual([{ target: 'a' }]);
  const { events } = await handle.fetchHistory();
  expect(activityInputs(events ?? [], 'tool.change')).toMatchObject([
    { approvedBy: 'kim@desk', argsDigest: first?.argsDigest, args: { target: 'a' } },
  ]);
  const results = (await bench.readLog(id)).filter(({ role }) => role === 'tool_result');
  expect(results.map((record) => textOf(record))).toEqual([
    'changed {"target":"a"}',
    'Denied: not on a Friday',
  ]);
  const { events: told } = await handle.query<{ events: object[] }, [number]>('getEvents', 0);
  expect(told).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'approval_requested', callId: 'call_1_1' }),
      expect.objectContaining({
        type: 'approval_resolved',
        callId: 'call_1_1',
        approved: true,
        actor: 'kim@desk',
      }),
      expect.objectContaining({
        type: 'approval_resolved',
        callId: 'call_1_2',
        approved: false,
        actor: 'lee',
      }),
    ]),
  );
});

test('[MODE-10ad] silence denies, by a durable timer that a restarted worker keeps', async () => {
  let ran = 0;
  const bench = await createSessionBench({
    model: callsFirst([{ tool: 'change' }]),
    tools: [
      fakeTool(
        () => {
          ran++;
          return { text: 'changed' };
        },
        { name: 'change', effect: 'once' },
      ),
    ],
    workerless: true,
  });
  const first = await bench.addWorker();
  const handle = await bench.start({ prompt: 'Go.', approvals: { timeoutMs: 3_000 } });
  const [asked] = await pendingOf(bench, handle.workflowId, 1);
  await first.stop();
  await bench.addWorker();
  const [again] = await pendingOf(bench, handle.workflowId, 1);
  expect(again).toEqual(asked);
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 1 });
  expect(ran).toBe(0);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual(['Denied: no answer in 3 s']);
  const { events } = await handle.fetchHistory();
  expect(events?.filter(({ timerFiredEventAttributes: fired }) => fired)).toHaveLength(1);
});
