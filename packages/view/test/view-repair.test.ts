// A repaired view is valid for every provider, whatever happened to the session before.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import type { Message } from '@holdfast/vocabulary/messages';
import { repairView, viewForModel } from '../src/view-for-model.ts';
import type { ViewMessage } from '../src/view-for-model.ts';
import { assistant, toolResult } from '../../../test/support/model-calls.ts';

const prompt = userMessage('Why is checkout slow?');
const steer = userMessage('Look at the pool first.', 'steer');
const call = (callId: string) => ({ type: 'tool_call' as const, callId, name: 'tool', arguments: '{}' });
const said = (text: string) => assistant([{ type: 'text', text }]);
const noResult = (callId: string) => toolResult(callId, 'No result provided', { isError: true });

describe('[MSG-07] what is left out and what is put in', () => {
  test.each(['error', 'aborted'] as const)(
    '[MSG-07a] a reply with stop reason %s goes, with the results of its calls',
    (stopReason) => {
      const failed = assistant([call('a'), { type: 'text', text: 'half' }], { stopReason });
      expect(repairView([prompt, failed, toolResult('a', 'done'), steer])).toEqual([prompt, steer]);
    },
  );

  test('[MSG-07a] a result without a call goes', () => {
    expect(repairView([toolResult('lost', 'text'), prompt, toolResult('b', 'text')])).toEqual([prompt]);
  });

  test.each([
    { name: 'a user message follows', rest: [steer] },
    { name: 'an assistant message follows', rest: [said('Done.')] },
    { name: 'the view ends', rest: [] },
  ])('[MSG-07b] an unanswered call gets an error result when $name', ({ rest }) => {
    const reply = assistant([call('a'), call('b')]);
    expect(repairView([prompt, reply, toolResult('b', 'ok'), ...rest])).toEqual([
      prompt,
      reply,
      noResult('a'),
      toolResult('b', 'ok'),
      ...rest,
    ]);
  });

  test('[MSG-07c] empty messages are not sent, nor blank parts of others', () => {
    const blank = assistant([{ type: 'text', text: '  \n' }]);
    const mixed = assistant([{ type: 'text', text: '' }, call('a')]);
    const view = repairView([userMessage(''), prompt, blank, mixed, toolResult('a', '')]);
    expect(view).toEqual([prompt, assistant([call('a')]), toolResult('a', '(no output)')]);
  });
});

test('[MSG-10] an injected message between a call and its result waits until the results are through', () => {
  const reply = assistant([call('a'), call('b')]);
  const view = [prompt, reply, toolResult('a', '1'), steer, toolResult('b', '2'), said('Done.')];
  expect(repairView(view)).toEqual([
    prompt,
    reply,
    toolResult('a', '1'),
    toolResult('b', '2'),
    steer,
    said('Done.'),
  ]);
});

test('results stand in the order of the calls, and two calls with one id get one result each', () => {
  const reply = assistant([call('a'), call('b'), call('a')]);
  const view = repairView([prompt, reply, toolResult('b', '2'), toolResult('a', '1'), toolResult('a', '3')]);
  expect(view.slice(2)).toEqual([toolResult('a', '1'), toolResult('b', '2'), toolResult('a', '3')]);
});

test('[MSG-11b] two user messages in a row stay two; custom messages are not sent', () => {
  expect(repairView([prompt, { role: 'custom', kind: 'note', data: 1 }, steer])).toEqual([prompt, steer]);
});

const ids = fc.constantFrom('a', 'b', 'c');
const parts = fc.oneof(
  ids.map(call),
  fc.constantFrom('', ' ', 'text').map((text) => ({ type: 'text' as const, text })),
);
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom('', 'steer').map((text) => userMessage(text)),
  fc.record({ id: ids, text: fc.constantFrom('', 'out') }).map(({ id, text }) => toolResult(id, text)),
  fc.constant<Message>({ role: 'custom', kind: 'note', data: null }),
  fc
    .record({
      content: fc.array(parts, { maxLength: 4 }),
      stopReason: fc.constantFrom('stop', 'tool_use', 'error', 'aborted'),
    })
    .map(({ content, stopReason }) => assistant(content, { stopReason })),
);
const anyView = fc.array(anyMessage, { maxLength: 14 });

test('[MSG-07abc] [MSG-10] any view becomes valid, and a valid one stays as it is', () => {
  fc.assert(
    fc.property(anyView, (messages) => {
      const view = repairView(messages);
      assertValid(view);
      expect(repairView(view)).toEqual(view);
    }),
    { numRuns: 2_000 },
  );
});

test('what was sent is sent again: a longer view extends the shorter one unless a call was open', () => {
  fc.assert(
    fc.property(anyView, fc.array(anyMessage, { maxLength: 5 }), (start, more) => {
      const shorter = repairView(start);
      fc.pre(!more.some((message) => message.role === 'tool_result'));
      expect(repairView([...start, ...more]).slice(0, shorter.length)).toEqual(shorter);
    }),
    { numRuns: 1_000 },
  );
});

test('[MSG-07b] [MSG-08] a view that grows is fitted as one that is seen for the first time', () => {
  const targets = ['claude-sonnet-5', 'gpt-5.4'].map((id) => ({
    model: { provider: 'p', id },
    images: false,
  }));
  const growth = fc.array(fc.tuple(anyView, fc.constantFrom(...targets)), { maxLength: 4 });
  fc.assert(
    fc.property(growth, (steps) => {
      let view: Message[] = [];
      for (const [more, target] of steps) {
        view = [...view, ...more];
        expect(viewForModel(view, target)).toEqual(viewForModel(structuredClone(view), target));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a request at the end of a long view looks only at what is new', () => {
  let looks = 0;
  const counted = (message: Message): Message =>
    new Proxy(message, { get: (target, name) => ((looks += 1), Reflect.get(target, name)) });
  const turn = (): Message[] => [assistant([call('a')]), toolResult('a', 'ok')].map(counted);
  const target = { model: { provider: 'p', id: 'm' }, images: true };
  const looksAt = (view: Message[]): number => {
    looks = 0;
    viewForModel(view, target);
    return looks;
  };
  const long = Array.from({ length: 500 }, turn).flat();
  expect(looksAt(long)).toBeGreaterThan(5_000);
  const longer = [...long, ...turn()];
  expect(looksAt(longer)).toBeLessThan(100);
});

function assertValid(view: ViewMessage[]): void {
  let open: string[] = [];
  for (const message of view) {
    expect(message.content.length).toBeGreaterThan(0);
    for (const part of message.content) if (part.type === 'text') expect(part.text.trim()).not.toBe('');
    if (message.role === 'tool_result') {
      expect(message.callId).toBe(open.shift());
      continue;
    }
    expect(open).toEqual([]);
    if (message.role === 'assistant') {
      expect(['error', 'aborted']).not.toContain(message.stopReason);
      open = toolCallsOf(message).map(({ callId }) => callId);
    }
  }
  expect(open).toEqual([]);
}
