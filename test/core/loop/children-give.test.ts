// What a parent reads of its children, and reads again: both ends of a long word, all that an unfinished child had, and the
// artifacts that are named. In memory, with real sessions, tools and stores.
import { expect, test } from 'vitest';
import { pinFindingTool } from '../../../src/activities/assembly/built-in-tools.ts';
import { createReadArtifactTool } from '../../../src/activities/built-in/files/read-artifact.ts';
import { createReportTool } from '../../../src/activities/built-in/report/report.ts';
import type { JsonObject } from '@holdfast/base/json';
import { carryOut, requests } from '../../../src/core/session/requests.ts';
import type { Saying, Turn } from '../../support/function-model.ts';
import { type Team, type TeamOptions, delegating, lastResults, runTeam } from '../../support/team.ts';
import { echoTool } from '../../support/session-worker.ts';

const tools = [echoTool(), createReadArtifactTool(), pinFindingTool, createReportTool()];
const pin = { tool: 'pin_finding', args: { text: 'The pool has 2 connections.' } };
const look = { tool: 'echo', args: { text: 'nothing new' } };

type Calls = Extract<Saying, { calls: unknown }>['calls'];

/** The first turn delegates; each further one makes one of the calls. */
const lead =
  (first: Saying, ...calls: Calls) =>
  ({ number }: Turn): Saying => {
    const call = calls[number - 2];
    if (number === 1) return first;
    return call ? { calls: [call] } : { text: 'Answered.' };
  };
const read = (artifactId: string, more: JsonObject = {}) => ({
  tool: 'read_artifact',
  args: { artifactId, ...more },
});
const team = (options: TeamOptions): ReturnType<typeof runTeam> =>
  runTeam({ tools, agent: { loop: { maxTurns: 0 } }, ...options });
const entries = (of: Team, at = 0): Record<string, string>[] => JSON.parse(lastResults(of)[at]?.text ?? '');

/** Pins, then says what it has found and looks on. */
const finder = ({ number }: Turn): Saying =>
  number === 1
    ? { calls: [pin] }
    : {
        text: 'FOUND: the pool is exhausted, checking more',
        calls: [{ ...look, args: { text: `${number}` } }],
      };

test.each<[title: string, agent: object]>([
  ['its turns', { loop: { maxTurns: 2 } }],
  ['its budget', { budget: { toolCalls: 2 } }],
])(
  '[SUB-18abc] [SUB-12d] a child at the end of %s gives its last words, its pinned findings and its report, marked as unfinished',
  async (_title, agent) => {
    const ended = await team({
      says: { tester: lead(delegating({ agent: 'finder' }), read('finder-pool-1/report')), finder },
      agents: { finder: { tools: ['echo', 'pin_finding'], ...agent } },
    });
    const [entry] = entries(ended);
    expect(entry?.result).toMatch(/^unfinished: subagent finder-pool-1: /);
    expect(entry?.result).toMatch(/\nIts last words: FOUND: the pool is exhausted, checking more\n/);
    expect(entry?.result).toMatch(/\nIts pinned findings:\n- The pool has 2 connections\.$/);
    expect(entry).toMatchObject({ report: 'finder-pool-1/report', completion: { status: 'failed' } });
    expect(JSON.stringify(entry)).not.toMatch(/maxTurns|extendBudget|"continue"|in the log/);
    expect(lastResults(ended)[1]?.text).toMatch(
      /^# Inconclusive \(nothing was changed\)\n\nTask: The pool\.[^]*Pinned findings:\n {2}- The pool has 2 connections/,
    );
    expect(lastResults(ended)[1]?.text).not.toMatch(/maxTurns|extendBudget/);
  },
);

test('[SUB-18ab] so does one whose model fails, and one that is aborted, beside their error', async () => {
  const ended = await team({
    says: {
      tester: lead(delegating({ agent: 'finder' }, { agent: 'slow' })),
      finder: (turn) => (turn.number < 3 ? finder(turn) : Promise.reject(new Error('no key'))),
      slow: (turn) =>
        turn.number < 3
          ? finder(turn)
          : new Promise((_, reject) => turn.options.signal.addEventListener('abort', reject)),
    },
    agents: {
      finder: { tools: ['echo', 'pin_finding'], model: { retryWindowMs: 0 } },
      slow: { tools: ['echo', 'pin_finding'] },
    },
    changed: (session) => {
      if (session.id === 'top/slow-pool-1' && (session.state.run?.turn ?? 0) === 3)
        queueMicrotask(() => void carryOut(session, requests.abort(session)));
    },
  });
  for (const entry of entries(ended)) {
    expect(entry.error).toMatch(/^subagent (finder|slow)-pool-1: /);
    expect(entry.result).toMatch(/^unfinished: .*\nIts last words: FOUND: the pool/);
    expect(entry.result).toContain('- The pool has 2 connections.');
  }
});

