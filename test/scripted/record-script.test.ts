// A session recorded as a script, and played again without its tools.
import { describe, expect, test } from 'vitest';
import { createScriptedProvider } from '@holdfast/providers/scripted';
import { textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { parseModelScript, recordScript, recordedTools, toScriptFile } from '../../src/testing.ts';
import { calls, inTurn, reply, says } from '../support/memory-model.ts';
import { MemorySession, type MemoryOptions, type MemoryTool } from '../support/memory-session.ts';
import { callOptions, modelRequest } from '../support/model-calls.ts';

const tools: Record<string, MemoryTool> = {
  grep: ({ args }) => `{{pattern}} found by ${args}`,
  restart: () => {
    throw new Error('no rights');
  },
};

async function played(options: MemoryOptions): Promise<MemorySession> {
  const session = new MemorySession(options);
  await session.ask('Why is checkout slow?');
  return session;
}

/** An investigation with thinking, parallel calls, odd arguments, a failed tool and a secret in its words. */
function original(): Promise<MemorySession> {
  return played({
    tools,
    model: inTurn(
      reply([
        { type: 'thinking', text: 'Look at the logs.' },
        { type: 'text', text: 'I use {{pattern}}.' },
        ...calls('a:grep:{"pattern":"pool"}', 'b:grep:{ "pattern": "x" }').content,
      ]),
      calls('a:restart', 'c:gone'),
      says('The key is AKIAIOSFODNN7EXAMPLE; the pool is too small.', { stopReason: 'length' }),
    ),
  });
}

/** The same loop with the script for its model and nothing but recorded answers for its tools. */
function replay(script: ModelScript): Promise<MemorySession> {
  const provider = createScriptedProvider(script);
  const recorded = recordedTools(script);
  const listed = recorded.map(({ spec }) => ({ name: spec.name, description: '', parameters: {} }));
  return played({
    model: async ({ messages, toolChoice }) =>
      (await provider.call(modelRequest({ messages, toolChoice, tools: listed }), callOptions())).message,
    tools: Object.fromEntries(
      recorded.map((tool): [string, MemoryTool] => [
        tool.spec.name,
        async ({ callId }) => {
          const context = { callId } as Parameters<typeof tool.run>[1];
          const { text, isError } = await tool.run({}, context);
          if (isError) throw new Error(text);
          return text;
        },
      ]),
    ),
  });
}

/** What was said and done, without ids and places. */
function story(records: readonly LogRecord[]) {
  return records.map((record) => ({
    role: record.role,
    text: textOf(record),
    ...(record.role === 'assistant' && {
      calls: toolCallsOf(record).map(({ name, arguments: args }) => `${name} ${args}`),
      stopReason: record.stopReason,
      usage: record.usage,
    }),
    ...(record.role === 'tool_result' && { isError: record.isError }),
  }));
}

describe('a recorded session', () => {
  test('plays again with the same words, calls and results, through the file', async () => {
    const before = await original();
    const file = toScriptFile(recordScript(before.state.log.records, 'checkout'));
    const after = await replay(parseModelScript(file, 'checkout.yaml'));
    const redacted = JSON.parse(
      JSON.stringify(story(before.state.log.records)).replace(
        'AKIAIOSFODNN7EXAMPLE',
        '[redacted:aws_access_key]',
      ),
    );
    const kinds = /\[redacted:[^\]]+\]/;
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replace(kinds, '[redacted]'));
    expect(plain(story(after.state.log.records))).toEqual(plain(redacted));
  });

  test('holds the prompts, and no credential', async () => {
    const { state } = await original();
    const script = recordScript(state.log.records, 'checkout', ['pool is too small']);
    expect(script.prompts).toEqual(['Why is checkout slow?']);
    const file = toScriptFile(script);
    expect(file).not.toMatch(/AKIAIOSFODNN7EXAMPLE|pool is too small/);
    expect(file).toContain('no rights');
  });

  test('leaves replies out that failed', async () => {
    const { state } = await original();
    const failed = { ...state.log.records[1], stopReason: 'error' } as LogRecord;
    expect(recordScript([...state.log.records, failed], 'checkout').steps).toHaveLength(3);
  });

  test('a call without a recorded result is told, not made up', async () => {
    const script = recordScript((await original()).state.log.records, 'checkout');
    delete script.steps[0]?.calls?.[0]?.result;
    const after = await replay(script);
    expect(after.state.log.records[2]).toMatchObject({ role: 'tool_result', isError: true });
    expect(after.state.log.records.map(textOf).join()).toContain(
      'has no result for the call call_1_1_reply-1',
    );
  });
});
