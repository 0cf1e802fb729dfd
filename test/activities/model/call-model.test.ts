import { describe, expect, test } from 'vitest';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { createScriptedProvider } from '@holdfast/providers/scripted';
import { internalQueries } from '@holdfast/vocabulary/outer-names';
import type { Message, ToolCallPart } from '@holdfast/vocabulary/messages';
import { textOf, toolCallsOf, userMessage } from '@holdfast/vocabulary/messages';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { callTool, say as sayStep, scriptOf } from '../../../src/testing.ts';
import { frozenContext } from '../../support/frozen-context.ts';
import {
  attempt,
  fakeProvider,
  memoryStore,
  reply,
  say,
  sessionId,
  started,
  worker,
} from '../../support/model-bench.ts';

const usage = { input: 100, cacheRead: 20, cacheWrite: 3, output: 10 };
const grepCall: ToolCallPart = {
  type: 'tool_call',
  callId: 'c1',
  name: 'grep',
  arguments: '{"pattern":"x"}',
};

describe('a model call', () => {
  test('sends the frozen context and the view, and returns message, digest, prepared calls and cost', async () => {
    const workflow = started();
    workflow.context = frozenContext({ prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } });
    const { provider, requests } = fakeProvider(() =>
      reply([{ type: 'text', text: 'I look.' }, grepCall], { usage }),
    );
    const { callModel, deps } = worker(workflow, provider);
    const result = await attempt().run(callModel, workflow.input({ turn: 7 }));
    expect(requests).toEqual([
      {
        model: { provider: 'fake', id: 'one' },
        systemPrompt: 'You investigate incidents.',
        messages: [userMessage('Why is checkout slow?')],
        tools: ['grep', 'read'].map((name) => ({ name, description: name, parameters: {} })),
        toolChoice: 'auto',
        maxResponseTokens: 4_096,
        thinkingLevel: 'off',
        metadata: { sessionId, agent: 'investigator', runId: 'run-1', turn: 7, attempt: 1, purpose: 'main' },
      },
    ]);
    expect(result).toMatchObject({
      calls: [{ callId: 'c1', status: 'ready' }],
      costUsd: (300 + 150 + 6 + 11.25) / 1e6,
    });
    expect(deps.cache.recall(sessionId, result.digest)).toEqual(result.message);
    expect(result).not.toHaveProperty('wasted');
  });

  test.each([
    [
      { input: '1200', output: '60' },
      { input: 1_200, output: 60 },
    ],
    [
      { input: Number.NaN, output: -9 },
      { input: 0, output: 0 },
    ],
    [
      { input: 'many', output: 1.5 },
      { input: 0, output: 2 },
    ],
    [
      { input: Infinity, output: null },
      { input: 0, output: 0 },
    ],
  ])('[SAFE-03d] counts of tokens that are none are made some: %j', async (given, expected) => {
    const workflow = started();
    const wrong = { ...usage, ...given } as unknown as typeof usage;
    const { provider } = fakeProvider(() => reply([{ type: 'text', text: 'I look.' }], { usage: wrong }));
    const { callModel } = worker(workflow, provider);
    const { message } = await attempt().run(callModel, workflow.input());
    expect(message.usage).toEqual({ ...usage, ...expected });
  });

  test('tells the provider when the view no longer shows the whole session', async () => {
    const workflow = started();
    const { provider, requests } = fakeProvider(() => reply([grepCall]));
    const { callModel } = worker(workflow, provider);
    await attempt().run(callModel, workflow.input());
    Object.assign(workflow, { epoch: 2, head: [userMessage('Summary.')] });
    await attempt().run(callModel, workflow.input());
    expect(requests.map(({ metadata }) => metadata.viewIsCut)).toEqual([undefined, true]);
  });

  test('asks for the frozen context once, whatever the number of calls', async () => {
    const workflow = started();
    const { callModel } = worker(workflow, fakeProvider(() => reply([grepCall])).provider);
    for (let count = 0; count < 3; count++) await attempt().run(callModel, workflow.input());
    expect(workflow.asked).toEqual([internalQueries.getFrozenContext]);
  });

  test('[CKPT-09a] a worker without the transcript sends byte-equal requests, turn after turn', async () => {
    const workflow = started();
    const steps = Array.from({ length: 6 }, (_, index) => callTool('read', { page: index }));
    const script = scriptOf([...steps, sayStep('The pool is too small.')]);
    const scripted = createScriptedProvider(script);
    const { provider, requests } = fakeProvider(
      async (request, options) => (await scripted.call(request, options)).message,
    );
    const warm = worker(workflow, provider);
    for (let turn = 1; turn <= 7; turn++) {
      if (turn === 4) workflow.append(userMessage('Look at payments too.', 'steer'));
      const input = workflow.input({ turn });
      const { message, digest } = await attempt().run(warm.callModel, input);
      const cold = await attempt().run(worker(workflow, provider).callModel, input);
      expect(cold).toEqual({ ...cold, message, digest });
      expect(JSON.stringify(requests.at(-1))).toBe(JSON.stringify(requests.at(-2)));
      workflow.append(message, digest);
      for (const call of toolCallsOf(message)) {
        const { callId, name: toolName } = call;
        const result: Message = {
          role: 'tool_result',
          callId,
          toolName,
          content: [{ type: 'text', text: 'x'.repeat(4_000) }],
          isError: false,
        };
        workflow.append(result, warm.deps.cache.remember(sessionId, result));
      }
    }
    const texts = requests
      .filter((_, index) => index % 2 === 0)
      .map(({ messages }) => JSON.stringify(messages).slice(0, -1));
    for (const [index, text] of texts.slice(1).entries())
      expect(text.startsWith(texts[index] ?? '-')).toBe(true);
    expect(texts).toHaveLength(7);
  });

  test('[LOOP-02] [MSG-05ab] [MSG-04c] transformContext, then convertToLlm, then the repair make one request and nothing that is kept', async () => {
    const workflow = started('one');
    workflow.append({ role: 'custom', kind: 'note', data: 'two' });
    const { provider, requests } = fakeProvider(() => reply([grepCall]));
    const project = (messages: Message[]) =>
      messages.map((message) =>
        message.role === 'custom' ? userMessage(`note ${JSON.stringify(message.data)}`) : message,
      );
    const { callModel, deps } = worker(workflow, provider, {
      transformContext: (messages) => [...messages, { role: 'custom', kind: 'note', data: 'three' }],
      convertToLlm: (messages) => [...project(messages), reply([grepCall])],
    });
    await attempt().run(callModel, workflow.input());
    expect(requests[0]?.messages.map(textOf)).toEqual([
      'one',
      'note "two"',
      'note "three"',
      '',
      'No result provided',
    ]);
    Object.assign(deps, { transformContext: undefined, convertToLlm: undefined });
    await attempt().run(callModel, workflow.input());
    expect(requests[1]?.messages.map(textOf)).toEqual(['one']);
  });

  test.each(['transformContext', 'convertToLlm'] as const)(
    '[MSG-05c] [HOOK-04b] a %s that throws is final, and told as the hook that it is',
    async (hook) => {
      const { provider, requests } = fakeProvider(() => say('x'));
      const workflow = started();
      const { callModel } = worker(workflow, provider, {
        [hook]: () => {
          throw new TypeError('no such note');
        },
      });
      expect(await attempt().failure(callModel, workflow.input())).toMatchObject({
        type: 'Model.HookFailed',
        nonRetryable: true,
        message: expect.stringContaining(`The hook ${hook} threw: TypeError: no such note`),
      });
      expect(requests).toEqual([]);
    },
  );

  test('a reply without calls lets go of the transcript, so that an idle session holds none', async () => {
    const workflow = started();
    const { callModel } = worker(workflow, fakeProvider(() => say('Done.')).provider);
    await attempt().run(callModel, workflow.input());
    workflow.append(userMessage('And now?', 'follow_up'));
    await attempt().run(callModel, workflow.input());
    expect(workflow.asked).toEqual([internalQueries.getFrozenContext, internalQueries.getView]);
  });

  test('an unknown provider is final and names those that are there', async () => {
    const workflow = started();
    workflow.context = frozenContext({ model: { provider: 'other', id: 'x' } });
    const { callModel } = worker(workflow, fakeProvider(() => say('')).provider);
    expect(await attempt().failure(callModel, workflow.input())).toMatchObject({
      type: 'Model.NotFound',
      nonRetryable: true,
      message: expect.stringContaining('this worker has fake'),
    });
  });
});

