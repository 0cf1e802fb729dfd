// Runs that are asked for JSON by a schema (outputSchema), with the real activities: what comes back, what is sent back,
// and how a run ends whose answer does not follow.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createOutputCheck } from '../../src/activities/model/check-output.ts';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { defineTool } from '../../src/config/define-config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { callTool, say, testAgent } from '../../src/testing.ts';
import type { AgentTest } from '../../src/testing.ts';
import { carryOut, requests } from '../../src/core/session/requests.ts';
import { functionModel } from '../support/function-model.ts';
import { localSession } from '../support/local-session.ts';
import { calls, inTurn } from '../support/memory-model.ts';
import { MemorySession } from '../support/memory-session.ts';
import { assistant } from '../support/model-calls.ts';
import { plainTool } from '../support/plain-tool.ts';

const look = plainTool('look', 'read', () => Promise.resolve({ text: 'the pool has 2' }));
const finish = defineTool({
  name: 'finish',
  description: 'Ends the work.',
  input: z.strictObject({}),
  effect: 'read',
  run: () => Promise.resolve({ text: 'done', terminate: true }),
});
const config: HoldfastConfig = {
  tools: [look, finish],
  agents: { tester: { instructions: 'Look.', tools: ['look', 'finish'] } },
};
const outputSchema = {
  type: 'object',
  properties: { cause: { type: 'string' }, size: { type: 'integer' } },
  required: ['cause', 'size'],
  additionalProperties: false,
};
const good = '{"cause":"pool","size":2}';
const output = { cause: 'pool', size: 2 };
const badSize = '{"cause":"pool","size":"two","more":1}';

const run = (script: AgentTest['script'], input: AgentTest['input'] = { outputSchema }) =>
  testAgent({ config, input: { agent: 'tester', ...input }, prompt: 'Why is checkout slow?', script });
const userTexts = ({ messages }: Awaited<ReturnType<typeof run>>): string[] =>
  messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : [])).slice(1);

test.each([
  ['alone', good],
  ['in a code fence among words', `Here it is:\n\`\`\`json\n${good}\n\`\`\`\nThat is all.`],
  [
    'in the last fence that is JSON',
    `\`\`\`\n{"cause":1}\n\`\`\`\n\`\`\`\n${good}\n\`\`\`\n\`\`\`\nls\n\`\`\``,
  ],
])('[LOOP-31ad] an answer that follows the schema is the output, %s', async (_where, text) => {
  const { result, messages } = await run([callTool('look'), say(text)]);
  expect(result).toMatchObject({ status: 'completed', cause: 'answer', answer: text, output });
  expect(messages).toHaveLength(4);
});

test('[LOOP-31b] nothing is coerced or filled in: a default and a number in quotes stay faults', async () => {
  const schema = {
    type: 'object',
    properties: { size: { type: 'integer' }, unit: { type: 'string', default: 'MiB' } },
    required: ['size', 'unit'],
  };
  const ran = await run([say('{"size":"2"}'), say('{"size":2,"unit":"GiB","more":null}')], {
    outputSchema: schema,
  });
  expect(userTexts(ran)[0]).toMatch(/- unit: required, but missing\n- size: must be integer\n/);
  // as it was said, with what the schema does not name
  expect(ran.result.output).toEqual({ size: 2, unit: 'GiB', more: null });
});

test('[LOOP-31c] a value of more than 64 KiB is a fault of the answer; one of 64 KiB is the output', async () => {
  const schema = { type: 'string' };
  const longest = JSON.stringify('x'.repeat(64 * 1024 - 2));
  const ran = await run([say(JSON.stringify('x'.repeat(64 * 1024 - 1))), say(longest)], {
    outputSchema: schema,
  });
  expect(userTexts(ran)[0]).toContain('the answer has 65537 bytes of JSON: expected at most 65536');
  expect(ran.result).toMatchObject({ status: 'completed', turns: 2 });
  expect(JSON.stringify(ran.result.output)).toHaveLength(64 * 1024);
});

test('[LOOP-31e] without a schema nothing is judged, and the result has no output', async () => {
  const { result } = await run([say(good)], {});
  expect(result.status).toBe('completed');
  expect(result).not.toHaveProperty('output');
});

test('[LOOP-32a] an answer that does not follow is sent back once with its faults and the schema', async () => {
  const ran = await run([say(badSize), callTool('look'), say(good)]);
  expect(ran.result).toMatchObject({ status: 'completed', turns: 3, output });
  const [sentBack, ...more] = userTexts(ran);
  expect(more).toEqual([]);
  expect(sentBack).toMatch(/- more: unknown field \(expected [^\n]+\)\n- size: must be integer\n/);
  expect(sentBack).toContain(JSON.stringify(outputSchema));
  expect(sentBack).not.toContain('two');
  // the model may look again before it answers
  expect(ran.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'auto']);
});

