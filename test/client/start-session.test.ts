// A start input on its way out: checked, measured, named, and shown in the UI.
import { expect, test } from 'vitest';
import { assertSendable, nameStart, toWorkflowStart } from '../../src/client/start-session.ts';
import { utf8Bytes } from '@holdfast/base/sizes';

test('the id is readable, the task stands in summary and memo', () => {
  const start = toWorkflowStart({ prompt: 'Why is checkout slow?\nSince 14:00.' }, {}, 'queue');
  expect(start.workflowId).toMatch(/^why-is-checkout-slow-[a-z2-9]{5}$/);
  expect(start).toMatchObject({
    taskQueue: 'queue',
    staticSummary: 'Why is checkout slow?',
    memo: { task: 'Why is checkout slow?\nSince 14:00.' },
    args: [{ prompt: 'Why is checkout slow?\nSince 14:00.' }],
  });
});

test('[STATE-18b] a start shows its prompt first, and tools do not fill the screen before it', () => {
  const input = { tools: ['read', 'grep'], budget: { turns: 3 }, labels: { a: 'b' }, prompt: 'Look.' };
  const [sent = {}] = toWorkflowStart({ ...input, agent: 'tester' }, {}, 'queue').args ?? [];
  expect(Object.keys(sent).slice(0, 2)).toEqual(['prompt', 'agent']);
  expect(sent).toMatchObject(input);
});

test('the id of a task that a template made has its words, and not the marks of the inputs', () => {
  const prompt = 'Why is <untrusted_input>checkout</untrusted_input> slow?';
  expect(toWorkflowStart({ prompt }, {}, 'queue').workflowId).toMatch(/^why-is-checkout-slow-[a-z2-9]{5}$/);
});

test.each(['🔥'.repeat(300), 'ü"\\'.repeat(200), 'a'.repeat(1_000)])(
  'a long task fits the limits of memo and summary: %.8s',
  (prompt) => {
    const { staticSummary = '', memo } = toWorkflowStart({ prompt }, {}, 'queue');
    expect(Array.from(String(memo?.task)).length).toBeLessThanOrEqual(200);
    expect(utf8Bytes(JSON.stringify(staticSummary))).toBeLessThanOrEqual(400);
    expect(prompt.startsWith(staticSummary.replace(/…$/, ''))).toBe(true);
  },
);

test.each([
  [{}, 'prompt: is required unless keepAlive is set'],
  [{ prompt: '  \n' }, 'the task is empty'],
  [{ prompt: 'x', loop: { maxTurns: 1.5 } }, 'maxTurns: expected int'],
  [{ prompt: 'x', model: 'gpt' }, 'model: expected "<provider>:<model id>"'],
  [{ prompt: 'x', carried: {} }, 'unrecognized key: "carried"'],
  [
    { prompt: { role: 'user', content: [{ type: 'text' }], origin: 'prompt' } },
    'prompt.content.0.text: expected string',
  ],
])('%j is refused by name', (input, message) => {
  // Callers in plain JavaScript send anything.
  expect(() => toWorkflowStart(input as { prompt: string }, {}, 'queue')).toThrow(message);
});

test.each(['', 'x'.repeat(1_001), 'ü'.repeat(501)])(
  'a session id that no server takes is refused: %s',
  (sessionId) => {
    expect(() => nameStart({ prompt: 'x' }, { sessionId })).toThrow(
      /^The session id has \d+ bytes: expected 1 to 1000\.$/,
    );
  },
);

test('[STATE-19b] a session id that looks like the name of a later session of another id is refused', () => {
  expect(() => nameStart({ prompt: 'x' }, { sessionId: 'inc~0a1b2c3d' })).toThrow(
    /^The session id "inc~0a1b2c3d" ends as/,
  );
  expect(nameStart({ prompt: 'x' }, { sessionId: 'inc~new' }).sessionId).toBe('inc~new');
});

test('a session id that would share the folder of the checkpoints is refused', () => {
  const start = () => nameStart({ prompt: 'x' }, { sessionId: 'checkpoints' });
  expect(start).toThrow(/^The session id "checkpoints" names the checkpoints of all tasks/);
});

test('[FAULT-36] an input over 256 KiB is refused before anything is sent', () => {
  expect(() => toWorkflowStart({ prompt: 'x'.repeat(256 * 1024) }, {}, 'queue')).toThrow(
    /^The start input is 257 KiB: expected at most 256 KiB. Nothing was sent./,
  );
});

test('[FAULT-36] what is sent is measured in bytes, not in characters', () => {
  expect(() => assertSendable('x'.repeat(140_000), 'The text')).not.toThrow();
  expect(() => assertSendable('ü'.repeat(140_000), 'The text')).toThrow('The text is 274 KiB');
});
