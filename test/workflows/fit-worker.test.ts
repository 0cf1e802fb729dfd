// Workers that lack a part of a session: the task goes back, the session waits visibly and continues by itself.
import { expect, test } from 'vitest';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { queries } from '../../src/workflows/session/workflow-api.ts';
import { functionModel } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench, SessionHandle } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import type { SessionWorkerOptions } from '../support/session-worker.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const allowAll: PolicyRule[] = [{ tool: '*', decision: 'allow' }];

/** Calls the tool `change` in its first turn. */
const callsOnce = () =>
  functionModel(({ number }): Saying =>
    number === 1 ? { calls: [{ tool: 'change' }] } : { text: 'All done.' },
  );

function changeTool(ran: string[], where: string, taskQueue?: string) {
  return fakeTool(
    () => {
      ran.push(where);
      return { text: `changed by ${where}` };
    },
    { name: 'change', effect: 'once', ...(taskQueue ? { taskQueue } : {}) },
  );
}

/** Waits until the session says which worker lacks what. */
async function waitingReason(bench: SessionBench, handle: SessionHandle): Promise<string> {
  return until('the session waits for a worker', async () => {
    const { waitingFor, waitingReason: reason } = await bench.holdfast.session(handle.workflowId).snapshot();
    return waitingFor === 'worker' ? reason : undefined;
  });
}

const guard = defineHook({ name: 'guard', beforeComplete: () => undefined });
const ran: string[] = [];

const lacking: [
  part: string,
  fit: Partial<SessionWorkerOptions>,
  unfit: Partial<SessionWorkerOptions>,
  says: string,
  start?: SessionInput,
][] = [
  [
    'a provider',
    {},
    { model: { ...callsOnce(), name: 'other' } },
    'Model scripted:test cannot be used: There is no model provider "scripted"',
  ],
  [
    'the agent of the start',
    { agents: { nightly: {} } },
    { agents: {} },
    'There is no agent "nightly"',
    { agent: 'nightly' },
  ],
];

test.each(lacking)(
  '[WORKER-01acde] a worker that lacks %s when a run is assembled changes nothing: the session waits for one that has it',
  async (_part, fit, unfit, says, start) => {
    const bench = await createSessionBench({
      model: callsOnce(),
      policy: allowAll,
      tools: [changeTool(ran, 'fit')],
      workerless: true,
    });
    const unable = await bench.addWorker({ identity: 'unfit-one', ...unfit });
    const handle = await bench.start({ prompt: 'Go.', ...start });
    const reason = await waitingReason(bench, handle);
    expect(reason).toContain('Worker unfit-one on task queue');
    expect(reason).toContain(says);
    await unable.stop();
    await bench.addWorker(fit);
    expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'All done.' });
    expect((await bench.holdfast.session(handle.workflowId).snapshot()).waitingFor).toBeUndefined();
  },
);

test('[WORKER-01acde] [TOOL-08d] a call that finds only a worker without its projection waits in the middle of a run; a once tool runs once', async () => {
  const bodies: string[] = [];
  const transformContext = (
    messages: Parameters<
      NonNullable<NonNullable<SessionWorkerOptions['projections']>['transformContext']>
    >[0],
  ) => messages;
  const own = { hooks: [guard], projections: { transformContext }, tools: [changeTool(bodies, 'fit')] };
  const model = callsOnce();
  const bench = await createSessionBench({
    model,
    policy: allowAll,
    workerless: true,
    agent: { hooks: [{ name: 'guard' }] },
  });
  let release = (): void => undefined;
  const assembled = new Promise<void>((resolve) => (release = resolve));
  const first = await bench.addWorker({ ...own, beforeContext: async () => release() });
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true });
  await assembled;
  await until(
    'the first run has ended',
    async () => (await bench.holdfast.session(handle.workflowId).snapshot()).lastStatus,
  );
  expect(bodies).toEqual(['fit']);
  await first.stop();
  // the second run is assembled by a fit worker that then goes, so that the model call finds another one
  const gone = await bench.addWorker({ ...own, model: functionModel(() => new Promise(() => undefined)) });
  await handle.executeUpdate('prompt', { args: ['Again.'] });
  await until(
    'the model is asked',
    async () => (await bench.holdfast.session(handle.workflowId).snapshot()).streaming,
  );
  await gone.stop();
  const without = await bench.addWorker({ ...own, projections: {}, identity: 'no-projection' });
  expect(await waitingReason(bench, handle)).toContain('Worker no-projection on task queue');
  expect(await waitingReason(bench, handle)).toContain('has no function "transformContext"');
  await without.stop();
  await bench.addWorker(own);
  const status = await until('the second run has ended', async () => {
    const { lastStatus, runId } = await bench.holdfast.session(handle.workflowId).snapshot();
    return runId === undefined && lastStatus;
  });
  expect(status).toBe('completed');
  await handle.signal('shutdown');
  expect(await handle.result()).toMatchObject({ status: 'completed' });
});

