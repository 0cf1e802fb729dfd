// Where the kills of an evaluation happen: decided by a seed, made when a call of that kind is in flight.
import { expect, test } from 'vitest';
import { makeKills, planKills } from '../../tools/evals/kills.ts';
import type { PendingCall } from '../../packages/demo/src/pending-activities.ts';

test('a seed decides the kills of an incident: one in a model call, one in a tool call, one in a change', () => {
  const plan = planKills(1, 'bad-deploy');
  expect(planKills(1, 'bad-deploy')).toEqual(plan);
  expect(plan.map(({ where }) => where)).toEqual(['model call', 'tool call', 'change']);
  const plans = Array.from({ length: 20 }, (_, seed) => JSON.stringify(planKills(seed, 'bad-deploy')));
  expect(new Set(plans).size).toBeGreaterThan(15);
});

const activity = (id: string, type: string, started = true): PendingCall => ({
  id,
  type,
  attempt: 1,
  started,
  heartbeat: {},
});

test('a kill comes when the call of its number is on a worker, once, and not after the end', async () => {
  const looks = [
    [activity('1', 'callModel')],
    [activity('1', 'callModel')],
    [activity('2', 'assembleContext'), activity('3', 'tool.read', false)],
    [activity('3', 'tool.read')],
    [activity('4', 'callModel')],
    [activity('5', 'tool.run_action')],
    [activity('6', 'tool.grep')],
  ];
  const ended = new AbortController();
  let look = -1;
  const killedAt: number[] = [];
  const kills = await makeKills(
    {
      readPending: async () => {
        look += 1;
        if (look >= looks.length) ended.abort();
        return looks[look] ?? [];
      },
      replaceWorker: async () => void killedAt.push(look),
    },
    [
      { where: 'model call', ordinal: 2, afterMs: 0 },
      { where: 'tool call', ordinal: 1, afterMs: 0 },
      { where: 'change', ordinal: 2, afterMs: 0 },
    ],
    ended.signal,
  );
  expect(kills).toEqual([
    { where: 'tool call', activity: 'tool.read' },
    { where: 'model call', activity: 'callModel' },
  ]);
  expect(killedAt).toEqual([3, 4]);
});
