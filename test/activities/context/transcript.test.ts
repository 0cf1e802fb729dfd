import { describe, expect, test } from 'vitest';
import { createMessageCache } from '../../../src/activities/base/message-cache.ts';
import { createOwnWorkflow } from '../../../src/activities/base/own-workflow.ts';
import { createTranscripts } from '../../../src/activities/context/transcript.ts';
import { internalQueries } from '@holdfast/vocabulary/outer-names';
import type { CallModelInput } from '@holdfast/vocabulary/activity-contracts';
import type { Message } from '@holdfast/vocabulary/messages';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { storeList } from '../../../src/activities/storage/segments.ts';
import { MemoryWorkflow, archive, memoryStore, say, sessionId } from '../../support/model-bench.ts';

function parts(maxBytes?: number) {
  const cache = createMessageCache();
  const artifacts = memoryStore();
  const transcripts = createTranscripts({ cache, artifacts, ...(maxBytes && { maxBytes }) });
  return { cache, artifacts, transcripts };
}

function result(text: string): Message {
  return {
    role: 'tool_result',
    callId: 'c',
    toolName: 'read',
    content: [{ type: 'text', text }],
    isError: false,
  };
}

/** Asks for the view of an input as the worker's model call would. */
function viewer(
  workflow: MemoryWorkflow,
  { transcripts }: ReturnType<typeof parts>,
  workflowRunId = 'temporal-1',
  continuedFrom?: string,
) {
  const own = createOwnWorkflow(workflow.query);
  return async (input: CallModelInput) => {
    const { head, messages } = await transcripts.view(
      { ...input, workflowRunId, ...(continuedFrom && { continuedFrom }) },
      own,
    );
    return [...head, ...messages];
  };
}

