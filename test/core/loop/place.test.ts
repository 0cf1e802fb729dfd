// What a model is told of its place, and when: before the first message of each run, from what was frozen and the run's own time.
import { expect, test } from 'vitest';
import type { Access } from '@holdfast/vocabulary/frozen-context';
import type { CondenseStrategyName } from '@holdfast/vocabulary/agent-spec';
import { textOf, toLLM } from '@holdfast/vocabulary/messages';
import { strategies } from '@holdfast/view/condense/strategies';
import { looker } from '../../support/condense-sessions.ts';
import { calls, fails, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryOptions, type MemoryRequest } from '../../support/memory-session.ts';

const machine = { host: 'web-1', system: 'Linux 6.1 x64', zone: 'Europe/Berlin' };
const access: Access = { policy: [], roots: ['/var/log', '/srv'], hosts: ['localhost:9090'] };

const sentTo = ({ messages }: MemoryRequest) => messages.map((message) => JSON.stringify(toLLM(message)));

test('[PROMPT-15ab] now, zone, host, system, roots, hosts and limits go before the first message of each run, and stay', async () => {
  let now = Date.parse('2026-01-31T14:00:00.500Z');
  const session = new MemorySession({
    model: inTurn(calls('c1'), says('Done.'), says('Later.')),
    tools: { echo: () => ((now += 60_000), 'ok') },
    keepAlive: true,
    now: () => now,
    context: { machine, access },
  });
  await session.ask('Why is checkout slow?');
  const [first, second] = session.requests.map(sentTo);
  // oxfmt-ignore
  for (const words of [
    'Now: 2026-01-31T14:00:00Z, Saturday', 'web-1 (Linux 6.1 x64)', 'time zone Europe/Berlin',
    '/var/log, /srv', 'localhost:9090', '32000 characters a result', '10 calls at once',
  ])
    expect(first?.[0]).toContain(words);
  // the words of the person come after it, and are kept apart in the record
  expect(first?.[0]).toMatch(/PLACE\].*Why is checkout slow\?/);
  const [record] = session.state.log.records;
  expect(record).toMatchObject({
    content: [{ text: 'Why is checkout slow?' }],
    preface: [{ kind: 'place' }],
  });
  // a minute later nothing of it has changed
  expect(second?.[0]).toBe(first?.[0]);
  now += 3_600_000;
  await session.ask('And now?');
  const third = session.requests.map(sentTo).at(-1) ?? [];
  expect(third[0]).toBe(first?.[0]);
  expect(third.at(-1)).toContain('Now: 2026-01-31T15:01:00Z');
});

test('[PROMPT-15a] without a machine nothing is said', async () => {
  const session = new MemorySession({ model: inTurn(says('Done.')), context: { access } });
  await session.ask('Why?');
  expect(session.requests[0]?.messages).toHaveLength(1);
  expect(JSON.stringify(session.requests[0]?.messages)).not.toContain('PLACE');
});

const minute = 60_000;

test.each(Object.keys(strategies) as CondenseStrategyName[])(
  '[PROMPT-16a] after a condense the head has the place, with the time of the condense (%s)',
  async (strategy) => {
    let now = Date.parse('2026-01-31T14:00:00Z');
    const session = new MemorySession({
      model: looker(24, (turn) => (turn % 6 === 0 ? 9_500 : 100)),
      tools: { look: () => ((now += minute), `saw much ${'and more '.repeat(800)}`) },
      now: () => now,
      context: { machine, access },
      settings: {
        model: { contextWindow: 10_000 },
        loop: { maxTurns: 0 },
        condense: { strategy, maxPerRun: 0 },
      },
    });
    await session.ask('Why is checkout slow?');
    const later = session.requests.filter(({ input }) => input.view.epoch > 1);
    const places = new Map(later.map((request) => [request.input.view.epoch, placesIn(request)]));
    expect(places.size).toBeGreaterThan(1);
    // one that fits the view without a fold still has the first message
    for (const found of places.values()) expect(found).toHaveLength(1);
    const last = later.at(-1);
    const at = last && session.state.view.place?.slice('[PLACE]\nNow: '.length).slice(0, 16);
    expect(at).not.toBe('2026-01-31T14:00');
    expect(last && placesIn(last)[0]).toContain(`Now: ${at}`);
    expect(last && placesIn(last)[0]).toContain('when older messages were folded');
    expect(last && placesIn(last)[0]).toContain('Files of the file tools: /var/log, /srv.');
  },
);

