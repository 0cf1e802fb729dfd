// The pinned rows of the live view: the work in hand, what was spent, what ends the run, trouble that counts down.
import { noColors } from '../../../src/cli/colors.ts';
import { expect, test } from 'vitest';
import { describeActivity, describeInput, describeNow } from '../../../src/cli/live/describe-live.ts';
import { type LiveState, beginTask, createLiveState, hear, know } from '../../../src/cli/live/live-state.ts';
import { widthOf } from '../../../src/cli/render/fit.ts';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';

const colors = noColors;
const start = Date.UTC(2026, 10, 22, 21, 6);
/** Since the start of the run; both clocks begin with it. */
const moment = (ms: number) => ({ now: ms, at: start + ms });

function createBench() {
  const state = createLiveState();
  let seq = 0;
  return {
    state,
    hear: (ms: number, body: AgentEventBody, turn = 3) =>
      hear(state, { seq: ++seq, at: start + ms, runId: 'r', turn, ...body }, moment(ms)),
    status: (ms: number, width = 120) => describeNow(state, moment(ms), { width, colors }),
    activity: (ms: number, width = 80) => describeActivity(state, moment(ms), { width, colors }),
  };
}

/** What the status line reads of one. */
const spent = {
  turn: 3,
  usage: { main: { input: 40_000, cacheRead: 0, cacheWrite: 0, output: 1_000 } },
  costUsd: 0.031,
  budget: { costUsd: 2, tokens: 500_000 },
  run: {
    startedAt: start,
    workFrom: start,
    turns: 2,
    toolCalls: 3,
    responses: 2,
    maxTurns: 25,
    deadline: start + 600_000,
    tokens: 41_000,
    costUsd: 0.031,
  },
} as unknown as Snapshot;

const grep: AgentEventBody = {
  type: 'tool_execution_start',
  callId: 'c',
  tool: 'grep',
  rawArgs: '{}',
  summary: 'grep ERROR shop.log',
};

test('[EVENT-16] the status line names the work in hand and for how long, what was spent, and the nearest limit', () => {
  const { state, hear: tell, status } = createBench();
  expect(status(0)).toEqual(['● starting']);
  tell(0, { type: 'agent_start' });
  know(state, spent, 0);
  tell(1_000, { type: 'message_start', role: 'assistant', messageSeq: 2 });
  expect(status(4_200, 160)).toEqual([
    '● turn 3 · model is asked, 3 s · 4 s · $0.031 of $2 · 41k of 500k tokens · nearest limit: tokens',
  ]);
  tell(5_000, { type: 'message_end', role: 'assistant', messageSeq: 2, text: '' });
  tell(5_000, grep);
  tell(5_000, { ...grep, callId: 'd' });
  // no room for both: a row each, and nothing is lost on 80 columns
  const rows = status(95_000, 80);
  expect(rows).toEqual([
    '● turn 3 · 1 min 30 s 2 calls',
    '  1 min 35 s · $0.031 of $2 · 41k of 500k tokens · nearest limit: 8 min left',
  ]);
  tell(96_000, { type: 'condense_start', reason: 'usage' });
  expect(status(96_000)[0]).toContain('condensing the view');
});

test('what waits for a person comes first, also of a subagent, until it is answered', () => {
  const { state, hear: tell, status } = createBench();
  const call = { callId: 'c', tool: 'rollback', summary: 'rollback d-5', args: '{}', deadline: start };
  tell(0, { type: 'approval_requested', ...call });
  const origin = {
    agent: 'x',
    name: 'b',
    prefix: '',
    parent: 'a',
    depth: 2,
    childId: 's/b',
    sessionId: 's/b',
    path: 'a/b',
  };
  hear(
    state,
    {
      type: 'question_asked',
      seq: 1,
      at: start,
      callId: 'c',
      question: 'On purpose?',
      deadline: start,
      ...origin,
    },
    moment(0),
  );
  expect(status(2_000)).toEqual(['? turn 3 · waits for you, to approve rollback d-5 and 1 more, 2 s']);
  tell(3_000, { type: 'approval_resolved', callId: 'c', approved: true, actor: 'kim' });
  expect(status(3_000)).toEqual(['? turn 3 · waits for you, to answer: On purpose?, 3 s']);
  hear(
    state,
    { type: 'question_answered', seq: 2, at: start, callId: 'c', actor: 'kim', ...origin },
    moment(0),
  );
  expect(status(3_000)).toEqual(['● turn 3 · working']);
  tell(4_000, { type: 'warning', code: 'Model.Auth', message: 'the key was refused' });
  expect(status(4_000)[0]).toContain('waits for you, to fix: the key was refused');
  tell(5_000, { type: 'message_start', role: 'assistant', messageSeq: 4 });
  expect(status(5_000)[0]).toContain('model is asked');
});

test('[FAULT-2] a silent worker and a waiting retry count down between two looks at the server', () => {
  const { state, activity } = createBench();
  const silence = {
    call: 'tool.grep',
    worker: '41@web-1:5e0c3a91',
    since: 1_000,
    heartbeatTimeoutMs: 10_000,
  };
  const retry = { call: 'callModel', attempt: 3, message: 'provider answered 500', nextAt: start + 9_000 };
  state.look = { silences: [{ ...silence, isNew: true }], retries: [retry] };
  expect(activity(5_000)).toEqual([
    '! worker 41@web-1:5e0c3a91 silent 4 s in grep, taken over at 10 s',
    '! model call: attempt 3 in 4 s: provider answered 500',
  ]);
  expect(activity(8_100)).toEqual([
    '! worker 41@web-1:5e0c3a91 silent 7 s in grep, taken over at 10 s',
    '! model call: attempt 3 in 1 s: provider answered 500',
  ]);
});

