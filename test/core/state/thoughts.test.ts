// How a run came to its answer: what it thought, what it did, and how much of that a result carries.
import { expect, test } from 'vitest';
import { thoughtsOf } from '../../../src/core/state/thoughts.ts';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { calls, inTurn, reply, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';

const call = (callId: string, name = 'echo') => ({
  type: 'tool_call' as const,
  callId,
  name,
  arguments: `{"of":"${callId}"}`,
});
const text = (words: string) => ({ type: 'text' as const, text: words });

test('[MSG-16abce] text before calls is reasoning, each call has its outcome, the answer is no thought', async () => {
  const session = new MemorySession({
    model: inTurn(
      reply([{ type: 'thinking', text: 'hidden' }, text('Let me look.'), call('a'), call('b', 'load_tools')]),
      reply([text('One more.'), call('c', 'gone'), call('d')]),
      says('The pool is too small.'),
    ),
    tools: { echo: ({ callId }) => (callId === 'a' ? 'first\n  second line' : 'é'.repeat(200)) },
  });
  const result = await session.ask('Why?');
  expect(result.thoughts).toEqual({
    items: [
      { stage: 'reasoning', text: 'Let me look.', seq: 2 },
      { stage: 'tool_call', summary: 'echo -> first second line', callId: 'a', seq: 2 },
      { stage: 'tool_call', summary: expect.stringMatching(/^load_tools -> ./), callId: 'b', seq: 2 },
      { stage: 'reasoning', text: 'One more.', seq: 5 },
      { stage: 'tool_call', summary: 'gone -> failed: Unknown tool gone', callId: 'c', seq: 5 },
      { stage: 'tool_call', summary: `echo -> ${'é'.repeat(71)}…`, callId: 'd', seq: 5 },
    ],
    truncated: false,
    fromSeq: 1,
    toSeq: 8,
  });
  expect(result.answer).toBe('The pool is too small.');
  expect(result.content).toBe('Let me look.\n\nOne more.\n\nThe pool is too small.');
  expect(Array.from(`echo -> ${'é'.repeat(71)}…`)).toHaveLength(80);
});

test('[MSG-16b] calls with one id have one outcome each, and a call without a result says so', () => {
  const head = { id: 'm', runId: 'run-1', turn: 1, at: 0 };
  const result = (seq: number, words: string, isError: boolean) => ({
    ...head,
    seq,
    role: 'tool_result' as const,
    callId: 'a',
    toolName: 'echo',
    isError,
    content: [text(words)],
  });
  const records = [
    { ...head, seq: 1, ...reply([call('a'), call('a'), call('a')]) },
    result(2, 'one', false),
    result(3, 'two', true),
    { ...head, seq: 4, ...reply([call('a'), call('b')]) },
    { ...result(5, ' \n', false), callId: 'b' },
  ];
  const silent = { ...result(7, 'Not run: nobody answered.', true), outcome: 'not_run' as const };
  expect(thoughtsOf([{ ...head, seq: 6, ...reply([call('a')]) }, silent])).toMatchObject([
    { summary: 'echo -> not run: nobody answered.' },
  ]);
  expect(thoughtsOf(records)).toMatchObject([
    { summary: 'echo -> one' },
    { summary: 'echo -> failed: two' },
    { summary: 'echo -> no result' },
    { summary: 'echo -> no result', seq: 4 },
    { summary: 'echo -> no output', seq: 4 },
  ]);
});

test('[MSG-16d] a result carries the newest 64 KiB and their range, and stays below the payload limit', async () => {
  const long = '"\n'.repeat(12_000);
  const replies = Array.from({ length: 6 }, (_, index) =>
    reply([text(`${index} ${long}`), call(`c${index}`)]),
  );
  const session = new MemorySession({
    model: inTurn(...replies, says(`The answer: ${long.repeat(4)}`)),
    tools: { echo: () => 'ok' },
    settings: { model: { contextWindow: 0 } },
  });
  const result = await session.ask('Why?');
  expect(jsonBytes(result)).toBeLessThan(maxPayloadBytes);
  const { thoughts } = result;
  expect(jsonBytes(thoughts.items)).toBeLessThanOrEqual(64 * 1024);
  // the last reply stands at 12: its call, its text; of the one before only the call fits
  expect(thoughts).toMatchObject({ truncated: true, fromSeq: 10, toSeq: 14 });
  expect(thoughts.items.at(-1)).toMatchObject({ callId: 'c5', seq: 12 });
  expect(jsonBytes(result.content)).toBeLessThanOrEqual(64 * 1024);
  expect(result.content.startsWith('…')).toBe(true);
  expect(result.answer.startsWith('The answer')).toBe(true);
  expect(thoughtsOf(session.state.log.records)).toHaveLength(12);
});

test('[MSG-16d] a single thought over the limit keeps its end', async () => {
  const session = new MemorySession({
    model: inTurn(reply([text(`${'x'.repeat(90_000)} so I look`), call('a')]), says('ok')),
    tools: { echo: () => 'y' },
  });
  const [end] = await session.ask('Why?').then(() => session.events('agent_end'));
  expect(end?.thoughts).toMatchObject({ truncated: true, fromSeq: 2 });
  expect(session.state.lastResult?.thoughts.items).toMatchObject([{ stage: 'tool_call' }]);
  const cut = new MemorySession({
    model: inTurn({ ...calls(), content: [call('a'), text('z'.repeat(90_000))] }, says('ok')),
    tools: { echo: () => 'y' },
  });
  const { thoughts } = await cut.ask('Why?');
  expect(thoughts.items).toHaveLength(1);
  expect(thoughts.items[0]).toMatchObject({ stage: 'reasoning', text: expect.stringMatching(/^…z+$/) });
  expect(jsonBytes(thoughts.items)).toBeLessThanOrEqual(64 * 1024);
});

test('[MSG-16d] after a hand-over the newest records are told of, and that there were more', async () => {
  const session = new MemorySession({
    model: inTurn(calls('a'), calls('b'), says('done')),
    tools: { echo: ({ callId }) => callId },
  });
  session.onChange = () => {
    // as the hand-over archives what it does not carry
    if (session.events('turn_end').length !== 1 || session.state.log.segments.length > 0) return;
    session.session.record({
      type: 'archived',
      segment: { artifactId: 's', fromSeq: 1, toSeq: 3, sha256: '' },
    });
  };
  const { thoughts } = await session.ask('go');
  expect(thoughts).toMatchObject({ truncated: true, fromSeq: 4, toSeq: 6, items: [{ callId: 'b', seq: 4 }] });
});
