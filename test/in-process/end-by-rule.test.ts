// Runs of models that do not stop by themselves, with the real activities: each ends by a rule, long before its budget; and
// which report of a run counts.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/config/define-config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { callTool, callTools, say, testAgent } from '../../src/testing.ts';
import { resultTexts } from '../support/result-texts.ts';
import type { AgentTest, StepInput } from '../../src/testing.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.strictObject({ at: z.string() }),
  effect: 'read',
  run({ at }) {
    if (at.startsWith('gone')) throw new Error('there is no such host');
    return Promise.resolve({ text: `${at}: pool_size 2 of 2 in use\n${at}: 14 requests wait` });
  },
});
const config: HoldfastConfig = {
  tools: [look],
  agents: {
    tester: { instructions: 'Look.', tools: ['look', 'report', 'pin_finding'], loop: { maxTurns: 60 } },
  },
};
const run = (script: AgentTest['script'], input: AgentTest['input'] = {}) =>
  testAgent({ config, input: { agent: 'tester', ...input }, prompt: 'Why is checkout slow?', script });
type Ran = Awaited<ReturnType<typeof run>>;
const warnings = ({ messages }: Ran): string[] =>
  messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : [])).slice(1);

const impact = { who: 'checkout', since: 'unknown', severity: 'unknown', ongoing: 'yes' };
const rootCause = { component: 'pool', kind: 'capacity', text: 'It is too small.' };
const whole = {
  summary: 'The pool is empty.',
  grade: 'likely',
  impact,
  rootCause,
  recommended: [],
  timeline: [],
};
const claim = (...quotes: string[]) => ({
  text: 'The pool is empty.',
  role: 'cause',
  confidence: 'high',
  quotes: quotes.map((quote) => ({ callId: '{{look.callId}}', quote })),
});
const looks = callTool('look', { at: 'db-1' }, { id: 'look' });
const found = 'pool_size 2 of 2 in use';
const reports = (...claims: object[]): StepInput => callTool('report', { ...whole, claims } as never);
const many = (count: number, step: (number: number) => StepInput): StepInput[] =>
  Array.from({ length: count }, (_, index) => step(index + 1));

describe('[SAFE-10abc] [FAULT-104] turns in which every call failed', () => {
  test.each<[string, (number: number) => StepInput]>([
    ['ever new calls that fail', (number) => callTool('look', { at: `gone-${number}` })],
    [
      'ever new calls of tools that are not there',
      (number) => callTools([{ tool: `look_${number}`, args: {}, unlisted: true }]),
    ],
    [
      'ever new calls that fail, each with a note',
      (number) =>
        callTools([
          { tool: 'look', args: { at: `gone-${number}` } },
          { tool: 'pin_finding', args: { text: `gone-${number} is gone` } },
        ]),
    ],
    ['reports that are refused', (number) => callTool('report', { grade: 'sure', summary: `${number}` })],
  ])('%s: warned of at six, ended at ten', async (_what, step) => {
    const ran = await run(many(10, step));
    expect(ran.result).toMatchObject({ status: 'loop_detected', turns: 10, error: { code: 'Run.Loop' } });
    expect(warnings(ran)).toHaveLength(4);
    expect(warnings(ran)[0]).toMatch(/^Every call of your last 6 turns failed or was refused\./);
  });

  test('[SAFE-10e] a turn of notes alone does not begin the count anew', async () => {
    const failing = (from: number) => many(5, (number) => callTool('look', { at: `gone-${from + number}` }));
    const note = callTool('pin_finding', { text: 'All of them are gone.' });
    const ran = await run([...failing(0), note, ...failing(10)]);
    expect(ran.result).toMatchObject({ status: 'loop_detected', turns: 11 });
  });

  test('[SAFE-10d] one call that works begins the count anew', async () => {
    const failing = (from: number) => many(6, (number) => callTool('look', { at: `gone-${from + number}` }));
    const mixed = callTools([
      { tool: 'look', args: { at: 'db-1' } },
      { tool: 'look', args: { at: 'gone-0' } },
    ]);
    const ran = await run([...failing(0), mixed, ...failing(10), say('No.'), say('No.')]);
    expect(ran.result).toMatchObject({ status: 'completed', turns: 15 });
  });
});

describe('[WORD-08a] words beside a call are no answer of a run that was ended', () => {
  const checks = (number: number): StepInput => ({
    ...callTool('look', { at: `db-${number}` }),
    text: 'Checking.',
  });
  test.each<[string, StepInput[], AgentTest['input'], RegExp]>([
    [
      'turns',
      many(3, checks),
      { loop: { maxTurns: 3, onLimit: 'error' } },
      /^The run ended at its limit of turns\./,
    ],
    [
      'budget',
      many(3, checks),
      { budget: { toolCalls: 3 } },
      /^The run ended because its budget was used up\./,
    ],
    ['a loop', many(5, () => checks(1)), {}, /^The run was ended because it repeated itself\./],
  ])('%s', async (_what, script, input, answer) => {
    const { result } = await run(script, input);
    expect(result.status).not.toBe('completed');
    expect(result.lastWords).toBe('');
    expect(result.answer).toMatch(answer);
  });
});

