// Runs of an agent that has the tool report and ends with words that are no answer, with the real activities: one reminder,
// then an end of its own; and the words that are missing after a report.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/config/define-config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { toOutcomeText } from '@holdfast/vocabulary/run-result';
import { callTool, callTools, say, testAgent } from '../../src/testing.ts';
import type { AgentTest } from '../../src/testing.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.strictObject({ at: z.string() }),
  effect: 'read',
  run: ({ at }) => Promise.resolve({ text: `${at}: pool_size 2 of 2 in use`, terminate: at === 'the end' }),
});
const config: HoldfastConfig = {
  tools: [look],
  agents: {
    tester: { instructions: 'Look.', tools: ['look', 'report'] },
    talker: { instructions: 'Talk.', tools: ['look'] },
    planner: { instructions: 'Plan.', tools: ['look', 'report', 'update_plan'] },
  },
};
const looks = callTool('look', { at: 'db-1' }, { id: 'look' });
const impact = { who: 'checkout', since: 'unknown', severity: 'unknown', ongoing: 'yes' };
const rootCause = { component: 'pool', kind: 'capacity', text: 'It is too small.' };
/** Nothing is left to correct or to add. */
const whole = {
  summary: 'The pool is empty.',
  grade: 'likely',
  impact,
  rootCause,
  recommended: [],
  timeline: [],
};
const shown = { text: 'The pool is empty.', role: 'cause', confidence: 'high' };
const quoting = (callId: string, quote = 'pool_size 2 of 2 in use') => ({
  ...shown,
  quotes: [{ callId, quote }],
});
const reports = callTool('report', { ...whole, claims: [quoting('{{look.callId}}')] });

const run = (script: AgentTest['script'], input: AgentTest['input'] = {}) =>
  testAgent({ config, input: { agent: 'tester', ...input }, prompt: 'Why is checkout slow?', script });
const reminders = ({ messages }: Awaited<ReturnType<typeof run>>): string[] =>
  messages
    .flatMap((message) => (message.role === 'user' ? [textOf(message)] : []))
    .filter((text) => text.includes('without a report'));

describe('[FAULT-103] [LOOP-34ac] words that are no answer', () => {
  test.each([
    ['prose with a grade and an invented quote', say('The pool is too small (confirmed): "pool 1 of 1".')],
    ['an announcement', say('I will now look at the logs.')],
    ['a call that is written as text', say('<tool_call>{"name": "look", "arguments": {}}</tool_call>')],
    ['the reason tool_use without a call', say('Let me check.', { stopReason: 'tool_use' })],
  ])('[REPORT-11b] %s: one reminder, then the run is completed without a report', async (_what, words) => {
    const ran = await run([looks, words, say('Nothing more to say.')]);
    expect(ran.result).toMatchObject({
      status: 'completed',
      cause: 'no_report',
      turns: 3,
      answer: expect.stringMatching(
        /^Inconclusive \(nothing was changed\)\. Grade: inconclusive \(by Holdfast\)\. The agent has handed in no report/,
      ),
      lastWords: 'Nothing more to say.',
      report: { grade: 'inconclusive', byCode: true },
    });
    expect(toOutcomeText(ran.result)).toBe('completed/no_report');
    expect(reminders(ran)).toHaveLength(1);
    expect(ran.report).toContain('**The run completed without a report of the agent.**');
  });

  test('the reminder says what was wrong with the reply, and how to end', async () => {
    const [asText] = reminders(await run([say('{"name": "look", "arguments": {}}'), say('No.')]));
    expect(asText).toContain('a call of look written as text');
    const [noCalls] = reminders(await run([say('So:', { stopReason: 'tool_use' }), say('No.')]));
    expect(noCalls).toContain('ended as if it made calls');
    const [prose] = reminders(await run([say('The pool.'), say('No.')]));
    expect(prose).toMatch(/call report.*inconclusive/s);
  });

  test('one that then hands in its report ends as if it had done so at once', async () => {
    const ran = await run([looks, say('The pool.'), reports, say('See the report.')]);
    expect(ran.result).toMatchObject({ status: 'completed', cause: 'answer', report: { grade: 'likely' } });
    expect(ran.result.report).not.toHaveProperty('byCode');
    expect(reminders(ran)).toHaveLength(1);
  });
});

