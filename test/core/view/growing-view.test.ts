// A view that is repaired as it grows: the same as one that is repaired as a whole.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGrowingRepair } from '../../../src/core/view/growing-view.ts';
import { userMessage } from '../../../src/core/model/messages.ts';
import type { AssistantMessage, Message } from '../../../src/core/model/messages.ts';
import { repairView } from '../../../src/core/view/view-for-model.ts';
import { assistant, toolResult } from '../../support/model-calls.ts';

const ids = fc.constantFrom('a', 'b', 'c');
const parts = fc.oneof(
  ids.map((callId) => ({ type: 'tool_call' as const, callId, name: 'tool', arguments: '{}' })),
  fc.constantFrom('', 'text').map((text) => ({ type: 'text' as const, text })),
);
const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.constantFrom('', 'steer').map((text) => userMessage(text)),
  fc.record({ id: ids, text: fc.constantFrom('', 'out') }).map(({ id, text }) => toolResult(id, text)),
  ids.map((id) => ({ ...toolResult(id, 'out'), details: { for: 'people' } })),
  fc.record({ data: fc.constant(null) }).map(({ data }): Message => ({ role: 'custom', kind: 'note', data })),
  fc
    .record({
      content: fc.array(parts, { maxLength: 3 }),
      stopReason: fc.constantFrom('stop', 'tool_use', 'error', 'aborted'),
    })
    .map(({ content, stopReason }) => assistant(content, { stopReason })),
);

/** How the next view comes from the one before: longer, shorter, changed in the middle, or another one. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(anyMessage, { maxLength: 5 }).map((more) => ({ keep: 1, more })) },
  {
    weight: 1,
    arbitrary: fc.record({ keep: fc.double({ min: 0, max: 1, noNaN: true }), more: fc.array(anyMessage) }),
  },
);

test('however a view grows, shrinks or changes, it is repaired as it would be afresh', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const repair = createGrowingRepair();
      let view: Message[] = [];
      for (const { keep, more } of steps) {
        view = [...view.slice(0, Math.round(view.length * keep)), ...more];
        expect(repair(view)).toEqual(repairView(view));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('an answer in the place of the reply that was last is found', () => {
  const call = assistant([{ type: 'tool_call', callId: 'b', name: 'tool', arguments: '{}' }]);
  const repair = createGrowingRepair();
  repair([call, assistant([])]);
  expect(repair([call, toolResult('b', 'out')])).toMatchObject([
    call,
    { role: 'tool_result', isError: false },
  ]);
});

test('what stands before the last reply is looked at once', () => {
  let looks = 0;
  const reply: AssistantMessage = assistant([{ type: 'text', text: 'one' }]);
  const counted = Object.defineProperty({ ...reply }, 'content', {
    enumerable: true,
    get() {
      looks++;
      return reply.content;
    },
  });
  const repair = createGrowingRepair();
  const view: Message[] = [userMessage('Go.'), counted, assistant([{ type: 'text', text: 'two' }])];
  repair(view);
  const before = looks;
  for (const text of ['three', 'four']) {
    view.push(assistant([{ type: 'text', text }]));
    repair([...view]);
  }
  expect(looks).toBe(before);
});
