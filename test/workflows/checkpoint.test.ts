// Checkpoints: what the query says, what is saved, and a second session that goes on where the first was.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { createReadArtifactTool } from '../../src/activities/tools/built-in/files/read-artifact.ts';
import type { Checkpoint } from '../../src/core/model/session-input.ts';
import type { ModelRequest } from '../../src/core/model/model-call.ts';
import { textOf } from '../../src/core/model/messages.ts';
import type { ToolEffect } from '../../src/core/model/tool-spec.ts';
import { functionModel } from '../support/function-model.ts';
import type { FunctionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { until } from '../support/until.ts';

const answers = (text = 'done') => functionModel(() => ({ text }));

/** The request as the provider gets it, but for whose it is. */
function bytesOf({ metadata: _, ...request }: ModelRequest): string {
  return JSON.stringify(request);
}

function requestsOf(model: FunctionModel, sessionId: string): string[] {
  return model.requests.filter(({ metadata }) => metadata.sessionId === sessionId).map(bytesOf);
}

async function readTask(bench: SessionBench, taskId: string): Promise<Checkpoint> {
  return JSON.parse(await readFile(taskFile(bench, taskId), 'utf8')) as Checkpoint;
}

function taskFile({ artifactsDir }: SessionBench, taskId: string): string {
  return join(artifactsDir, 'sessions', 'checkpoints', `${taskId}.json`);
}

/** A tool whose calls are counted by key; the first one is held until it is released. */
function heldTool(name: string, effect: ToolEffect) {
  const keys: string[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const tool = defineTool({
    name,
    description: name,
    effect,
    input: z.strictObject({}),
    run: async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      begun.resolve();
      if (keys.length === 1) await promise;
      return { text: `${name} gave this` };
    },
  });
  return { tool, keys, begun: begun.promise, release };
}

/** An exporter in its second turn: one call answered, one in flight. */
async function openBatch(effect: ToolEffect) {
  const held = heldTool('held', effect);
  let quickRuns = 0;
  const quick = defineTool({
    name: 'quick',
    description: 'quick',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => ({ text: `quick ${++quickRuns}` }),
  });
  const model = functionModel(({ number }) => {
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'x', times: 40_000 } }] };
    return number === 2 ? { calls: [{ tool: 'quick' }, { tool: 'held' }] } : { text: 'done' };
  });
  const bench = await createSessionBench({
    model,
    tools: [echoTool(), quick, held.tool],
    policy: [{ tool: 'held', decision: 'allow' }],
  });
  const handle = await bench.start({ prompt: 'Look into it.', labels: { team: 'shop' } });
  await held.begun;
  const exported = await until('one call is answered', async () => {
    const checkpoint = await bench.holdfast.session(handle.workflowId).checkpoint();
    const batch = checkpoint.session?.state.run?.batch ?? [];
    return batch.filter(({ answer }) => answer).length === 1 && checkpoint;
  });
  return { bench, model, handle, held, quick, exported, quickRuns: () => quickRuns };
}

