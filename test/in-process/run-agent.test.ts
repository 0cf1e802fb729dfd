// `holdfast/core`: a run with functions as its effects, and the parts for messages.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  type Message,
  type ModelRequest,
  type PlainAgent,
  type RunEffects,
  planCondense,
  runAgent,
} from '../../src/core.ts';
import { ScriptedModel, callTool, say, scriptOf, testAgent } from '../../src/testing.ts';
import { projectRoot } from '../support/project-root.ts';
import { type AssistantMessage, textOf, userMessage } from '@holdfast/vocabulary/messages';

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' }, effect: 'read' as const };
const agent: PlainAgent = { name: 'watch', instructions: 'Watch.', tools: [look] };

type Steps = ConstructorParameters<typeof ScriptedModel>[0];

/** The requests of the run beside its outcome. */
async function run(steps: Steps, own: Partial<RunEffects> = {}, options: Partial<PlainAgent> = {}) {
  const model = new ScriptedModel(steps);
  const callModel = (request: ModelRequest, signal: AbortSignal) => model.call(request, { signal });
  const effects = { callModel, runTool: () => 'quiet', ...own };
  const outcome = await runAgent({ agent: { ...agent, ...options }, prompt: 'Well?', effects });
  return { ...outcome, requests: model.requests };
}

const results = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool_result' ? [[message.isError, textOf(message)]] : []));

