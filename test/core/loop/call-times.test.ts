// Each call of a batch has its own times: they come from its activity, and what it waited for is no work.
import { expect, test } from 'vitest';
import type { ToolAnswer } from '@holdfast/vocabulary/agent-state';
import { calls, gate, inTurn, says } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import { MemorySession } from '../../support/memory-session.ts';

const ran = (callId: string, endedAt: number, ms: number): ToolAnswer => ({
  ...textAnswer({ call: { callId, name: 'look' } }, 'seen'),
  ran: { endedAt, ms },
});

test('[REPORT-14a] [EVENT-15b] of a parallel batch each call has the time of its activity, and not that of the slowest', async () => {
  let clock = 1_000;
  const quick = gate<ToolAnswer>();
  const slow = gate<ToolAnswer>();
  const session = new MemorySession({
    model: inTurn(calls('quick:look', 'slow:look'), says('done')),
    tools: { look: ({ callId }) => (callId === 'quick' ? quick.promise : slow.promise) },
    now: () => clock,
  });
  session.onChange = () => {
    if (session.ran.length < 2 || clock > 1_000) return;
    clock = 9_000; // the workflow learns of the quick one late, and of the slow one when it ends
    quick.open(ran('quick', 1_200, 200));
    slow.open(ran('slow', 9_000, 8_000));
  };
  await session.ask('go');
  const own = { quick: { from: 1_000, ms: 200 }, slow: { from: 1_000, ms: 8_000 } };
  const results = session.state.log.records.filter((record) => record.role === 'tool_result');
  expect(results.map(({ at, ran: times }) => [at, times])).toEqual([
    [9_000, own.quick],
    [9_000, own.slow],
  ]);
  const ends = session.events('tool_execution_end');
  expect(Object.fromEntries(ends.map(({ callId, ran: times }) => [callId, times]))).toEqual(own);
});

test('[REPORT-14b] [EVENT-15b] the wait for an approval is apart, and of a refused call all of it is wait', async () => {
  let clock = 0;
  const session = new MemorySession({
    model: inTurn(calls('a:change', 'b:change'), says('done')),
    tools: { change: ({ callId }) => ran(callId, (clock += 3_000), 3_000) },
    specs: { change: { effect: 'once', executionMode: 'sequential' } },
    policy: { change: 'ask' },
    now: () => clock,
  });
  session.onChange = () => {
    const [id] = session.approvals;
    if (id === undefined) return;
    clock += 60_000;
    const answer = id === 'a' ? { approve: true } : { approve: false, reason: 'no' };
    session.send('resolveApproval', { id, actor: 'ann', ...answer });
  };
  await session.ask('go');
  expect(session.events('tool_execution_end')).toMatchObject([
    { callId: 'a', outcome: 'done', ran: { ms: 3_000, waitedMs: expect.any(Number) } },
    { callId: 'b', outcome: 'refused', ran: { ms: 0, waitedMs: expect.any(Number) } },
  ]);
  for (const { ran: times } of session.events('tool_execution_end'))
    expect(times?.waitedMs).toBeGreaterThanOrEqual(60_000);
});

test.each([
  ['ahead', 500_000],
  ['behind', -500_000],
])('[REPORT-14c] a worker whose clock is %s tells how long, and the workflow when', async (_name, skew) => {
  let clock = 1_000;
  const session = new MemorySession({
    model: inTurn(calls('a:look'), says('done')),
    tools: { look: () => ran('a', (clock += 5_000) + skew, 2_000) },
    now: () => clock,
  });
  await session.ask('go');
  const [end] = session.events('tool_execution_end');
  const { from = 0, ms = 0 } = end?.ran ?? {};
  expect(from).toBeGreaterThanOrEqual(1_000);
  expect(from + ms).toBeLessThanOrEqual(6_000);
});