describe('import', () => {
  test('[CKPT-04abcd] goes on in the middle of a batch: the next request is byte-equal, only the open call runs again, under its key', async () => {
    const { bench, model, handle, held, exported, quickRuns } = await openBatch('idempotent');
    expect(exported).toMatchObject({
      status: 'in_progress',
      iteration: 3,
      messages: { fromSeq: 1, toSeq: 4 },
    });
    const { sessionId } = await bench.holdfast.start({ checkpoint: exported });
    const result = await bench.holdfast.session(sessionId).result();
    held.release();
    await handle.result();

    expect(result).toMatchObject({ status: 'completed', answer: 'done', turns: 3 });
    expect(requestsOf(model, sessionId)).toEqual(requestsOf(model, handle.workflowId).slice(2));
    expect(quickRuns()).toBe(1);
    const key = `${handle.workflowId}/call_2_2`;
    expect(held.keys).toEqual([key, key]);
    const [first, second] = [await bench.readLog(handle.workflowId), await bench.readLog(sessionId)];
    expect(second.map(withoutTime)).toEqual(first.map(withoutTime));
  });

  test('[CKPT-04ab] elsewhere, with another store and other tools: the next request is byte-equal all the same', async () => {
    const { model, handle, held, quick, exported } = await openBatch('read');
    const answering = functionModel(() => ({ text: 'done' }));
    const [there, extra] = [heldTool('held', 'read'), heldTool('extra', 'read')];
    there.release();
    const elsewhere = await createSessionBench({
      own: 'two benches at once',
      model: answering,
      tools: [echoTool(), quick, there.tool, extra.tool],
    });
    const client = elsewhere.holdfast;
    const { sessionId } = await client.start({ checkpoint: exported });
    expect(await client.session(sessionId).result()).toMatchObject({ status: 'completed', answer: 'done' });
    held.release();
    await handle.result();
    expect(requestsOf(answering, sessionId)).toEqual(requestsOf(model, handle.workflowId).slice(2));
    const { events } = await elsewhere.client.workflow
      .getHandle(sessionId)
      .query<{ events: { code?: string; message?: string }[] }, [number]>('getEvents', 0);
    // of the two outputs the log has one whole, which comes along
    expect(events.find(({ code }) => code === 'Checkpoint.Incomplete')?.message).toMatch(
      /^Not in this store: 1 output /,
    );

    const other = await client.start({ checkpoint: exported, model: 'scripted:other' });
    await client.session(other.sessionId).result();
    const [request] = answering.requests.filter(({ metadata }) => metadata.sessionId === other.sessionId);
    expect(request?.model.id).toBe('other');
    expect(request?.tools.map(({ name }) => name)).toContain('extra');
  });

  test('[CKPT-04d] a `once` call that had begun is not run again: the model reads that its outcome is unknown', async () => {
    const { bench, handle, held, exported } = await openBatch('once');
    const { sessionId } = await bench.holdfast.start({ checkpoint: exported });
    expect(await bench.holdfast.session(sessionId).result()).toMatchObject({
      status: 'completed',
      answer: 'done',
    });
    expect(held.keys).toHaveLength(1);
    const log = await bench.readLog(sessionId);
    expect(log.flatMap((record) => (record.role === 'tool_result' ? [textOf(record)] : [])).slice(1)).toEqual(
      ['quick 1', expect.stringMatching(/^Outcome unknown: the session that made this call was left/)],
    );
    held.release();
    await handle.result();
  });

  test('[CKPT-04d] a call that waits for a person has not begun: it is asked for again, then runs', async () => {
    const change = heldTool('change', 'once');
    change.release();
    const bench = await createSessionBench({
      model: functionModel(({ number }) =>
        number === 1 ? { calls: [{ tool: 'change' }] } : { text: 'done' },
      ),
      tools: [change.tool],
      policy: [{ tool: 'change', decision: 'ask' }],
    });
    const handle = await bench.start({ prompt: 'Change it.' });
    const waits = (sessionId: string) =>
      until(
        'it waits for a person',
        async () => (await bench.holdfast.session(sessionId).pendingApprovals())[0]?.id,
      );
    await waits(handle.workflowId);
    const { sessionId } = await bench.holdfast.start({
      checkpoint: await bench.holdfast.session(handle.workflowId).checkpoint(),
    });
    await bench.holdfast.session(sessionId).approve(await waits(sessionId), { actor: 'ann' });
    expect(await bench.holdfast.session(sessionId).result()).toMatchObject({ status: 'completed' });
    expect(change.keys).toHaveLength(1);
    await bench.holdfast.session(handle.workflowId).abort();
    await handle.result();
  });

  test('[CKPT-04ab] [CKPT-07a] and then over hand-overs: the requests are those of a session that was never left', async () => {
    const script = (numbers: number) =>
      functionModel(({ number }) =>
        number < numbers
          ? { calls: [{ tool: 'echo', args: { text: `${number} `, times: 2_000 } }] }
          : { text: 'done' },
      );
    const model = script(6);
    const bench = await createSessionBench({ model });
    const whole = await bench.start({ prompt: 'Go.', loop: { maxTurns: 0 } });
    await whole.result();
    const limited = await bench.start({ prompt: 'Go.', loop: { maxTurns: 2, onLimit: 'error' } });
    await limited.result();
    const { sessionId } = await bench.holdfast.start({
      checkpoint: await bench.holdfast.session(limited.workflowId).checkpoint(),
      loop: { maxTurns: 0 },
      continueAsNewAfterTurns: 1,
    });
    expect(await bench.holdfast.session(sessionId).result()).toMatchObject({
      status: 'completed',
      answer: 'done',
    });
    expect((await bench.holdfast.session(sessionId).historySize()).runs).toBeGreaterThan(2);
    expect(requestsOf(model, sessionId)).toEqual(requestsOf(model, whole.workflowId).slice(2));
    const [first, second] = [await bench.readLog(whole.workflowId), await bench.readLog(sessionId)];
    expect(second.map(textOf)).toEqual(first.map(textOf));
  });

  test('outputs that the log names can be read by the new session', async () => {
    const bench = await createSessionBench({
      model: functionModel(({ number, newTexts }) => {
        if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'needle ', times: 9_000 } }] };
        if (newTexts.includes('Read it.'))
          return { calls: [{ tool: 'read_artifact', args: { artifactId: 'tool-call_1_1' } }] };
        return { text: 'done' };
      }),
      tools: [echoTool(), createReadArtifactTool()],
    });
    const handle = await bench.start({ prompt: 'Make it.' });
    await handle.result();
    const { sessionId } = await bench.holdfast.start({
      checkpoint: await bench.holdfast.session(handle.workflowId).checkpoint(),
      prompt: 'Read it.',
    });
    await bench.holdfast.session(sessionId).result();
    const last = (await bench.readLog(sessionId)).findLast((record) => record.role === 'tool_result');
    expect(last && textOf(last)).toMatch(/^needle needle /);
  });
});

