// Messages of an application in a session: kept and told like any other, and shown to no model by themselves.
import { expect, test } from 'vitest';
import { fromLLM, textOf, toLLM, userMessage } from '@holdfast/vocabulary/messages';
import type { Message } from '@holdfast/vocabulary/messages';
import { parsePrompt } from '../../../src/core/session/prompt.ts';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';
import { toolResult } from '../../support/model-calls.ts';

const ticket = { role: 'custom' as const, kind: 'ticket', data: { id: 'INC-7' } };

test('[MSG-04ab] a custom message of a prompt is in log, events, snapshot and newMessages, and in no request', async () => {
  const session = new MemorySession({ model: inTurn(calls('a'), says('ok')), tools: { echo: () => 'x' } });
  const parsed = parsePrompt([ticket, 'Why?', { ...ticket, data: null }]);
  if (!parsed.ok) throw new Error(parsed.reason);
  session.inbox.putPrompt(parsed.value);
  await session.run();
  const { records } = session.state.log;
  expect(records.map(({ role }) => role)).toEqual([
    'custom',
    'user',
    'custom',
    'assistant',
    'tool_result',
    'assistant',
  ]);
  expect(records[0]).toMatchObject({ seq: 1, turn: 1, ...ticket });
  const told = session.events('message_start', 'message_end').filter(({ role }) => role === 'custom');
  expect(told.map(({ type, messageSeq }) => [type, messageSeq])).toEqual([
    ['message_start', 1],
    ['message_end', 1],
    ['message_start', 3],
    ['message_end', 3],
  ]);
  expect(session.snapshot).toMatchObject({ messageCount: 6, lastSeq: 6, task: 'Why?' });
  expect(session.state.lastResult?.newMessages).toEqual({ fromSeq: 1, toSeq: 6 });
  for (const { messages } of session.requests) expect(messages[0]).toMatchObject({ role: 'user' });
  expect(JSON.stringify(session.requests.map(({ messages }) => messages))).not.toContain('INC-7');
});

test('[MSG-04a] an abort before the first turn keeps them too', async () => {
  const session = new MemorySession({ model: inTurn() });
  session.inbox.putPrompt([userMessage('go'), ticket]);
  session.send('abort');
  await session.run();
  expect(session.state.log.records.map(({ role }) => role)).toEqual(['user', 'custom']);
});

test.each([
  [[ticket], 'EmptyPrompt'],
  [ticket, 'EmptyPrompt'],
  [['go', { role: 'custom', data: 1 }], 'InvalidMessage'],
  [['go', { role: 'custom', kind: '', data: 1 }], 'InvalidMessage'],
])('[MSG-04a] %j alone is nothing to do, or no message: %s', (prompt, code) => {
  expect(parsePrompt(prompt)).toMatchObject({ ok: false, code });
});

test('[MSG-04d] toLLM gives no custom message, and inverts fromLLM for every other', () => {
  const messages: Message[] = [userMessage('go'), says('ok'), toolResult('a', 'x', { isError: true })];
  expect(toLLM(ticket)).toBeUndefined();
  for (const message of messages) {
    const sent = toLLM(message);
    if (sent === undefined) throw new Error('a message was dropped');
    expect(toLLM(fromLLM(sent))).toEqual(sent);
    expect(fromLLM(sent)).toEqual(message);
  }
  const detailed = toolResult('a', 'x', { details: { lines: 7 } });
  expect(toLLM(detailed)).toEqual(toolResult('a', 'x'));
});

test("what goes before a person's words is beside them in the record, and before them in a request", () => {
  const message = {
    ...userMessage('Why?'),
    preface: [{ kind: 'memory' as const, text: 'In May it was the pool.' }],
  };
  expect(textOf(message)).toBe('Why?');
  expect(toLLM(message)).toEqual({
    role: 'user',
    origin: 'prompt',
    content: [
      { type: 'text', text: 'In May it was the pool.' },
      { type: 'text', text: 'Why?' },
    ],
  });
});
