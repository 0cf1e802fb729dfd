// The modes of a run, with the activities that ship: what is executed, asked about, offered and stored.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { createReadArtifactTool } from '../../src/activities/built-in/files/read-artifact.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { carryOut, requests } from '../../src/core/session/requests.ts';
import { functionModel } from '../support/function-model.ts';
import type { Saying, Turn } from '../support/function-model.ts';
import { type LocalSession, localSession } from '../support/local-session.ts';
import { echoTool } from '../support/session-worker.ts';

/** A changing tool whose calls are counted. */
function changeTool(ran: string[]): RegisteredTool {
  return defineTool({
    name: 'change',
    description: 'Changes something.',
    input: z.strictObject({ to: z.int(), forbidden: z.boolean().optional() }),
    effect: 'once',
    inspect: ({ to }) => ({ actions: [{ effect: 'once', command: `set ${to}` }], preview: `- 0\n+ ${to}` }),
    run: async ({ to }) => {
      ran.push(`change ${to}`);
      return { text: `changed to ${to}` };
    },
  });
}

const resultsOf = ({ session }: LocalSession) =>
  session.state.log.records.flatMap((record) =>
    record.role === 'tool_result' ? [{ text: textOf(record), isError: record.isError }] : [],
  );

const offered = ({ tools }: { tools: { name: string }[] }): string[] => tools.map(({ name }) => name);

test('[MODE-01a] [TOOL-04ac] mode, validation, policy, hook and dry run decide in this order: each answers when the one before it is taken away', async () => {
  const ran: string[] = [];
  const asked: string[] = [];
  const guard = defineHook({
    name: 'guard',
    beforeToolCall({ toolCall }) {
      asked.push(toolCall.arguments);
      return { block: true, reason: 'the hook says no' };
    },
  });
  // the prompt is the text of the arguments
  const model = functionModel(({ number, newTexts }) =>
    number === 1 ? { calls: [{ tool: 'change', rawArguments: newTexts[0] ?? '' }] } : { text: 'done' },
  );
  const closed: SessionInput = { mode: 'observe', dryRun: true, hooks: [{ name: 'guard' }] };
  const act: SessionInput = { ...closed, mode: 'act' };
  const gates: [gate: string, input: SessionInput, prompt: string, expected: string | RegExp][] = [
    ['mode', closed, '{"to":"x","forbidden":true}', 'Unknown tool change'],
    ['validation', act, '{"to":"x","forbidden":true}', /^Invalid arguments for change: to: /],
    ['policy', act, '{"to":3,"forbidden":true}', 'Denied: the rule says no'],
    ['hook', act, '{"to":3}', /the hook says no/],
    ['dry run', { ...act, hooks: [] }, '{"to":4}', /^Dry run: change was not executed/],
    ['none', { mode: 'act' }, '{"to":5}', 'changed to 5'],
  ];
  for (const [gate, input, prompt, expected] of gates) {
    const played = await localSession(
      {
        model,
        tools: [changeTool(ran)],
        hooks: [guard],
        policy: [
          { tool: 'change', args: { forbidden: 'true' }, decision: 'deny', reason: 'the rule says no' },
        ],
      },
      input,
    );
    expect(await played.ask(prompt), gate).toMatchObject({ status: 'completed' });
    expect(resultsOf(played)[0]?.text, gate).toMatch(expected);
  }
  expect(asked).toEqual(['{"to":3}']);
  expect(ran).toEqual(['change 5']);
});

test.each(['ask', 'act'] as const)(
  '[MODE-02abcd] [TOOL-04c] a dry run in mode %s reads, and says of all else what it would have done: nobody is asked, and an unknown tool stays an error',
  async (mode) => {
    const ran: string[] = [];
    const model = functionModel(({ number }) => {
      if (number > 1) return { text: 'done' };
      const calls = [
        { tool: 'echo', args: { text: 'hello' } },
        { tool: 'change', args: { to: 3 } },
        { tool: 'chnage', args: { to: 3 } },
        { tool: 'change', args: { to: 'far' } },
        { tool: 'change', args: { to: 9 } },
      ];
      return { calls };
    });
    const played = await localSession(
      {
        model,
        tools: [echoTool(), changeTool(ran)],
        policy: [{ tool: 'change', command: 'set 9', decision: 'deny', reason: 'never 9' }],
      },
      { mode, dryRun: true },
    );
    expect(await played.ask('go')).toMatchObject({ status: 'completed', answer: 'done' });
    expect(resultsOf(played)).toEqual([
      { text: 'hello', isError: false },
      {
        text: 'Dry run: change was not executed, and nothing was changed. It would have run with {"to":3}.\n- 0\n+ 3',
        isError: false,
      },
      { text: 'Unknown tool chnage', isError: true },
      { text: expect.stringMatching(/^Invalid arguments for change/), isError: true },
      { text: 'Denied: never 9', isError: true },
    ]);
    expect(JSON.stringify(played.session.events.page(0))).not.toContain('approval_requested');
    expect(ran).toEqual([]);
  },
);

