// What of a view may travel to another model.
import { describe, expect, test } from 'vitest';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { ImagePart, ThinkingPart } from '@holdfast/vocabulary/messages';
import { viewForModel } from '../src/view-for-model.ts';
import { assistant, toolResult } from '../../../test/support/model-calls.ts';

const sonnet = { provider: 'anthropic', id: 'claude-sonnet-5' };
const gpt = { provider: 'openai', id: 'gpt-5.4' };
const thinking: ThinkingPart = { type: 'thinking', text: 'The pool is small.', signature: 'EpQB/+==' };
const redacted: ThinkingPart = { type: 'thinking', text: '', signature: 'EmwKAh', redacted: true };
const answer = { type: 'text' as const, text: 'It is the pool.' };
const image: ImagePart = { type: 'image', artifactId: 'img-1', mediaType: 'image/png', sha256: 'ab' };

describe('[MSG-08] thinking', () => {
  const reply = assistant([thinking, redacted, answer], { model: sonnet });

  test('[MSG-08a] [FAULT-68] goes back to its own model as it is', () => {
    expect(viewForModel([reply], { model: sonnet, images: true })).toEqual([reply]);
  });

  test.each([gpt, { ...sonnet, id: 'claude-opus-5' }, { ...sonnet, provider: 'other' }])(
    '[MSG-08bc] [FAULT-68] [FAULT-74] becomes text for $provider $id, without signature; redacted parts go',
    (model) => {
      const [message] = viewForModel([reply], { model, images: true });
      expect(message?.content).toEqual([{ type: 'text', text: 'The pool is small.' }, answer]);
      expect(reply.content).toEqual([thinking, redacted, answer]);
    },
  );

  test('[MSG-08c] a reply of nothing but redacted thinking leaves no empty message', () => {
    const silent = assistant([redacted], { model: sonnet });
    expect(viewForModel([silent], { model: gpt, images: true })).toEqual([]);
  });
});

test('[MSG-08b] the signatures of texts and calls stay with their model', () => {
  const call = { type: 'tool_call' as const, callId: 'c1', name: 'grep', arguments: '{}' };
  const signature = 'anthropic-fields:{}';
  const reply = assistant(
    [
      { ...answer, signature },
      { ...call, signature },
    ],
    { model: sonnet },
  );
  const view = [reply, toolResult('c1', 'ok')];
  expect(viewForModel(view, { model: sonnet, images: true })).toEqual(view);
  expect(viewForModel(view, { model: gpt, images: true })[0]?.content).toEqual([answer, call]);
});

test('[MSG-08de] images become placeholders for a text-only model, in prompts and in tool results', () => {
  const call = assistant([{ type: 'tool_call', callId: 'a', name: 'shot', arguments: '{}' }], { model: gpt });
  const shot = toolResult('a', 'shot', { content: [image] });
  const view = [userMessage('See:', 'prompt', [image]), call, shot];
  const [asked, , answered] = viewForModel(view, { model: gpt, images: false });
  const texts = [asked, answered].map((message) => message?.content.at(-1));
  expect(texts).toEqual(Array(2).fill({ type: 'text', text: expect.stringContaining('img-1 (image/png)') }));
  expect(viewForModel(view, { model: gpt, images: true })).toEqual(view);
});