function withoutTime<T extends { at: number; ran?: unknown }>({ at: _, ran: __, ...record }: T) {
  return record;
}

describe('query checkpoint', () => {
  test('[CKPT-02abc] i while the call of iteration i is due or failed, i + 1 after it finished; with the messages inline', async () => {
    const calling = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const bench = await createSessionBench({
      model: functionModel(async ({ number }) => {
        if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'a' } }] };
        calling.resolve();
        await released.promise;
        throw ApplicationFailure.nonRetryable('it broke', 'Model.NotFound');
      }),
    });
    const handle = await bench.start({ prompt: 'Go.', keepAlive: true, taskId: 'task-7' });
    const query = () => bench.client.workflow.getHandle(handle.workflowId).query<Checkpoint>('checkpoint');
    await calling.promise;
    const due = await query();
    expect(due).toMatchObject({ version: 1, iteration: 2, status: 'in_progress', task_id: 'task-7' });
    expect(due).toMatchObject({
      id: `${handle.workflowId}/3`,
      messages: { segments: [], fromSeq: 1, toSeq: 3 },
    });
    expect(due.messages.records?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result']);
    expect(Date.parse(due.created_at)).toBeGreaterThan(Date.parse('2026-01-01'));
    released.resolve();
    await until(
      'it failed',
      async () => (await bench.holdfast.session(handle.workflowId).snapshot()).lastStatus,
    );
    expect(await query()).toMatchObject({ iteration: 2, status: 'failed', result: { status: 'failed' } });
    await bench.holdfast.session(handle.workflowId).shutdown();
    await handle.result();
  });

  test('[CKPT-02abc] after the last call finished; over 64 KiB the messages are named, not inline', async () => {
    const bench = await createSessionBench({
      model: functionModel(({ number }) =>
        number < 4
          ? { calls: [{ tool: 'echo', args: { text: `${number}`, times: 30_000 } }] }
          : { text: 'done' },
      ),
    });
    const handle = await bench.start({ prompt: 'Go.', continueAsNewAfterTurns: 2 });
    await handle.result();
    const checkpoint = await bench.client.workflow
      .getHandle(handle.workflowId)
      .query<Checkpoint>('checkpoint');
    expect(checkpoint).toMatchObject({ iteration: 5, status: 'completed', messages: { toSeq: 8 } });
    expect(checkpoint.messages.segments[0]).toMatchObject({ fromSeq: 1 });
    expect(checkpoint.messages.fromSeq).toBe((checkpoint.messages.segments.at(-1)?.toSeq ?? 0) + 1);
    const large = await bench.start({ prompt: 'x'.repeat(70_000) });
    await large.result();
    const named = await bench.client.workflow.getHandle(large.workflowId).query<Checkpoint>('checkpoint');
    expect(named.messages).toMatchObject({ fromSeq: 1, toSeq: 8 });
    expect(named.messages).not.toHaveProperty('records');
  });
});