test('[MODE-03] [CKPT-07b] in observe a changing tool is not offered, and neither load_tools, setTools, a rule nor a hand-over brings it back', async () => {
  const ran: string[] = [];
  const model = functionModel(({ number, newTexts }): Saying => {
    if (newTexts.includes('load')) return { calls: [{ tool: 'load_tools', args: { groups: ['changes'] } }] };
    return number % 4 === 2 || newTexts.includes('again')
      ? { calls: [{ tool: 'change', args: { to: number } }] }
      : { text: 'done' };
  });
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => ({ text: 'seen' }),
  });
  const played = await localSession(
    {
      model,
      tools: [echoTool(), changeTool(ran), look],
      toolGroups: { changes: ['change', 'look'] },
      policy: [{ tool: '*', decision: 'allow' }],
    },
    {
      mode: 'observe',
      tools: ['echo', 'change'],
      toolGroups: ['changes'],
      loop: { warn: 0 },
      continueAsNewAfterTurns: 1,
    },
  );
  await played.ask('load');
  carryOut(played.session, requests.setTools(played.session, ['change', 'echo']));
  await played.ask('again');
  for (const request of model.requests) expect(offered(request)).not.toContain('change');
  expect(model.requests.map(offered)).toContainEqual(['echo', 'load_tools', 'look']);
  expect(played.snapshot).toMatchObject({ mode: 'observe', tools: ['echo', 'load_tools'] });
  expect(ran).toEqual([]);
});

const mcp: RegisteredTool = (() => {
  const tool = defineTool({
    name: 'github_issues',
    description: 'Reads.',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => ({ text: 'issues' }),
  });
  return { ...tool, spec: { ...tool.spec, source: 'mcp:github' } };
})();

test('[MODE-04abd] off the record only what reads is offered, nothing of MCP servers, and nothing is stored: large outputs, condense, hand-overs, reset, checkpoints', async () => {
  const ran: string[] = [];
  const keeps = defineTool({
    name: 'keeps',
    description: 'Stores.',
    input: z.strictObject({}),
    effect: 'read',
    run: async (_, { sessionId, artifacts }) => {
      await artifacts.put(sessionId, 'mine', 'x');
      return { text: 'kept' };
    },
  });
  const model = functionModel(({ number, request }: Turn): Saying => {
    if (request.metadata.purpose === 'condense') return { text: 'the summary of six turns' };
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'abcdefghij', times: 5_000 } }] };
    if (number === 2) return { calls: [{ tool: 'keeps' }, { tool: 'change', args: { to: 1 } }] };
    return number <= 6 ? { calls: [{ tool: 'echo', args: { text: `turn ${number}` } }] } : { text: 'done' };
  });
  const stored: string[] = [];
  const played = await localSession(
    {
      model,
      tools: [echoTool(), keeps, changeTool(ran), mcp, createReadArtifactTool(), createReportTool()],
      beforePut: async (artifactId) => void stored.push(artifactId),
    },
    {
      mode: 'act',
      offTheRecord: true,
      loop: { checkpointEvery: 'tool' },
      continueAsNewAfterTurns: 2,
      condense: { keepLastN: 1 },
    },
  );
  const first = await played.ask('go');
  expect(first).toMatchObject({ status: 'completed', answer: 'done' });
  expect(played.snapshot.continuedAsNew).toBeGreaterThanOrEqual(2);
  for (const request of model.requests) expect(offered(request)).toEqual(['echo', 'keeps']);
  const results = resultsOf(played);
  expect(results[0]?.text).toContain('The rest was not kept: the session is off the record.');
  expect(results.slice(1, 3)).toEqual([
    { text: expect.stringContaining('Nothing is stored: the session is off the record.'), isError: true },
    { text: 'Unknown tool change', isError: true },
  ]);
  // every message is still there, and in the result
  expect(first.newMessages.toSeq).toBe(played.snapshot.lastSeq);

  carryOut(played.session, requests.condense(played.session));
  expect(await played.ask('and now?')).toMatchObject({ status: 'completed', answer: 'done' });
  expect(model.requests.at(-1)?.messages.map(textOf).join('\n')).toContain('the summary of six turns');
  played.reset();
  expect(played.snapshot).toMatchObject({ mode: 'act', offTheRecord: true });
  expect(stored).toEqual([]);
  expect(ran).toEqual([]);
});