describe('the report by code', () => {
  const log = [
    '14:01 ok',
    '14:02 ok',
    '03:38 config changed: pool_size 20 -> 2',
    '14:04 ERROR pool timeout after 512 ms',
  ];
  const read = defineTool({
    name: 'read_log',
    description: 'Reads.',
    input: z.strictObject({}),
    effect: 'read',
    run: () => Promise.resolve({ text: log.join('\n') }),
  });
  const reading = {
    tools: [read],
    agents: { tester: { instructions: 'Look.', tools: ['read_log', 'report'] } },
  };
  const investigate = (script: AgentTest['script']) =>
    testAgent({ config: reading, input: { agent: 'tester' }, prompt: 'Why is checkout slow?', script });

  test('[REPORT-11b] [REPORT-22abd] quotes the decisive lines with their places, and shows no narration as the answer', async () => {
    const { report = '', sessionId } = await investigate([
      callTool('read_log', {}, { id: 'look' }),
      say('I will now look at the pool.'),
      say('Let me look.'),
    ]);
    const standing = report.match(/## What stands out in the outputs\n\n([^#]*)/)?.[1] ?? '';
    expect(standing).toMatch(/- 14:04 ERROR pool timeout after 512 ms\n.*quote found: `read_log`.*line 4/);
    expect(standing).toContain('line 3');
    expect(standing).toContain(`holdfast output ${sessionId}`);
    expect(report).toMatch(/`read_log`, call `[^`]+`: 14:04 ERROR pool timeout after 512 ms/);
    expect(report).not.toContain('## The answer');
    expect(report).toMatch(/## Last words of the agent, unchecked\n\nLet me look\./);
  });

  test('[REPORT-22a] shows ten lines at most, however many outputs say what went wrong', async () => {
    const parts = [
      'db',
      'cache',
      'queue',
      'mail',
      'disk',
      'proxy',
      'search',
      'auth',
      'cron',
      'feed',
      'shop',
      'log',
    ];
    const failing = defineTool({
      name: 'read_log',
      description: 'Reads.',
      input: z.strictObject({ part: z.string() }),
      effect: 'read',
      run: ({ part }) => Promise.resolve({ text: `ERROR ${part} is down` }),
    });
    const calls = parts.map((part) => ({ tool: 'read_log', args: { part } }));
    const { report = '' } = await testAgent({
      config: { ...reading, tools: [failing] },
      input: { agent: 'tester' },
      prompt: 'Why is checkout slow?',
      script: [callTools(calls), say('I look.'), say('Let me look.')],
    });
    const [, shownLines = ''] = report.match(/## What stands out in the outputs\n\n([^#]*)/) ?? [];
    expect(shownLines.match(/^- ERROR/gm)).toHaveLength(10);
  });

  test('[REPORT-22c] says how many reports were refused, why, and what the last one said', async () => {
    const refused = (at: number) =>
      callTool('report', { summary: `The pool was made smaller (${at}).`, grade: 'sure', claims: [] });
    const { report = '', result } = await investigate([
      ...Array.from({ length: 6 }, (_, at) => refused(at + 1)),
      say('The pool was made smaller.'),
      say('I said it.'),
    ]);
    expect(result).toMatchObject({ cause: 'no_report', report: { byCode: true } });
    expect(report).toMatch(/- Reports that were refused:\n {2}- 6 reports; the last because: .*grade/);
    expect(report).toContain('Its summary, which was not checked: The pool was made smaller (6).');
  });
});