describe('saveCheckpoint', () => {
  test('[CKPT-03a] [CKPT-02ac] at the end of a run under the id of its task: completed, failed, limits, cancellation', async () => {
    const bench = await createSessionBench({
      model: functionModel(({ number, newTexts }) => {
        if (newTexts.includes('Fail.')) throw ApplicationFailure.nonRetryable('it broke', 'Model.NotFound');
        if (newTexts.includes('Answer.')) return { text: 'done' };
        return { calls: [{ tool: 'echo', args: { text: String(number) } }] };
      }),
    });
    const cases = [
      [{ prompt: 'Answer.' }, 'completed', { iteration: 2 }],
      [{ prompt: 'Fail.' }, 'failed', { iteration: 1 }],
      [
        { prompt: 'Loop.', loop: { maxTurns: 2, onLimit: 'error' as const } },
        'in_progress',
        { iteration: 3 },
      ],
      [{ prompt: 'Loop.', budget: { toolCalls: 1 } }, 'in_progress', { iteration: 2 }],
    ] as const;
    for (const [index, [input, status, more]] of cases.entries()) {
      const taskId = `task-${index}`;
      const handle = await bench.start({ ...input, taskId });
      await handle.result();
      const saved = await readTask(bench, taskId);
      expect(saved).toMatchObject({ status, task_id: taskId, ...more });
      expect(saved.messages.records).toEqual(await bench.readLog(handle.workflowId));
    }
    const cancelled = await bench.start({
      prompt: 'Loop.',
      taskId: 'cancelled',
      loop: { maxTurns: 0, stop: 0, warn: 0 },
    });
    await until(
      'it works',
      async () => (await bench.holdfast.session(cancelled.workflowId).snapshot()).turn > 1,
    );
    await cancelled.cancel();
    await cancelled.result();
    const saved = await readTask(bench, 'cancelled');
    expect(saved).toMatchObject({ status: 'in_progress', result: { status: 'aborted' } });
    const { events } = await bench.client.workflow
      .getHandle(cancelled.workflowId)
      .query<{ events: { type: string; artifactId?: string }[] }, [number]>('getEvents', 0);
    expect(events.filter(({ type }) => type === 'checkpoint_saved')).toMatchObject([
      { artifactId: 'cancelled.json' },
    ]);
  });

  const savings = [
    ['turn', ['-', '-', '-', '2/0/4', '2/0/4', '2/0/4', '3/0/7']],
    ['tool', ['-', '-', '2/1/2', '2/2/2', '2/2/2', '3/1/5', '3/2/5']],
  ] as const;

  test.each(savings)('[CKPT-03b] checkpointEvery %s saves on the way', async (checkpointEvery, expected) => {
    const seen: string[] = [];
    // iteration, answered calls and messages of what is stored, as each model call and each tool finds it
    const look = async (): Promise<void> => {
      const saved = await readTask(bench, 'task').catch(() => undefined);
      const batch = saved?.session?.state.run?.batch ?? [];
      const answered = batch.filter(({ answer }) => answer).length;
      seen.push(saved ? `${saved.iteration}/${answered}/${saved.messages.records?.length}` : '-');
    };
    const bench: SessionBench = await createSessionBench({
      model: functionModel(async ({ number }) => {
        await look();
        return number < 3 ? { calls: [{ tool: 'look' }, { tool: 'look' }] } : { text: 'done' };
      }),
      tools: [
        defineTool({
          name: 'look',
          description: 'look',
          input: z.strictObject({}),
          effect: 'read',
          run: async () => look().then(() => ({ text: `${seen.length}` })),
        }),
      ],
    });
    const handle = await bench.start({
      prompt: 'Go.',
      taskId: 'task',
      loop: { checkpointEvery, toolExecution: 'sequential' },
    });
    await handle.result();
    expect(seen).toEqual(expected);
  });

  test('a store that is down on the way costs a warning, not the run', async () => {
    let down = true;
    const bench = await createSessionBench({
      model: functionModel(({ number }) =>
        number === 1 ? { calls: [{ tool: 'echo', args: { text: 'a' } }] } : { text: 'done' },
      ),
      beforePut: async (artifactId) => {
        if (artifactId.startsWith('tool-')) return;
        if (down) throw new Error('read-only');
      },
      worker: { maxCachedWorkflows: 10 },
    });
    const handle = await bench.start({ prompt: 'Go.', loop: { checkpointEvery: 'tool' }, keepAlive: true });
    await until(
      'it ended',
      async () => (await bench.holdfast.session(handle.workflowId).snapshot()).turn > 1,
    );
    down = false;
    await bench.holdfast.session(handle.workflowId).shutdown();
    expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
    const { events } = await bench.client.workflow
      .getHandle(handle.workflowId)
      .query<{ events: { type: string; code?: string }[] }, [number]>('getEvents', 0);
    expect(events.some(({ code }) => code === 'Checkpoint.NotSaved')).toBe(true);
  });
});

