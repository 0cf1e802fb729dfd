import { expect, test } from 'vitest';
import { messageSchema } from '../src/messages.schema.ts';
import { assistant } from '../../../test/support/model-calls.ts';

test('[MSG-12a] a seed may hold every part of a reply with its signature', () => {
  const signature = 'anthropic-fields:{"citations":[]}';
  const seed = assistant([
    { type: 'thinking', text: 'Hm.', signature },
    { type: 'text', text: 'I look.', signature },
    { type: 'tool_call', callId: 'c1', name: 'grep', arguments: '{}', signature },
  ]);
  expect(messageSchema.parse(seed)).toEqual(seed);
  const asked = { role: 'user', origin: 'seed', content: [{ type: 'text', text: 'Why?', signature }] };
  expect(messageSchema.safeParse(asked).success).toBe(false);
});