test('[WORKER-01be] with a fit and an unfit worker on one queue every session completes, and no task is lost to the unfit one', async () => {
  const bodies: string[] = [];
  const bench = await createSessionBench({
    own: 'a second worker comes',
    model: callsOnce(),
    policy: allowAll,
    tools: [changeTool(bodies, 'fit')],
  });
  await bench.addWorker({ identity: 'unfit', model: { ...callsOnce(), name: 'other' }, tools: [echoTool()] });
  const handles = await Promise.all(Array.from({ length: 7 }, () => bench.start({ prompt: 'Go.' })));
  const results = await Promise.all(handles.map((handle) => handle.result()));
  expect(results.map(({ status }) => status)).toEqual(handles.map(() => 'completed'));
  expect(bodies).toEqual(handles.map(() => 'fit'));
});

test('[WORKER-01c] [STATE-09a] what is handed back after an abort is not waited for: the run ends, and nothing starts', async () => {
  const bodies: string[] = [];
  const last = defineHook({ name: 'last', runEnd: () => undefined });
  const bench = await createSessionBench({
    tools: [changeTool(bodies, 'fit')],
    policy: allowAll,
    workerless: true,
    agent: { hooks: [{ name: 'last' }] },
    hooks: [last],
    model: functionModel(() => new Promise(() => undefined)),
  });
  const gone = await bench.addWorker();
  const handle = await bench.start({ prompt: 'Go.' });
  await until(
    'the model is asked',
    async () => (await bench.holdfast.session(handle.workflowId).snapshot()).streaming,
  );
  await gone.stop();
  await bench.addWorker({ model: { ...callsOnce(), name: 'other' } });
  await waitingReason(bench, handle);
  await handle.signal('abort');
  // the hook at the end of the run is handed back as well, by a worker that lacks the model
  expect(await handle.result()).toMatchObject({ status: 'aborted' });
  expect(bodies).toEqual([]);
});

test('[WORKER-03bc] where a worker opens more or less than the run began with the narrower of both counts, and the difference is announced once', async () => {
  const bodies: string[] = [];
  const open = { policy: allowAll, access: { policy: allowAll, roots: ['/var/log'], hosts: [] } };
  const closed: PolicyRule[] = [{ tool: 'change', decision: 'deny', reason: 'Not tonight.' }];
  const bench = await createSessionBench({
    tools: [changeTool(bodies, 'here')],
    workerless: true,
    model: functionModel(({ number }): Saying =>
      number <= 2 ? { calls: [{ tool: 'change' }] } : { text: 'All done.' },
    ),
    // frozen with the deny rule; what serves it afterwards allows everything
    policy: closed,
    access: { policy: closed, roots: ['/var/log/shop'], hosts: [] },
  });
  const narrow = await bench.addWorker({ model: functionModel(() => new Promise(() => undefined)) });
  const handle = await bench.start({ prompt: 'Go.' });
  await until(
    'the model is asked',
    async () => (await bench.holdfast.session(handle.workflowId).snapshot()).streaming,
  );
  await narrow.stop();
  await bench.addWorker(open);
  expect(await handle.result()).toMatchObject({ status: 'completed' });
  expect(bodies).toEqual([]);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual([
    expect.stringContaining('Not tonight.'),
    expect.stringContaining('Not tonight.'),
  ]);
  const { events } = await handle.query(queries.getEvents, 0);
  const warnings = events.filter((event) => event.type === 'warning' && event.code === 'Worker.Differs');
  expect(warnings).toMatchObject([
    { message: expect.stringContaining('policy; file roots /var/log instead of /var/log/shop') },
  ]);
});