test('thinking, and the newest output of a running tool, are shown while they last', () => {
  const { state, hear: tell, activity } = createBench();
  const update = { type: 'message_update', runId: 'r', turn: 3, messageSeq: 2, attempt: 1, seq: 1 } as const;
  tell(0, { type: 'message_start', role: 'assistant', messageSeq: 2 });
  hear(
    state,
    { ...update, delta: { type: 'thinking', text: 'Is the pool\nthe cause?\u001b[2J' } },
    moment(0),
  );
  expect(activity(0)).toEqual(['  │ Is the pool', String.raw`  │ the cause?\u{1B}[2J`]);
  hear(state, { ...update, delta: { type: 'text', text: 'It is.' } }, moment(0));
  expect(activity(0)).toEqual([]);
  tell(0, { type: 'message_end', role: 'assistant', messageSeq: 2, text: '' });
  tell(0, grep);
  const output = {
    type: 'tool_execution_update',
    runId: 'r',
    turn: 3,
    attempt: 1,
    seq: 1,
    callId: 'c',
    tool: 'grep',
  } as const;
  hear(state, { ...output, partial: `1\n2\n3\n4\n5 ${'x'.repeat(100)}\n` }, moment(0));
  const rows = activity(0, 20);
  expect(rows).toEqual(['    | 2', '    | 3', '    | 4', '    | 5 xxxxxxxxxxx…']);
  for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(20);
  tell(0, { type: 'tool_execution_end', callId: 'c', tool: 'grep', isError: false, text: '' });
  expect(activity(0)).toEqual([]);
});

test('after a gap what was in hand is forgotten, and what waits comes from the snapshot', () => {
  const { state, hear: tell, status } = createBench();
  tell(0, grep);
  const snapshot = {
    ...spent,
    state: 'executing',
    approvals: [{ id: 'a/c', summary: 'rollback d-5' }],
    questions: [],
  };
  const gap = { type: 'gap', fromSeq: 1, toSeq: 9, snapshot: snapshot as unknown as Snapshot } as const;
  hear(state, gap, moment(2_000));
  expect(status(4_000)[0]).toContain('? turn 3 · waits for you, to approve rollback d-5, 2 s');
  expect(state.calls.size).toBe(0);
});

test('an event of long ago counts from its own time', () => {
  const { state, status }: { state: LiveState; status(ms: number): string[] } = createBench();
  hear(state, { seq: 1, at: start - 300_000, turn: 3, runId: 'r', ...grep }, moment(0));
  expect(status(0)).toEqual(['● turn 3 · 5 min 0 s grep ERROR shop.log']);
});

test.each([
  ['empty', '', 0, { rows: ['> '], row: 0, column: 2 }],
  ['in the middle', 'look at', 4, { rows: ['> look at'], row: 0, column: 6 }],
  ['longer than the row', 'abcdefghijklmnop', 16, { rows: ['> abcdefghi', '  jklmnop'], row: 1, column: 9 }],
  ['wide characters', '数据库', 2, { rows: ['> 数据库'], row: 0, column: 6 }],
  [
    'a paste of a whole file',
    'x'.repeat(1_000_000),
    1_000_000,
    { rows: expect.anything(), row: 3, column: 11 },
  ],
  ['a paste of two lines', 'a\nb', 3, { rows: ['> a⏎b'], row: 0, column: 5 }],
  ['a paste with a tab', 'a\tb', 3, { rows: ['> a⇥b'], row: 0, column: 5 }],
])('the typed line, %s', (_name, line, cursor, shown) => {
  expect(describeInput(line, cursor, { width: 12, colors })).toEqual(shown);
});

test('the next task of a session that has ended its run begins with a time of its own', () => {
  const { state, hear: tell, status } = createBench();
  tell(0, { type: 'agent_start' });
  beginTask(state);
  expect(status(60_000)).toEqual(['● starting']);
});

test('[QUEUE-20b] a message that its run has not read says so below an idle session, until the next task brings it along', () => {
  const { hear: tell, state, activity } = createBench();
  tell(0, { type: 'agent_start' });
  state.sent.set('m1', 'look at payments');
  tell(1_000, { type: 'queue_update', queue: 'steering', action: 'enqueued', ids: ['m1'] });
  expect(activity(1_000)).toEqual(['  » look at payments · sent; the agent reads it before its next turn']);
  tell(2_000, { type: 'agent_end', status: 'aborted' } as AgentEventBody);
  expect(activity(2_000)).toEqual(['  » look at payments · no run has read it; it goes with the next task']);
  beginTask(state);
  expect(activity(3_000)).toEqual(['  » look at payments · sent; the agent reads it before its next turn']);
});

test('[HYP-02d] the hypotheses have a row while the run lasts', () => {
  const { hear: tell, activity } = createBench();
  tell(0, { type: 'agent_start' });
  tell(0, { type: 'hypotheses_update', hypotheses: 2, predictions: 3, tested: 1, text: 'h1 [tested]' });
  expect(activity(0)).toEqual(['☰ hypotheses 2, 1 of 3 predictions tested']);
});