describe('the view behind a position', () => {
  test('[CKPT-09a] comes from memory where this worker made it, and is byte-equal where it is paged', async () => {
    const workflow = new MemoryWorkflow();
    const warm = parts();
    const ofWarm = viewer(workflow, warm);
    for (let turn = 1; turn <= 8; turn++) {
      if (turn % 3 === 1) workflow.append(userMessage(`Steering ${turn}`, 'steer'));
      for (const message of [say(`Reply ${turn} 🙂`), result(`Line ${turn}\u2028`)]) {
        workflow.append(message, warm.cache.remember(sessionId, message));
      }
      const input = workflow.input();
      const fromMemory = await ofWarm(input);
      expect(workflow.asked).toEqual([]);
      const paged = await viewer(workflow, parts())(input);
      expect(workflow.asked.splice(0).length).toBeGreaterThan(0);
      expect(JSON.stringify(fromMemory)).toBe(JSON.stringify(paged));
    }
  });

  test('[CKPT-06c] stretches that are named by lists of lists are read, and none before those that are asked for', async () => {
    const workflow = new MemoryWorkflow();
    const { artifacts, ...others } = parts();
    const texts = ['one', 'two', 'three', 'four', 'five'];
    for (const text of texts) workflow.append(say(text));
    const input = workflow.input();
    for (const toSeq of [1, 2, 3, 4]) {
      await archive(workflow, artifacts, toSeq);
      const list = await storeList(artifacts, sessionId, workflow.segments);
      workflow.segments.splice(0, workflow.segments.length, list);
    }
    expect(await viewer(workflow, { artifacts, ...others })(input)).toEqual(texts.map(say));
    artifacts.files.delete(`${sessionId}/segment-1`);
    const own = createOwnWorkflow(workflow.query);
    const read = (fromSeq: number) => others.transcripts.readLog(sessionId, { fromSeq, toSeq: 5 }, own);
    expect((await read(2)).map(textOf)).toEqual(texts.slice(1));
    await expect(read(1)).rejects.toThrow('segment-1');
  });

  test('after a hand-over the worker goes on from what it knew, and only of the execution that handed over', async () => {
    const workflow = new MemoryWorkflow();
    const shared = parts();
    const append = (text: string) => workflow.append(say(text), shared.cache.remember(sessionId, say(text)));
    append('one');
    await viewer(workflow, shared)(workflow.input());
    append('two');
    const input = workflow.input();
    expect(await viewer(workflow, shared, 'temporal-2', 'temporal-1')(input)).toEqual(
      ['one', 'two'].map(say),
    );
    expect(workflow.asked).toEqual([]);
    append('three');
    // one more execution, of which this worker has seen nothing
    await viewer(workflow, shared, 'temporal-4', 'temporal-3')(workflow.input());
    expect(workflow.asked).not.toEqual([]);
  });

  test('[CKPT-09b] after a reset or a continue-as-new nothing of the old run is used', async () => {
    const before = new MemoryWorkflow();
    const shared = parts();
    for (const text of ['one', 'two', 'three'])
      before.append(say(text), shared.cache.remember(sessionId, say(text)));
    await viewer(before, shared)(before.input());
    const after = new MemoryWorkflow();
    for (const text of ['one', 'changed', 'new'])
      after.append(say(text), shared.cache.remember(sessionId, say(text)));
    // the new execution has named everything already, as after a hand-over
    const input = { ...after.input(), unseen: [] };
    expect(await viewer(after, shared, 'temporal-2')(input)).toEqual(['one', 'changed', 'new'].map(say));
    expect(await viewer(before, shared)({ ...before.input(), unseen: [] })).toEqual(
      ['one', 'two', 'three'].map(say),
    );
  });

  test('[CKPT-09b] a new epoch is read afresh, with its head', async () => {
    const workflow = new MemoryWorkflow();
    const shared = parts();
    const view = viewer(workflow, shared);
    for (const text of ['one', 'two', 'three'])
      workflow.append(say(text), shared.cache.remember(sessionId, say(text)));
    await view(workflow.input());
    Object.assign(workflow, {
      epoch: 2,
      fromSeq: 3,
      head: [userMessage('Context of previous work:\n\none, two', 'injected')],
    });
    const expected = [...workflow.head, say('three')];
    expect(await view(workflow.input())).toEqual(expected);
    workflow.append(say('four'), shared.cache.remember(sessionId, say('four')));
    workflow.asked.length = 0;
    expect(await view(workflow.input())).toEqual([...expected, say('four')]);
    expect(workflow.asked).toEqual([]);
  });

  test('[CKPT-09b] an epoch alone makes a view new, and its head is asked for though all messages are at hand', async () => {
    const workflow = new MemoryWorkflow();
    const shared = parts();
    const view = viewer(workflow, shared);
    workflow.append(userMessage('one'));
    expect(await view(workflow.input())).toEqual([userMessage('one')]);
    const head = [userMessage('Pinned: the pool is 2.', 'injected')];
    Object.assign(workflow, { epoch: 2, head, sentSeq: 0 });
    expect(await view(workflow.input())).toEqual([...head, userMessage('one')]);
    Object.assign(workflow, { epoch: 3, head: [] });
    expect(await view(workflow.input())).toEqual([userMessage('one')]);
  });

  test('[HOOK-10] [CKPT-09a] reductions of the epoch are applied to what is paged, on every worker alike, and not to what comes later', async () => {
    const workflow = new MemoryWorkflow();
    const warm = parts();
    const ofWarm = viewer(workflow, warm);
    const append = (message: Message) => workflow.append(message, warm.cache.remember(sessionId, message));
    for (let turn = 1; turn <= 4; turn++)
      for (const message of [say(`${turn}`), result('x'.repeat(900))]) append(message);
    const reduction = { name: 'trim_tool_results' as const, params: {}, throughSeq: 5 };
    Object.assign(workflow, { epoch: 2, told: { reductions: [reduction] } });
    const lengths = (messages: Message[]) =>
      messages.flatMap((message) => (message.role === 'tool_result' ? [textOf(message).length] : []));
    expect(lengths(await ofWarm(workflow.input()))).toEqual([500, 500, 900, 900]);
    append(say('5'));
    append(result('y'.repeat(900)));
    const input = workflow.input();
    const fromMemory = await ofWarm(input);
    expect(lengths(fromMemory)).toEqual([500, 500, 900, 900, 900]);
    expect(await viewer(workflow, parts())(input)).toEqual(fromMemory);
  });

  test("[COND-17b] what stands behind the system prompt is the epoch's, also when the worker knows it already", async () => {
    const workflow = new MemoryWorkflow();
    const { transcripts } = parts();
    const own = createOwnWorkflow(workflow.query);
    Object.assign(workflow, { epoch: 2, told: { system: '[Previous conversation summary: ok]' } });
    for (const text of ['one', 'two']) {
      workflow.append(say(text));
      const view = await transcripts.view({ ...workflow.input(), workflowRunId: 'temporal-1' }, own);
      expect(view.system).toBe('[Previous conversation summary: ok]');
    }
    expect(workflow.asked).toEqual([internalQueries.getView]);
  });

  test('[COND-18a] a view that is nothing but its head is asked for once', async () => {
    const workflow = new MemoryWorkflow();
    const view = viewer(workflow, parts());
    for (const text of ['one', 'two']) workflow.append(say(text));
    Object.assign(workflow, { epoch: 2, fromSeq: 3, head: [userMessage('Context of previous work:\n\nok')] });
    expect(await view({ ...workflow.input(), unseen: [] })).toEqual(workflow.head);
    workflow.append(say('three'));
    expect(await view(workflow.input())).toEqual([...workflow.head, say('three')]);
    expect(workflow.asked).toEqual([internalQueries.getView]);
  });

  test('only what is missing is paged: a result of another worker does not read the session again', async () => {
    const workflow = new MemoryWorkflow();
    const shared = parts();
    const view = viewer(workflow, shared);
    for (let count = 0; count < 9; count++)
      workflow.append(say(`${count}`), shared.cache.remember(sessionId, say(`${count}`)));
    await view(workflow.input());
    workflow.append(result('from elsewhere'), 'a digest that this worker does not know');
    expect((await view(workflow.input())).at(-1)).toEqual(result('from elsewhere'));
    expect(workflow.asked).toEqual([internalQueries.getView]);
  });

  test('a message of no activity comes along up to 4 KiB, and is paged above', async () => {
    const workflow = new MemoryWorkflow();
    const view = viewer(workflow, parts());
    workflow.append(userMessage('short'));
    expect(await view(workflow.input())).toEqual([userMessage('short')]);
    expect(workflow.asked).toEqual([]);
    workflow.append(userMessage('x'.repeat(5_000)));
    expect(await view(workflow.input())).toEqual([userMessage('short'), userMessage('x'.repeat(5_000))]);
    expect(workflow.asked).toEqual([internalQueries.getView]);
  });

  test('stored segments are read from the store, checked, and cut to the view', async () => {
    const workflow = new MemoryWorkflow();
    const shared = parts();
    for (let seq = 1; seq <= 9; seq++) workflow.append(say(`${seq}`));
    await archive(workflow, shared.artifacts, 3);
    await archive(workflow, shared.artifacts, 5);
    workflow.fromSeq = 2;
    const input = { ...workflow.input(), unseen: [] };
    expect(await viewer(workflow, shared)(input)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((seq) => say(`${seq}`)),
    );
  });

  test('the next execution names the stored segments again, and each is read from the store once', async () => {
    const { artifacts, cache } = parts();
    const read: string[] = [];
    const get: typeof artifacts.get = (session, artifactId) => {
      read.push(artifactId);
      return artifacts.get(session, artifactId);
    };
    const shared = {
      artifacts,
      cache,
      transcripts: createTranscripts({ cache, artifacts: { ...artifacts, get } }),
    };
    const workflow = new MemoryWorkflow();
    for (let seq = 1; seq <= 9; seq++) workflow.append(say(`${seq}`));
    const whole = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((seq) => say(`${seq}`));
    for (const [execution, toSeq] of [3, 5].entries()) {
      await archive(workflow, artifacts, toSeq);
      const input = { ...workflow.input(), unseen: [] };
      expect(await viewer(workflow, shared, `temporal-${execution}`)(input)).toEqual(whole);
    }
    expect(read).toEqual(['segment-3', 'segment-5']);
    // a reset may have brought other ones under the same names
    const other = new MemoryWorkflow();
    for (const text of ['other', '2', '3', '4']) other.append(say(text));
    await archive(other, artifacts, 3);
    expect(await viewer(other, shared, 'temporal-reset')({ ...other.input(), unseen: [] })).toEqual(
      ['other', '2', '3', '4'].map(say),
    );
    shared.transcripts.release(sessionId);
    await viewer(other, shared, 'temporal-reset')({ ...other.input(), unseen: [] });
    expect(read).toEqual(['segment-3', 'segment-5', 'segment-3', 'segment-3']);
  });

  test('a segment that is altered or gone ends the run; a store without an answer is tried again', async () => {
    const workflow = new MemoryWorkflow();
    const { artifacts } = parts();
    for (let seq = 1; seq <= 4; seq++) workflow.append(say(`${seq}`));
    const { artifactId } = await archive(workflow, artifacts, 3);
    const input = { ...workflow.input(), unseen: [] };
    const load = (get: typeof artifacts.get) => {
      const transcripts = createTranscripts({
        cache: createMessageCache(),
        artifacts: { ...artifacts, get },
      });
      const source = { ...input, workflowRunId: 'temporal-1' };
      return transcripts.view(source, createOwnWorkflow(workflow.query));
    };
    const altered = load(() => Promise.resolve(new TextEncoder().encode('[]')));
    await expect(altered).rejects.toMatchObject({ type: 'Session.SegmentLost', nonRetryable: true });
    const gone = load(() => Promise.resolve(undefined));
    await expect(gone).rejects.toThrow(
      `Artifact ${artifactId} (messages 1 to 3) is not in the artifact store`,
    );
    const down = load(() => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' })));
    await expect(down).rejects.toMatchObject({ type: 'ArtifactStore.Unavailable', nonRetryable: false });
  });

  test('a workflow that gives no answer is tried again; one that is further on does not want the call', async () => {
    const workflow = new MemoryWorkflow();
    workflow.append(say('one'), 'unknown');
    const input = workflow.input();
    const { transcripts } = parts();
    const silent = createOwnWorkflow(() => Promise.reject(new Error('Deadline exceeded')));
    const view = transcripts.view({ ...input, workflowRunId: 't' }, silent);
    await expect(view).rejects.toMatchObject({ type: 'Workflow.Unreachable', nonRetryable: false });
    workflow.epoch = 2;
    await expect(viewer(workflow, parts())(input)).rejects.toMatchObject({
      type: 'View.Superseded',
      nonRetryable: true,
    });
  });

  test('a page that brings nothing is an error, not a loop', async () => {
    const workflow = new MemoryWorkflow();
    workflow.append(say('one'));
    const input = { ...workflow.input(), unseen: [], view: { epoch: 1, fromSeq: 1, toSeq: 5 } };
    await expect(viewer(workflow, parts())(input)).rejects.toMatchObject({ type: 'View.Gap' });
  });

  test('a repeated attempt gets the same view, also when the cache has let go of its messages', async () => {
    const workflow = new MemoryWorkflow();
    const shared = parts();
    workflow.append(say('one'), shared.cache.remember(sessionId, say('one')));
    const input = workflow.input();
    const view = viewer(workflow, shared);
    expect(await view(input)).toEqual(await view(input));
    expect(workflow.asked).toEqual([]);
    shared.transcripts.release(sessionId);
    expect(await view(input)).toEqual([say('one')]);
    expect(workflow.asked).toEqual([internalQueries.getView]);
  });

  test('what is held for all sessions is bounded in bytes', async () => {
    const tight = parts(3_000);
    const workflows = ['a', 'b'].map((id) => ({ id, workflow: new MemoryWorkflow() }));
    for (const { id, workflow } of workflows) {
      workflow.append(userMessage(id.repeat(2_000)));
      await viewer(workflow, tight)({ ...workflow.input(), sessionId: id });
    }
    for (const { id, workflow } of workflows)
      await viewer(workflow, tight)({ ...workflow.input(), unseen: [], sessionId: id });
    expect(workflows.map(({ workflow }) => workflow.asked.length)).toEqual([1, 1]);
  });
});

describe('the log of a session', () => {
  test('is read whole: segments first, then page after page', async () => {
    const workflow = new MemoryWorkflow();
    const { artifacts, transcripts } = parts();
    for (let seq = 1; seq <= 11; seq++) workflow.append(say(`${seq}`), `digest-${seq}`);
    const whole = structuredClone(workflow.records);
    await archive(workflow, artifacts, 4);
    const own = createOwnWorkflow(workflow.query);
    expect(await transcripts.readLog(sessionId, { toSeq: 11 }, own)).toEqual(whole);
    expect(await transcripts.readLog(sessionId, { toSeq: 6 }, own)).toEqual(whole.slice(0, 6));
    expect(new Set(workflow.asked)).toEqual(new Set(['getMessages']));
  });

  test('that is empty needs no query', async () => {
    const workflow = new MemoryWorkflow();
    expect(
      await parts().transcripts.readLog(sessionId, { toSeq: 0 }, createOwnWorkflow(workflow.query)),
    ).toEqual([]);
    expect(workflow.asked).toEqual([]);
  });
});
