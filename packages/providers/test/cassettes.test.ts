// Recorded runs of several turns, played through the real SDKs: each request of ours must be what the recording
// was asked, in roles, texts, call ids, pairing and tools, so that its answer fits.
import { describe, expect, test } from 'vitest';
import { userMessage } from '@holdfast/vocabulary/messages';
import type { Message } from '@holdfast/vocabulary/messages';
import type { ToolDefinition } from '@holdfast/vocabulary/tool-spec';
import { callOptions, modelRequest, toolResult } from '../../../test/support/model-calls.ts';
import { providerFor } from '../../../test/support/providers.ts';
import { loadCassette } from '../../../test/support/recordings.ts';
import type { Exchange } from '../../../test/support/recordings.ts';
import { renderReply } from '../../../test/support/render-replies.ts';
import { startReplayServer } from '../../../test/support/replay-server.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';
import { toSse } from '../../../test/support/sse.ts';
import type { Wire } from '../../../test/support/sse.ts';

type WireObject = Record<string, unknown>;
const listOf = (value: unknown): WireObject[] => (Array.isArray(value) ? value : []);
const data = 'data/model-cassettes';
const missing = sharedPath(data) === undefined;

describe.skipIf(missing)(missing ? sharedMissing(data) : 'recorded runs', () => {
  test.each<{ wire: Wire; file: string; runs: number }>([
    { wire: 'openai-chat', file: 'openai-chat.tool-streamed', runs: 1 },
    { wire: 'openai-chat', file: 'openai-chat.tools-4-runs', runs: 4 },
    { wire: 'anthropic', file: 'anthropic.parallel-tools', runs: 1 },
    { wire: 'anthropic', file: 'anthropic.tools-5-runs-with-validation-retry', runs: 4 },
  ])('$file: $runs runs are accepted request by request', async ({ wire, file, runs }) => {
    const played = toRuns(loadCassette(file));
    expect(played).toHaveLength(runs);
    for (const run of played) await playRun(wire, run);
  });
});

/** A run begins wherever the request holds one message. */
function toRuns(exchanges: Exchange[]): Exchange[][] {
  const runs: Exchange[][] = [];
  for (const exchange of exchanges) {
    if (listOf(exchange.request['messages']).length === 1) runs.push([]);
    runs.at(-1)?.push(exchange);
  }
  return runs;
}

async function playRun(wire: Wire, run: Exchange[]): Promise<void> {
  const server = await startReplayServer();
  const { provider, model } = providerFor(wire, server.url);
  const view: Message[] = [];
  for (const [index, exchange] of run.entries()) {
    server.answer({ chunks: [exchange.stream ?? toSse(wire, renderReply(wire, exchange.reply ?? {}))] });
    view.push(...newInputs(wire, listOf(exchange.request['messages'])));
    const request = modelRequest({
      model,
      systemPrompt: systemOf(exchange),
      tools: toolsOf(exchange),
      messages: view,
    });
    const { message } = await provider.call(request, callOptions());
    const sent = server.requests[index];
    expect(sent?.refusal).toBeUndefined();
    expect(gist(sent?.body ?? {})).toEqual(gist(exchange.request));
    view.push(message);
  }
  expect(view.at(-1)).toMatchObject({ role: 'assistant', stopReason: 'stop' });
}

function systemOf({ request }: Exchange): string {
  return typeof request['system'] === 'string' ? request['system'] : '';
}

function toolsOf({ request }: Exchange): ToolDefinition[] {
  return listOf(request['tools']).map((tool) => {
    const declared = Object(tool['function'] ?? tool) as WireObject;
    return {
      name: String(declared['name']),
      description: String(declared['description']),
      parameters: JSON.parse(JSON.stringify(declared['parameters'] ?? declared['input_schema'])),
    };
  });
}

/** What the recorded client added after the last reply: a prompt, or the results of the calls. */
function newInputs(wire: Wire, messages: WireObject[]): Message[] {
  const last = messages.findLastIndex((message) => message['role'] === 'assistant');
  return messages.slice(last + 1).flatMap((message): Message[] => {
    if (wire === 'openai-chat' && message['role'] === 'tool') {
      return [toolResult(String(message['tool_call_id']), textOf(message['content']))];
    }
    const results = listOf(message['content']).filter((block) => block['type'] === 'tool_result');
    if (results.length === 0) return [userMessage(textOf(message['content']))];
    return results.map((block) =>
      toolResult(String(block['tool_use_id']), textOf(block['content']), {
        isError: block['is_error'] === true,
      }),
    );
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((block) => (typeof block['text'] === 'string' ? block['text'] : ''))
    .join('');
}

/** What of a request the model goes by, the same for ours and the recorded one. */
function gist(body: WireObject): unknown {
  return {
    system: textOf(body['system']),
    tools: listOf(body['tools']).map((tool) => Object(tool['function'] ?? tool).name),
    messages: listOf(body['messages']).map((message) => ({
      role: message['role'],
      text: textOf(message['content']),
      answers: message['tool_call_id'],
      calls: listOf(message['tool_calls']).map((call) => ({ id: call['id'], function: call['function'] })),
      blocks: listOf(message['content']).flatMap((block) =>
        block['type'] === 'text' ? [] : [blockGist(block)],
      ),
    })),
  };
}

function blockGist(block: WireObject): unknown {
  if (block['type'] === 'tool_use') return { call: block['id'], name: block['name'], input: block['input'] };
  return {
    answers: block['tool_use_id'],
    text: textOf(block['content']),
    isError: block['is_error'] === true,
  };
}
