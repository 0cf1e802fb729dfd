// What a person types below the live view, and the call of the session that it becomes.
import { expect, test } from 'vitest';
import {
  describeCommands,
  matchingCommands,
  parseCommand,
  createSender,
} from '../../../src/cli/live/typed-words.ts';
import type { TypedSession } from '../../../src/cli/live/typed-words.ts';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';

// oxfmt-ignore
const waiting = (id: string): PendingApproval => ({
  id, tool: 'rollback', args: `{"deploy":"${id}"}`, argsDigest: `digest of ${id}`, summary: id,
  effect: 'once', turn: 1, requestedAt: 0, deadline: 0, rememberable: [],
});

async function typeIn(line: string, { pending = ['a'], idle = false, limit = 5, closed = '' } = {}) {
  const calls: unknown[][] = [];
  const said: string[] = [];
  const note =
    <T>(name: string, answer: T) =>
    async (...args: unknown[]): Promise<T> => {
      calls.push([name, ...args]);
      return answer;
    };
  const session: TypedSession = {
    steer: note('steer', { id: '1' }),
    followUp: note('followUp', { id: '1' }),
    abort: note('abort', undefined),
    approve: note('approve', { approved: true }),
    deny: async (id, ...rest) => {
      if (![...pending, closed].includes(id)) throw new Error('nothing of that id waits.');
      if (id === closed) throw new Error('it was approved by kim.');
      return note('deny', { approved: false })(id, ...rest);
    },
    extendBudget: note('extendBudget', { budget: limit === 0 ? {} : { costUsd: limit } }),
    plan: async () => null,
    queued: async () => [{ id: 'm1', queue: 'steering', text: 'look at the pool' }],
    cancelQueued: note('cancelQueued', { removed: true }),
    clearQueues: note('clearQueues', undefined),
    reset: note('reset', undefined),
    setModel: note('setModel', undefined),
    setThinkingLevel: note('setThinkingLevel', undefined),
    setSystemPrompt: note('setSystemPrompt', undefined),
    setTools: note('setTools', undefined),
    setToolExecution: note('setToolExecution', undefined),
    setMode: note('setMode', undefined),
    setQueueMode: note('setQueueMode', undefined),
    pendingApprovals: async () => pending.map(waiting),
  };
  await createSender({
    session,
    say: (text) => void said.push(text),
    isIdle: () => idle,
    prompt: note('prompt', { runId: 'r' }),
    sent: (_id, words) => void said.push(`sent ${words}`),
    notSent: () => void said.push('not sent'),
    toggleTimes: () => true,
    quit: () => void calls.push(['quit']),
  })(line);
  return { calls, said: said.join('\n') };
}

test('[CLI-07c] lines that are typed or pasted at once arrive in their order, each after the one before; leaving waits for nothing', async () => {
  const arrived: string[] = [];
  const gates: (() => void)[] = [];
  const arrive = async (words: string): Promise<never> => {
    await new Promise<void>((open) => gates.push(open));
    arrived.push(words);
    if (words === 'two') throw new Error('no answer');
    return {} as never;
  };
  let idle = true;
  const said: string[] = [];
  // the rest of a session is not asked for
  const session = {
    steer: arrive,
    followUp: arrive,
    abort: () => arrive('abort'),
  } as unknown as TypedSession;
  const send = createSender({
    session,
    say: (text) => void said.push(text),
    isIdle: () => idle,
    prompt: (words) => {
      idle = false;
      return arrive(words);
    },
    sent: () => undefined,
    notSent: () => undefined,
    toggleTimes: () => true,
    quit: () => void arrived.push('quit'),
  });
  const all = ['one', 'two', '/prompt three', '/abort', 'four'].map(send);
  await send('/quit');
  for (const _ of all) {
    await expect.poll(() => gates.length).toBe(1);
    gates.shift()?.();
  }
  await Promise.all(all);
  expect(arrived).toEqual(['quit', 'one', 'two', 'three', 'abort', 'four']);
  expect(said.join('\n')).toContain('no answer');
});