describe('what one payload cannot hold', () => {
  test('[TOOL-14ce] a reply over 256 KiB is cut with a notice, and stored whole', async () => {
    const workflow = started();
    const artifacts = memoryStore();
    const long = 'ü\n'.repeat(300_000);
    const { callModel } = worker(
      workflow,
      fakeProvider(() => reply([{ type: 'text', text: long }, grepCall])).provider,
      { artifacts },
    );
    const result = await attempt().run(callModel, workflow.input({ turn: 3 }));
    expect(jsonBytes(result)).toBeLessThanOrEqual(maxPayloadBytes);
    expect(textOf(result.message)).toMatch(
      /\[cut here: \d+ more characters\. The whole reply is artifact reply-run-1-3\.\]$/,
    );
    expect(result).toMatchObject({ calls: [{ status: 'ready' }] });
    const stored = new TextDecoder().decode(artifacts.files.get(`${sessionId}/reply-run-1-3`));
    expect(JSON.parse(stored).content[0].text).toBe(long);
  });

  test('[MODE-04d] off the record a reply over 256 KiB is cut, and not stored', async () => {
    const workflow = started();
    const { context } = workflow;
    workflow.context = { ...context, settings: { ...context.settings, offTheRecord: true } };
    const artifacts = memoryStore();
    const long = fakeProvider(() => reply([{ type: 'text', text: 'ü\n'.repeat(300_000) }])).provider;
    const result = await attempt().run(worker(workflow, long, { artifacts }).callModel, workflow.input());
    expect(textOf(result.message)).toMatch(/They were not kept: the session is off the record\.\]$/);
    expect(artifacts.files.size).toBe(0);
  });

  test('[TOOL-14ce] a reply whose citations alone are over the limit is kept without them', async () => {
    const workflow = started();
    const said = { type: 'text' as const, text: 'The pool.', signature: 'x'.repeat(300_000) };
    const { callModel } = worker(workflow, fakeProvider(() => reply([said, grepCall])).provider);
    const result = await attempt().run(callModel, workflow.input());
    expect(result.message.content).toEqual([{ type: 'text', text: 'The pool.' }, grepCall]);
  });

  test('[TOOL-14ce] arguments over the limit are cut and their call rejected; other calls stand', async () => {
    const workflow = started();
    const long = { ...grepCall, callId: 'c2', arguments: JSON.stringify({ text: 'x'.repeat(400_000) }) };
    const { callModel } = worker(workflow, fakeProvider(() => reply([grepCall, long])).provider);
    const result = await attempt().run(callModel, workflow.input());
    expect(jsonBytes(result)).toBeLessThanOrEqual(maxPayloadBytes);
    expect(result.calls).toMatchObject([
      { callId: 'c1', status: 'ready' },
      { callId: 'c2', status: 'rejected', reason: expect.stringContaining('too long') },
    ]);
  });

  test('[TOOL-14ce] changed arguments that make the result too long reject their call', async () => {
    const workflow = started();
    const args = { text: 'x'.repeat(150_000) };
    const call = { ...grepCall, arguments: JSON.stringify(args) };
    const { callModel } = worker(workflow, fakeProvider(() => reply([call])).provider, {
      prepareCalls: ({ content }) =>
        Promise.resolve(
          content.map(() => ({
            status: 'ready',
            callId: 'c1',
            effect: 'read',
            decision: 'allow',
            argsDigest: '',
            summary: '',
            args,
          })),
        ),
    });
    const result = await attempt().run(callModel, workflow.input());
    expect(jsonBytes(result)).toBeLessThanOrEqual(maxPayloadBytes);
    expect(result.calls).toMatchObject([{ callId: 'c1', status: 'rejected' }]);
  });
});

