// Texts that are stored behind their caller: what waits, what readers see, and what an outage does. The store is in memory,
// behind a gate that the test opens.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ArtifactStore } from '../../../src/activities/storage/artifact-store.ts';
import { type BehindOptions, createBehindStore } from '../../../src/activities/storage/behind-store.ts';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';

/** Each put waits for the next answer of the test: undefined lets it through. */
function gatedStore(options: BehindOptions = {}) {
  const inner = createMemoryArtifactStore();
  const begun: string[] = [];
  const waiting: PromiseWithResolvers<undefined>[] = [];
  const slow: ArtifactStore = {
    ...inner,
    async put(sessionId, name, bytes) {
      const gate = Promise.withResolvers<undefined>();
      begun.push(`${name}=${String(bytes)}`);
      waiting.push(gate);
      await gate.promise;
      await inner.put(sessionId, name, bytes);
    },
  };
  const lines: string[] = [];
  const store = createBehindStore(slow, { log: (line) => lines.push(line), ...options });
  /** Ends the oldest open put. */
  const end = async (error?: Error): Promise<void> => {
    const gate = waiting.shift();
    if (gate === undefined) throw new Error('nothing is being put');
    if (error) gate.reject(error);
    else gate.resolve(undefined);
    await setImmediate();
  };
  const text = async (from: ArtifactStore, name: string) => {
    const bytes = await from.get('s', name);
    return bytes && Buffer.from(bytes).toString('utf8');
  };
  return {
    store,
    begun,
    lines,
    end,
    kept: (name: string) => text(inner, name),
    read: (name: string) => text(store, name),
  };
}

/** What became of a promise so far. */
async function stateOf(promise: Promise<unknown>): Promise<'open' | 'done' | 'failed'> {
  let state: 'open' | 'done' | 'failed' = 'open';
  promise.then(
    () => (state = 'done'),
    () => (state = 'failed'),
  );
  await setImmediate();
  return state;
}

const outage = (): Error => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

test('[TOOL-27ad] a text is not waited for, this process reads it meanwhile, and it is stored', async () => {
  const { store, kept, read, end } = gatedStore();
  await store.putBehind('s', 'tool-a', 'one');
  expect([await kept('tool-a'), await read('tool-a')]).toEqual([undefined, 'one']);
  await end();
  expect([await kept('tool-a'), await read('tool-a')]).toEqual(['one', 'one']);
});

test('[TOOL-27b] a flush waits for the open writes of its session, and one of all for all', async () => {
  const { store, end } = gatedStore();
  await store.putBehind('s', 'tool-a', 'one');
  await store.putBehind('other', 'tool-b', 'two');
  const [own, all] = [store.flush('s'), store.flush()];
  expect(await stateOf(store.flush('third'))).toBe('done');
  expect([await stateOf(own), await stateOf(all)]).toEqual(['open', 'open']);
  await end();
  expect([await stateOf(own), await stateOf(all)]).toEqual(['done', 'open']);
  await end();
  expect(await stateOf(all)).toBe('done');
});

test('[TOOL-27d] a list of the session has what was open', async () => {
  const { store, end } = gatedStore();
  await store.putBehind('s', 'tool-a', 'one');
  const names = (async () => {
    const found: string[] = [];
    for await (const { name } of store.list?.('s') ?? []) found.push(name);
    return found;
  })();
  expect(await stateOf(names)).toBe('open');
  await end();
  expect(await names).toEqual(['tool-a']);
});

test('[TOOL-27d] a newer text of one name is stored last, whichever way it comes', async () => {
  const { store, begun, kept, end } = gatedStore();
  await store.putBehind('s', 'tool-a', 'one');
  const second = store.putBehind('s', 'tool-a', 'two');
  expect(await stateOf(second)).toBe('open');
  expect(begun).toEqual(['tool-a=one']);
  await end();
  await end();
  await second;
  expect(await kept('tool-a')).toBe('two');
  const third = store.put('s', 'tool-a', 'three');
  await setImmediate();
  await end();
  await third;
  expect(await kept('tool-a')).toBe('three');
});

test('[TOOL-27f] above the limit a caller waits until its own text is stored', async () => {
  const { store, kept, end } = gatedStore({ maxOpen: 3_000 });
  const texts = ['a', 'b', 'c'].map((name) => store.putBehind('s', `tool-${name}`, 'x'.repeat(400)));
  expect(await Promise.all(texts.map(stateOf))).toEqual(['done', 'done', 'open']);
  await end();
  await end();
  await end();
  expect(await stateOf(Promise.all(texts))).toBe('done');
  expect(await kept('tool-c')).toHaveLength(400);
  // there is room again
  expect(await stateOf(store.putBehind('s', 'tool-d', 'x'))).toBe('done');
});

test('[TOOL-27e] a failed write is tried once more with the next text, which waits and shows the outage', async () => {
  const { store, begun, lines, read, end } = gatedStore();
  await store.putBehind('s', 'tool-a', 'one');
  await end(outage());
  expect(await read('tool-a')).toBe('one');
  const next = store.putBehind('s', 'tool-b', 'two');
  expect(await stateOf(next)).toBe('open');
  expect(begun).toEqual(['tool-a=one', 'tool-a=one', 'tool-b=two']);
  await end(outage());
  await end(outage());
  await expect(next).rejects.toThrow('connect');
  expect(lines).toEqual([
    'The output tool-a of session s was not stored (connect). Its readers take it from the log of the session.',
  ]);
  // given up: nothing is left in memory
  expect([await read('tool-a'), await read('tool-b')]).toEqual([undefined, undefined]);
  await store.flush();
  expect(begun).toHaveLength(3);
});

test('[TOOL-27e] a store that answers again gets what another session has open, and is not waited for any more', async () => {
  const { store, kept, lines, end } = gatedStore();
  await store.putBehind('s', 'tool-a', 'one');
  await end(outage());
  const next = store.putBehind('other', 'tool-b', 'two');
  await setImmediate();
  await end();
  await next;
  await end();
  expect(await kept('tool-a')).toBe('one');
  expect(await stateOf(store.putBehind('other', 'tool-c', 'three'))).toBe('done');
  expect(lines).toEqual([]);
});

test('[TOOL-27e] two who flush at once try a failed write once', async () => {
  const { store, begun, end } = gatedStore();
  await store.putBehind('s', 'tool-a', 'one');
  await end(outage());
  const both = Promise.all([store.flush('s'), store.flush()]);
  await setImmediate();
  expect(begun).toEqual(['tool-a=one', 'tool-a=one']);
  await end();
  expect(await stateOf(both)).toBe('done');
});

test('[TOOL-27b] the end of a worker waits for what is open, but not for a store that hangs', async () => {
  const { store, kept, lines, end } = gatedStore({ closeMs: 50 });
  await store.putBehind('s', 'tool-a', 'one');
  const closed = store.close();
  expect(await stateOf(closed)).toBe('open');
  await end();
  await closed;
  expect([await kept('tool-a'), lines]).toEqual(['one', []]);
  await store.putBehind('s', 'tool-b', 'two');
  await store.close();
  expect(lines).toEqual([
    'The output tool-b of session s was not stored. Its readers take it from the log of the session.',
  ]);
});
