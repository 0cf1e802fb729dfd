// The heartbeat that a body waits for before it changes something: which bodies ask, and what keeps them from beginning. The
// loss itself is played by test/workflows/frozen-worker.test.ts.
import { setTimeout as pause } from 'node:timers/promises';
import { ActivityCancelledError, ActivityCompletionError, ActivityNotFoundError } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { confirmed } from '../../../src/activities/base/confirm-start.ts';
import { createHostActivities } from '../../../src/activities/host-activities.ts';
import { createActivities } from '../../../src/activities/index.ts';
import type { RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import { createToolActivities } from '../../../src/activities/tools/run-tool.ts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import { textOf } from '@holdfast/vocabulary/messages';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { functionModel } from '../../support/function-model.ts';
import { frozenContext } from '../../support/frozen-context.ts';
import { toDeps } from '../../support/session-worker.ts';
import {
  answeringClient,
  fakeTool,
  temporaryFolder,
  toolBench,
  toolCallInput,
} from '../../support/tool-calls.ts';

const approved = { approvedBy: 'ann@host' };
const givenUp = (): Promise<void> => Promise.reject(new ActivityNotFoundError('Not found'));

/** A tool that counts how often its body began. */
function counted(effect: ToolEffect): { begun: string[]; tool: RegisteredTool } {
  const begun: string[] = [];
  const tool = fakeTool(
    () => {
      begun.push('body');
      return { text: 'ran' };
    },
    { effect },
  );
  const reconcile = () => {
    begun.push('look-up');
    return { happened: false } as const;
  };
  return { begun, tool: { ...tool, reconcile } };
}

test.each(['once', 'idempotent'] as const)(
  '[FAULT-100] [WORKER-04a] an approved call with effect %s does not begin in an attempt that the session has given up',
  async (effect) => {
    const { begun, tool } = counted(effect);
    const bench = await toolBench(tool, { answer: givenUp });
    const { message, outcome } = await bench.run({}, approved);
    expect(message).toMatchObject({ isError: true });
    // a stop, or a pause of the machine: nobody has refused it
    expect(outcome).toBe('not_run');
    expect(textOf(message)).toBe(
      'Not run: the session had given it up before it began. Nothing was changed.',
    );
    expect(begun).toEqual([]);
    // the claim of a `once` call comes before the last gate
    expect((await bench.storedNames()).filter((name) => !name.startsWith('claim-'))).toEqual([]);
  },
);

test('[FAULT-100] an attempt that does not begin after one that had begun says that nobody knows the outcome', async () => {
  const { begun, tool } = counted('idempotent');
  const { deps } = await toolBench(tool);
  const environment = new MockActivityEnvironment(
    { attempt: 2, heartbeatDetails: { tool: 'fake' }, heartbeatTimeoutMs: 10_000 },
    { client: answeringClient(() => Promise.reject(new ActivityCancelledError('cancelled'))) },
  );
  const again = createToolActivities(deps)['tool.fake'];
  if (again === undefined) throw new Error('there is no activity');
  const attempt = () => again(toolCallInput({}, approved));
  const { message, outcome } = await environment.run<[], ToolCallResult, typeof attempt>(attempt);
  expect(outcome).toBe('unknown');
  expect(textOf(message)).toMatch(/^Not run again: it was stopped before it began\.\nOutcome unknown: /);
  expect(begun).toEqual([]);
});

test('[WORKER-04a] a call on a host does not begin in an attempt that the session has given up', async () => {
  const { begun, tool } = counted('once');
  const deps = await toDeps(
    { model: functionModel(() => ({ text: '' })), tools: [tool] },
    await temporaryFolder(),
  );
  const onHost: ReturnType<typeof createToolActivities> = createHostActivities(deps, 'shop-db1');
  const activity = onHost['tool.fake'];
  if (activity === undefined) throw new Error('there is no activity');
  const handle = { query: () => Promise.resolve(frozenContext()) };
  const client = Object.assign(answeringClient(givenUp), { workflow: { getHandle: () => handle } });
  const environment = new MockActivityEnvironment({}, { client });
  const run = () => activity(toolCallInput({ on_host: 'shop-db1' }, approved));
  const { message } = await environment.run<[], ToolCallResult, typeof run>(run);
  expect(textOf(message)).toMatch(/^Not run: the session had given it up before it began\./);
  expect(begun).toEqual([]);
});

test('[WORKER-04g] a call that only reads does not ask the server', async () => {
  const { begun, tool } = counted('read');
  const answer = vi.fn(givenUp);
  expect(await (await toolBench(tool, { answer })).text({})).toBe('ran');
  expect([begun, answer.mock.calls]).toEqual([['body'], []]);
});

test('[FAULT-100] [WORKER-04b] a look-up of a lost call asks too: its outcome stays unknown', async () => {
  const { begun, tool } = counted('once');
  const { deps, environment } = await toolBench(tool, { answer: givenUp });
  const lookUp = createToolActivities(deps)['reconcile.fake'];
  if (lookUp === undefined) throw new Error('there is no look-up');
  const look = () => lookUp(toolCallInput({}, approved));
  const { message } = await environment.run<[], ToolCallResult, typeof look>(look);
  expect(textOf(message)).toMatch(/^Not looked up: .*\nOutcome unknown: /);
  expect(begun).toEqual([]);
});

test.each([
  ['was stopped', new ActivityCancelledError('cancelled'), 'it was stopped before it began'],
  ['is not answered', new ActivityCompletionError('no route'), 'the server did not let it begin (no route)'],
])('[WORKER-04a] a call that %s before its body begins is not begun', async (_, error, reason) => {
  const { begun, tool } = counted('once');
  const bench = await toolBench(tool, { answer: () => Promise.reject(error) });
  expect(await bench.text({}, approved)).toBe(`Not run: ${reason}. Nothing was changed.`);
  expect(begun).toEqual([]);
});

test.each([
  ['stopped', () => pause(30)],
  // a paused machine: the clock of the process has not noticed
  ['paused', async () => void vi.setSystemTime(Date.now() + 60_000)],
])(
  '[FAULT-100] [WORKER-04e] an answer that a %s process reads late is asked for again',
  async (_, freeze) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { begun, tool } = counted('once');
    const answer = vi.fn(givenUp).mockImplementationOnce(freeze);
    const bench = await toolBench(tool, { answer, heartbeatTimeoutMs: 50 });
    expect(await bench.text({}, approved)).toMatch(/^Not run: the session had given it up/);
    expect(answer).toHaveBeenCalledTimes(2);
    expect(begun).toEqual([]);
  },
);

test.each([
  ['facts for the memory', 'flushMemory', { sessionId: 's', runId: 'r', toSeq: 1, at: 0, facts: [] }],
  ['a report for the memory', 'saveIncident', { sessionId: 's', artifactId: 'a', task: 't', at: 0 }],
  ['a call of a board', 'boardCall', { board: 'b', call: { type: 'list' } }],
])('[WORKER-04cd] not begun in an attempt that the session has given up: %s', async (_, name, input) => {
  const deps = await toDeps({ model: functionModel(() => ({ text: '' })) }, await temporaryFolder());
  const activities: Record<string, unknown> = createActivities(deps);
  const environment = new MockActivityEnvironment({}, { client: answeringClient(givenUp) });
  const write = activities[name] as (given: object) => Promise<unknown>;
  await expect(environment.run(write, input)).rejects.toThrow('It was not begun: the session had given');
});

test('[FAULT-100] what is written beside others is not written in an attempt that was given up', async () => {
  const environment = new MockActivityEnvironment({}, { client: answeringClient(givenUp) });
  let written = 0;
  const write = confirmed(async () => (written += 1));
  await expect(environment.run(write, undefined)).rejects.toThrow('It was not begun: the session had given');
  expect(written).toBe(0);
});