test('[MODEL-03e] what a server refused for the first time is said in the log', async () => {
  const workflow = started();
  const replies = [{ message: say('The pool.'), refused: ['stream_options'] }, { message: say('Yes.') }];
  const provider: ModelProvider = {
    name: 'fake',
    call: () => Promise.resolve(replies.shift() ?? { message: say('x') }),
  };
  const { callModel } = worker(workflow, provider);
  for (const expected of [[{ meta: { refused: ['stream_options'], model: { id: 'one' } } }], []]) {
    const { run, logs } = attempt();
    await run(callModel, workflow.input());
    expect(logs).toMatchObject(expected);
  }
});

test('[LOOP-17a] a stop reason that is not known is told in the log, as the provider called it', async () => {
  const workflow = started();
  const replies = [{ message: say('The pool.'), unknownStop: 'never_heard_of' }, { message: say('Yes.') }];
  const provider: ModelProvider = {
    name: 'fake',
    call: () => Promise.resolve(replies.shift() ?? { message: say('x') }),
  };
  const { callModel } = worker(workflow, provider);
  for (const expected of [[{ meta: { stopReason: 'never_heard_of', model: { id: 'one' } } }], []]) {
    const { run, logs } = attempt();
    await run(callModel, workflow.input());
    expect(logs).toMatchObject(expected);
  }
});