test('[CORE-01a] the entry loads no package and nothing of Node', async () => {
  const entry = pathToFileURL(join(projectRoot, 'src/core.ts')).href;
  const script = `import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import('${entry}');
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded[0]).toBe(entry);
  const own = ['src', 'packages'].map((folder) => `${pathToFileURL(join(projectRoot, folder)).href}/`);
  expect(loaded.filter((url) => !own.some((folder) => url.startsWith(folder)))).toEqual([]);
});

test('[CORE-01b] functions are its model and its tools; events come in order, and the result is that of a worker', async () => {
  const events: [number, string][] = [];
  const calls: unknown[] = [];
  const { result, messages, requests } = await run([callTool('look', { at: 'pool' }), say('The pool.')], {
    runTool({ name, args }) {
      calls.push([name, args]);
      return 'full';
    },
    happened: ({ seq, type }) => events.push([seq, type]),
  });
  expect(result).toMatchObject({ status: 'completed', answer: 'The pool.', turns: 2, toolCalls: 1 });
  expect(calls).toEqual([['look', { at: 'pool' }]]);
  expect(results(messages)).toEqual([[false, 'full']]);
  expect(results(requests[1]?.messages ?? [])).toEqual([[false, 'full']]);
  expect(events.map(([seq]) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(([, type]) => type)).toEqual(
    expect.arrayContaining(['agent_start', 'tool_execution_end', 'agent_end']),
  );
});

test('[CORE-01b] prompt and tools of its requests are those of a worker', async () => {
  const own = await run([say('Quiet.')]);
  const worker = await testAgent({
    // without the AGENTS.md of this repository
    config: { promptDir: 'test', agents: { watch: { instructions: 'Watch.', tools: [] } } },
    input: { agent: 'watch' },
    prompt: 'Well?',
    script: [say('Quiet.')],
  });
  expect(own.requests[0]?.systemPrompt).toBe(worker.requests[0]?.systemPrompt);
  expect(own.requests[0]).toMatchObject({
    tools: [{ name: 'look', description: 'Looks.' }],
    toolChoice: 'auto',
    maxResponseTokens: worker.requests[0]?.maxResponseTokens,
    metadata: { agent: 'watch', runId: 'run-1', turn: 1, purpose: 'main' },
  });
});

test('[CORE-01c] its limits hold: turns, repeated calls, cost', async () => {
  const again = callTool('look', {});
  const turns = await run([again, again], {}, { loop: { maxTurns: 2, onLimit: 'error' } });
  expect(turns.result).toMatchObject({ status: 'max_iterations', turns: 2 });
  const circle = await run(Array.from({ length: 5 }, () => again));
  expect(circle.result.status).toBe('loop_detected');
  const model = new ScriptedModel([again, say('x')]);
  const callModel: RunEffects['callModel'] = async (request) => ({
    ...(await model.call(request)),
    costUsd: 2,
  });
  const dear = await run([], { callModel }, { budget: { costUsd: 1 } });
  expect(dear.result).toMatchObject({ status: 'budget_exceeded', costUsd: 2 });
});

test('[CORE-01d] a refusal as too long condenses the view by a request of its own', async () => {
  const options = { model: { contextWindow: 1_000 }, condense: { keepLastN: 2 } };
  const asked: string[] = [];
  let refused = false;
  let reply: AssistantMessage;
  const replies = [
    callTool('look', { n: 1 }),
    callTool('look', { n: 2 }),
    callTool('look', { n: 3 }),
    say('Done.'),
  ];
  const model = new ScriptedModel(scriptOf(replies));
  const callModel: RunEffects['callModel'] = async (request) => {
    const { purpose, turn } = request.metadata;
    asked.push(`${purpose} ${turn}`);
    if (purpose === 'condense') {
      expect(request).toMatchObject({ tools: [], toolChoice: 'none' });
      expect(textOf(request.messages[0] ?? userMessage(''))).toContain('The task:\nWell?');
      return { message: { ...reply, content: [{ type: 'text', text: 'THE NOTES' }] } };
    }
    if (turn === 4 && !refused) {
      refused = true;
      throw Object.assign(new Error('too long'), { type: 'Model.ContextOverflow' });
    }
    ({ message: reply } = await model.call(request));
    if (turn === 4) expect(JSON.stringify(request.messages)).toContain('THE NOTES');
    return { message: reply };
  };
  const { result, messages } = await run([], { callModel }, options);
  expect(result).toMatchObject({ status: 'completed', answer: 'Done.', condenses: 1 });
  expect(asked).toEqual(['main 1', 'main 2', 'main 3', 'main 4', 'condense 4', 'main 4']);
  expect(messages.filter(({ role }) => role === 'tool_result')).toHaveLength(3);
});

test('[CORE-01d] a nearly full window condenses the view before the next request', async () => {
  const purposes: string[] = [];
  const callModel: RunEffects['callModel'] = async ({ model, metadata: { purpose, turn } }) => {
    purposes.push(purpose);
    const usage = { input: 9_000, cacheRead: 0, cacheWrite: 0, output: 1 };
    const call = { type: 'tool_call' as const, callId: `${turn}`, name: 'look', arguments: `{"n":${turn}}` };
    const text = { type: 'text' as const, text: 'Notes.' };
    const content = purpose === 'main' && turn < 3 ? [call] : [text];
    return { message: { role: 'assistant', content, model, usage, stopReason: 'stop' } };
  };
  const small = { model: { contextWindow: 10_000 }, condense: { keepLastN: 2, maxPerRun: 1 } };
  const { result } = await run([], { callModel }, small);
  expect(result).toMatchObject({ status: 'completed', condenses: 1 });
  expect(purposes.filter((purpose) => purpose === 'condense')).toHaveLength(1);
});

test('[CORE-01d] [COND-30c] a cut through the work in hand has two summaries; a cut-off one, or words that are none, are not used', async () => {
  const options = {
    model: { contextWindow: 12_000 },
    condense: { strategy: 'token_tail' as const, maxPerRun: 1 },
  };
  const runLong = async (ending: 'stop' | 'length', words = ' was quiet'.repeat(20)) => {
    const [questions, seen]: [string[], string[]] = [[], []];
    const callModel: RunEffects['callModel'] = async ({ model, messages, metadata: { purpose, turn } }) => {
      const main = purpose === 'main';
      if (main) seen.push(JSON.stringify(messages));
      else questions.push(textOf(messages[0] ?? userMessage('')));
      const call = {
        type: 'tool_call' as const,
        callId: `${turn}`,
        name: 'look',
        arguments: `{"n":${turn}}`,
      };
      const text = { type: 'text' as const, text: main ? 'Done.' : `PART ${questions.length}${words}` };
      const usage = { input: 2_500 * turn, cacheRead: 0, cacheWrite: 0, output: 1 };
      const [content, stopReason] = [main && turn < 6 ? [call] : [text], main ? 'stop' : ending] as const;
      const message = { role: 'assistant' as const, content, model, usage, stopReason };
      return { message, costUsd: main ? 0 : 1 };
    };
    const { result } = await runAgent({
      agent: { ...agent, ...options },
      prompt: [userMessage('All is well so far.'), userMessage('Well?')],
      effects: { callModel, runTool: () => 'quiet '.repeat(1_500) },
    });
    return { result, questions, seen };
  };
  const whole = await runLong('stop');
  expect(whole.result).toMatchObject({ status: 'completed', condenses: 1, costUsd: 2 });
  const work = expect.stringMatching(/^The beginning of the work in hand:/);
  expect(whole.questions).toEqual([expect.stringMatching(/^The task:/), work]);
  expect(whole.seen.at(-1)).toMatch(/PART 1.*The work in hand, its beginning:.*PART 2/);
  for (const none of [await runLong('length'), await runLong('stop', '')]) {
    expect(none.result).toMatchObject({ status: 'completed', condenses: 0 });
    expect(none.seen.join('')).not.toContain('PART');
  }
});

test('[CORE-01e] a throw of a tool, an unknown tool and arguments that are no object are results that the model reads', async () => {
  const seen: Message[][] = [];
  const call = (name: string, text: string) =>
    ({ type: 'tool_call', callId: `${name} ${text}`, name, arguments: text }) as const;
  const calls = [call('look', '{}'), call('none', '{}'), call('look', '[1]'), call('look', '{"a')];
  const callModel: RunEffects['callModel'] = async ({ model, messages }) => {
    seen.push(messages);
    const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
    const content = seen.length === 1 ? calls : [{ type: 'text' as const, text: 'Gone.' }];
    return { message: { role: 'assistant', content, model, usage, stopReason: 'stop' } };
  };
  const ran: string[] = [];
  const runTool: RunEffects['runTool'] = ({ callId }) => {
    ran.push(callId);
    throw new Error('the disk is gone');
  };
  const { result } = await run([], { callModel, runTool });
  expect(result.answer).toBe('Gone.');
  expect(ran).toEqual(['look {}']);
  expect(results(seen[1] ?? [])).toEqual([
    [true, 'the disk is gone'],
    [true, 'Unknown tool none'],
    [true, 'Invalid arguments: expected a JSON object'],
    [true, 'Invalid arguments: expected a JSON object'],
  ]);
});

test('[CORE-01e] a call that fails and may change something counts as failed', async () => {
  const runTool = () => Promise.reject(new Error('full'));
  const tools = [{ ...look, effect: 'once' as const }];
  const { messages } = await run([callTool('look', {}), say('x')], { runTool }, { tools });
  expect(messages).toContainEqual(expect.objectContaining({ role: 'tool_result', outcome: 'failed' }));
});

test('[CORE-01e] a tool that returns no text is a failed result', async () => {
  const { messages } = await run([callTool('look'), say('Odd.')], { runTool: () => 7 as unknown as string });
  expect(results(messages)).toEqual([[true, expect.stringContaining('is not a function')]]);
});

test('[CORE-01e] a long result is cut at loop.toolResultCap', async () => {
  const long = { runTool: () => 'x'.repeat(5_000) };
  const { messages } = await run([callTool('look', {}), say('x')], long, { loop: { toolResultCap: 1_000 } });
  const [[, text] = []] = results(messages);
  expect(String(text).length).toBeLessThanOrEqual(1_000);
  expect(text).toContain('characters left out here');
});

test('[CORE-01e] a throw of the model fails the run, and is not repeated', async () => {
  let asked = 0;
  for (const type of [undefined, 'Model.Auth', 'Model.RateLimit']) {
    const callModel = () => {
      asked++;
      return Promise.reject(Object.assign(new Error('no network'), { type }));
    };
    const { result } = await run([], { callModel });
    expect(result.status).toBe('failed');
    expect(result.error?.message).toContain('no network');
  }
  expect(asked).toBe(3);
});

test('[CORE-01f] a signal aborts the run, also before its begin, and the work in hand hears of it', async () => {
  const stop = new AbortController();
  const callModel: RunEffects['callModel'] = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('heard')));
      stop.abort();
    });
  const effects = { callModel, runTool: () => '' };
  for (const prompt of ['in hand', 'before']) {
    const { result, messages } = await runAgent({ agent, prompt, effects, signal: stop.signal });
    expect(result.status).toBe('aborted');
    expect(JSON.stringify(messages)).not.toContain('heard');
  }
});

test('[CORE-01g] planCondense says for messages whether a condense is due, and how many it would fold', () => {
  const said = (text: string, input = 0): Message => ({
    role: 'assistant',
    content: [{ type: 'text', text }],
    model: { provider: 'own', id: 'model' },
    usage: { input, cacheRead: 0, cacheWrite: 0, output: 1 },
    stopReason: 'stop',
  });
  const small = { ...agent, model: { contextWindow: 10_000 }, condense: { keepLastN: 2 } };
  const messages = [userMessage('a'), said('b'), userMessage('c'), said('d', 9_000), userMessage('e')];
  expect(planCondense(messages, small)).toEqual({ due: true, fold: 3 });
  expect(planCondense(messages, { ...small, model: { contextWindow: 100_000 } })).toEqual({
    due: false,
    fold: 3,
  });
  expect(planCondense(messages.slice(0, 2), small)).toEqual({ due: false, fold: 0 });
});