test('[LOOP-32b] a follow-up is another task: its answer is sent back once as well', async () => {
  const said = ['{"cause":1}', good, '{"cause":2}', '{"cause":"disk","size":7}'];
  const model = functionModel(({ number }) => {
    if (number === 2) {
      const request = requests.followUp(session.session, { id: 'f1', message: 'And the disk?' });
      carryOut(session.session, request);
    }
    return { text: said[number - 1] ?? 'too many requests' };
  });
  const session = await localSession({ model }, { outputSchema });
  const result = await session.ask('Why is checkout slow?');
  expect(result).toMatchObject({ status: 'completed', turns: 4, output: { cause: 'disk', size: 7 } });
});

test('[LOOP-32c] a second answer that does not follow fails the run with its faults', async () => {
  const { result } = await run([say('The pool is too small.'), say('{"cause":"pool"}')]);
  expect(result).toMatchObject({ status: 'failed', cause: 'invalid_output', answer: '{"cause":"pool"}' });
  expect(result.error).toEqual({
    code: 'Output.Invalid',
    message:
      'The answer does not follow outputSchema, also after it was sent back once: size: required, but missing.',
  });
  expect(result).not.toHaveProperty('output');
});

test('[LOOP-32a] an answer that the model could not finish says so, and is not JSON by chance', async () => {
  const half = say('{"cause":"po', { stopReason: 'length' });
  const ran = await run([half, half, half, half, say(good)]);
  expect(userTexts(ran)[0]).toContain('- the answer was cut at model.maxResponseTokens');
});

test('[LOOP-38a] a cut JSON is a cut answer: it is asked to go on, and read as a whole', async () => {
  const { result } = await run([say('{"cause":"po', { stopReason: 'length' }), say('ol","size":2}')]);
  expect(result).toMatchObject({ status: 'completed', answer: good, output, turns: 1 });
  expect(result).not.toHaveProperty('answerCut');
});

test.each([
  ['words before and after', `Here is the answer:\n${good}\nThat is all.`],
  ['words with brackets', `The {pool} of [db-1] and [2] hosts: ${good} (see [the log])`],
  ['reasoning with a draft before it', `<think>Maybe {"cause":"disk","size":7}? No.</think>\n${good}`],
  ['the end of reasoning alone', `Maybe {"cause":"disk","size":7}? No.\n</think>\nIt is ${good}`],
  ['the same value twice', `${good}\nAs said: {"size":2,"cause":"pool"}`],
  ['another object beside it', `From {"host":"db-1"} I see ${good}`],
  ['a fence of something else', `${good}\n\`\`\`json\n{"host":"db-1"}\n\`\`\``],
])('[LOOP-39a] the one value that follows the schema is the output: %s', async (_what, text) => {
  const { result, requests: sent } = await run([say(text)]);
  const answer = text.split('</think>').at(-1)?.trim();
  expect(result).toMatchObject({ status: 'completed', answer, output });
  expect(sent).toHaveLength(1);
});

test.each([
  ['two different values', `${good} or {"cause":"disk","size":7}`, /different values that follow/],
  ['a value inside another', `It is {"found":${good}}.`, /the answer is not JSON/],
  ['a part of a broken one', `{"cause":"x", "more":${good},}`, /the answer is not JSON/],
  ['reasoning that does not end', `It is:\n<think>${good}`, /the answer is not JSON/],
])('[LOOP-39b] nothing is guessed at: %s', async (_what, text, fault) => {
  const ran = await run([say(text), say(good)]);
  expect(userTexts(ran)[0]).toMatch(fault);
  expect(ran.result).toMatchObject({ status: 'completed', output });
});

test('[LOOP-39a] a list among words counts only where the schema asks for one', async () => {
  const list = { type: 'array', items: { type: 'integer' } };
  const { result } = await run([say('The sizes are [2, 3], as in the log.')], { outputSchema: list });
  expect(result).toMatchObject({ status: 'completed', output: [2, 3] });
  const any = await run([say('As [1] says.'), say('{}')], { outputSchema: {} });
  expect(any.result.output).toEqual({});
});

test('[LOOP-39b] what a cut answer holds is a part, and no value', async () => {
  const half = say(`All of them: ${good} and {"cause":"di`, { stopReason: 'length' });
  const more = say('sk', { stopReason: 'length' });
  const ran = await run([half, more, more, more, say(good)]);
  expect(userTexts(ran)[0]).toContain('- the answer was cut at model.maxResponseTokens');
});

test.each([
  ['turn', { loop: { maxTurns: 1 } }],
  ['budget', { budget: { turns: 1 } }],
])('[LOOP-32c] where no %s is left to ask again the run fails at once', async (_what, limit) => {
  const { result, requests } = await run([say('2')], { outputSchema, ...limit });
  expect(requests).toHaveLength(1);
  expect(result.error?.message).toMatch(/nothing is left to ask again: the answer: must be object\.$/);
});

