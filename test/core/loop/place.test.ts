// What a model is told of its place, and when: before the first message of each run, from what was frozen and the run's own time.
import { expect, test } from 'vitest';
import type { Access } from '../../../src/core/model/frozen-context.ts';
import { toLLM } from '../../../src/core/model/messages.ts';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryRequest } from '../../support/memory-session.ts';

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