describe('[WORD-07] turns that failed among the last twenty', () => {
  const fails = (number: number): StepInput => callTool('look', { at: `gone-${number}` });
  const works = (number: number): StepInput => callTool('look', { at: `db-${number}` });
  const notes = (number: number): StepInput => callTool('pin_finding', { text: `finding ${number}` });
  const shares = (ran: Ran): string[] =>
    warnings(ran).filter((text) => text.includes('of your last 20 turns'));

  test.each<[string, (number: number) => StepInput, number]>([
    ['nine failures and one success', (number) => (number % 10 === 0 ? works(number) : fails(number)), 16],
    ['three failures and one success', (number) => (number % 4 === 0 ? works(number) : fails(number)), 19],
  ])('[WORD-07ab] %s, again and again: warned of, then ended', async (_what, step, turns) => {
    const ran = await run(many(turns, step));
    expect(ran.result).toMatchObject({ status: 'loop_detected', turns, error: { code: 'Run.Loop' } });
    expect(shares(ran)).toHaveLength(3);
    expect(shares(ran)[0]).toMatch(/^In 12 of your last 20 turns every call failed or was refused\./);
  });

  test('[WORD-07c] turns that only keep its books are none of the twenty', async () => {
    const step = (number: number) =>
      number % 2 === 0 ? notes(number) : number % 8 === 7 ? works(number) : fails(number);
    const ran = await run(many(37, step));
    expect(ran.result).toMatchObject({ status: 'loop_detected', turns: 37 });
  });

  test('[WORD-07d] one success in two turns is no such share, and an older failure leaves it', async () => {
    const half = await run([
      ...many(36, (number) => (number % 2 === 0 ? works(number) : fails(number))),
      say('No.'),
      say('No.'),
    ]);
    expect(half.result).toMatchObject({ status: 'completed' });
    expect(shares(half)).toEqual([]);
    const later = await run([
      ...many(9, fails),
      ...many(18, works),
      ...many(8, (number) => fails(20 + number)),
      say('No.'),
      say('No.'),
    ]);
    expect(later.result).toMatchObject({ status: 'completed' });
  });
});

describe('[FAULT-104] [LOOP-37a] after the final report', () => {
  test('one request without tools is left', async () => {
    const ran = await run([looks, reports(claim(found)), say('The pool.')]);
    expect(ran.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
    expect(ran.result).toMatchObject({ status: 'completed', cause: 'answer', report: { grade: 'likely' } });
  });

  test('a report that is asked for once more is not final: the second one is', async () => {
    const ran = await run([
      looks,
      reports(claim('no such line at all')),
      callTool('look', { at: 'db-2' }),
      reports(claim('no such line at all')),
      say('Done.'),
    ]);
    expect(ran.requests.map(({ toolChoice }) => toolChoice)).toEqual([...Array(4).fill('auto'), 'none']);
  });
});

describe('[REPORT-20abd] the report with the better evidence counts', () => {
  const bare = claim();
  const lie = claim('pool_size 9 of 9 in use');
  test.each<[string, object[], object[], string]>([
    ['the same claim without its quote', [claim(found), lie], [bare, lie], 'first'],
    [
      'fewer claims that are carried',
      [claim(found), claim('14 requests wait'), lie],
      [claim(found), lie],
      'first',
    ],
    ['more claims that are not', [claim(found), lie], [claim(found), lie, lie], 'first'],
    ['what was not found is left out', [claim(found), lie], [claim(found)], 'second'],
    [
      'one claim more is carried',
      [claim(found), lie],
      [claim(found), claim('14 requests wait'), lie],
      'second',
    ],
    ['the same figures', [claim(found), lie], [claim(found), lie], 'second'],
  ])('%s', async (_what, first, second, counts) => {
    const ran = await run([looks, reports(...first), reports(...second), say('Done.')]);
    const kept = counts === 'first' ? first : second;
    expect(ran.result.report).toMatchObject({ claims: kept.length });
    // both are of the same agent; the one that does not count is named with its figures
    const other = counts === 'first' ? second : first;
    expect(ran.report).toMatch(
      new RegExp(
        `Another report of this run does not count: report-.*\\.md of call .* for \\d of ${other.length} claims\\.`,
      ),
    );
    expect(resultTexts(ran.messages)[2]?.includes('proves less than your report of call')).toBe(
      counts === 'first',
    );
  });
});

describe('gaps', () => {
  const gapsOf = ({ report }: Ran): string[] =>
    report
      ?.match(/## Gaps\n\n([^#]*)/)?.[1]
      ?.trim()
      .split('\n') ?? [];

  test('[REPORT-19ac] equal ones are counted; mistakes of the agent in making a call are none', async () => {
    const gone = { tool: 'look', args: { at: 'gone' } };
    const ran = await run([
      callTools([
        ...Array(49).fill(gone),
        { tool: 'look', args: { place: 'db-1' } },
        { tool: 'lok', args: {}, unlisted: true },
      ]),
      callTool('look', { at: 'gone-2' }),
      looks,
      reports(claim(found)),
      say('Done.'),
    ]);
    expect(gapsOf(ran)).toEqual([
      '- look at=gone: there is no such host (x 49) (found by Holdfast)',
      '- look at=gone-2: there is no such host (found by Holdfast)',
    ]);
  });
});
