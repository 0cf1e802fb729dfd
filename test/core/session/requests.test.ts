// Every message that a session takes, without a loop's work: accepted or refused with its code, in each state where it
// matters. Reading a request changes nothing, and nothing that is sent makes it throw.
import { describe, expect, test } from 'vitest';
import { requests } from '../../../src/core/session/requests.ts';
import type { Request } from '../../../src/core/session/child-requests.ts';
import type { RequestName } from '../../../src/core/session/requests.ts';
import { calls, fails, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const user = { role: 'user', content: 'look' };

/** A session in each state in which a request may find it; none of them moves on by itself. */
const states = {
  /** No run yet. */
  fresh: async () => new MemorySession({ model: inTurn(), keepAlive: true }),
  busy: async () => {
    const session = new MemorySession({ model: never, keepAlive: true });
    session.prompt('go');
    void session.run();
    await session.until(() => session.requests.length === 1);
    return session;
  },
  /** A prompt was accepted in the same activation. */
  accepted: async () => {
    const session = new MemorySession({ model: inTurn(), keepAlive: true });
    session.send('prompt', 'go');
    return session;
  },
  /** The last run was answered. */
  answered: () => rested(new MemorySession({ model: inTurn(says('done')), keepAlive: true })),
  failed: () => rested(new MemorySession({ model: inTurn(fails('Model.NotFound')), keepAlive: true })),
  closing: async () => {
    const session = await states.failed();
    session.inbox.closing = true;
    return session;
  },
  /** It closes by itself when it has nothing to do. */
  oneShot: async () => new MemorySession({ model: inTurn() }),
  resetAsked: async () => {
    const session = await states.failed();
    session.inbox.reset = true;
    return session;
  },
  condenseAsked: async () => {
    const session = await states.answered();
    session.session.record({ type: 'condense_requested' });
    return session;
  },
  /** Subagent `a` runs. */
  delegating: async () => {
    const session = new MemorySession({ model: inTurn(), keepAlive: true });
    const tags = { agent: 'x', prefix: '🤖', depth: 1, task: 't', callId: 'd', index: 0 };
    session.session.record({ type: 'child_started', child: { id: 's', name: 'a', ...tags }, parent: '' });
    return session;
  },
  /** Call `c` waits for a person. */
  asking: async () => {
    const session = new MemorySession({
      model: inTurn(calls('c'), says('done')),
      tools: { echo: () => 'ok' },
      keepAlive: true,
      policy: { echo: 'ask' },
    });
    session.prompt('go');
    void session.run();
    await session.until(() => session.approvals.length === 1);
    return session;
  },
  /** A call of `echo` was approved for the session. */
  allowing: async () => {
    const session = await states.asking();
    session.send('resolveApproval', { id: 'c', approve: true, actor: 'ann', remember: 'call' });
    await session.until(() => !session.busy);
    return session;
  },
  /** The agent has pinned a finding. */
  pinned: async () => {
    const session = await states.answered();
    const finding = { id: 'finding-1', text: 'Pool is 5.', callId: 'p' };
    session.session.record({ type: 'finding_pinned', finding });
    return session;
  },
  /** Question `q` waits for an answer. */
  questioning: async () => {
    const args = JSON.stringify({ question: 'On purpose?' });
    const session = new MemorySession({
      model: inTurn(calls(`q:ask_human:${args}`)),
      keepAlive: true,
      specs: { ask_human: { runsIn: 'workflow' } },
    });
    session.prompt('go');
    void session.run();
    await session.until(() => session.snapshot.questions.length === 1);
    return session;
  },
};
type StateName = keyof typeof states;

const good = 'accepted';
type Row = [name: RequestName, args: unknown[], outcomes: Partial<Record<StateName, string>>];
const free = {
  fresh: good,
  busy: good,
  answered: good,
  closing: good,
  resetAsked: good,
  condenseAsked: good,
};

const rows: Row[] = [
  [
    'prompt',
    ['go'],
    {
      fresh: good,
      answered: good,
      failed: good,
      resetAsked: good,
      condenseAsked: good,
      busy: 'RunInProgress',
      accepted: 'RunInProgress',
      asking: 'RunInProgress',
      closing: 'SessionClosing',
      oneShot: 'SessionClosing',
    },
  ],
  ['prompt', [' '], { fresh: 'EmptyPrompt', busy: 'RunInProgress', closing: 'SessionClosing' }],
  ['prompt', [7], { fresh: 'InvalidMessage' }],
  ['prompt', ['x'.repeat(300_000)], { fresh: 'TooLarge' }],
  [
    'continue',
    [],
    {
      fresh: 'NothingToContinue',
      answered: 'NothingToContinue',
      resetAsked: 'NothingToContinue',
      failed: good,
      busy: 'RunInProgress',
      accepted: 'RunInProgress',
      closing: 'SessionClosing',
    },
  ],
  [
    'continue',
    [{ continueText: 'and the disk' }],
    { fresh: 'NothingToContinue', answered: good, resetAsked: 'NothingToContinue' },
  ],
  ['continue', [{ continueText: ' ' }], { answered: 'EmptyPrompt', fresh: 'EmptyPrompt' }],
  ['continue', [{ continueText: 7 }], { answered: 'InvalidMessage' }],
  ['steer', [{ id: 'a', message: user }], { ...free, accepted: good, oneShot: good }],
  ['steer', [{ id: 'a', message: user, mode: 'interrupt' }], { ...free, accepted: good }],
  ['steer', [{ id: 'a', message: user, to: 'nobody' }], { busy: 'NoSuchSubagent', fresh: 'NoSuchSubagent' }],
  ['steer', [{ id: 'a', message: user, to: 7 }], { busy: 'InvalidMessage' }],
  [
    'childUpdate',
    [{ name: 'a', sessionId: 's', approvals: [], questions: [] }],
    { delegating: good, busy: 'NoSuchSubagent', fresh: 'NoSuchSubagent' },
  ],
  ['steer', [{ id: 'a', message: user, to: 'a' }], { delegating: good }],
  ['childUpdate', [7], { busy: 'InvalidChildUpdate' }],
  ['steer', [{ message: user }], { fresh: 'InvalidMessage', busy: 'InvalidMessage' }],
  ['steer', [{ id: 'a', message: 'x'.repeat(300_000) }], { busy: 'TooLarge' }],
  ['followUp', [{ id: 'a', message: user }], { ...free, accepted: good, oneShot: good }],
  ['followUp', ['look'], { busy: 'InvalidMessage' }],
  ['cancelQueued', ['a'], free],
  ['clearQueues', [], free],
  ['clearSteering', [], free],
  ['clearFollowUp', [], free],
  ['setQueueMode', [{ queue: 'steering', mode: 'all' }], free],
  ['setQueueMode', [{ queue: 'prompts', mode: 'all' }], { busy: 'Invalid', fresh: 'Invalid' }],
  ['setQueueMode', [{ queue: 'followUp', mode: 'some' }], { busy: 'Invalid' }],
  ['abort', [], free],
  ['resume', [], free],
  [
    'resolveApproval',
    [{ id: 'c', approve: true, actor: 'ann' }],
    { asking: good, busy: 'NotPending', fresh: 'NotPending' },
  ],
  ['resolveApproval', ['c', { approve: false, actor: 'ann' }], { asking: good, answered: 'NotPending' }],
  ['resolveApproval', [{ id: 'd', approve: true, actor: 'ann' }], { asking: 'NotPending' }],
  [
    'resolveApproval',
    [{ id: 'c', approve: true, actor: 'ann', argsDigest: 'other' }],
    { asking: 'NotPending' },
  ],
  ['resolveApproval', [{ id: 'c', approve: 'yes', actor: 'ann' }], { asking: 'InvalidAnswer' }],
  [
    'resolveApproval',
    [{ id: 'c', approve: true, actor: 'ann', remember: 'call' }],
    { asking: good, busy: 'NotPending' },
  ],
  ['resolveApproval', ['c', { approve: true, actor: 'ann', remember: 'tool' }], { asking: good }],
  [
    'resolveApproval',
    [{ id: 'c', approve: false, actor: 'ann', remember: 'call' }],
    { asking: 'InvalidAnswer' },
  ],
  [
    'resolveApproval',
    [{ id: 'c', approve: true, actor: 'ann', remember: 'all' }],
    { asking: 'InvalidAnswer' },
  ],
  ['forgetAllowance', [{ id: 'allowance-1', actor: 'ann' }], { allowing: good, fresh: 'NoSuchAllowance' }],
  ['forgetAllowance', ['allowance-1', { actor: 'ann' }], { allowing: good }],
  ['forgetAllowance', ['allowance-2', { actor: 'ann' }], { allowing: 'NoSuchAllowance' }],
  ['forgetAllowance', ['allowance-1'], { allowing: 'InvalidAnswer' }],
  ['takeBackFinding', [{ id: 'finding-1', actor: 'ann' }], { pinned: good, fresh: 'NoSuchFinding' }],
  ['takeBackFinding', ['finding-1', { actor: 'ann' }], { pinned: good }],
  ['takeBackFinding', ['finding-1'], { pinned: 'InvalidAnswer' }],
  [
    'answerQuestion',
    [{ id: 'q', text: 'yes', actor: 'ann' }],
    { questioning: good, asking: 'NotPending', fresh: 'NotPending' },
  ],
  ['answerQuestion', ['q', 'yes', 'ann'], { questioning: good }],
  ['answerQuestion', ['q', 'yes'], { questioning: good }],
  ['answerQuestion', ['q', { text: 'yes', actor: 'ann' }], { questioning: good }],
  ['answerQuestion', ['c', 'yes'], { questioning: 'NotPending', asking: 'IsApproval' }],
  ['resolveApproval', [{ id: 'q', approve: false, actor: 'ann' }], { questioning: 'IsQuestion' }],
  ['answerQuestion', ['q', ' '], { questioning: 'InvalidAnswer' }],
  ['answerQuestion', ['q', 'x'.repeat(8_001)], { questioning: 'InvalidAnswer' }],
  ['answerQuestion', ['q', 7], { questioning: 'InvalidAnswer' }],
  ['answerQuestion', ['q', 'yes', ''], { questioning: 'InvalidAnswer' }],
  ['answer', [{ question: 'q', answer: 'yes', by: 'ann' }], { questioning: good, asking: 'NotPending' }],
  ['answer', [{ question: 'c', answer: 'deny', by: 'ann' }], { asking: good, fresh: 'NotPending' }],
  ['answer', [{ question: 'c', answer: 'approve', by: 'ann' }], { asking: 'InvalidAnswer' }],
  ['answer', [{ question: 'q', answer: 7, by: 'ann' }], { questioning: 'InvalidAnswer' }],
  ['answer', ['q', 'yes', 'ann'], { questioning: 'InvalidAnswer' }],
  ['extendBudget', [{ toolCalls: 1 }], free],
  ['extendBudget', [{ toolCalls: 0 }], { busy: 'InvalidBudget' }],
  ['extendBudget', [{ tulips: 1 }], { busy: 'InvalidBudget' }],
  ['extendBudget', [{}], { busy: 'InvalidBudget' }],
  [
    'condense',
    [],
    {
      fresh: 'NothingToCondense',
      answered: good,
      failed: good,
      busy: 'RunInProgress',
      closing: 'SessionClosing',
      condenseAsked: 'CondenseRunning',
      accepted: 'RunInProgress',
    },
  ],
  ['reset', [], free],
  ['shutdown', [], free],
  ['setModel', ['memory:other'], free],
  ['setModel', ['other'], { fresh: 'Invalid', busy: 'Invalid' }],
  ['setSystemPrompt', ['Be brief.'], free],
  ['setSystemPrompt', [' '], { fresh: 'Invalid' }],
  ['setThinkingLevel', ['high'], free],
  ['setThinkingLevel', ['most'], { fresh: 'Invalid' }],
  ['setTools', [['echo']], free],
  ['setTools', [['']], { fresh: 'Invalid' }],
  ['setToolExecution', ['sequential'], free],
  ['setToolExecution', ['both'], { fresh: 'Invalid' }],
  ['setMode', ['observe'], free],
  ['setMode', ['bold'], { fresh: 'Invalid' }],
];

const named = rows.map(
  ([name, args, outcomes]) => [name, JSON.stringify(args).slice(0, 60), args, outcomes] as const,
);
describe.each(named)('%s %s', (name, _, args, outcomes) => {
  test.each(Object.entries(outcomes))(
    '[LOOP-19ab] [QUEUE-16a] in a session that is %s: %s, and reading it changes nothing',
    async (state, expected) => {
      const world = await inState(state);
      const before = picture(world);
      const request = read(world, name, args);
      expect(request.ok ? good : request.code).toBe(expected);
      if (!request.ok) expect(request.reason).toMatch(/.{15}/);
      expect(picture(world), 'reading has no effect').toEqual(before);
    },
  );
});

test('every request has a row that it accepts', () => {
  const accepted = rows.filter(([, , outcomes]) => Object.values(outcomes).includes(good));
  expect(new Set(accepted.map(([name]) => name))).toEqual(new Set(Object.keys(requests)));
});

type Effect = [
  name: RequestName,
  args: unknown[],
  state: StateName,
  before: unknown,
  look: (world: MemorySession) => unknown,
  after: unknown,
];
test.each<Effect>([
  ['prompt', ['go'], 'fresh', false, ({ session }) => session.busy, true],
  ['continue', [], 'failed', false, ({ session }) => session.busy, true],
  ['steer', [{ id: 'a', message: user }], 'busy', [], ({ inbox }) => inbox.ids('steering'), ['a']],
  [
    'steer',
    [{ id: 'a', message: user, mode: 'interrupt' }],
    ...(['busy', undefined, ({ session }: MemorySession) => session.stop, 'interrupt'] as const),
  ],
  ['followUp', [{ id: 'a', message: user }], 'busy', [], ({ inbox }) => inbox.ids('followUp'), ['a']],
  [
    'setQueueMode',
    [{ queue: 'steering', mode: 'all' }],
    ...(['busy', 'one-at-a-time', ({ inbox }: MemorySession) => inbox.modeOf('steering'), 'all'] as const),
  ],
  ['abort', [], 'busy', 'thinking', ({ state }) => state.status, 'aborting'],
  ['abort', [], 'answered', 'idle', ({ state }) => state.status, 'idle'],
  ['resume', [], 'busy', false, ({ inbox }) => inbox.resume, true],
  [
    'resolveApproval',
    [{ id: 'c', approve: false, actor: 'ann' }],
    ...(['asking', ['c'], ({ approvals }: MemorySession) => approvals, []] as const),
  ],
  [
    'extendBudget',
    [{ toolCalls: 2 }],
    ...(['busy', undefined, ({ state }: MemorySession) => state.budgetAdded?.toolCalls, 2] as const),
  ],
  ['condense', [], 'answered', undefined, ({ state }) => state.condenseRequested, true],
  ['reset', [], 'busy', false, ({ inbox }) => inbox.reset, true],
  ['shutdown', [], 'busy', false, ({ session }) => session.closing, true],
  ['setModel', ['memory:b'], 'busy', undefined, ({ state }) => state.settings?.model, 'memory:b'],
  ['setSystemPrompt', ['Hi.'], 'busy', undefined, ({ state }) => state.settings?.systemPrompt, 'Hi.'],
  ['setThinkingLevel', ['low'], 'busy', undefined, ({ state }) => state.settings?.thinkingLevel, 'low'],
  ['setTools', [['echo']], 'busy', undefined, ({ state }) => state.settings?.tools, ['echo']],
  ['setMode', ['observe'], 'busy', undefined, ({ state }) => state.settings?.mode, 'observe'],
  [
    'setToolExecution',
    ['sequential'],
    ...([
      'busy',
      undefined,
      ({ state }: MemorySession) => state.settings?.toolExecution,
      'sequential',
    ] as const),
  ],
])(
  '[LOOP-28] %s %j does its work once it is accepted (%s)',
  async (name, args, state, before, look, after) => {
    const world = await states[state]();
    const request = read(world, name, args);
    expect(look(world)).toEqual(before);
    if (request.ok) request.value();
    expect(look(world)).toEqual(after);
  },
);

test('[STATE-07c] a list that is set is copied', async () => {
  const world = await states.busy();
  const tools = ['echo'];
  world.send('setTools', tools);
  tools.push('more');
  expect(world.state.settings?.tools).toEqual(['echo']);
});

test('[QUEUE-08ac] the three that empty queues, and the one that takes a message back', async () => {
  const world = await states.busy();
  let round = 0;
  const left = (name: RequestName, ...args: unknown[]) => {
    round += 1;
    for (const id of ['s', 't']) world.steer(`${id}${round}`);
    world.followUp(`f${round}`);
    world.send(name, ...args);
    const { queues } = world.snapshot;
    world.send('clearQueues');
    return [queues.steering.length, queues.followUp.length];
  };
  expect(left('clearSteering')).toEqual([0, 1]);
  expect(left('clearFollowUp')).toEqual([2, 0]);
  expect(left('clearQueues')).toEqual([0, 0]);
  expect(left('cancelQueued', 's4')).toEqual([1, 1]);
  expect(left('cancelQueued', 'unknown')).toEqual([2, 1]);
});

test('[QUEUE-17a] [QUEUE-07a] an interrupting message stops what is in flight; sent again it stops nothing', async () => {
  const stopped: number[] = [];
  const world: MemorySession = new MemorySession({
    model: (_, signal) => {
      const number = world.requests.length;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          stopped.push(number);
          resolve({ type: 'stopped' });
        });
      });
    },
  });
  void world.ask('go');
  await world.until(() => world.requests.length === 1);
  const message = { id: 'a', message: user, mode: 'interrupt' };
  world.send('steer', { ...message, id: 'b', mode: 'next_turn' });
  expect(stopped).toEqual([]);
  world.send('steer', message);
  await world.until(() => world.requests.length === 2);
  world.send('steer', message);
  expect([stopped, world.inbox.ids('steering')]).toEqual([[1], []]);
});