test.each([
  [
    'look at the pool',
    {},
    ['steer', 'look at the pool', { id: expect.any(String), actor: expect.any(String) }],
    /^sent look/,
  ],
  [
    '/var/log/shop.log has it',
    {},
    ['steer', '/var/log/shop.log has it', { id: expect.any(String), actor: expect.any(String) }],
    /^sent/,
  ],
  ['the next one', { idle: true }, ['prompt', 'the next one'], undefined],
  ['/prompt then the cache', {}, ['followUp', 'then the cache', { actor: expect.any(String) }], undefined],
  ['/prompt then the cache', { idle: true }, ['prompt', 'then the cache'], undefined],
  [
    '/interrupt stop that',
    {},
    ['steer', 'stop that', { id: expect.any(String), actor: expect.any(String), mode: 'interrupt' }],
    /^sent/,
  ],
  ['/abort', {}, ['abort'], /abort sent/],
  ['/budget 2', {}, ['extendBudget', { costUsd: 2 }], /extended by \$2\.00: \$5\.00 in all/],
  ['/budget $0.5', { limit: 0 }, ['extendBudget', { costUsd: 0.5 }], /no limit in money/],
  ['/queue', {}, undefined, /^ {2}steering {3}m1 {2}look at the pool$/],
  ['/cancel m1', {}, ['cancelQueued', 'm1'], /taken back/],
  ['/clear', {}, ['clearQueues'], /taken back/],
  ['/reset', {}, ['reset'], /reset sent/],
  ['/budget lots', {}, undefined, /expected an amount in USD/],
  ['/approve', {}, ['approve', 'a', { actor: expect.any(String), argsDigest: 'digest of a' }], undefined],
  ['/approve', { pending: ['a', 'b'] }, undefined, /Several calls wait[^]*\n {4}b {2}rollback/],
  ['/approve b', { pending: ['a', 'b'] }, ['approve', 'b', expect.anything()], undefined],
  ['/approve all of it', {}, undefined, /no call of this id waits/],
  ['/approve', { pending: [] }, undefined, /No call waits/],
  ['/deny not today', {}, ['deny', 'a', expect.objectContaining({ reason: 'not today' })], undefined],
  [
    '/deny b not today',
    { pending: ['a', 'b'] },
    ['deny', 'b', expect.objectContaining({ reason: 'not today' })],
    undefined,
  ],
  ['/plan', {}, undefined, /has no plan/],
  ['/quit', {}, ['quit'], undefined],
  ['/qiut', {}, undefined, /\/qiut is no command: \/help/],
  [' /tmp', {}, ['steer', '/tmp', { id: expect.any(String), actor: expect.any(String) }], /sent/],
  // words of a person about something that has the name of a command
  ['/reset of the pool was at 14:00', {}, undefined, /\/reset takes no words, so it was not run/],
  ['/queue is at 4000', {}, undefined, /\/queue takes no words/],
  [
    ' /clear the cache',
    {},
    ['steer', '/clear the cache', { id: expect.any(String), actor: expect.any(String) }],
    /sent/,
  ],
] as const)('%s', async (line, setting, call, words) => {
  const { calls, said } = await typeIn(line, {
    ...setting,
    pending: 'pending' in setting ? [...setting.pending] : ['a'],
  });
  expect(calls).toEqual(call === undefined ? [] : [call]);
  if (words) expect(said).toMatch(words);
});

test.each([
  [
    '/set model openai:gpt-5',
    ['setModel', 'openai:gpt-5'],
    /Set model to openai:gpt-5: effective with the next run/,
  ],
  ['/set thinking high', ['setThinkingLevel', 'high'], /Set thinking to high/],
  ['/set mode act', ['setMode', 'act'], /Set mode to act/],
  ['/set tools grep, report', ['setTools', ['grep', 'report']], /Set tools to grep, report/],
  ['/set tool-execution sequential', ['setToolExecution', 'sequential'], /next run/],
  ['/set system-prompt Be brief.', ['setSystemPrompt', 'Be brief.'], /to these words/],
  ['/set queue-mode follow-up all', ['setQueueMode', 'followUp', 'all'], /effective at once/],
  ['/set queue-mode both all', undefined, /expected steering\|follow-up one-at-a-time\|all\.$/],
  ['/set model gpt-5', undefined, /! \/set model gpt-5: expected <provider:id>\.$/],
  ['/set mood good', undefined, /! No setting mood:\n {4}\/set model <provider:id>\n/],
  ['/set', undefined, /^ {2}Settings:\n/],
] as const)('[CLI-07ab] %s', async (line, call, words) => {
  const { calls, said } = await typeIn(line, {});
  expect(calls).toEqual(call === undefined ? [] : [call]);
  expect(said).toMatch(words);
});

test('[MODE-26b] a lower mode is said to hold at once, and a higher one with the next run', async () => {
  const saidOf = async (mode: string) => (await typeIn(`/set mode ${mode}`, {})).said;
  expect(await saidOf('observe')).toMatch(/effective with the next run; what it takes away, at once\./);
  expect(await saidOf('ask')).toMatch(/what it takes away, at once\./);
  expect(await saidOf('act')).toMatch(/Set mode to act: effective with the next run\./);
});

test('[MODE-09f] /deny with the id of a call that waits no more says so, and denies no other', async () => {
  const { calls, said } = await typeIn('/deny toolu_01 not today', { closed: 'toolu_01' });
  expect(calls).toEqual([]);
  expect(said).toContain('it was approved by kim');
});

test('a slash lists the commands, and more letters fewer; a path is none', () => {
  expect(matchingCommands('/').length).toBeGreaterThan(8);
  expect(matchingCommands('/pl').map(({ name }) => name)).toEqual(['plan']);
  expect(matchingCommands('/plan ').length + matchingCommands('look').length).toBe(0);
  expect(describeCommands('/pl')).toMatch(/^ {2}\/plan +show the plan$/);
  expect(parseCommand('/var/log/shop.log')).toBeUndefined();
});
