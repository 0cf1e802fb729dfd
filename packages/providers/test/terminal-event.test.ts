// Where a reply ends: at its terminal event, whatever the connection does behind it.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ModelReply } from '@holdfast/vocabulary/model-call';
import { failureOf, replyTo, wires } from '../../../test/support/provider-calls.ts';
import type { Answer } from '../../../test/support/replay-server.ts';
import { sampleCall, sampleEvents, sampleText, sampleUsage } from '../../../test/support/sample-streams.ts';
import { toFrame, toSse } from '../../../test/support/sse.ts';
import type { WireEvent } from '../../../test/support/sse.ts';
import { noUsage, userMessage } from '@holdfast/vocabulary/messages';
import { startHttpServer } from '../../../test/support/http-server.ts';
import { callOptions, modelRequest } from '../../../test/support/model-calls.ts';
import { providerFor } from '../../../test/support/providers.ts';
import { until } from '../../../test/support/until.ts';

function expectSample({ message }: ModelReply, usage = sampleUsage): void {
  expect(message.content).toEqual([
    { type: 'text', text: sampleText },
    { type: 'tool_call', ...sampleCall },
  ]);
  expect(message.usage).toEqual(usage);
}

describe.each(wires)('%s', (wire) => {
  const whole = toSse(wire, sampleEvents(wire));

  test.each<{ name: string } & Answer>([
    { name: 'an end', chunks: [whole] },
    { name: 'a reset', chunks: [whole], ending: 'reset' },
    { name: 'silence', chunks: [whole], ending: 'silence' },
    { name: 'pings for ever', chunks: [whole], ending: 'silence', ping: ': ping\n\n' },
    { name: 'data that is no JSON', chunks: [`${whole}data: <html>\n\n`], ending: 'silence' },
    { name: 'an error event', chunks: [whole, 'event: error\ndata: {"type":"error","error":{}}\n\n'] },
    { name: 'a cut event', chunks: [whole, 'data: {"type":"mess'], ending: 'reset' },
  ])('[LOOP-14b] $name after the terminal event changes nothing', async ({ name: _, ...answer }) => {
    const { reply, sent } = await replyTo(wire, answer);
    expectSample(reply);
    // nothing is left open
    await sent.closed;
  });

  test('[LOOP-14b] a message that begins after the terminal event is not read', async () => {
    const { reply } = await replyTo(wire, { chunks: [whole + whole] });
    expectSample(reply);
  });
});

test.each(['anthropic', 'openai-responses'] as const)(
  '%s: a response that ends behind its terminal event leaves its connection to the next request',
  async (wire) => {
    const sockets: unknown[] = [];
    let end = (): void => undefined;
    const server = await startHttpServer((request, response) => {
      sockets.push(request.socket);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(toSse(wire, sampleEvents(wire)));
      end = () => void response.end();
    });
    const { provider, model } = providerFor(wire, server.url);
    await until(
      'a connection that serves two requests',
      async () => {
        await provider.call(modelRequest({ model, messages: [userMessage('Go.')] }), callOptions());
        end(); // only now: the reply did not wait for it
        return new Set(sockets).size < sockets.length;
      },
      10_000,
    );
  },
);