test('[LOOP-19c] of two prompts in one activation exactly one is accepted', async () => {
  const world = await states.fresh();
  const codes = [world.send('prompt', 'one'), world.send('prompt', 'two')].map((answer) =>
    answer.ok ? good : answer.code,
  );
  expect(codes).toEqual([good, 'RunInProgress']);
  expect(world.inbox.carry().prompt).toMatchObject([{ content: [{ text: 'one' }] }]);
});

/** So deep that JSON.stringify, or any walk by recursion, ends with an error. */
const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
/** No text can be made of it. */
const textless = { toString: 1, valueOf: 1 };
const odd: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a text', 'x'],
  ['an empty text', ''],
  ['true', true],
  ['a list', [[], null, textless]],
  ['an object', {}],
  ['an object without a text', textless],
  ['nested lists', deep],
  ['a message of nothing', { id: 'odd', message: null, role: 'user', content: null }],
  ['a message of odd parts', { id: 'odd', message: { role: 'user', content: [null, 7, textless] } }],
  [
    'a message with a nested field',
    { id: 'odd', message: { role: 'user', content: [{ type: 'text', text: 'x', more: deep }] } },
  ],
  ['a prompt with a nested field', { role: 'user', content: [{ type: 'text', text: 'x', more: deep }] }],
  ['custom data that is nested', ['x', { role: 'custom', kind: 'note', data: deep }]],
  [
    'fields of a wrong kind',
    { id: textless, queue: textless, mode: [], approve: 1, actor: {}, toolCalls: {} },
  ],
  ['a text to continue with', { continueText: textless }],
];

