// People and a session on a real server: escalation and silence by durable timers, answers from another workflow and as the
// Temporal UI sends them.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { askHumanTool } from '../../src/activities/assembly/built-in-tools.ts';
import type { AgentEvent, EventPage } from '@holdfast/vocabulary/events';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { callsFirst } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import { runParentWorkflows } from '../support/run-parent-workflows.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench, SessionHandle } from '../support/session-bench.ts';
import { activityInputs } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { approvalOf } from '../support/approve-shown.ts';

const change = fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' });
const ask = (question: string, options?: string[]) => ({
  tool: 'ask_human',
  args: { question, ...(options ? { options } : {}) },
});

const detailsOf = async (handle: SessionHandle): Promise<string> => {
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
};

async function snapshotWith(handle: SessionHandle, what: string, holds: (snapshot: Snapshot) => boolean) {
  return until(what, async () => {
    const snapshot = await handle.query<Snapshot>('snapshot');
    return holds(snapshot) && snapshot;
  });
}

async function allEvents(handle: SessionHandle): Promise<AgentEvent[]> {
  return (await handle.query<EventPage, [number]>('getEvents', 0)).events;
}

test('[MODE-10af] [MODE-11a] [EVENT-01b] what waits too long is escalated for all to see, and silence decides afterwards, by durable timers', async () => {
  const bench = await createSessionBench({
    model: callsFirst([{ tool: 'change' }, ask('On\npurpose?')]),
    tools: [change, askHumanTool],
  });
  const times = { approvals: { escalateAfterMs: 1_000, timeoutMs: 4_000, questionTimeoutMs: 5_000 } };
  const handle = await bench.start({ prompt: 'Go.', ...times });
  const isMarked = ({ escalatedAt }: { escalatedAt?: number }) => escalatedAt !== undefined;
  await snapshotWith(
    handle,
    'both are escalated',
    ({ approvals: [approval], questions: [question] }) =>
      approval !== undefined && isMarked(approval) && question !== undefined && isMarked(question),
  );
  const details = await detailsOf(handle);
  expect(
    details.match(/\*\*escalated\*\* \w{3} \d\d:\d\d UTC; (not run|closed) without an answer/g),
  ).toHaveLength(2);
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual([
    expect.stringMatching(/^Not run: nobody answered until .* This is no denial\./),
    expect.stringMatching(/^No answer: nobody answered until [-\d]+ [:\d]+ UTC\. Continue without it/),
  ]);
  const shown = (await allEvents(handle)).flatMap((event) => {
    if (event.type === 'wait_escalated') return [`${event.waitsFor} escalated`];
    return event.type === 'approval_resolved' || event.type === 'question_answered'
      ? [`${event.callId} by ${event.actor}`]
      : [];
  });
  expect(shown.slice(0, 2).sort()).toEqual(['approval escalated', 'question escalated']);
  expect(shown.slice(2)).toEqual(['call_1_1 by timer', 'call_1_2 by timer']);
  const { events } = await handle.fetchHistory();
  expect(events?.filter(({ timerFiredEventAttributes: fired }) => fired)).toHaveLength(4);
  const timers = (events ?? []).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) =>
    timer ? [String(JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString()))] : [],
  );
  expect(timers.slice(0, 2).sort()).toEqual([
    expect.stringMatching(/^escalation of approval: change · until /),
    expect.stringMatching(/^escalation of question: On purpose\? · until /),
  ]);
});

test('[MODE-09cdg] [MODE-11ab] another workflow approves and answers by signal, and the Temporal UI by one payload; what is answered in time is not escalated', async () => {
  const bench = await createSessionBench({
    model: callsFirst([{ tool: 'change' }, ask('Now?', ['now', 'at night']), ask('Who decides?')]),
    tools: [change, askHumanTool],
  });
  const handle = await bench.start({
    prompt: 'Go.',
    approvals: { escalateAfterMs: 600_000, timeoutMs: 900_000, questionTimeoutMs: 900_000 },
  });
  const { waitingFor } = await snapshotWith(handle, 'all wait', ({ questions }) => questions.length === 2);
  expect(waitingFor).toBe('approval');
  const sent = await workflowThatSignals(bench);
  await sent(handle.workflowId, 'resolveApproval', await approvalOf(handle, 'call_1_1', 'change-board'));
  await snapshotWith(handle, 'the call runs', (snapshot) => snapshot.waitingFor === 'question');
  await sent(handle.workflowId, 'answerQuestion', {
    id: 'call_1_2',
    text: 'at night',
    actor: 'change-board',
  });
  await snapshotWith(handle, 'one is left', ({ questions }) => questions.length === 1);
  const details = await detailsOf(handle);
  const order = [
    /^\*\*waiting for question\*\* · turn 1/,
    /The agent asks: Who decides\?/,
    /closed without an answer in 1\d min, \w{3} \d\d:\d\d UTC/,
    /Send an Update, `answer`, with this and your words/,
    /`\{"question": "call_1_3", "answer": "your words", "by": "your name"\}`/,
    /Go\./,
  ].map((pattern) => details.search(pattern));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((one, other) => one - other));
  const before = (await handle.fetchHistory()).events?.length;
  for (const payload of [
    { id: 'call_1_3', text: '' },
    { id: 'call_9_9', text: 'me' },
    { text: 'me' },
    null,
  ]) {
    const refused = handle.executeUpdate('answerQuestion', { args: [payload] as unknown as [] });
    await expect(refused).rejects.toThrow();
  }
  expect((await handle.fetchHistory()).events).toHaveLength(before ?? 0);
  const answer = { id: 'call_1_3', text: 'the shop team', actor: 'kim' };
  expect(await handle.executeUpdate('answerQuestion', { args: [answer] as unknown as [] })).toEqual({
    answered: 'call_1_3',
  });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual([
    'changed',
    'at night',
    'the shop team',
  ]);
  expect((await allEvents(handle)).map(({ type }) => type)).not.toContain('wait_escalated');
  // a question costs no activity
  const { events = [] } = await handle.fetchHistory();
  expect(activityInputs(events ?? [], 'tool.ask_human')).toEqual([]);
  expect(activityInputs(events ?? [], 'tool.change')).toMatchObject([{ approvedBy: 'change-board' }]);
});

/** Sends a signal to a session from within a workflow. */
async function workflowThatSignals(bench: SessionBench) {
  const taskQueue = await runParentWorkflows(bench.address);
  return (sessionId: string, signal: string, payload: object): Promise<void> =>
    bench.client.workflow.execute('changeBoard', {
      taskQueue,
      workflowId: `board-${randomUUID()}`,
      args: [sessionId, signal, payload],
    });
}

test('[MODE-22e] an answer to a session that its deadline has closed names the deadline', async () => {
  const bench = await createSessionBench({ model: callsFirst([{ tool: 'change' }]), tools: [change] });
  const handle = await bench.start({
    prompt: 'Go.',
    loop: { deadlineMs: 1_500 },
    approvals: { timeoutMs: 86_400_000 },
  });
  expect(await handle.result()).toMatchObject({ status: 'timed_out' });
  const session = bench.holdfast.session(handle.workflowId);
  await expect(session.approve('call_1_1', { actor: 'ann', argsDigest: 'd' })).rejects.toThrow(
    /has ended and takes no messages\..* The run has reached its deadline\./,
  );
});
