// Schedules while their server is killed, stays away for some slots, and is started again on its file.
import { expect, inject, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../src/config/environment.ts';
import { slotSessionId } from '../../src/core/schedules/schedule.ts';
import { startDevServer } from '../../src/dev-server/dev-server.ts';
import { functionModel } from '../support/function-model.ts';
import { isAlive } from '../support/processes.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const everyMs = 1_000;
/** The server's least catch-up window. */
const windowMs = 10_000;

test('[SCHED-02cd] each slot has one session over a kill and a restart; slots older than the window have none', async () => {
  const settings = {
    dir: await temporaryFolder(),
    binary: inject('temporalBinary'),
    environment: readEnvironment(),
    ui: false,
  };
  const server = await startDevServer(settings);
  onTestFinished(() => server.stop());
  const asked = new Set<string | undefined>();
  const { holdfast, client } = await createSessionBench({
    address: server.address,
    model: functionModel(({ request }) => {
      asked.add(request.metadata.sessionId);
      return { text: 'All is well.' };
    }),
  });
  const times = { everyMs };
  const plan = { times, overlap: 'allow-all' as const, input: { agent: 'tester', prompt: 'Look.' } };
  const patient = holdfast.schedule('patient');
  const short = holdfast.schedule('short');
  await patient.create(plan);
  await short.create({ ...plan, catchUpMs: windowMs });
  const slotsOf = async (name: string): Promise<number[]> => {
    const slots: number[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `WorkflowId STARTS_WITH '${name}-'` }))
      slots.push(Date.parse(workflowId.slice(name.length + 1)));
    return slots.sort((left, right) => left - right);
  };
  await until(
    'sessions',
    async () => (await slotsOf('short')).length > 1 && (await slotsOf('patient')).length > 1,
  );

  process.kill(server.pid, 'SIGKILL');
  await until('the server is dead', () => !isAlive(server.pid));
  const killedAt = Date.now();
  await until('slots are missed', () => Date.now() > killedAt + windowMs + 4 * everyMs);
  const again = await startDevServer(settings);
  onTestFinished(() => again.stop());
  const backAt = Date.now();

  await until(
    'later slots',
    async () =>
      (await slotsOf('patient').catch(() => [])).some((slot) => slot > backAt + everyMs) &&
      (await slotsOf('short').catch(() => [])).some((slot) => slot > backAt + everyMs),
  );
  await patient.pause('seen enough');
  await short.pause('seen enough');
  const every = (from: number, to: number) =>
    Array.from({ length: (to - from) / everyMs + 1 }, (_, index) => from + index * everyMs);
  // within the window of an hour: all of them, once each
  const made = await slotsOf('patient');
  expect(made).toEqual(every(made[0] ?? 0, made.at(-1) ?? 0));
  const some = await slotsOf('short');
  const lost = every(some[0] ?? 0, some.at(-1) ?? 0).filter((slot) => !some.includes(slot));
  expect(new Set(some).size).toBe(some.length);
  // those that were older than the window when the server came back; one that was begun in the moment of the kill counts
  // as missed, too, where the server had not noted it
  const { missed } = await short.describe();
  expect([lost.length, lost.length + 1]).toContain(missed);
  expect(lost.length).toBeGreaterThan(0);
  for (const slot of lost) expect(slot).toBeLessThan(backAt);
  const ids = [
    ...made.map((slot) => slotSessionId('patient', slot)),
    ...some.map((slot) => slotSessionId('short', slot)),
  ];
  await until('every session has been at work', () => ids.every((id) => asked.has(id)));
});