describe('Chat Completions without [DONE]', () => {
  const events = sampleEvents('openai-chat');
  const frames = (list: WireEvent[]) => list.map((event) => toFrame('openai-chat', event));
  const counted = frames(events);
  const uncounted = frames(events.slice(0, -1));

  test.each<{ name: string } & Answer>([
    { name: 'ends', chunks: counted },
    { name: 'is reset', chunks: counted, ending: 'reset' },
    { name: 'is left open', chunks: counted, ending: 'silence' },
  ])(
    '[LOOP-14b] [FAULT-57] is whole after finish reason and usage, though it $name',
    async ({ name: _, ...answer }) => {
      const { reply, sent } = await replyTo('openai-chat', answer);
      expectSample(reply);
      await sent.closed;
    },
  );

  test.each<{ name: string } & Answer>([
    { name: 'ends', chunks: uncounted },
    { name: 'is reset', chunks: uncounted, ending: 'reset' },
    { name: 'is left open', chunks: uncounted, ending: 'silence' },
    { name: 'breaks in its usage', chunks: [...uncounted, 'data: {"choices":[],"usa'], ending: 'reset' },
  ])(
    '[LOOP-14b] [FAULT-57] is whole after the finish reason alone, though it $name',
    async ({ name: _, ...answer }) => {
      const { reply } = await replyTo('openai-chat', answer);
      expectSample(reply, noUsage);
    },
  );

  test('[LOOP-14b] usage in the chunk of the finish reason counts, and more may follow it', async () => {
    const early = events.map((event, index) =>
      index === 1 ? { ...event, usage: events.at(-1)?.['usage'], choices: finished(event) } : event,
    );
    const { reply } = await replyTo('openai-chat', { chunks: frames(early.slice(0, -1)), ending: 'silence' });
    expectSample(reply);
  });

  // https://github.com/su-kaka/gcli2api/issues/403
  test.each([
    [
      'thinking',
      [{ reasoning_content: 'Hm.' }, { content: sampleText }],
      [{ type: 'thinking' }, { type: 'text' }],
    ],
    [
      'a text behind thinking',
      [
        { reasoning_content: 'Hm.' },
        { content: 'I ' },
        { content: 'look.' },
        { tool_calls: [{ index: 0, id: 'call_a1', function: { name: 'ls', arguments: '{}' } }] },
      ],
      [{ type: 'thinking' }, { type: 'text', text: 'I look.' }, { type: 'tool_call', name: 'ls' }],
    ],
  ])(
    'a finish reason in every chunk does not end the reply at a pause after %s',
    async (_, deltas, content) => {
      const server = await startHttpServer((_request, response) => {
        void (async () => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const [at, delta] of deltas.entries()) {
            if (at === deltas.length - 1) await setTimeout(2_500);
            response.write(toFrame('openai-chat', { choices: [{ index: 0, delta, finish_reason: 'stop' }] }));
          }
          response.end('data: [DONE]\n\n');
        })();
      });
      const { provider, model } = providerFor('openai-chat', server.url);
      const { message } = await provider.call(
        modelRequest({ model, messages: [userMessage('Go.')] }),
        callOptions(),
      );
      expect(message.content).toMatchObject(content);
    },
  );

  const open = events.filter((_, index) => index !== events.length - 2);

  test('[LOOP-14a] an end without a finish reason and without [DONE] is none', async () => {
    expect(await failureOf('openai-chat', { chunks: frames(open) })).toMatchObject({
      type: 'Model.StreamCut',
    });
    // a model may write the words
    const said = frames(open).map((frame) => frame.replace('"content":"', '"content":"data: [DONE]'));
    expect(await failureOf('openai-chat', { chunks: said })).toMatchObject({ type: 'Model.StreamCut' });
  });

  test.each<{ name: string } & Answer>([
    { name: 'at once', chunks: [toSse('openai-chat', open)] },
    { name: 'in two pieces', chunks: [...frames(open), 'data: [DO', 'NE]\n\n'] },
    { name: 'though it is left open', chunks: [...frames(open), 'data: [DONE]\n\n'], ending: 'silence' },
  ])('[LOOP-14a] [DONE] ends a reply without a finish reason, $name', async ({ name: _, ...answer }) => {
    const { reply } = await replyTo('openai-chat', answer);
    expectSample(reply);
  });

  test('[LOOP-14a] but not one that breaks in the arguments of a call', async () => {
    const call = {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'look', arguments: '{"path":"/va' },
    };
    const chunk = { ...open[0], choices: [{ index: 0, delta: { tool_calls: [call] } }] };
    const chunks = [...frames([open[0]!, chunk]), 'data: [DONE]\n\n'];
    expect(await failureOf('openai-chat', { chunks })).toMatchObject({ type: 'Model.StreamCut' });
  });
});

function finished(event: WireEvent): WireEvent[] {
  const [choice] = Object(event['choices']);
  return [{ ...choice, finish_reason: 'stop' }];
}
