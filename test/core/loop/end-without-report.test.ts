// Where the words of an agent that has the tool report may end its run: what goes before the one reminder, who gets none, and
// what a report leaves to say.
import { expect, test } from 'vitest';
import { overtaken } from '../../../src/core/session/inbox.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { notRunAfterReport } from '../../../src/core/state/report.ts';
import { calls, fails, inTurn, says } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import type { PlainHook } from '../../../src/in-process/run-agent.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

const ref: ReportRef = {
  artifactId: 'report-a.md',
  grade: 'likely',
  quotes: 1,
  verifiedQuotes: 1,
  claims: 1,
  verifiedClaims: 1,
};
const call = { type: 'tool_call', callId: 'r', name: 'report', arguments: '{}' } as const;
const handsIn = () => ({ ...textAnswer({ call }, 'Report stored.'), report: ref });
const handsInForGood = () => ({ ...handsIn(), reportIsFinal: true as const });
const ends = () => ({ ...textAnswer({ call: { ...call, name: 'finish' } }, 'done'), terminate: true });

function session(options: Partial<MemoryOptions> & Pick<MemoryOptions, 'model'>): MemorySession {
  const tools = { echo: () => 'ok', report: handsIn, finish: ends };
  return new MemorySession({ tools, ...options });
}
const reminders = ({ state }: MemorySession): number =>
  state.log.records.filter((record) => record.role === 'user' && textOf(record).includes('without a report'))
    .length;
const completed = (cause: string) => ({ status: 'completed', cause });

test('[LOOP-35a] [REPORT-05c] an agent without the tool report ends with its words', async () => {
  const plain = session({ model: inTurn(says('The pool.')), tools: { echo: () => 'ok' } });
  expect(await plain.ask('Why?')).toMatchObject(completed('answer'));
});

test('[LOOP-35b] tools that end the run, and the end of a subagent, are ends of their own', async () => {
  const finished = session({ model: inTurn(calls('f:finish')) });
  expect(await finished.ask('Why?')).toMatchObject(completed('terminate'));
  const child = session({
    model: inTurn(says('The pool.')),
    specs: { task_complete: { runsIn: 'workflow' } },
  });
  expect(await child.ask('Why?')).toMatchObject(completed('answer'));
  expect(reminders(finished) + reminders(child)).toBe(0);
});

test.each([
  ['a limit', { settings: { loop: { maxTurns: 1 } } }, { status: 'max_iterations' }],
  [
    'a hook',
    {
      hooks: [
        { name: 'enough', shouldStopAfterTurn: ({ toolResults }) => ({ stop: toolResults.length === 0 }) },
      ],
    },
    completed('should_stop'),
  ],
] as [string, Partial<MemoryOptions>, object][])(
  '[LOOP-35b] words behind which %s ends the run are not sent back',
  async (_what, options, expected) => {
    const memory = session({ model: inTurn(calls('a'), says('The pool.')), ...options });
    const { report, answer, lastWords, ...ended } = await memory.ask('Why?');
    expect(ended).toMatchObject(expected);
    expect(report ? lastWords : answer).toBe('The pool.');
    expect(reminders(memory)).toBe(0);
  },
);

test.each([
  ['turn', { loop: { maxTurns: 1 } }],
  ['budget', { budget: { turns: 1 } }],
])('[LOOP-34b] where no %s is left nothing is sent back, and the end says so', async (_what, settings) => {
  const memory = session({ model: inTurn(says('The pool.')), settings });
  expect(await memory.ask('Why?')).toMatchObject({ ...completed('no_report'), turns: 1 });
  expect(reminders(memory)).toBe(0);
});

test('[LOOP-34a] steering goes before the reminder, a follow-up behind it; one reminder for the run', async () => {
  const memory = session({
    model() {
      if (memory.requests.length === 1) memory.steer('now');
      return says(`reply ${memory.requests.length}`);
    },
  });
  memory.prompt('Why?');
  memory.followUp('later');
  await memory.run();
  const words = memory.state.log.records.flatMap((record) =>
    record.role === 'user' ? [textOf(record)] : [],
  );
  expect(words).toEqual([
    'Why?',
    overtaken,
    'now',
    expect.stringContaining('without a report'),
    overtaken,
    'later',
  ]);
  expect(memory.state.lastResult).toMatchObject(completed('no_report'));
});

test('[LOOP-35c] [LOOP-34a] a question about a report needs none; another look does', async () => {
  const memory = session({
    model: inTurn(
      calls('r:report'),
      says('See it.'),
      says('In line 3.'),
      calls('a'),
      says('db-2.'),
      says('No.'),
    ),
    keepAlive: true,
  });
  const ended: unknown[] = [];
  for (const words of ['Why?', 'Which line?', 'And db-2?']) {
    memory.prompt(words);
    if (words === 'Why?') void memory.run();
    await memory.until(() => memory.state.lastResult?.runId === `run-${ended.length + 1}` && !memory.busy);
    ended.push(memory.state.lastResult?.cause);
  }
  expect(ended).toEqual(['answer', 'answer', 'no_report']);
  expect(reminders(memory)).toBe(1);
  memory.send('shutdown');
});