describe('start with what is saved', () => {
  test('[CKPT-05ac] nothing saved: a fresh start; completed: its result without a model call', async () => {
    const model = answers();
    const bench = await createSessionBench({ model });
    const input = { prompt: 'Do it.', taskId: 'job-1', checkpoint: 'saved' as const };
    const first = await bench.start(input);
    expect(await first.result()).toMatchObject({ status: 'completed', answer: 'done' });
    expect(model.requests).toHaveLength(1);
    const second = await bench.start(input);
    const result = await second.result();
    expect(result).toMatchObject({ status: 'completed', answer: 'done', sessionId: second.workflowId });
    expect(model.requests).toHaveLength(1);
  });

  test('[CKPT-05d] failed: refused, unless resumeFailed; then the failed call is made again, byte-equal', async () => {
    let broken = true;
    const model = functionModel(({ number }) => {
      if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'a' } }] };
      if (broken) throw ApplicationFailure.nonRetryable('it broke', 'Model.NotFound');
      return { text: 'mended' };
    });
    const bench = await createSessionBench({ model });
    const input = { prompt: 'Do it.', taskId: 'job-2', checkpoint: 'saved' as const };
    const first = await bench.start(input);
    expect(await first.result()).toMatchObject({ status: 'failed' });
    broken = false;
    const refused = await bench.start(input);
    expect(await failureOf(refused)).toMatchObject({
      type: 'Checkpoint.Failed',
      message: expect.stringContaining('resumeFailed'),
    });
    const resumed = await bench.start({ ...input, resumeFailed: true });
    expect(await resumed.result()).toMatchObject({ status: 'completed', answer: 'mended' });
    expect(requestsOf(model, refused.workflowId)).toEqual([]);
    expect(requestsOf(model, resumed.workflowId)).toEqual(requestsOf(model, first.workflowId).slice(1));
  });

  test.each([
    ['{"version": 1, "id', 'Checkpoint.Unreadable', /no JSON/],
    ['{"version": 99}', 'Checkpoint.UnknownVersion', /version 99: expected 1/],
    ['{"version": 1, "id": "a/1"}', 'Checkpoint.Invalid', /created_at: /],
  ])(
    '[CKPT-05b] a broken one (%s) is a typed error, and never a fresh start',
    async (text, type, message) => {
      const model = answers();
      const bench = await createSessionBench({ model });
      await mkdir(join(bench.artifactsDir, 'sessions', 'checkpoints'), { recursive: true });
      await writeFile(taskFile(bench, 'job-3'), text);
      const handle = await bench.start({ prompt: 'Do it.', taskId: 'job-3', checkpoint: 'saved' });
      expect(await failureOf(handle)).toMatchObject({ type, message: expect.stringMatching(message) });
      expect(model.requests).toEqual([]);
    },
  );

  test('[CKPT-04a] [CKPT-03a] a run that a limit stopped goes on with its messages', async () => {
    const model = functionModel(({ number }) =>
      number < 4 ? { calls: [{ tool: 'echo', args: { text: String(number) } }] } : { text: 'done' },
    );
    const bench = await createSessionBench({ model });
    const input = { prompt: 'Do it.', taskId: 'job-4', checkpoint: 'saved' as const };
    const limit = (maxTurns: number) => ({ loop: { maxTurns, onLimit: 'error' as const } });
    const first = await bench.start({ ...input, ...limit(2) });
    expect(await first.result()).toMatchObject({ status: 'max_iterations' });
    const second = await bench.start({ ...input, ...limit(9) });
    expect(await second.result()).toMatchObject({ status: 'completed', answer: 'done' });
    expect(model.requests).toHaveLength(4);
    const log = await bench.readLog(second.workflowId);
    expect(log.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'assistant',
      'tool_result',
      'assistant',
      'tool_result',
      'assistant',
    ]);
  });
});

async function failureOf(handle: { result(): Promise<unknown> }): Promise<unknown> {
  const error: unknown = await handle.result().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.cause : error;
}