test('[SUB-18a] so does one that a message to its parent interrupts', async () => {
  const ended = await team({
    says: {
      tester: lead(delegating({ agent: 'slow' })),
      slow: (turn) =>
        turn.number < 3
          ? finder(turn)
          : new Promise((_, reject) => turn.options.signal.addEventListener('abort', reject)),
    },
    agents: { slow: { tools: ['echo', 'pin_finding'] } },
    changed: (session, { top }) => {
      if (session.id !== 'top/slow-pool-1' || (session.state.run?.turn ?? 0) !== 3 || top.stop) return;
      const steer = { id: 's1', message: 'Stop that.', mode: 'interrupt' as const };
      queueMicrotask(() => void carryOut(top, requests.steer(top, steer)));
    },
  });
  expect(entries(ended)).toMatchObject([
    { error: 'canceled', result: expect.stringContaining('Its last words: FOUND: the pool') },
  ]);
});

test('[SUB-19abc] a long answer keeps both ends, and the artifact that is named has the whole', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at + 1}: ${'x'.repeat(20)}`);
  const said = [...lines, 'CONCLUSION: the pool is exhausted'].join('\n');
  const ended = await team({
    says: {
      tester: lead(
        delegating({ agent: 'writer' }),
        read('writer-pool-1/result', { offset: 50, limit: 1 }),
        read('writer-pool-1/result', { search: 'CONCLUSION' }),
        read('writer-pool-1/report'),
        read('other-pool-1/result'),
      ),
      writer: () => ({ text: said }),
    },
  });
  const [entry] = entries(ended);
  expect(entry?.result).toMatch(/^line 1: [^]*left out here[^]*CONCLUSION: the pool is exhausted$/);
  expect(entry?.artifact).toBe('writer-pool-1/result');
  const [, page, hit, none, unknown] = lastResults(ended);
  expect(page?.text).toMatch(/^line 50: x+\n\[lines 50 to 50 of 101/);
  expect(hit?.text).toBe('101:CONCLUSION: the pool is exhausted');
  expect(none).toMatchObject({ isError: true });
  expect(unknown).toMatchObject({ isError: true });
});

test('[REPORT-12c] a delegated task is in the index of calls, with the name under which its result is read again', async () => {
  const ended = await team({
    says: {
      tester: lead(delegating({ agent: 'writer' }), read('writer-pool-1/result')),
      writer: () => ({ text: 'The pool is fine.' }),
    },
    agents: { writer: {} },
  });
  expect(ended.top.state.calls?.calls[0]?.slice(1, 5)).toEqual([
    'writer-pool-1',
    expect.stringMatching(/^delegated to writer, not to be quoted: .*pool/),
    'writer-pool-1',
    'writer-pool-1/result',
  ]);
  expect(lastResults(ended)[1]?.text).toContain('The pool is fine.');
});

test('[SUB-19c] of a word and an answer the artifact has both, and neither is evidence', async () => {
  const quote = 'CONCLUSION: the pool is exhausted';
  const said = `${'x'.repeat(9_000)} ${quote}`;
  const claim = { text: 'It is the pool.', quotes: [{ callId: 'call_2_1', quote }] };
  const report = { summary: 'The pool.', grade: 'confirmed', claims: [claim], ruledOut: [], gaps: [] };
  const ended = await team({
    says: {
      tester: lead(
        delegating({ agent: 'writer' }),
        read('writer-pool-1/result', { search: 'CONCLUSION' }),
        read('writer-pool-1/result', { search: 'All that I looked at' }),
        { tool: 'report', args: report },
      ),
      writer: () => ({
        text: 'All that I looked at.',
        calls: [{ tool: 'task_complete', args: { status: 'completed', summary: said } }],
      }),
    },
    agent: { loop: { maxTurns: 0 }, tools: ['report', 'read_artifact'] },
  });
  const [, hit, answer] = lastResults(ended);
  expect(hit?.text).toContain(quote);
  expect(answer?.text).toContain('All that I looked at.');
  expect(ended.ended.report).toMatchObject({ verifiedQuotes: 0, quotes: 1 });
});

test('[SUB-19d] an agent that delegates can read artifacts, also where it names no tools', async () => {
  const ended = await team({
    says: { tester: lead(delegating({ agent: 'writer' })), writer: () => ({ text: 'x'.repeat(3_000) }) },
    agent: { tools: [] },
    agents: { writer: { tools: ['echo'] } },
  });
  const offered = (agent: string) =>
    ended.model.requests.find(({ metadata }) => metadata.agent === agent)?.tools.map(({ name }) => name);
  expect(offered('tester')).toEqual(['delegate', 'list_agents', 'read_artifact']);
  expect(offered('writer')).not.toContain('read_artifact');
  expect(entries(ended)[0]).toHaveProperty('artifact');
});

test('[SUB-19b] off the record nothing is stored, and nothing is named', async () => {
  const ended = await team({
    says: { tester: lead(delegating({ agent: 'writer' })), writer: () => ({ text: 'x'.repeat(3_000) }) },
    input: { prompt: 'Go.', offTheRecord: true },
  });
  const [entry] = entries(ended);
  expect(entry?.result).toContain('The rest was not kept.');
  expect(entry).not.toHaveProperty('artifact');
});

test('[SUB-20a] a context that is too long is refused with its size, the limit and what to do, and no child starts', async () => {
  const context = 'x'.repeat(20_131);
  const ended = await team({
    says: {
      tester: lead(delegating({ agent: 'writer' }, { agent: 'writer', task: 'Other.', context })),
      writer: () => ({ text: 'Done.' }),
    },
  });
  expect(lastResults(ended)[0]).toMatchObject({
    isError: true,
    text: expect.stringMatching(
      /tasks\.1\.context: has 20131 characters, and at most 16000 are passed on: nothing was started\. Send what .* itself\.$/,
    ),
  });
  expect([...ended.sessions.keys()]).toEqual(['top']);
});

test('[SUB-20b] one of exactly the limit is passed on whole', async () => {
  const context = 'x'.repeat(16_000);
  const ended = await team({
    says: { tester: lead(delegating({ agent: 'writer', context })), writer: () => ({ text: 'Done.' }) },
  });
  const [first] = ended.sessions.get('top/writer-pool-1')?.state.log.records ?? [];
  expect(JSON.stringify(first)).toContain(context);
});

test('[SUB-21a] the same task twice in one call is one task, and the second entry says where its result is', async () => {
  const ended = await team({
    says: {
      tester: lead(delegating({ agent: 'writer' }, { agent: 'writer', task: ' The pool. ' })),
      writer: () => ({ text: 'It has 2.' }),
    },
  });
  expect([...ended.sessions.keys()]).toEqual(['top', 'top/writer-pool-1']);
  expect(entries(ended)).toEqual([
    { agent: 'writer', result: 'It has 2.' },
    {
      agent: 'writer',
      result: 'Not started again: it is the same task as in entry 1 of this call, whose result is for both.',
    },
  ]);
});

test('[SUB-21ab] in two calls of one message as well, and another context, agent or message is another task', async () => {
  const both = [...calls(delegating({ agent: 'writer' })), ...calls(delegating({ agent: 'writer' }))];
  const again = [
    ...calls(delegating({ agent: 'writer', context: 'Of orders.' })),
    ...calls(delegating({ agent: 'finder' })),
    ...calls(delegating({ agent: 'writer' })),
  ];
  const ended = await team({
    says: {
      tester: ({ number }) => [{ calls: both }, { calls: again }][number - 1] ?? { text: 'Answered.' },
      writer: () => ({ text: 'It has 2.' }),
      finder: () => ({ text: 'It has 3.' }),
    },
  });
  const [first, second, ...others] = lastResults(ended);
  expect(first).toEqual({ text: '[{"agent":"writer","result":"It has 2."}]', isError: false });
  expect(second).toEqual({
    text: expect.stringContaining('the same task as in call call_1_1, whose result is for both'),
    isError: false,
  });
  expect(others.map(({ text }) => JSON.parse(text)[0].result)).toEqual([
    'It has 2.',
    'It has 3.',
    'It has 2.',
  ]);
});

test('[SUB-21c] a call that only repeats one that failed is no failure of its own, and one entry that fails is', async () => {
  const same = { agent: 'writer' };
  const ended = await team({
    says: { tester: lead(delegating(same, same)), writer: () => Promise.reject(new Error('no key')) },
    agents: { writer: { model: { retryWindowMs: 0 } } },
  });
  expect(lastResults(ended)[0]?.isError).toBe(true);
});

function calls(saying: Saying): Calls {
  return 'calls' in saying ? saying.calls : [];
}