test('[LOOP-35c] [LOOP-34a] a report that an earlier run made is not that of a session that was reset', async () => {
  const memory = session({
    model: inTurn(calls('r:report'), says('See it.'), says('db-2.'), says('No.')),
    keepAlive: true,
  });
  memory.prompt('Why?');
  void memory.run();
  await memory.until(() => memory.state.lastResult?.runId === 'run-1' && !memory.busy);
  memory.send('reset');
  memory.prompt('And db-2?');
  await memory.until(() => memory.state.lastResult?.runId === 'run-2' && !memory.busy);
  expect(memory.state.lastResult).toMatchObject(completed('no_report'));
  memory.send('shutdown');
});

test('[LOOP-36a] a model that says nothing after its report ends the run with that report', async () => {
  const memory = session({ model: inTurn(calls('r:report'), fails('Model.EmptyResponse')) });
  expect(await memory.ask('Why?')).toMatchObject({
    ...completed('empty_response'),
    report: ref,
    answer: 'Grade: likely (agent: likely). No cause is named.',
    lastWords: '',
  });
  const without = session({ model: inTurn(calls('a'), fails('Model.EmptyResponse')) });
  expect(await without.ask('Why?')).toMatchObject({ status: 'failed', cause: 'empty_response' });
});

test.each(['steer', 'followUp'] as const)(
  '[LOOP-36b] what a person has said since the report (%s) is not answered by saying nothing',
  async (how) => {
    const memory = session({
      model() {
        const { length } = memory.requests;
        if (length === 1) return calls('r:report');
        if (length > 2) return fails('Model.EmptyResponse');
        memory[how]('And db-2?');
        return says('Done.');
      },
    });
    expect(await memory.ask('Why?')).toMatchObject({
      status: 'failed',
      cause: 'empty_response',
      report: ref,
    });
  },
);

test('[FAULT-104] [LOOP-37a] what is called after the final report does not run, and the run ends', async () => {
  const memory = session({
    model: inTurn(calls('a', 'r:report'), calls('b', 'r2:report')),
    tools: { echo: () => 'ok', report: handsInForGood },
  });
  expect(await memory.ask('Why?')).toMatchObject({
    ...completed('answer'),
    turns: 2,
    report: ref,
    answer: 'Grade: likely (agent: likely). No cause is named.',
    lastWords: '',
  });
  expect(memory.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'none']);
  expect(memory.ran.toSorted()).toEqual(['a', 'r']);
  const refused = memory.state.log.records.slice(-2);
  for (const record of refused) expect(textOf(record as never)).toBe(notRunAfterReport);
});

test('[LOOP-37c] a subagent says after its report that its task is done', async () => {
  const memory = session({
    model: inTurn(calls('r:report'), calls('t:task_complete:{"status":"completed","summary":"done"}')),
    tools: { report: handsInForGood },
    specs: { task_complete: { runsIn: 'workflow' } },
  });
  expect(await memory.ask('Why?')).toMatchObject({ ...completed('task_complete'), report: ref });
});

const steps = [
  { text: 'Look', criterion: 'seen' },
  { text: 'Check', criterion: 'seen', verify: true },
];
/** The hook speaks once, with the words that end the run or behind them. */
const speaking: Record<string, PlainHook> = {
  'a message of a hook': {
    name: 'speak',
    afterComplete: ({ iteration }) => (iteration === 1 ? { inject: 'And db-2?' } : undefined),
  },
  'an answer that a hook sends back': {
    name: 'speak',
    runEnd: ({ newMessages }) => (newMessages.toSeq < 6 ? { retry: 'And db-2?' } : undefined),
  },
};

test.each(['steering', 'follow-up', 'a reminder of open steps', ...Object.keys(speaking)])(
  '[LOOP-37b] %s after the final report opens the tools again',
  async (what) => {
    const hook = speaking[what];
    const memory = session({
      hooks: hook ? [hook] : [],
      specs: { update_plan: { runsIn: 'workflow' } },
      model() {
        const { length } = memory.requests;
        const plan = what.startsWith('a reminder') ? [`p:update_plan:${JSON.stringify({ steps })}`] : [];
        if (length === 1) return calls(...plan, 'r:report');
        if (length === 2 && what === 'steering') memory.steer('And db-2?');
        if (length === 2 && what === 'follow-up') memory.followUp('And db-2?');
        return length === 3 ? calls('a') : says('Done.');
      },
      tools: { echo: () => 'ok', report: handsInForGood },
    });
    await memory.ask('Why?');
    expect(memory.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'none', 'auto', 'auto']);
    expect(memory.ran).toEqual(['r', 'a']);
  },
);

test('[LOOP-34a] the reminder is ours: it is not the task, and the words are the last ones', async () => {
  const memory = session({ model: inTurn(says('The pool.'), says('Still the pool.')) });
  expect(await memory.ask('Why?')).toMatchObject({ lastWords: 'Still the pool.' });
  expect(memory.state.lastTask).toBe('Why?');
  expect(memory.events('warning')).toMatchObject([{ code: 'Report.Missing' }]);
});
