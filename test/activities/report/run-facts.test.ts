// The facts of a run from a log as it is stored: what is bounded, what is not known, what is taken out.
import { describe, expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { findGaps } from '../../../src/activities/report/gaps.ts';
import { countingReport } from '../../../src/activities/report/handed-in.ts';
import { wordsOfCall } from '../../../src/activities/report/instruction-words.ts';
import { runFacts } from '../../../src/activities/report/run-facts.ts';
import { jsonBytes } from '@holdfast/base/sizes';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { noUsage, userMessage, type LogRecord, type ToolResultMessage } from '@holdfast/vocabulary/messages';
import { notRunAfterReport } from '../../../src/core/state/report.ts';
import type { CompleteReportInput } from '@holdfast/vocabulary/storage-contracts';
import { callsOf } from '@holdfast/stored/logged-calls';
import { calls } from '../../support/memory-model.ts';

const at = Date.UTC(2026, 10, 22, 3, 0, 0);
const input: CompleteReportInput = {
  sessionId: 's1',
  runId: 'run-1',
  fromSeq: 1,
  toSeq: 9,
  endedAt: at + 3_600_000,
  end: { status: 'completed' },
};

const words = { toolSpec: () => undefined, redact: (text: string) => text };

type Result = Partial<Pick<LogRecord, 'at' | 'effect' | 'decided' | 'outcome' | 'ran'>> &
  Partial<ToolResultMessage> & { text?: string };

function logOf(results: Result[], model = { provider: 'a', id: 'main' }): LogRecord[] {
  return results.flatMap(({ text = 'ok', ...result }, index): LogRecord[] => {
    const head = { runId: 'run-1', turn: index + 1, at: at + index * 1_000 };
    const callId = `call_${index}`;
    const args = JSON.stringify({
      target: `service-${index} ${'x'.repeat(500)}`,
      password: 'hunter2-hunter2',
    });
    return [
      {
        seq: 2 * index + 1,
        id: `m${2 * index}`,
        ...head,
        ...calls(`${callId}:change:${args}`),
        model,
        usage: noUsage,
      },
      {
        seq: 2 * index + 2,
        id: `m${2 * index + 1}`,
        ...head,
        role: 'tool_result',
        callId,
        toolName: 'change',
        isError: false,
        content: [{ type: 'text', text: text.repeat(2) }],
        ...(result.effect === undefined ? {} : { outcome: 'done' as const }),
        ...result,
      },
    ];
  });
}

function said(text: string, origin: 'prompt' | 'steer' | 'follow_up'): LogRecord {
  return { seq: 4, id: 'm4', runId: 'run-1', turn: 2, at, ...userMessage(text, origin) };
}

/** With another call in the place of each. */
function calling(log: LogRecord[], name: string, args: string): LogRecord[] {
  return log.map((record): LogRecord => {
    if (record.role !== 'assistant') return record;
    const callId = `call_${record.turn - 1}`;
    return { ...record, content: [{ type: 'tool_call', callId, name, arguments: args }] };
  });
}

function partsOf(log: LogRecord[]) {
  const calls = callsOf(log);
  return { log, calls, sessionCalls: calls, isPartial: false, instructions: [] };
}

function factsOf(
  log: LogRecord[],
  state?: AgentState,
  more: Partial<CompleteReportInput> = {},
  spec?: { name: string; summaryArguments: string[] },
) {
  const redactor = createRedactor(['hunter2-hunter2']);
  const words = { toolSpec: () => spec, redact: redactor.text };
  return runFacts({ ...input, ...more }, { ...partsOf(log), state }, words);
}

describe('the facts of a run', () => {
  test('of a call whose arguments are nested without end, too', () => {
    const deep = `{"path":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const failed = { isError: true, text: 'they are nested in more than 200 levels' };
    const log = calling(logOf([failed]), 'change', deep);
    expect(factsOf(log).calls).toMatchObject([{ call: 'change', isError: true }]);
    expect(findGaps(log, 'run-1', words)).toHaveLength(1);
    expect(callsOf(log).map((logged) => wordsOfCall(logged, undefined, ''))).toEqual([undefined]);
  });

  test('[REPORT-04] a report that was refused leaves no gap in the next one', () => {
    const refused = { isError: true, text: 'Not accepted: the quotes are missing.' };
    const log = logOf([{ ...refused, toolName: 'report' }, refused]);
    expect(findGaps(log, 'run-1', words)).toMatchObject([{ callId: 'call_1' }]);
  });

  test('[REPORT-30abc] an answer that is not whole, or not understood, is a gap until the same call is answered in whole', () => {
    const part = { text: 'Not whole: one store is down', details: { answer: 'partial' } };
    const unknown = { text: '[In a form that this tool does not know]', details: { answer: 'unknown' } };
    const whole = { text: 'all of it', details: { status: 200 } };
    const gapsOf = (...results: Parameters<typeof logOf>[0]) =>
      findGaps(calling(logOf(results), 'loki_logs', '{}'), 'run-1', words);
    expect(gapsOf(part)).toMatchObject([{ text: expect.stringContaining('Not whole: one store is down') }]);
    expect(gapsOf(unknown)).toMatchObject([{ text: expect.stringContaining('does not know') }]);
    expect(gapsOf({ text: 'Nothing found', details: { answer: 'nothing' } })).toEqual([]);
    expect(gapsOf(part, whole)).toEqual([]);
    expect(gapsOf(whole, part)).toHaveLength(1);
  });

  test.each([
    [`echo ${'a '.repeat(2_000)}> /srv/x; rm -rf /srv/data; echo ${'b '.repeat(2_000)}`, 'rm -rf /srv/data'],
    [`ls /srv; ${'ls /tmp; '.repeat(40)}systemctl stop nginx`, 'systemctl stop nginx'],
  ])('[REPORT-09b] of a long command the line says what it changes, not how it begins', (line, change) => {
    const approved = { effect: 'once', decided: { approved: true, by: 'anna', at } } as const;
    const log = calling(logOf([approved]), 'bash', JSON.stringify({ command: line }));
    const { actions, calls } = factsOf(log, undefined, {}, { name: 'bash', summaryArguments: ['command'] });
    expect(actions[0]?.call).toMatch(/^bash … /);
    expect(actions[0]?.call).toContain(change);
    expect(calls[0]?.call).toBe(actions[0]?.call);
  });

  test('[REPORT-09e] a call that the final report kept from running is no work after it', () => {
    const ref = { artifactId: 'report-call_0.md', grade: 'likely' as const };
    const counts = { quotes: 1, verifiedQuotes: 1, claims: 1, verifiedClaims: 1 };
    const handedIn = { toolName: 'report', details: { ...ref, ...counts } };
    const log = (text: string) => logOf([handedIn, { isError: true, content: [{ type: 'text', text }] }]);
    const more = { report: { ...ref, ...counts } };
    expect(factsOf(log('no such host'), undefined, more).afterReport).toEqual({ calls: 1, messages: 0 });
    expect(factsOf(log(notRunAfterReport), undefined, more).afterReport).toBeUndefined();
  });

  test('[REPORT-20c] a report that words of a person asked for counts, also where it proves less', () => {
    const handedIn = (verifiedQuotes: number): Result => {
      const counts = { quotes: 2, verifiedQuotes, claims: 2, verifiedClaims: verifiedQuotes };
      return {
        toolName: 'report',
        details: { artifactId: `report-${verifiedQuotes}.md`, grade: 'likely', ...counts },
      };
    };
    const [first, second] = [logOf([handedIn(2)]), logOf([{}, handedIn(1)]).slice(2)];
    const content = [{ type: 'text' as const, text: 'And the disk?' }];
    const words = { ...first[0], role: 'user', origin: 'steer', content } as LogRecord;
    const counting = (log: LogRecord[]) => countingReport(log, 'run-1')?.ref.verifiedQuotes;
    expect(counting([...first, ...second])).toBe(2);
    expect(counting([...first, words, ...second])).toBe(1);
    const objected = { ...first[1], toolName: 'look', details: { objected: true } } as LogRecord;
    expect(counting([...first, objected, ...second])).toBe(1);
  });

  test('of many calls the first and the last are there, and the whole stays small', () => {
    const decided = { approved: true, by: 'anna', at, reason: 'y'.repeat(5_000) };
    const facts = factsOf(
      logOf(Array.from({ length: 1_000 }, () => ({ text: 'z'.repeat(5_000), effect: 'once', decided }))),
    );
    expect(facts).toMatchObject({ callsLeftOut: 850, actionsLeftOut: 900 });
    expect([facts.calls[0]?.callId, facts.calls.at(-1)?.callId]).toEqual(['call_0', 'call_999']);
    expect([facts.actions.length, facts.calls.length]).toEqual([100, 150]);
    expect(jsonBytes(facts)).toBeLessThan(200 * 1024);
  });

  test('only what is shown is looked at word by word, however many calls there were', () => {
    const looks = (count: number): number => {
      let all = 0;
      const redact = (text: string) => ((all += 1), text);
      const log = logOf(Array.from({ length: count }, () => ({ effect: 'once' })));
      runFacts(input, partsOf(log), { toolSpec: () => undefined, redact });
      return all;
    };
    expect(looks(1_000)).toBe(looks(200));
  });

  test('[REPORT-09b] an action is what its record says of it, whatever its output says', () => {
    const said = { content: [{ type: 'text' as const, text: 'Not run: Outcome unknown.' }] };
    const outcomes = ['done', 'failed', 'unknown', 'refused', 'timed_out', 'done_in_part'] as const;
    const facts = factsOf(logOf([...outcomes.map((outcome) => ({ ...said, outcome })), said]));
    expect(facts.actions.map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  test.each([
    ['Why is it slow?', 'Why is it slow?'],
    [`Checkout is slow since 03:00. ${'Look at everything. '.repeat(10)}`, 'Checkout is slow since 03:00.'],
    ['x'.repeat(300), `${'x'.repeat(119)}…`],
    ['', 'No task'],
  ])('[REPORT-09a] the title is the task: %s', (task, title) => {
    const state = { run: { usage: {}, task, startedAt: at } } as unknown as AgentState;
    expect(factsOf([], state).title).toBe(title);
  });

  test('what was to be written is beside the line of an action, without secrets; what only reads is none', () => {
    const spec = { name: 'change', summaryArguments: ['target'] };
    const { actions } = factsOf(logOf([{ effect: 'once' }, {}]), undefined, {}, spec);
    expect(actions).toMatchObject([{ with: '{"password":"[redacted:secret]"}' }]);
  });

  test('of what was to be written no more is looked at than a page can show', () => {
    let longest = 0;
    const redact = (text: string) => ((longest = Math.max(longest, text.length)), text);
    const log = JSON.parse(
      JSON.stringify(logOf([{ effect: 'once' }])).replace('hunter2', 'x'.repeat(200_000)),
    );
    const toolSpec = () => ({ name: 'change', summaryArguments: ['target'] });
    const { actions } = runFacts(input, partsOf(log), { toolSpec, redact });
    expect(actions[0]?.with).toMatch(/^\{"password":"x{380}/);
    expect(longest).toBeLessThan(20_000);
  });

  test('[REPORT-14ab] each call of a turn has its own times, and its wait beside them', () => {
    const slowest = at + 60_000;
    const facts = factsOf(
      logOf([
        { at: slowest, ran: { from: at + 1_000, ms: 59_000 } },
        { at: slowest, ran: { from: at + 50_000, ms: 200, waitedMs: 49_000 }, effect: 'once' },
      ]),
    );
    expect(facts.calls).toMatchObject([
      { at: '2026-11-22T03:00:01.000Z', endedAt: '2026-11-22T03:01:00.000Z' },
      { at: '2026-11-22T03:00:50.000Z', endedAt: '2026-11-22T03:00:50.200Z', waitedMs: 49_000 },
    ]);
    expect(facts.actions).toMatchObject([{ at: '2026-11-22T03:00:50.200Z' }]);
  });

  test('secrets in what was asked, said, found, planned and decided are taken out, each of them', () => {
    const secret = 'hunter2-hunter2';
    const words = (where: string) => [{ type: 'text' as const, text: `${where} ${secret}` }];
    const decided = { approved: false, by: 'anna', at, reason: `reason ${secret}` };
    const log = logOf([{ text: `result ${secret} `, effect: 'once', outcome: 'refused', decided }]).map(
      (record): LogRecord =>
        record.role === 'assistant'
          ? { ...record, content: [...words('answer'), ...record.content] }
          : record,
    );
    const asked = calls(`ask:ask_human:${JSON.stringify({ question: `question ${secret}` })}`);
    const question: LogRecord = { seq: 3, id: 'm3', runId: 'run-1', turn: 2, at, ...asked };
    const steering = (['steer', 'follow_up'] as const).map((origin) => said(`${origin} ${secret}`, origin));
    const state = {
      run: { usage: {}, task: `task ${secret}`, startedAt: at },
      findings: [{ id: 'f1', callId: 'call_0', text: `finding ${secret}` }],
      plan: { steps: [{ id: '1', text: `step ${secret}`, status: 'pending' }] },
    } as unknown as AgentState;
    const end = { status: 'failed' as const, error: { code: 'Model.Auth', message: `error ${secret}` } };
    const facts = factsOf([...log, question, ...steering], state, { end });
    const text = JSON.stringify(facts);
    expect(text).not.toContain(secret);
    const places = 'task error answer result reason steer follow_up finding step question'.split(' ');
    for (const place of places) expect(text).toContain(`${place} [redacted:secret]`);
    expect(facts.left?.lastTried[0]).toBe('"answer [redacted:secret]"');
  });

  test('left open are sub-steps too, and only questions without an answer', () => {
    const ask = (result: Result) => {
      const question = JSON.stringify({ question: `${result.text}?` });
      return calling(logOf([{ ...result, toolName: 'ask_human' }]), 'ask_human', question);
    };
    const step = (id: string, steps: object[] = []) => ({ id, text: 'Look', status: 'pending', steps });
    const state = {
      run: { usage: {}, task: 't', startedAt: at },
      plan: { steps: [step('1', [step('1.1')])] },
    } as unknown as AgentState;
    const end = { status: 'aborted' as const };
    const { left } = factsOf(ask({ text: 'open', isError: true }), state, { end });
    expect(left?.plan.map(({ text }) => text)).toEqual(['1. Look', '1.1. Look']);
    expect(left?.openQuestions).toEqual(['open?']);
    expect(factsOf(ask({ text: 'answered' }), state, { end }).left?.openQuestions).toEqual([]);
  });

  test('models without a price: the one that answered, and those of side work that was done', () => {
    const prices = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
    const model = (id: string) => ({ model: { provider: 'a', id } });
    const context = {
      ...model('main'),
      prices,
      fallbacks: [model('fallback'), model('unused')],
      purposes: { condense: model('small'), planner: model('planner') },
    };
    const run = { usage: { main: noUsage, condense: noUsage } };
    const state = { context, run: { ...run, task: 't', startedAt: at } } as unknown as AgentState;
    const log = [...logOf([{}]), ...logOf([{}], model('fallback').model)];
    expect(factsOf(log, state)).toMatchObject({
      models: ['a:main', 'a:fallback'],
      unpriced: ['a:fallback', 'a:small'],
    });
    expect(
      factsOf(logOf([{}]), {
        ...state,
        context: { ...state.context, fallbacks: [], purposes: {} },
      } as AgentState),
    ).not.toHaveProperty('unpriced');
  });

  test('the session is linked, in the Temporal UI where its address is known', () => {
    const parts = partsOf([]);
    const ui = 'http://ui/namespaces/default/workflows/s1';
    expect(runFacts(input, { ...parts, ui }, words).links).toEqual({ show: 'holdfast show s1', ui });
    expect(runFacts(input, parts, words).links).toEqual({ show: 'holdfast show s1' });
  });

  test('without a state it says what the log says', () => {
    const [first] = logOf([{}]);
    const asked = said('Why?\nSince when?', 'prompt');
    expect(factsOf([asked, ...(first ? [first] : [])])).toMatchObject({
      title: 'Why? Since when?',
      startedAt: '2026-11-22T03:00:00.000Z',
      endedAt: '2026-11-22T04:00:00.000Z',
      calls: [{ callId: 'call_0', result: 'no result', isError: true }],
    });
  });
});

test('[REPORT-19ab] equal gaps are one with their number, and calls whose outcome is unknown stay apart', () => {
  const counts = (outcome: 'failed' | 'unknown') => {
    const lost = { isError: true, outcome, text: 'it was lost' };
    const log = calling(logOf([lost, lost]), 'change', '{}');
    return findGaps(log, 'run-1', words).map(({ count }) => count);
  };
  expect(counts('failed')).toEqual([2]);
  expect(counts('unknown')).toEqual([undefined, undefined]);
});
