// A small storm of alerts, while gateway, workers and server are killed; tools/bench/storm plays a large one.
import { expect, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { playStorm } from '../../tools/bench/storm/storm.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

test('[ALERT-11] in a storm with kills each message has its fate, each group its session, and what was accepted is not lost', async () => {
  const sizes = { alerts: 160, groups: 4, overMs: 10_000 };
  const kills: string[] = [];
  const storm = await playStorm({
    ...sizes,
    dir: await temporaryFolder(),
    environment: readEnvironment(),
    say: (line) => kills.push(line),
  });
  expect(kills.filter((line) => line.startsWith('killed'))).toHaveLength(4);
  expect(storm.lost).toEqual([]);
  expect(storm.twice).toEqual([]);
  expect(storm.sessions).toBe(sizes.groups);
  expect(storm.accepted + storm.refused).toBe(sizes.alerts);
  // a request whose answer was lost counts twice
  expect(storm.counted).toBeGreaterThanOrEqual(storm.accepted);
  expect(storm.countedRefused).toBeGreaterThanOrEqual(storm.refused);
  const { refused, ...others } = storm.fates;
  expect(refused).toBe(storm.refused);
  expect(Object.keys(others).toSorted()).toEqual(expect.arrayContaining(['investigating', 'resolved']));
  expect(others).not.toHaveProperty('none');
}, 420_000);
