// A session that stays: prompts, its end, and what callers send that is not right or too early.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { RunError } from '../../src/client.ts';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { until } from '../support/until.ts';
import { untilStopped } from '../support/until-stopped.ts';

const answering = () => functionModel(({ newTexts }) => ({ text: `re: ${newTexts.join(' | ')}` }));

test('[LOOP-18b] [LOOP-19abc] [STATE-12ab] prompts one after the other; refused ones leave no event; of two at once one is taken; shutdown ends the session', async () => {
  const calling = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const model = functionModel(async ({ newTexts }): Promise<Saying> => {
    if (newTexts.at(-1) === 'Slowly.') {
      calling.resolve();
      await mayAnswer.promise;
    }
    return { text: `re: ${newTexts.join(' | ')}` };
  });
  const bench = await createSessionBench({ model, workerless: true });
  const handle = await bench.start({ keepAlive: true });
  const prompt = (input: unknown): Promise<unknown> => handle.executeUpdate('prompt', { args: [input] });
  // both wait for the first worker, so that one activation brings them
  const both = Promise.allSettled([prompt('one'), prompt('two')]);
  await bench.addWorker();
  const settled = await both;
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });

  expect(await prompt('Slowly.')).toEqual({ runId: 'run-2' }); // on acceptance, not at the run's end
  await calling.promise;
  const events = async (): Promise<number> => (await handle.fetchHistory()).events?.length ?? 0;
  const before = await events();
  await expect(prompt('too early')).rejects.toMatchObject({ cause: { type: 'RunInProgress' } });
  expect(await events()).toBe(before);
  mayAnswer.resolve();
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-2' });
  const idle = await until('nothing is pending', async () => {
    const { raw } = await handle.describe();
    return raw.pendingActivities?.length === 0 && !raw.pendingWorkflowTask && (await events());
  });
  for (const [bad, type] of [
    ['  ', 'EmptyPrompt'],
    [[], 'EmptyPrompt'],
    [42, 'InvalidMessage'],
    [{ role: 'assistant', content: [] }, 'InvalidMessage'],
    ['x'.repeat(300_000), 'TooLarge'],
  ]) {
    await expect(prompt(bad)).rejects.toMatchObject({ cause: { type } });
  }
  expect(await events()).toBe(idle);
  await handle.signal('shutdown');
  expect(await handle.result()).toMatchObject({ runId: 'run-2', answer: 're: Slowly.' });
});

test('[LOOP-18d] promptAndWait gives the result of its run, and throws it as a RunError when the run failed or was aborted', async () => {
  const calling = Promise.withResolvers<void>();
  const model = functionModel(async ({ newTexts, options }): Promise<Saying> => {
    const asked = newTexts.at(-1);
    if (asked === 'Fail.') throw ApplicationFailure.nonRetryable('it broke', 'Model.NotFound');
    if (asked !== 'Wait.') return { text: `re: ${asked}` };
    calling.resolve();
    return untilStopped(options.signal);
  });
  const bench = await createSessionBench({ model });
  const session = await bench.holdfast.start({ agent: 'tester', keepAlive: true });
  expect(await session.promptAndWait('Look.')).toMatchObject({ status: 'completed', answer: 're: Look.' });

  const failed = session.promptAndWait('Fail.');
  await expect(failed).rejects.toThrow(RunError);
  await expect(failed).rejects.toMatchObject({
    message: `Run run-2 of session ${session.sessionId} failed: Model.NotFound: it broke`,
    result: { runId: 'run-2', status: 'failed', error: { code: 'Model.NotFound' } },
  });

  const aborted = session.promptAndWait('Wait.');
  aborted.catch(() => undefined);
  await calling.promise;
  await session.abort();
  await expect(aborted).rejects.toBeInstanceOf(RunError);
  await expect(aborted).rejects.toMatchObject({ result: { runId: 'run-3', status: 'aborted' } });
  await session.shutdown();
  expect(await session.result()).toMatchObject({ runId: 'run-3' });
});

test('[STATE-12c] [CKPT-10a] an idle session ends after its idle time; its state is the same when another worker replays it', async () => {
  const bench = await createSessionBench({ model: answering(), workerless: true });
  const first = await bench.addWorker();
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true, idleTimeoutMs: 1_500 });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 're: Go.' });
  const read = async (): Promise<unknown[]> => [
    await handle.query('snapshot'),
    await handle.query<unknown, [number]>('getMessages', 0),
    await handle.query<unknown, [number]>('getEvents', 0),
  ];
  const before = await read();
  await first.stop();
  await bench.addWorker();
  expect(await read()).toEqual(before);
});

