// What a call waits for: the store, only where the log does not get all of its output.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createReadArtifactTool } from '../../../src/activities/built-in/files/read-artifact.ts';
import type { CallAccess } from '../../../src/activities/tools/frozen-access.ts';
import type { RegisteredTool, ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import { fakeTool, toolBench } from '../../support/tool-calls.ts';

/** The result of a call while the store holds every put; undefined if the call waits for it. */
async function resultWhileHeld(
  answer: ToolReturn | RegisteredTool,
  access: Partial<CallAccess> = {},
): Promise<ToolCallResult | undefined> {
  const gate = Promise.withResolvers<void>();
  const inner = createMemoryArtifactStore();
  const put = async (...args: Parameters<typeof inner.put>) => {
    await gate.promise;
    await inner.put(...args);
  };
  const tool = 'spec' in answer ? answer : fakeTool(() => answer);
  const bench = await toolBench(tool, {
    artifacts: { ...inner, put },
    frozenAccess: async () => ({
      tool,
      policies: [[]],
      scope: { agent: 'a' },
      dryRun: false,
      offTheRecord: false,
      ...access,
    }),
  });
  let early: ToolCallResult | undefined;
  const running = bench.run({}).then((result) => (early = result));
  for (let turn = 0; turn < 50 && early === undefined; turn++) await setImmediate();
  const seen = early;
  gate.resolve();
  await running;
  return seen;
}

test('[TOOL-27a] an output that the log has whole is a result while the store still holds it', async () => {
  const result = await resultWhileHeld({ text: 'pool timeout' });
  expect(result?.message).toMatchObject({ artifactId: 'tool-call_1' });
  expect(result?.message).not.toHaveProperty('isPart');
});

test.each<[string, ToolReturn]>([
  ['is cut', { text: 'x'.repeat(40_000) }],
  ['is a selection', { text: 'row 1', full: 'row 1\nrow 2', isSelection: true }],
  ['has another text beside it', { text: 'two rows', full: 'row 1\nrow 2' }],
  ['is empty, which the model reads in words', { text: '' }],
])(
  '[TOOL-27a] one that %s is stored first, and its message says that it is a part',
  async (_what, answer) => {
    expect(await resultWhileHeld(answer)).toBeUndefined();
    const bench = await toolBench(fakeTool(() => answer));
    expect((await bench.run({})).message).toMatchObject({ artifactId: 'tool-call_1', isPart: true });
  },
);

test('[TOOL-27a] so is one in pieces', async () => {
  const long = fakeTool(async (_args, { addOutput }) => {
    await addOutput('a line\n');
    return { text: 'a line\n' };
  });
  expect(await resultWhileHeld(long)).toBeUndefined();
});

test('[TOOL-27a] and one of a run whose hook may change the result before it enters the log', async () => {
  expect(await resultWhileHeld({ text: 'pool timeout' }, { hooksResults: true })).toBeUndefined();
});

test('[TOOL-27c] read_artifact reads an output that is nowhere but in the log', async () => {
  const { message, digest } = await (await toolBench(fakeTool(() => ({ text: 'one\ntwo' })))).run({});
  const record = { ...message, digest, seq: 2, id: 'm1', runId: 'run-1', turn: 1, at: 1_000 };
  // another worker: its store has nothing
  const bench = await toolBench(createReadArtifactTool(), { readLog: () => Promise.resolve([record]) });
  const shown = await bench.text({ artifactId: 'tool-call_1' }, { callId: 'call_2' });
  expect(shown).toBe('one\ntwo\n[lines 1 to 2 of 2]');
  expect(await bench.text({ artifactId: 'tool-call_9' }, { callId: 'call_3' })).toContain(
    'no tool output of that name',
  );
});

test('[TOOL-27g] an output that was added piece by piece is cleaned in its pieces, and not as a whole a second time', async () => {
  const whole = 'a line of the output\n'.repeat(1_000);
  const long = fakeTool(async (_args, { addOutput }) => {
    await addOutput(whole);
    return { text: '1000 lines, in 1 pattern', full: whole, isSelection: true };
  });
  const plain = createRedactor([]);
  const cleaned: number[] = [];
  const text = (given: string): string => {
    cleaned.push(given.length);
    return plain.text(given);
  };
  const cutText = (given: string): string => {
    cleaned.push(given.length);
    return plain.cutText(given);
  };
  const bench = await toolBench(long, { redactor: { ...plain, text, cutText } });
  const { message } = await bench.run({});
  expect(message).toMatchObject({ artifactId: 'tool-call_1.pieces', isPart: true });
  expect(cleaned.filter((length) => length >= whole.length)).toHaveLength(1);
});