describe.each(Object.keys(requests).filter(isRequestName))('%s', (name) => {
  test.each(odd)(
    '[QUEUE-16a] takes or refuses %s without a throw, and the state stays plain data',
    async (_, payload) => {
      for (const world of [await states.busy(), await states.answered()]) {
        for (const args of [[payload], [payload, payload], ['x', payload]]) {
          expect(() => void world.send(name, ...args)).not.toThrow();
        }
        expect(world.carry()).toEqual(world.session.carry());
      }
    },
  );
});

/** What anybody can see of a session, and what it would carry on. */
function picture({ session, seen }: MemorySession): unknown {
  return structuredClone({
    carried: session.carry(),
    events: seen.length,
    pending: session.approvals.pending,
  });
}

function read(world: MemorySession, name: RequestName, args: unknown[]): Request {
  return requests[name](world.session, ...args);
}

async function inState(name: string): Promise<MemorySession> {
  const found = Object.entries(states).find(([state]) => state === name);
  if (!found) throw new Error(`There is no state ${name}`);
  return found[1]();
}

/** After its first run; the loop has left it, so that it stays as it is. */
async function rested(session: MemorySession): Promise<MemorySession> {
  session.send('shutdown');
  await session.ask('go');
  session.inbox.closing = false;
  return session;
}

function isRequestName(name: string): name is RequestName {
  return name in requests;
}