test.each([
  ['follows', good, { status: 'max_iterations', output }],
  ['does not follow', '{"cause":"pool"}', { status: 'max_iterations', answer: '{"cause":"pool"}' }],
])(
  '[LOOP-32e] the last answer at a limit keeps the status of the limit: it %s',
  async (_how, text, expected) => {
    const { result } = await run([callTool('look'), say(text)], { outputSchema, loop: { maxTurns: 1 } });
    expect(result).toMatchObject(expected);
    expect('output' in result).toBe('output' in expected);
  },
);

test('[LOOP-32d] a run that its tools end has no answer yet: it is asked for, without tools', async () => {
  const { result, requests } = await run([callTool('finish'), say(good)]);
  expect(result).toMatchObject({ status: 'completed', output });
  expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'none']);
  expect((await run([callTool('finish'), say('no')])).result).toMatchObject({
    error: { code: 'Output.Invalid' },
  });
});

test('[LOOP-32d] a task_complete of a subagent is enough: no answer is asked for', async () => {
  const memory = new MemorySession({
    model: inTurn(calls('t:task_complete:{"status":"completed","summary":"It is the pool."}')),
    specs: { task_complete: { runsIn: 'workflow' } },
    settings: { outputSchema },
  });
  const result = await memory.ask('Why?');
  expect(result).toMatchObject({ status: 'completed', cause: 'task_complete' });
  expect(result).not.toHaveProperty('output');
});

test.each([
  ['follows', good, { output }],
  ['does not follow', '{"cause":"pool"}', {}],
])(
  '[LOOP-32e] nor does a run that a hook ends lack anything: its answer %s',
  async (_how, text, expected) => {
    const enough = defineHook({ name: 'enough', shouldStopAfterTurn: () => ({ stop: true }) });
    const { result, requests } = await testAgent({
      config: {
        ...config,
        hooks: [enough],
        agents: { tester: { instructions: 'Look.', tools: [], hooks: [{ name: 'enough' }] } },
      },
      input: { agent: 'tester', outputSchema },
      prompt: 'Why is checkout slow?',
      script: [say(text)],
    });
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({ status: 'completed', cause: 'should_stop', answer: text, ...expected });
    expect('output' in result).toBe('output' in expected);
  },
);

test.each([
  ['a type that is none', { type: 'objekt' }, /type must be .* of the allowed values|type must be/],
  ['one that is checked later', { ...outputSchema, $async: true }, /\$async is not supported/],
  ['a reference to elsewhere', { $ref: 'https://example.com/a.json' }, /can't resolve reference/],
])(
  '[LOOP-33a] a schema that cannot be checked is refused before a model is asked: %s',
  async (_, schema, why) => {
    const { result, requests } = await run([], { outputSchema: schema });
    expect(requests).toEqual([]);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'Run.ContextFailed' } });
    expect(result.error?.message).toMatch(/^outputSchema is no JSON Schema that can be checked/);
    expect(result.error?.message).toMatch(why);
  },
);

const pair = [{ type: 'integer' }, { type: 'string' }];
test.each([
  [
    '2020-12, by name',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: pair, items: false },
  ],
  ['2020-12, without a name', { prefixItems: pair, items: false }],
  ['draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', items: pair, additionalItems: false }],
])('[LOOP-31a] a schema of %s is read as its draft says', async (_draft, schema) => {
  const ran = await run([say('["2",2]'), say('[2,"db-1"]')], { outputSchema: { type: 'array', ...schema } });
  expect(userTexts(ran)[0]).toMatch(/- 0: must be integer\n- 1: must be string\n/);
  expect(ran.result.output).toEqual([2, 'db-1']);
  expect(
    (await run([say('[1,"a",3]'), say('[]')], { outputSchema: { type: 'array', ...schema } })).messages,
  ).toHaveLength(4);
});

test('[LOOP-31a] a schema may refer to itself', async () => {
  const children = { type: 'array', items: { $ref: '#' } };
  const tree = { type: 'object', properties: { cause: { type: 'string' }, children }, required: ['cause'] };
  const ran = await run(
    [say('{"cause":"pool","children":[{}]}'), say('{"cause":"pool","children":[{"cause":"2"}]}')],
    { outputSchema: tree },
  );
  expect(userTexts(ran)[0]).toContain('- children.0.cause: required, but missing');
  expect(ran.result.output).toEqual({ cause: 'pool', children: [{ cause: '2' }] });
});

test('[LOOP-33b] [LOOP-32a] a schema that takes too long, or refers to itself for ever, is a fault of the answer; the worker is not held up', () => {
  const check = createOutputCheck();
  const message = assistant([{ type: 'text', text: `"${'a'.repeat(40)}!"` }]);
  expect(check({ type: 'string', pattern: '^(a+)+$' }, message)).toEqual({
    outputFaults: [expect.stringMatching(/could not be checked by its schema: .*timed out after 2000ms/)],
  });
  expect(check({ $ref: '#' }, message)).toEqual({
    outputFaults: [expect.stringMatching(/could not be checked .* call stack/)],
  });
});