test('[QUEUE-16a] [QUEUE-01] [FAULT-93] malformed signals are ignored with a warning, those whose bytes cannot be read too, and fail nothing', async () => {
  const bench = await createSessionBench({ model: answering(), workerless: true });
  const handle = await bench.start({ prompt: 'Go.' });
  const bad: unknown[] = [
    undefined,
    null,
    7,
    'text',
    [],
    {},
    { id: 'x' },
    { id: '', message: 'm' },
    { id: 'y', message: '' },
  ];
  for (const payload of bad)
    await handle.signal('steer', ...((payload === undefined ? [] : [payload]) as []));
  await handle.signal('followUp', { id: 'big', message: 'x'.repeat(300_000) });
  for (const name of ['resume', 'nobody-knows-this']) await handle.signal(name, { odd: true });
  const encoded = (encoding: string, text: string) => ({
    metadata: { encoding: Buffer.from(encoding) },
    data: Buffer.from(text),
  });
  const unreadable = [
    encoded('json/plain', '{not json'),
    encoded('binary/unknown', 'abc'),
    { data: Buffer.from('{}') },
  ];
  for (const bytes of unreadable)
    await bench.client.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: handle.workflowId },
      signalName: 'steer',
      input: { payloads: [bytes] },
    });
  await handle.signal('steer', { id: 'good', message: 'And this.' });
  await bench.addWorker();
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 're: Go. | And this.' });
  const { events } = await handle.query<{ events: AgentEvent[] }, [number]>('getEvents', 0);
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.code] : []));
  expect(warnings).toEqual([
    ...bad.map(() => 'Message.InvalidMessage'),
    'Message.TooLarge',
    'Message.UnknownSignal',
    ...unreadable.map(() => 'Message.InvalidMessage'),
  ]);
  const history = await handle.fetchHistory();
  expect(history.events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  const log = await bench.readLog(handle.workflowId);
  expect(log.map((record) => textOf(record))).toEqual(['Go.', 'And this.', 're: Go. | And this.']);
});

test('[QUEUE-10a] [QUEUE-08c] signals that came before the first workflow task are taken in the order in which they came', async () => {
  const bench = await createSessionBench({ model: answering(), workerless: true });
  const handle = await bench.start({ keepAlive: true, queues: { idleMessages: 'hold' } });
  await handle.signal('followUp', { id: 'before', message: 'too early' });
  await handle.signal('steer', { id: 'soon', message: 'taken back' });
  await handle.signal('clearSteering');
  await handle.signal('clearFollowUp');
  await handle.signal('__temporal_odd', {});
  await handle.signal('nobody-knows-this', {});
  await handle.signal('steer', { id: 'after', message: 'steer' });
  await handle.signal('followUp', { id: 'behind', message: 'later' });
  await bench.addWorker();
  const { queues } = await bench.holdfast.session(handle.workflowId).snapshot();
  expect(queues).toEqual({ steering: ['after'], followUp: ['behind'] });
  await handle.signal('shutdown');
  await handle.result();
});

test('[FAULT-93] [LOOP-18c] a start that is wrong fails at once and says why; one with a wrong field ends its run as failed, with the field named', async () => {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'never' })) });
  const start = (...args: unknown[]) =>
    bench.client.workflow.start('agentSession', {
      taskQueue: bench.taskQueue,
      workflowId: `session-${randomUUID()}`,
      args,
    });
  for (const [args, type] of [
    [[], 'Input.Invalid'],
    [['find out'], 'Input.Invalid'],
    [[{}], 'InvalidMessage'],
    [[{ prompt: ' ' }], 'EmptyPrompt'],
    [[{ prompt: 'Go.', messages: 'hello' }], 'Input.Invalid'],
    [[{ prompt: 'Go.', messages: [{ role: 'user', content: [7] }] }], 'Input.Invalid'],
  ] as const) {
    const handle = await start(...args);
    await expect(handle.result(), JSON.stringify(args)).rejects.toMatchObject({ cause: { type } });
  }
  const handle = await start({ agent: 'tester', prompt: 'Go.', approvals: { timeoutMs: 'soon' } });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'failed', error: { code: 'Run.ContextFailed' } });
  expect(JSON.stringify(result)).toContain('approvals.timeoutMs');
});
