// A plan over a run: made by a planner or by the agent, kept by update_plan, held against the answer at the end.
import { describe, expect, test } from 'vitest';
import { overtaken } from '../../../src/core/session/inbox.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { queryRules } from '../../../src/core/session/queries.ts';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';
import { resultTexts } from '../../support/result-texts.ts';

const look = { text: 'Look at the pool', criterion: 'its size is known' };
const check = { text: 'Check again', criterion: 'it explains the errors', verify: true };
const planJson = (...steps: object[]) => JSON.stringify({ steps });
const set = (callId: string, ...steps: object[]) => `${callId}:update_plan:${planJson(...steps)}`;
const mark = (callId: string, id: string, status: string, note = 'seen') =>
  `${callId}:update_plan:${JSON.stringify({ id, status, note })}`;

function session(options: Partial<MemoryOptions> & Pick<MemoryOptions, 'model'>): MemorySession {
  return new MemorySession({ ...options, specs: { update_plan: { runsIn: 'workflow' }, ...options.specs } });
}

const results = ({ state }: MemorySession): string[] => resultTexts(state.log.records);
/** What the model gets of the messages of people and of ours, in the last request. */
const lastUserWords = ({ requests }: MemorySession): string[] =>
  requests.at(-1)?.messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : [])) ?? [];

test.each(['tree_of_thoughts', 'plan_and_solve'] as const)(
  'with planning %s nothing is asked behind a stop, whatever answers come in its grace',
  async (planning) => {
    const memory = session({
      model: () => says('2'),
      settings: { plan: { strategy: planning } },
      askModel: () => (
        memory.send('abort'),
        planning === 'plan_and_solve' ? 'no plan' : planJson(look, check)
      ),
    });
    expect(await memory.ask('Why?')).toMatchObject({ status: 'aborted' });
    expect(memory.asked).toHaveLength(1);
    expect(memory.events('warning', 'plan_update')).toEqual([]);
  },
);