function placesIn({ system = '', messages }: MemoryRequest): string[] {
  const texts = [system, ...messages.map((message) => textOf(toLLM(message) ?? message))];
  return texts.flatMap((text) => text.match(/\[PLACE\][\s\S]*?\[\/PLACE\]/g) ?? []);
}

const timesIn = ({ messages }: MemoryRequest) =>
  messages.map(textOf).filter((text) => text.startsWith('It is now '));

test('[PROMPT-16b] half an hour after the model was last told the time, its next request tells it', async () => {
  let now = Date.parse('2026-01-31T14:00:00Z');
  const steps = [1, 90, 10, 10];
  const session = new MemorySession({
    model: inTurn(calls('c1'), calls('c2'), calls('c3'), calls('c4'), says('Done.')),
    tools: { echo: () => ((now += (steps.shift() ?? 0) * minute), 'ok') },
    now: () => now,
    context: { machine, access },
  });
  await session.ask('Why?');
  expect(session.requests.map(timesIn).map(({ length }) => length)).toEqual([0, 0, 1, 1, 1]);
  const [words] = session.requests.slice(2).flatMap(timesIn);
  expect(words).toContain('It is now 2026-01-31T15:31:00Z, Saturday (UTC)');
});

test('[PROMPT-16b] the wait for a person, and one for an operator, are such waits', async () => {
  let now = Date.parse('2026-01-31T14:00:00Z');
  const session = new MemorySession({
    model: inTurn(calls('c1'), fails('Model.Auth', 'wait_for_operator'), says('Done.')),
    tools: { echo: () => 'ok' },
    policy: { echo: 'ask' },
    now: () => now,
    context: { machine, access },
  });
  session.prompt('Why?');
  const running = session.run();
  await session.until(() => session.approvals.length > 0);
  now += 45 * minute;
  session.send('resolveApproval', { id: 'c1', approve: false, actor: 'tester', reason: 'no' });
  await session.until(() => session.session.operatorReason !== undefined);
  now += 45 * minute;
  session.send('resume');
  await running;
  expect(session.requests.map(timesIn).map(({ length }) => length)).toEqual([0, 1, 2]);
  expect(session.state.lastResult).toMatchObject({ status: 'completed' });
  expect(session.snapshot.errorMessage).toBeUndefined();
});

test('[PROMPT-16b] a session that goes on after an idle day, and one whose state has no such time, are told', async () => {
  let now = Date.parse('2026-01-31T14:00:00Z');
  const options: MemoryOptions = {
    model: inTurn(fails('Model.Broken'), says('Done.')),
    now: () => now,
    context: { machine, access },
    keepAlive: true,
  };
  const session = new MemorySession(options);
  await session.ask('Why?');
  now += 24 * 60 * minute;
  const carried = session.carry();
  session.continue();
  await session.until(() => session.state.runs === 2 && !session.busy);
  expect(session.requests.map(timesIn)).toEqual([[], [expect.stringContaining('2026-02-01T14:00:00Z')]]);
  const { toldAt: _, ...fresh } = carried.state;
  const next = new MemorySession({ ...options, model: inTurn(says('Done.')) }, { ...carried, state: fresh });
  void next.run();
  next.continue();
  await next.until(() => next.state.runs === 2 && !next.busy);
  expect(next.requests.map(timesIn).flat()).toHaveLength(1);
});
