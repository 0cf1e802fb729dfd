// Slots on the days on which the clocks change, as the server gives them: what docs/schedules.md says of them.
import { expect, onTestFinished, test } from 'vitest';
import type { ScheduleTimes } from '../../src/core/schedules/schedule.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';

/** In UTC: from the midnight before the change to the one after it, in the zone. */
const days = {
  berlinSpring: ['Europe/Berlin', '2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z'],
  berlinAutumn: ['Europe/Berlin', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z'],
  newYorkSpring: ['America/New_York', '2027-03-14T05:00:00Z', '2027-03-15T04:00:00Z'],
  newYorkAutumn: ['America/New_York', '2027-11-07T04:00:00Z', '2027-11-08T05:00:00Z'],
} as const;

async function slotsOn(times: ScheduleTimes): Promise<Record<string, string[]>> {
  const { client, holdfast, name } = await createSessionBench({
    workerless: true,
    model: functionModel(() => ({ text: 'Done.' })),
  });
  const slots: Record<string, string[]> = {};
  for (const [day, [timeZone, from, to]] of Object.entries(days)) {
    const schedule = holdfast.schedule(`${name}-${day}`.toLowerCase());
    await schedule.create({ times, timeZone, input: { prompt: 'Look.' }, paused: true });
    onTestFinished(() => schedule.remove());
    const { startTime } = await client.workflowService.listScheduleMatchingTimes({
      namespace: 'default',
      scheduleId: `holdfast-schedule:${schedule.name}`,
      // not included
      startTime: { seconds: toSeconds(from, -1) },
      endTime: { seconds: toSeconds(to) },
    });
    slots[day] = (startTime ?? [])
      .map(({ seconds }) => new Date(Number(seconds) * 1_000).toISOString())
      .filter((at) => Date.parse(at) < Date.parse(to))
      .map((at) => at.slice(11, 16));
  }
  return slots;
}

/** The one place where a number gets the type of the wire, which takes it. */
function toSeconds(at: string, moved = 0): never {
  return (Date.parse(at) / 1_000 + moved) as never;
}

test.each<[string, ScheduleTimes]>([
  ['cron', { cron: '30 2 * * *' }],
  ['times of day', { at: ['02:30'] }],
])('[SCHED-08a] a time that a change leaves out has no slot on that day: %s', async (_, times) => {
  expect(await slotsOn(times)).toEqual({
    berlinSpring: [],
    // comes twice: the later one
    berlinAutumn: ['01:30'],
    newYorkSpring: [],
    newYorkAutumn: ['07:30'],
  });
});

test('[SCHED-08b] in the hour that comes twice New York has two slots; in Berlin the hour before it has a second one', async () => {
  expect(await slotsOn({ cron: '30 1 * * *' })).toEqual({
    berlinSpring: ['00:30'],
    berlinAutumn: ['23:30', '00:30'],
    newYorkSpring: ['06:30'],
    newYorkAutumn: ['05:30', '06:30'],
  });
});

test('[SCHED-08c] an hourly plan loses an hour in Berlin in autumn, an interval loses none', async () => {
  const hourly = await slotsOn({ cron: '0 * * * *' });
  expect(hourly['berlinAutumn']?.slice(0, 5)).toEqual(['22:00', '23:00', '00:00', '02:00', '03:00']);
  const count = (slots: typeof hourly) => Object.values(slots).map((each) => each.length);
  expect(count(hourly)).toEqual([23, 24, 23, 25]);
  expect(count(await slotsOn({ everyMs: 3_600_000 }))).toEqual([23, 25, 23, 25]);
});

test('[SCHED-08d] times from 04:00 on have one slot on each of these days', async () => {
  expect(await slotsOn({ at: ['04:00', '07:00'] })).toEqual({
    berlinSpring: ['02:00', '05:00'],
    berlinAutumn: ['03:00', '06:00'],
    newYorkSpring: ['08:00', '11:00'],
    newYorkAutumn: ['09:00', '12:00'],
  });
});