describe('update_plan', () => {
  test('[PLAN-02abcd] [TOOL-17] [EVENT-01b] sets the plan and marks its steps; the query has it, and each change raises plan_update', async () => {
    const memory = session({
      model: inTurn(
        calls(set('a', look, check)),
        calls(mark('b', '1', 'done', 'it is 2')),
        says('2'),
        says('2'),
      ),
    });
    memory.prompt('Why?');
    expect(queryRules.plan(memory.session)).toBeNull();
    await memory.run();
    const steps = [
      { id: '1', status: 'done', note: 'it is 2', ...look },
      { id: '2', status: 'pending', ...check },
    ];
    expect(queryRules.plan(memory.session)).toMatchObject({ runId: 'run-1', steps });
    expect(memory.snapshot.plan).toMatchObject({ steps });
    expect(memory.events('plan_update')).toMatchObject([
      { done: 0, total: 2, text: expect.stringContaining('1 [ ] Look at the pool') },
      { done: 1, total: 2, step: { id: '1', status: 'done', note: 'it is 2' } },
    ]);
    expect(memory.ran).toEqual([]);
  });

  test('[PLAN-02e] [PLAN-03a] a call that is wrong changes nothing, and says what is wrong', async () => {
    const wrong = [
      mark('a', '1', 'done'),
      set('b', { text: 'Look' }, check),
      set('c', look, check),
      mark('d', '7', 'done'),
      'e:update_plan:{"id":"1"}',
      'f:update_plan:{"id":"1","status":"over"}',
      'g:update_plan:{"status":"done"}',
      `h:update_plan:${JSON.stringify({ id: '1', steps: [look] })}`,
    ];
    const memory = session({ model: inTurn(calls(...wrong), says('done'), says('done')) });
    await memory.ask('Why?');
    expect(results(memory)).toMatchObject([
      expect.stringContaining('The plan was not changed: there is no plan yet'),
      expect.stringContaining('step 1 has no criterion'),
      expect.stringContaining('1 [ ] Look at the pool'),
      expect.stringContaining('there is no step "7"'),
      expect.stringContaining('expected {steps: [...]}'),
      expect.stringContaining('expected {steps: [...]}'),
      expect.stringContaining('expected {steps: [...]}'),
      expect.stringContaining('only the planning "hierarchical" takes sub-steps'),
    ]);
    expect(memory.events('tool_execution_end').map(({ isError }) => isError)).toEqual([
      true,
      true,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(memory.events('plan_update')).toHaveLength(1);
  });

  test('[PLAN-09a] every answer has the whole plan; without arguments it is only read', async () => {
    const memory = session({
      model: inTurn(
        calls('a:update_plan:{}'),
        calls(set('b', look, check)),
        calls('c:update_plan:{}'),
        says('x'),
        says('x'),
      ),
    });
    await memory.ask('Why?');
    const [none, first, read] = results(memory);
    expect(none).toBe('There is no plan yet. Set one with {steps}.');
    expect(first).toMatch(/^1 \[ \] Look at the pool.*\n2 \[ \] Check again.*verifies.*\nDone so far: 0\/2/);
    expect(read).toBe(first);
    expect(memory.events('plan_update')).toHaveLength(1);
  });

  test('[PLAN-06ab] with planning hierarchical a step may be split, and the run knows its parts', async () => {
    const memory = session({
      settings: { plan: { strategy: 'hierarchical' } },
      askModel: () => planJson(look, { ...look, steps: [look, look] }, check),
      model: inTurn(
        calls(`a:update_plan:${JSON.stringify({ id: '1', steps: [look, look] })}`),
        calls(mark('b', '1.1', 'done'), mark('c', '1.2', 'done'), mark('d', '1', 'done')),
        says('half'),
        says('half'),
      ),
    });
    expect(await memory.ask('Why?')).toMatchObject({ planComplete: false });
    expect(memory.snapshot.plan?.steps).toMatchObject([
      { id: '1', status: 'done', steps: [{ id: '1.1' }, { id: '1.2' }] },
      { id: '2', status: 'pending', steps: [{ id: '2.1' }, { id: '2.2' }] },
      { id: '3' },
    ]);
    expect(results(memory).at(-1)).toContain('step 1 is done when its sub-steps are');
    expect(memory.asked[0]?.prompt).toContain('sub-steps of the same form');
  });
});

describe('a final answer', () => {
  const done = calls(mark('b', '1', 'done'), mark('c', '2', 'done'));

  test('[PLAN-04bc] with open steps is asked for once more, with a list of them', async () => {
    const memory = session({ model: inTurn(calls(set('a', look, check)), says('2'), done, says('it is 2')) });
    const result = await memory.ask('Why?');
    expect(result).toMatchObject({ status: 'completed', answer: 'it is 2', planComplete: true, turns: 4 });
    const injected = memory.state.log.records.filter(
      (record) => record.role === 'user' && record.origin === 'injected',
    );
    expect(injected.map(textOf)).toEqual([
      expect.stringMatching(/still open:\n- 1 \[ \] Look at the pool.*\n- 2 \[ \] Check again/),
    ]);
  });

  test('[PLAN-04cd] that comes again with open steps is the answer, and the result says that the plan is not complete', async () => {
    const memory = session({
      model: inTurn(calls(set('a', look, check)), calls(mark('b', '1', 'done')), says('2'), says('still 2')),
    });
    const result = await memory.ask('Why?');
    expect(result).toMatchObject({
      status: 'completed',
      answer: 'still 2',
      planComplete: false,
      plan: { steps: [{ status: 'done' }, { status: 'pending' }] },
    });
  });

  test('[PLAN-04cd] takes the reminder before a follow-up, and a new task is not held to an older plan', async () => {
    const memory = session({
      keepAlive: true,
      model: inTurn(
        calls(set('a', look, check)),
        says('2'),
        says('open'),
        says('after'),
        says('new'),
        says('more'),
        says('last'),
      ),
    });
    memory.followUp('f', 'and then?');
    await memory.ask('Why?');
    expect(memory.state.log.records.filter(({ role }) => role === 'user').map(textOf)).toMatchObject([
      'Why?',
      expect.stringContaining('still open'),
      overtaken,
      'and then?',
    ]);
    expect(memory.state.lastResult).toMatchObject({ planComplete: false });
    await memory.ask('Something else.');
    expect(memory.state.lastResult).toMatchObject({ answer: 'new' });
    expect(memory.state.lastResult).not.toHaveProperty('planComplete');
    // continued work answers for its plan again
    memory.continue('go on');
    await memory.until(() => memory.state.runs === 3 && !memory.busy);
    expect(memory.state.lastResult).toMatchObject({ answer: 'last', planComplete: false });
  });

  test.each([
    ['maxTurns', { loop: { maxTurns: 2 } }],
    ['the budget', { budget: { turns: 2 } }],
  ])(
    '[PLAN-04d] [LOOP-06c] is not asked for again where %s leaves no room for it',
    async (_what, settings) => {
      const memory = session({ settings, model: inTurn(calls(set('a', look, check)), says('2')) });
      expect(await memory.ask('Why?')).toMatchObject({
        status: 'completed',
        answer: '2',
        planComplete: false,
      });
    },
  );

  test('without a plan is the answer, and the result has none', async () => {
    const result = await session({ model: inTurn(says('2')) }).ask('Why?');
    expect(result).toMatchObject({ turns: 1 });
    expect(Object.keys(result)).not.toContain('planComplete');
  });
});

describe('a failed step', () => {
  const failing = calls(set('a', look, check));
  const failed = calls(mark('b', '1', 'failed', 'no access'));

  test('[PLAN-05a] asks for a new plan by default, in which what is done stays done', async () => {
    const memory = session({
      model: inTurn(
        failing,
        failed,
        calls(set('c', { ...look, text: 'Ask the metrics', status: 'done' }, { ...check, status: 'done' })),
        says('2'),
      ),
    });
    expect(await memory.ask('Why?')).toMatchObject({ planComplete: true });
    expect(results(memory)[1]).toMatch(
      /1 \[!\] Look at the pool[^]*Step 1 failed. Make a new plan for what is left/,
    );
    expect(memory.events('plan_update').map(({ done }) => done)).toEqual([0, 0, 2]);
  });

  test('[PLAN-05b] escalate asks the people, and the model reads their answer', async () => {
    const memory = session({
      settings: { plan: { onStepFailure: 'escalate' } },
      model: inTurn(failing, failed, says('x'), says('x')),
    });
    memory.prompt('Why?');
    const running = memory.run();
    await memory.until(() => memory.session.questions.pending.length > 0);
    expect(memory.session.questions.pending).toMatchObject([
      {
        id: 'b',
        question: 'Step 1 of the plan failed: Look at the pool (no access). How is the work to continue?',
      },
    ]);
    expect(memory.snapshot.waitingFor).toBe('question');
    memory.send('answerQuestion', { id: 'b', text: 'use the replica', actor: 'kim' });
    await running;
    expect(results(memory)[1]).toMatch(/Step 1 failed. kim was asked, and says: use the replica$/);
  });

  test('[PLAN-05c] stop ends the run after that step', async () => {
    const memory = session({ settings: { plan: { onStepFailure: 'stop' } }, model: inTurn(failing, failed) });
    expect(await memory.ask('Why?')).toMatchObject({
      status: 'failed',
      error: { code: 'Plan.StepFailed', message: expect.stringContaining('no access') },
      planComplete: false,
    });
  });
});

describe('a planner', () => {
  test('[PLAN-01a] is not asked with react, whose first message is a person’s words alone', async () => {
    const memory = session({ model: inTurn(says('2')) });
    await memory.ask('Why?');
    expect(memory.asked).toEqual([]);
    expect(lastUserWords(memory)).toEqual(['Why?']);
  });

  test('[PLAN-01bc] [PLAN-09bc] of plan_and_solve is asked once, first; the run’s prompt carries the plan and asks for its order', async () => {
    const memory = session({
      settings: { plan: { strategy: 'plan_and_solve' } },
      askModel: () => planJson(look, check),
      model: inTurn(calls(mark('a', '1', 'done'), mark('b', '2', 'done')), says('2')),
    });
    const result = await memory.ask('Why is checkout slow?');
    expect(result).toMatchObject({ planComplete: true, turns: 2, usage: { planner: {} } });
    expect(memory.asked).toMatchObject([
      { purpose: 'planner', tools: true, prompt: expect.stringContaining('Why is checkout slow?') },
    ]);
    expect(memory.asked[0]?.system).toMatch(/make plans/);
    const [first = ''] = lastUserWords(memory);
    expect(first).toMatch(
      /^<plan>\n1 \[ \] Look at the pool.*\n2 \[ \] Check again[^]*step by step, in this order[^]*update_plan[^]*Why is checkout slow\?$/,
    );
    expect(memory.requests.map(({ system }) => system)).toEqual([undefined, undefined]);
    expect(memory.context.systemPrompt).toBe('You are a test.');
    // a person's own words stay apart from it
    expect(memory.state.log.records[0]).toMatchObject({
      content: [{ text: 'Why is checkout slow?' }],
      preface: [{ kind: 'plan' }],
    });
  });

  test('[PLAN-03c] a planner that gives no plan is asked once more with the fault, then the run continues without one', async () => {
    const replies = ['I would look.', planJson(look)];
    const memory = session({
      settings: { plan: { strategy: 'plan_and_solve' } },
      askModel: () => replies.shift() ?? '',
      model: inTurn(says('2')),
    });
    expect(await memory.ask('Why?')).toMatchObject({ status: 'completed', answer: '2' });
    expect(memory.asked).toHaveLength(2);
    expect(memory.asked[1]?.prompt).toContain('it is no JSON object');
    expect(memory.events('warning')).toMatchObject([
      { code: 'Plan.Unusable', message: expect.stringContaining('no step verifies') },
    ]);
    expect(lastUserWords(memory)).toEqual(['Why?']);
  });

  test('a planner that fails is a warning, and a stop while it thinks ends the run', async () => {
    const failing = session({
      settings: { plan: { strategy: 'plan_and_solve' } },
      askModel: () => Promise.reject(new Error('down')),
      model: inTurn(says('2')),
    });
    await failing.ask('Why?');
    expect(failing.asked).toHaveLength(1);
    expect(failing.events('warning')).toMatchObject([{ message: expect.stringContaining('down') }]);
    const stopped = session({
      settings: { plan: { strategy: 'tree_of_thoughts' } },
      askModel: (_input, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stop')));
          if (stopped.asked.length === 3) stopped.send('abort');
        }),
      model: inTurn(),
    });
    expect(await stopped.ask('Why?')).toMatchObject({ status: 'aborted' });
    expect(stopped.events('warning')).toEqual([]);
  });

  test('[PLAN-07abc] tree_of_thoughts: several plans, each evaluated; the best is carried out, and the choice is in the state', async () => {
    const memory = session({
      settings: { plan: { strategy: 'tree_of_thoughts' } },
      askModel: ({ prompt }) => {
        const option = /plan (\d) of 3/.exec(prompt)?.[1];
        if (option !== undefined) return planJson({ ...look, text: `Way ${option}` }, check);
        return JSON.stringify({ plans: [4, 9, 7].map((score) => ({ score, reason: `worth ${score}` })) });
      },
      model: inTurn(says('x'), says('x')),
    });
    await memory.ask('Why?');
    expect(memory.asked).toHaveLength(4);
    expect(memory.asked[3]?.prompt).toMatch(/Plan 1:[^]*Way 1[^]*Plan 3:[^]*Way 3/);
    expect(memory.snapshot.plan).toMatchObject({
      steps: [{ text: 'Way 2' }, { text: 'Check again' }],
      options: [
        { steps: ['Way 1', 'Check again'], score: 4, reason: 'worth 4' },
        { steps: ['Way 2', 'Check again'], score: 9, reason: 'worth 9' },
        { steps: ['Way 3', 'Check again'], score: 7 },
      ],
      chosen: 1,
    });
    expect(lastUserWords(memory)[0]).toContain('Way 2');
  });

  test('[PLAN-07b] without scores that can be used the first plan is carried out, and the warning says so', async () => {
    const memory = session({
      settings: { plan: { strategy: 'tree_of_thoughts' } },
      askModel: ({ prompt }) => {
        const option = /plan (\d) of 3/.exec(prompt)?.[1];
        return option === undefined ? 'The second.' : planJson({ ...look, text: `Way ${option}` }, check);
      },
      model: inTurn(says('x'), says('x')),
    });
    await memory.ask('Why?');
    expect(memory.snapshot.plan?.steps[0]).toMatchObject({ text: 'Way 1' });
    expect(memory.events('warning')).toMatchObject([
      {
        message: expect.stringMatching(/^The planner gave no scores .*, and the first plan is carried out: /),
      },
    ]);
  });

  test('[PLAN-08] self_consistency: five plans for one question, and the steps that most of them have', async () => {
    const lists = ['ABCD', 'ABEF', 'ACDG', 'ABCH', 'ABDI'];
    const memory = session({
      settings: { plan: { strategy: 'self_consistency' } },
      askModel: () => planJson(...(lists.shift() ?? '').split('').map((text) => ({ ...look, text })), check),
      model: inTurn(says('x'), says('x')),
    });
    await memory.ask('Why?');
    expect(memory.asked).toHaveLength(5);
    expect(new Set(memory.asked.map(({ prompt }) => prompt)).size).toBe(1);
    expect(memory.snapshot.plan?.steps.map(({ text }) => text)).toEqual(['A', 'B', 'C', 'D', 'Check again']);
  });

  test('self_consistency without a common step takes the first plan, and says so', async () => {
    let made = 0;
    const memory = session({
      settings: { plan: { strategy: 'self_consistency' } },
      askModel: () => planJson({ ...check, text: `Own ${(made += 1)}` }),
      model: inTurn(says('x'), says('x')),
    });
    await memory.ask('Why?');
    expect(memory.snapshot.plan?.steps.map(({ text }) => text)).toEqual(['Own 1']);
    expect(memory.events('warning')).toMatchObject([
      { message: expect.stringContaining('no step in common') },
    ]);
  });

  test('knows the work so far and what is left of the plan before', async () => {
    const memory = session({
      keepAlive: true,
      settings: { plan: { strategy: 'plan_and_solve' } },
      askModel: () => planJson(look, check),
      model: inTurn(says('x'), says('x'), says('y'), says('y')),
    });
    await memory.ask('Why?');
    await memory.ask('And now?');
    expect(memory.asked[0]).not.toHaveProperty('view');
    expect(memory.asked[1]).toMatchObject({ view: { epoch: 1, fromSeq: 1, toSeq: 4 } });
    expect(memory.asked[1]?.prompt).toMatch(/plan so far[^]*1 \[ \] Look at the pool/);
  });
});

describe('the plan survives', () => {
  test('[PLAN-09ce] [COND-21c] a condense, and is in what the model reads after it', async () => {
    for (const strategy of [
      'user_summary',
      'system_summary',
      'summary_only',
      'token_tail',
      'sliding_window',
    ] as const) {
      const memory = session({
        keepAlive: true,
        settings: { loop: { maxTurns: 0, warn: 0 }, condense: { strategy, keepLastN: 1 } },
        tools: { echo: ({ callId }) => `${callId} `.repeat(1_000) },
        model: inTurn(
          calls(set('a', look, check)),
          ...Array.from({ length: 24 }, (_, index) => calls(`t${index}`)),
          calls(mark('b', '1', 'done', 'it is 2')),
          says('2'),
          says('2'),
          says('new'),
        ),
      });
      await memory.ask('Why?');
      const before = memory.state.plan;
      memory.send('condense');
      await memory.ask('Again?');
      expect(memory.state.view.summary, strategy).toBe('ok');
      expect(memory.state.plan).toEqual(before);
      const request = memory.requests.at(-1);
      const words = request?.messages.map(textOf).join('\n') ?? '';
      expect(words.includes('1 [x] Look at the pool - it is 2'), strategy).toBe(true);
      expect(request?.system ?? '').not.toContain('Look at the pool');
    }
  });

  test('[PLAN-09g] a condense in a new task, whose head says that the plan is of an earlier one', async () => {
    const memory = session({
      keepAlive: true,
      settings: { condense: { keepLastN: 1 } },
      model: inTurn(
        calls(set('a', look, check)),
        ...['open', 'open', 'new', 'newer'].map((text) => says(text)),
      ),
    });
    await memory.ask('Why?');
    await memory.ask('Something else.');
    memory.send('condense');
    await memory.ask('And more.');
    const [head] = memory.requests.at(-1)?.messages.map(textOf) ?? [];
    expect(head).toContain('Your plan, as it was then:\n(of run-1, an earlier task)\n1 [ ] Look at the pool');
  });

  test('[PLAN-09e] [COND-21b] a run that is aborted while it condenses', async () => {
    const memory = session({
      settings: { model: { contextWindow: 2_000, maxResponseTokens: 100 }, condense: { keepLastN: 1 } },
      tools: { echo: () => 'x '.repeat(2_200) },
      condense: () => {
        memory.send('abort');
        return Promise.reject(new Error('stopped'));
      },
      model: inTurn(calls(set('a', look, check)), calls('b'), says('2')),
    });
    const plans: unknown[] = [];
    memory.onChange = () => void plans.push(memory.state.plan);
    expect(await memory.ask('Why?')).toMatchObject({ status: 'aborted', planComplete: false });
    expect(memory.events('condense_start')).toHaveLength(1);
    expect(memory.state.view.summary).toBeUndefined();
    expect(memory.state.plan).toMatchObject({ steps: [{ id: '1' }, { id: '2' }] });
    // once set, it is never another one
    expect(new Set(plans.slice(plans.findIndex(Boolean))).size).toBe(1);
  });

  test('[PLAN-09e] [COND-21c] a condense that fails', async () => {
    const memory = session({
      keepAlive: true,
      settings: { condense: { keepLastN: 1 } },
      condense: () => Promise.reject(new Error('down')),
      model: inTurn(calls(set('a', look, check)), says('2'), says('2')),
    });
    await memory.ask('Why?');
    const before = memory.state.plan;
    memory.send('condense');
    await memory.until(() => memory.events('condense_end').length > 0);
    expect(memory.events('warning')).toMatchObject([{ code: 'Condense.Failed' }]);
    expect(memory.state.plan).toEqual(before);
  });

  test('[PLAN-09f] [CKPT-07b] a hand-over after every turn', async () => {
    const answers = () =>
      inTurn(
        calls(mark('a', '1', 'done')),
        calls(mark('b', '2', 'in_progress')),
        says('2'),
        calls(mark('c', '2', 'done')),
        says('it is 2'),
      );
    const options = {
      settings: { plan: { strategy: 'plan_and_solve' as const } },
      askModel: () => planJson(look, check),
    };
    const whole = session({ ...options, model: answers() });
    const result = await whole.ask('Why?');
    const model = answers();
    let part = session({ ...options, model });
    part.prompt('Why?');
    const asked: unknown[] = [];
    let executions = 0;
    do {
      const { session: now } = part;
      part.onChange = () => void (part.handOver = now.turns > 0);
      executions += 1;
      const end = await part.run();
      asked.push(...part.asked);
      if (end === 'closed') break;
      part = new MemorySession(
        { ...options, model, specs: { update_plan: { runsIn: 'workflow' } } },
        part.carry(),
      );
    } while (executions < 20);
    expect(executions).toBeGreaterThan(4);
    expect(asked).toHaveLength(1);
    expect(part.state.lastResult).toMatchObject({
      answer: 'it is 2',
      plan: result.plan,
      planComplete: true,
      newMessages: result.newMessages,
    });
  });

  test('but not a reset', async () => {
    const memory = session({
      model: inTurn(calls(set('a', look, check)), says('2'), says('2')),
      keepAlive: true,
    });
    await memory.ask('Why?');
    memory.send('reset');
    await memory.until(() => memory.state.plan === undefined);
    expect(queryRules.plan(memory.session)).toBeNull();
  });
});
