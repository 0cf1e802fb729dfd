import { getEventListeners } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ActivityCancellationDetails } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import type { ArtifactStore } from '../../../src/activities/storage/artifact-store.ts';
import { toolOutputId } from '@holdfast/stored/artifact-names';
import { digestOf } from '../../../src/activities/base/digest.ts';
import { createBehindStore } from '../../../src/activities/storage/behind-store.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { openOutput } from '@holdfast/stored/stored-output';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import type { Redactor } from '@holdfast/redaction/redaction';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import type { CallAccess, FrozenAccess } from '../../../src/activities/tools/frozen-access.ts';
import { createPartialOutput } from '../../../src/activities/tools/partial-output.ts';
import type { ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import { loopKey } from '../../../src/core/state/loop-guard.ts';
import { type CallOutcome, textOf } from '@holdfast/vocabulary/messages';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { failingStore, fakeTool, temporaryFolder, toolBench } from '../../support/tool-calls.ts';
import { aborted } from '../../support/until-stopped.ts';

const brokenStore = failingStore('ENOSPC');

async function storedText(
  store: ArtifactStore,
  callId = 'call_1',
  session = 'session-1',
): Promise<string | undefined> {
  const bytes = await store.get(session, toolOutputId(callId));
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}

test('the result carries text, details and digest, and the full output is stored', async () => {
  const bench = await toolBench(fakeTool(() => ({ text: 'seen', details: { rows: 3 }, terminate: true })));
  const result = await bench.run({ a: 1 });
  expect(result).toEqual({
    message: {
      role: 'tool_result',
      callId: 'call_1',
      toolName: 'fake',
      isError: false,
      content: [{ type: 'text', text: 'seen' }],
      details: { rows: 3 },
      artifactId: 'tool-call_1',
    },
    digest: digestOf(result.message),
    ran: { endedAt: expect.any(Number), ms: expect.any(Number) },
    terminate: true,
  });
  expect(bench.cache.recall('session-1', result.digest)).toEqual(result.message);
  expect(await storedText(bench.deps.artifacts)).toBe('seen');
});

test('a call that has ended leaves nothing that waits on its signal, which would keep the output for the time of the limit', async () => {
  let signal: AbortSignal | undefined;
  let before: unknown;
  const tool = fakeTool((_args, context) => {
    signal = context.signal;
    before = getEventListeners(context.signal, 'abort');
    return { text: 'seen' };
  });
  expect(await (await toolBench(tool)).text({ a: 1 })).toBe('seen');
  expect(before).toEqual([]);
  expect(signal?.aborted).toBe(false);
  expect(signal && getEventListeners(signal, 'abort')).toEqual([]);
});

describe('a worker so busy that it misses the heartbeats of its own call gets the next attempt', () => {
  /** A body of each attempt that goes on for a while after it is told to stop; the last one ends at once. */
  function slowTool(last: number) {
    const seen: string[] = [];
    const begun = Array.from({ length: last }, () => Promise.withResolvers<void>());
    const tool = fakeTool(async (_args, { attempt, signal }) => {
      seen.push(`${attempt} begins`);
      begun[attempt - 1]?.resolve();
      if (attempt < last) await aborted(signal);
      for (let left = 20; left > 0; left--) await setImmediate();
      seen.push(`${attempt} ends`);
      return { text: `attempt ${attempt}` };
    });
    return { seen, begun: (attempt: number) => begun[attempt - 1]?.promise, tool };
  }

  test('[FAULT-117a] the body before is stopped, and the next one begins when it has ended', async () => {
    const { seen, begun, tool } = slowTool(2);
    const lost = (await toolBench(tool)).run({ a: 1 });
    await begun(1);
    const next = await toolBench(tool, { attempt: 2 });
    const [first, second] = await Promise.allSettled([lost, next.text({ a: 1 })]);
    expect(first).toMatchObject({ status: 'rejected', reason: { type: 'Tool.Superseded' } });
    expect(second).toMatchObject({ value: 'attempt 2' });
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });

  test('[FAULT-117a] an attempt that comes while another one waits does not pass the body that both wait for', async () => {
    const { seen, begun, tool } = slowTool(3);
    const [one, two, three] = await Promise.all([1, 2, 3].map((attempt) => toolBench(tool, { attempt })));
    const first = one?.text({ a: 1 });
    await begun(1);
    const ends = await Promise.allSettled([first, two?.text({ a: 1 }), three?.text({ a: 1 })]);
    expect(ends[2]).toMatchObject({ value: 'attempt 3' });
    expect(seen).toEqual(['1 begins', '1 ends', '3 begins', '3 ends']);
  });

  test('[FAULT-117a] another call of the same tool is not concerned', async () => {
    const { seen, begun, tool } = slowTool(2);
    const other = await toolBench(tool);
    const stop = other.run({ a: 1 }, { callId: 'call_2' });
    await begun(1);
    await (await toolBench(tool, { attempt: 2 })).run({ a: 1 });
    expect(seen).toEqual(['1 begins', '2 begins', '2 ends']);
    other.environment.cancel('CANCELLED');
    await stop.catch(() => undefined);
  });
});

test('[TOOL-01e] the handler knows its call', async () => {
  let seen: unknown;
  const tool = fakeTool((args, context) => {
    const { sessionId, runId, turn, callId, attempt, idempotencyKey } = context;
    context.onUpdate('half of it');
    seen = { args, sessionId, runId, turn, callId, attempt, idempotencyKey, aborted: context.signal.aborted };
    return { text: '' };
  });
  await (await toolBench(tool)).run({ a: 1 });
  expect(seen).toEqual({
    args: { a: 1 },
    sessionId: 'session-1',
    runId: 'run-1',
    turn: 1,
    callId: 'call_1',
    attempt: 1,
    idempotencyKey: 'session-1/call_1',
    aborted: false,
  });
});

test('[TOOL-01d] a label changes nothing in the execution', async () => {
  const tool = fakeTool((args, { callId }) => ({
    text: `ran ${callId}`,
    details: { args: JSON.stringify(args) },
  }));
  const labelled = { ...tool, spec: { ...tool.spec, label: 'Restart' } };
  const [plain, shown] = await Promise.all([toolBench(tool), toolBench(labelled)]);
  const [one, other] = [await plain.run({ a: 1 }), await shown.run({ a: 1 })];
  expect({ ...other, ran: one.ran }).toEqual(one);
});

describe('gates are asked again', () => {
  const counted = (effect: 'read' | 'once' = 'read') => {
    const runs = { count: 0 };
    const tool = fakeTool(
      () => {
        runs.count++;
        return { text: 'ran' };
      },
      { effect },
    );
    return { runs, tool };
  };

  test('[MODE-09h] changed arguments are not executed, approved or not', async () => {
    const { runs, tool } = counted('once');
    const bench = await toolBench(tool);
    const result = await bench.run({ a: 2 }, { argsDigest: digestOf({ a: 1 }), approvedBy: 'ann@host' });
    expect(result.message).toMatchObject({ isError: true });
    expect(textOf(result.message)).toMatch(/Not executed: the arguments are not those/);
    expect(runs.count).toBe(0);
    expect(await bench.storedNames()).toEqual([]);
  });

  test('[MODE-06a] a denial on this worker wins over an approval', async () => {
    const { runs, tool } = counted();
    const bench = await toolBench(tool, {
      policy: [{ tool: 'fake', decision: 'deny', reason: 'frozen today' }],
    });
    const result = await bench.run({}, { approvedBy: 'ann@host' });
    expect(result.message).toMatchObject({ isError: true });
    expect(textOf(result.message)).toBe('Denied by policy: frozen today');
    expect(runs.count).toBe(0);
  });

  test('a question needs an approval', async () => {
    const { runs, tool } = counted('once');
    const bench = await toolBench(tool);
    expect(await bench.text({})).toMatch(/needs a person's approval/);
    expect(await bench.text({}, { approvedBy: '' })).toMatch(/needs a person's approval/);
    expect(runs.count).toBe(0);
    expect(await bench.text({}, { approvedBy: 'ann@host' })).toBe('ran');
    expect(runs.count).toBe(1);
  });
});

describe('[TOOL-08a] a failing tool', () => {
  test('[TOOL-07ac] a throw is an error result without content, details or terminate', async () => {
    const tool = fakeTool((_args, context) => {
      context.onUpdate('half');
      throw new Error('pool is gone');
    });
    const result = await (await toolBench(tool)).run({});
    expect(result.message).toEqual({
      role: 'tool_result',
      callId: 'call_1',
      toolName: 'fake',
      isError: true,
      content: [{ type: 'text', text: 'pool is gone' }],
      artifactId: 'tool-call_1',
    });
    expect(result.terminate).toBeUndefined();
  });

  test('[TOOL-07a] says so itself, and keeps text and details', async () => {
    const bench = await toolBench(
      fakeTool(() => ({ text: 'no', isError: true, details: { code: 7 }, terminate: true })),
    );
    const result = await bench.run({});
    expect(result.message).toMatchObject({ isError: true, details: { code: 7 } });
    expect(result.terminate).toBeUndefined();
  });

  test.each([
    ['a string', 'just text', 'just text'],
    ['nothing', undefined, 'fake failed without a message.'],
    ['an object', { password: 'x' }, 'fake failed without a message.'],
  ])('that throws %s', async (_name, thrown, text) => {
    const tool = fakeTool(() => Promise.reject(thrown));
    expect(await (await toolBench(tool)).text({})).toBe(text);
  });

  test('an unreadable transcript is not the tool’s failure: the attempt fails', async () => {
    const tool = fakeTool(async (_args, context) => ({ text: String((await context.transcript()).length) }));
    const bench = await toolBench(tool, { readLog: () => Promise.reject(new Error('deadline')) });
    await expect(bench.run({})).rejects.toMatchObject({ type: 'Tool.Infrastructure' });
  });
});

describe('text', () => {
  test('[SAFE-06] [FAULT-76] binary, NUL, broken text, escapes and lone surrogates become valid text', async () => {
    const outputs = [
      'a\u0000b',
      'x\ud800y',
      '\u001b[31mred\u001b[0m',
      Buffer.from([0xff, 0x61]).toString(),
      '\u0000\u0001'.repeat(99),
    ];
    for (const output of outputs) {
      const bench = await toolBench(fakeTool(() => ({ text: output, details: { output } })));
      const result = await bench.run({});
      const wire = JSON.stringify(result);
      expect(wire.isWellFormed()).toBe(true);
      expect(wire).not.toMatch(/\\u00(0[0-8]|1)|\\ud[89a-f]/i);
      expect((await storedText(bench.deps.artifacts))?.isWellFormed()).toBe(true);
    }
  });

  test('[SAFE-05] planted credentials reach neither result nor store nor heartbeat', async () => {
    const secret = 'worker-held-secret-1';
    const planted = `key AKIAIOSFODNN7EXAMPLE, ${Buffer.from(`u:${secret}`).toString('base64')}, ${secret}, password=hunter2`;
    const beats: unknown[] = [];
    const tool = fakeTool(async (_args, context) => {
      context.onUpdate(planted);
      await new Promise((resolve) => bench.environment.once('heartbeat', resolve));
      return {
        text: `${planted}\n`.repeat(3_000),
        details: { planted, [secret]: 1 },
        full: planted.repeat(2),
      };
    });
    const bench = await toolBench(tool, { secrets: [secret] });
    bench.environment.on('heartbeat', (details) => beats.push(details));
    const result = await bench.run({});
    expect(beats).toMatchObject([
      { callId: 'call_1', attempt: 1, partial: expect.stringContaining('[redacted:') },
    ]);
    for (const text of [
      JSON.stringify(result),
      await storedText(bench.deps.artifacts),
      JSON.stringify(beats),
    ]) {
      for (const leak of [
        'AKIAIOSF',
        secret,
        'hunter2',
        Buffer.from(secret).toString('base64').slice(4, 20),
      ]) {
        expect(text).not.toContain(leak);
      }
      expect(text).toContain('[redacted:');
    }
  });

  test('[TOOL-14a] over the cap is cut once, beginning and end kept, naming size and artifact', async () => {
    const full = `first\n${'line of a log\n'.repeat(10_000)}last`;
    const bench = await toolBench(fakeTool(() => ({ text: full })));
    const text = await bench.text({});
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(text.length).toBeGreaterThan(31_000);
    expect(text).toMatch(/^first\n[^]*last$/);
    expect(text).toContain(`of ${full.length} characters left out here`);
    expect(text).toContain('tool-call_1');
    expect(text.match(/left out here/g)).toHaveLength(1);
    expect(await storedText(bench.deps.artifacts)).toBe(full);
  });

  test('equal outputs of two calls count as equal, though each cut names its own artifact', async () => {
    const bench = await toolBench(fakeTool(() => ({ text: 'x'.repeat(100_000) })));
    const keys: string[] = [];
    for (const callId of ['call_1', 'call_2']) {
      const { message } = await bench.run({}, { callId });
      expect(textOf(message)).toContain(`tool-${callId}`);
      keys.push(loopKey('digest', message));
    }
    expect(keys[0]).toBe(keys[1]);
  });

  test('no output is said, not sent as an empty message', async () => {
    expect(await (await toolBench(fakeTool(() => ({ text: ' \n' })))).text({})).toBe('(no output)');
  });

  test('a part with a full output beside it names where the full output is', async () => {
    const bench = await toolBench(fakeTool(() => ({ text: 'rows 1-2', full: 'row\n'.repeat(20_000) })));
    const result = await bench.run({});
    expect(textOf(result.message)).toMatch(/^rows 1-2\n\[Part of 80000 characters\..*tool-call_1/);
    expect(await storedText(bench.deps.artifacts)).toBe('row\n'.repeat(20_000));
  });

  test('of the model’s own words nothing is stored', async () => {
    const bench = await toolBench(fakeTool(() => ({ text: 'my report', ownWords: true as const })));
    expect((await bench.run({})).message).not.toHaveProperty('artifactId');
    expect(await bench.storedNames()).toEqual([]);
  });
});

describe('payloads', () => {
  test.each([
    ['1.9 MiB', 'x', 1.9],
    ['2.1 MiB', 'x', 2.1],
    ['4.1 MiB', 'x', 4.1],
    ['2.1 MiB of three-byte characters', '日', 0.7],
    ['2.1 MiB of characters that JSON escapes', '"', 2.1],
    ['8.1 MiB', 'x', 8.1],
  ])(
    '[TOOL-14ac] [FAULT-34] %s under any cap: capped text and an artifact',
    async (_name, character, mebibytes) => {
      for (const resultCap of [32_000, 10_000_000]) {
        const bench = await toolBench(fakeTool(() => ({ text: character.repeat(mebibytes * 1_048_576) })));
        const result = await bench.run({}, { resultCap });
        expect(jsonBytes(result)).toBeLessThanOrEqual(maxPayloadBytes);
        expect(textOf(result.message).length).toBeGreaterThan(20_000);
        const artifactId = mebibytes > 8 ? 'tool-call_1.pieces' : 'tool-call_1';
        expect(result.message.artifactId).toBe(artifactId);
        expect(textOf(result.message)).toContain(`The full output is artifact ${artifactId}:`);
      }
    },
  );

  test('[TOOL-14ab] of an output over 8 MiB the model gets beginning and end, and the store all', async () => {
    const whole = `first ${'x '.repeat(4_200_000)}last`;
    const bench = await toolBench(fakeTool(() => ({ text: whole })));
    const { message } = await bench.run({});
    const [, head = '', left, tail = ''] =
      /^([^]*)\n\[\.\.\. (\d+) of 8400010 characters left out here\. [^\]]*\]\n([^]*)$/.exec(
        textOf(message),
      ) ?? [];
    expect([head.slice(0, 8), tail.slice(-6)]).toEqual(['first x ', 'x last']);
    expect(Number(left)).toBe(whole.length - head.length - tail.length);
    const { artifacts } = bench.deps;
    const output = await openOutput(artifacts, 'session-1', message.artifactId ?? '');
    expect(output).toMatchObject({ characters: whole.length, lines: 1 });
    const pieces = await Promise.all(output?.pieces.map(({ load }) => load()) ?? []);
    expect(pieces.join('') === whole).toBe(true);
  });

  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const broken: [string, unknown][] = [
    ['a BigInt', { rows: 3n }],
    ['a cycle', cycle],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
    ],
    ['nesting without end', JSON.parse('['.repeat(4_000) + ']'.repeat(4_000))],
    [
      'a getter that throws',
      {
        get rows() {
          throw new Error('no');
        },
      },
    ],
  ];
  test.each(broken)(
    '[FAULT-86] details with %s: the text stays, the reason stands in their place',
    async (_name, details) => {
      const bench = await toolBench(fakeTool(() => untyped({ text: 'ran', details })));
      const result = await bench.run({});
      expect(textOf(result.message)).toBe('ran');
      expect(result.message.details).toEqual({ omitted: expect.stringContaining('not JSON') });
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    },
  );

  test.each([
    ['a BigInt', 3n],
    ['an object', { a: 1 }],
    ['null', null],
    ['nothing', undefined],
    ['a symbol', Symbol('x')],
  ])('[FAULT-86] %s as text becomes a text that says so', async (_name, text) => {
    const bench = await toolBench(fakeTool(() => untyped({ text })));
    expect(await bench.text({})).toMatch(/^\[The tool returned .* where its text belongs/);
  });

  test.each([undefined, null, 7, 'text'])(
    '[FAULT-86] a handler that returns %s gives an error text',
    async (value) => {
      const result = await (await toolBench(fakeTool(() => untyped(value)))).run({});
      expect(result.message.isError).toBe(true);
      expect(textOf(result.message)).toContain('fake');
    },
  );

  test('[FAULT-76] details lose what JSON cannot say, and over 8 KiB they are left out', async () => {
    const odd = await toolBench(
      fakeTool(() => untyped({ text: 'x', details: { a: NaN, b: new Map([[1, 2]]), c: undefined } })),
    );
    expect((await odd.run({})).message.details).toEqual({ a: null, b: {} });
    const large = await toolBench(fakeTool(() => ({ text: 'x', details: 'y'.repeat(9_000) })));
    expect((await large.run({})).message.details).toEqual({ omitted: '9002 bytes, the limit is 8192' });
    const bytes = await toolBench(
      fakeTool(() => untyped({ text: 'x', details: { raw: new Uint8Array(2_000) } })),
    );
    expect((await bytes.run({})).message.details).toEqual({
      omitted: expect.stringContaining('the limit is 8192'),
    });
  });

  test('only whole image references go on', async () => {
    const image = { type: 'image', artifactId: 'shot', mediaType: 'image/png', sha256: 'ab' };
    const bench = await toolBench(
      fakeTool(() => untyped({ text: 'x', images: [image, { artifactId: 1 }, null, 'y'] })),
    );
    expect((await bench.run({})).message.content).toEqual([{ type: 'text', text: 'x' }, image]);
  });
});

describe('[FAULT-88] a store that is down', () => {
  const down = failingStore('ECONNREFUSED');
  const run = async (effect: ToolEffect, attempt: number, artifacts = down) => {
    const bench = await toolBench(
      fakeTool(() => ({ text: 'short\n'.repeat(6_000) }), { effect }),
      { artifacts, attempt },
    );
    return bench.text({}, { approvedBy: 'ann@host' });
  };
  const unavailable = { type: 'ArtifactStore.Unavailable', nonRetryable: false };

  test.each(['read', 'idempotent'] as const)('%s: Temporal runs the call again', async (effect) => {
    await expect(run(effect, 1)).rejects.toMatchObject(unavailable);
    await expect(run(effect, 5)).rejects.toMatchObject(unavailable);
  });

  test('but not for ever: what the model reads of the output is not lost', async () => {
    expect(await run('read', 6)).toMatch(/^short\n[^]*\[The full output was not kept/);
  });

  test('once: it never runs again', async () => {
    expect(await run('once', 1)).toMatch(/^short\n[^]*\[The full output was not kept/);
  });

  test('[TOOL-27e] an output that the log has whole is a result; the next one of the worker finds the outage', async () => {
    const lines: string[] = [];
    const artifacts = createBehindStore(down, { log: (line) => lines.push(line) });
    const call = async (callId: string, attempt: number) => {
      const bench = await toolBench(
        fakeTool(() => ({ text: 'short' })),
        { artifacts, attempt },
      );
      return bench.run({}, { callId });
    };
    const { message } = await call('call_1', 1);
    expect(message).toMatchObject({ content: [{ text: 'short' }], artifactId: 'tool-call_1' });
    await setImmediate();
    await expect(call('call_2', 1)).rejects.toMatchObject(unavailable);
    expect(textOf((await call('call_2', 6)).message)).toMatch(/^short\n\[The full output was not kept/);
    expect(lines).toEqual([expect.stringMatching(/^The output tool-call_1 of session session-1 was not/)]);
  });

  test('a tool that reads it fails its attempt, not its call', async () => {
    const tool = fakeTool(async (_args, { artifacts, sessionId }) => ({
      text: String((await artifacts.get(sessionId, 'tool-call_0'))?.byteLength),
    }));
    const bench = await toolBench(tool, { artifacts: down });
    await expect(bench.run({})).rejects.toMatchObject(unavailable);
  });
});

/** Adds 5 MB piece by piece, and shows a little of it. */
const longTool = (effect: ToolEffect) =>
  fakeTool(
    async (_args, { addOutput }) => {
      for (let turn = 0; turn < 5; turn++) await addOutput('a line of it\n'.repeat(77_000));
      return { text: 'beginning and end' };
    },
    { effect },
  );

/** As in a run that began with this. */
const frozenTo =
  (frozen: Partial<CallAccess>): FrozenAccess =>
  (tool) =>
    Promise.resolve({ tool, policies: [[]], scope: {}, dryRun: false, offTheRecord: false, ...frozen });

describe('a store that cannot be written', () => {
  test('capped text that says so, and never an id', async () => {
    const bench = await toolBench(
      fakeTool(() => ({ text: 'x'.repeat(100_000) })),
      { artifacts: brokenStore },
    );
    const result = await bench.run({});
    const text = textOf(result.message);
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(text).toContain('The full output was not kept');
    expect(JSON.stringify(result)).not.toContain('tool-call_1');
    expect(result.message).not.toHaveProperty('artifactId');
    expect(result.message.isError).toBe(false);
  });

  test('[FAULT-88] in the middle of a long output: a read runs again, a once call says that it was not kept', async () => {
    const artifacts = createMemoryArtifactStore();
    const put = artifacts.put.bind(artifacts);
    let puts = 0;
    artifacts.put = (...args) =>
      !args[1].startsWith('claim-') && (puts += 1) === 2
        ? Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
        : put(...args);
    const run = async (effect: ToolEffect) => {
      puts = 0;
      const bench = await toolBench(longTool(effect), { artifacts });
      return bench.run({}, { approvedBy: 'ann@host' });
    };
    await expect(run('read')).rejects.toMatchObject({ type: 'ArtifactStore.Unavailable' });
    const { message } = await run('once');
    expect(textOf(message)).toMatch(
      /^beginning and end\n\[It had 5005000 bytes\. The full output was not kept/,
    );
    expect(message).not.toHaveProperty('artifactId');
    for await (const { name } of artifacts.list?.() ?? []) {
      expect(name, 'all that is left').toMatch(/^claim-/);
    }
  });

  test('[TOOL-27e] also a short text says that it was not kept, from the second one on', async () => {
    const bench = await toolBench(
      fakeTool(() => ({ text: 'short' })),
      { artifacts: brokenStore },
    );
    expect(await bench.text({})).toBe('short');
    await setImmediate();
    expect(await bench.text({}, { callId: 'call_2' })).toMatch(/^short\n\[The full output was not kept/);
    expect(await bench.text({}, { callId: 'call_3' })).toMatch(/^short\n\[The full output was not kept/);
  });

  test('a folder that cannot be made, at once', async () => {
    const folder = await temporaryFolder();
    const artifacts = await createFileArtifactStore(folder);
    await writeFile(join(folder, 'sessions'), 'a file where the folder belongs');
    const bench = await toolBench(
      fakeTool(() => ({ text: 'x'.repeat(40_000) })),
      { artifacts },
    );
    expect(await bench.text({})).toContain('was not kept');
  });

  test('a store other than the session’s counts as none', async () => {
    const artifacts = await createFileArtifactStore(await temporaryFolder());
    const textFor = async (artifactStore: string): Promise<string> => {
      const tool = fakeTool(() => ({ text: 'short' }));
      const bench = await toolBench(tool, { artifacts, frozenAccess: frozenTo({ artifactStore }) });
      return bench.text({});
    };
    expect(await textFor(artifacts.id)).toBe('short');
    expect(await textFor('another')).toContain('was not kept');
  });

  test('[MODE-04d] off the record, and in another store, nothing of a long output is kept either', async () => {
    const artifacts = await createFileArtifactStore(await temporaryFolder());
    const tool = longTool('read');
    for (const frozen of [{ offTheRecord: true }, { offTheRecord: false, artifactStore: 'another' }]) {
      const bench = await toolBench(tool, { artifacts, frozenAccess: frozenTo(frozen) });
      expect((await bench.run({})).message).not.toHaveProperty('artifactId');
    }
    for await (const { name } of artifacts.list?.() ?? []) expect.fail(`${name} was kept`);
  });

  test('[MODE-04d] off the record nothing is kept: the text is capped and says so, and a body cannot store', async () => {
    const artifacts = await createFileArtifactStore(await temporaryFolder());
    const tool = fakeTool(({ store, part }, { sessionId, artifacts: own }) =>
      store === true
        ? own.put(sessionId, 'mine', 'x').then(() => ({ text: '' }))
        : part === true
          ? { text: 'a part', full: 'a part and more', isSelection: true }
          : { text: 'x'.repeat(9_000) },
    );
    const frozenAccess = frozenTo({ artifactStore: artifacts.id, offTheRecord: true });
    const put: string[] = [];
    const counted: typeof artifacts = {
      ...artifacts,
      put: (session, name, bytes) => (put.push(name), artifacts.put(session, name, bytes)),
    };
    const bench = await toolBench(tool, { artifacts: counted, frozenAccess });
    const { message } = await bench.run({}, { resultCap: 1_000 });
    expect(textOf(message)).toContain('The rest was not kept: the session is off the record.');
    expect(message).not.toHaveProperty('artifactId');
    expect(await bench.text({ part: true })).toBe(
      'a part\n[The rest was not kept: the session is off the record.]',
    );
    expect(await bench.text({ store: true })).toBe('Nothing is stored: the session is off the record.');
    expect(put).toEqual([]);
  });

  test('[MODE-02ac] [MODE-25a] a worker that is asked to run a change in a dry run does not', async () => {
    let runs = 0;
    const body: Parameters<typeof fakeTool>[0] = (_, { dryRun }) => ({
      text: `ran ${++runs}, dry: ${dryRun}`,
    });
    const answer = async (effect: 'read' | 'once') => {
      const tool = fakeTool(body, { effect });
      const frozenAccess = frozenTo({ scope: { mode: 'act' }, dryRun: true });
      return (await toolBench(tool, { frozenAccess })).text({});
    };
    const frozenAccess = frozenTo({ scope: { mode: 'act' }, dryRun: true });
    const bench = await toolBench(fakeTool(body, { effect: 'once' }), { frozenAccess });
    expect(await bench.run({})).toMatchObject({ outcome: 'simulated' });
    expect(await answer('once')).toBe('Not executed: fake in a dry run.');
    expect(await answer('read')).toBe('ran 1, dry: true');
  });

  test('call ids that are no file names keep their outputs apart', async () => {
    const folder = await temporaryFolder();
    const artifacts = await createFileArtifactStore(folder);
    const ids = ['../../etc/passwd', '..-..-etc-passwd', 'a/b', 'a-b', 'x'.repeat(500), '', 'ü', 'ö'];
    for (const callId of ids) {
      const bench = await toolBench(
        fakeTool(() => ({ text: `of ${callId}` })),
        { artifacts },
      );
      await bench.run({}, { callId });
      // the test reads the store behind the bench
      await bench.deps.artifacts.flush();
    }
    for (const callId of ids) expect(await storedText(artifacts, callId)).toBe(`of ${callId}`);
    expect(await readFile(join(folder, 'sessions', 'session-1', 'tool-a-b'), 'utf8')).toBe('of a-b');
  });
});

describe('stops', () => {
  test('[TOOL-18b] a person’s stop: the body returns what it has', async () => {
    const tool = fakeTool(async (_args, { signal }) => {
      bench.environment.cancel();
      await aborted(signal);
      return { text: 'half of it' };
    });
    const bench = await toolBench(tool);
    const result = await bench.run({});
    expect(result.interrupted).toBe(true);
    expect(textOf(result.message)).toBe('half of it\n[Stopped before it had finished: this is what it had.]');
  });

  test('[TOOL-18b] a body that is left behind has kept what it had added', async () => {
    const tool = fakeTool(async (_args, { addOutput }) => {
      await addOutput('a line of it\n'.repeat(180_000));
      bench.environment.cancel();
      return new Promise(() => {});
    });
    const bench = await toolBench(tool);
    const { message } = await bench.run({});
    expect(textOf(message)).toMatch(
      /\n\[Part of 2340000 characters\. The full output is artifact tool-call_1\.pieces: [^\]]*\]$/,
    );
    expect(await openOutput(bench.deps.artifacts, 'session-1', message.artifactId ?? '')).toMatchObject({
      lines: 180_000,
    });
  });

  test('of an output over the limit the model reads how much of it is not in the artifact', async () => {
    const tool = fakeTool(async (_args, { addOutput }) => {
      await addOutput('a line of it\n'.repeat(500_000));
      return { text: 'begins ... ends' };
    });
    const bench = await toolBench(tool, { maxOutputBytes: 5 * 1024 ** 2 });
    expect(textOf((await bench.run({})).message)).toMatch(
      /^begins \.\.\. ends\n\[Part of 41\d{5} characters\. The output without 23\d{5} bytes of its middle is artifact tool-call_1\.pieces: /,
    );
  });

  test.each([
    ['read', false],
    ['idempotent', true],
    ['once', true],
  ] as const)(
    '[TOOL-18c] a %s body that throws when it is stopped (may have taken effect: %s)',
    async (effect, may) => {
      const tool = fakeTool(
        async (_args, { signal }) => {
          bench.environment.cancel();
          await aborted(signal);
          throw signal.reason;
        },
        { effect },
      );
      const bench = await toolBench(tool, { policy: [{ tool: '*', decision: 'allow' }] });
      const result = await bench.run({});
      expect(result).toMatchObject({ interrupted: true, message: { isError: true } });
      expect(textOf(result.message).includes('may have taken effect')).toBe(may);
    },
  );

  test('[TOOL-18c] [TOOL-19a] a body that ignores the stop is left behind after the grace', async () => {
    const tool = fakeTool(() => {
      bench.environment.cancel();
      return new Promise<ToolReturn>(() => undefined);
    });
    const bench = await toolBench(tool);
    const result = await bench.run({});
    expect(result).toMatchObject({ interrupted: true, message: { isError: true } });
  });

  test.each([
    { workerShutdown: true },
    { notFound: true },
    { timedOut: true },
    { paused: true },
    { reset: true },
  ])('%j is no person’s stop: the attempt fails', async (details) => {
    const tool = fakeTool(async (_args, { signal }) => {
      bench.environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails(details));
      await aborted(signal);
      return { text: 'half of it' };
    });
    const bench = await toolBench(tool);
    await expect(bench.run({})).rejects.toMatchObject({ name: 'CancelledFailure' });
    expect(await bench.storedNames()).toEqual([]);
  });

  test('[TOOL-19cd] a tool that says nothing beats from its start, so that its silence is no death', async () => {
    let beats = 0;
    const tool = fakeTool(async () => {
      // the first comes without a word of the body, the others as long as it works
      while (beats < 2) await new Promise((resolve) => bench.environment.once('heartbeat', resolve));
      return { text: 'found it' };
    });
    const bench = await toolBench(tool);
    bench.environment.on('heartbeat', () => beats++);
    expect(await bench.text({})).toBe('found it');
  });

  test('[TOOL-19b] the time limit of the tool: an error result with what there is', async () => {
    const tool = fakeTool(
      async (_args, { signal }) => {
        await aborted(signal);
        return { text: 'half of it' };
      },
      { timeoutMs: 20, effect: 'once' },
    );
    const bench = await toolBench(tool, { policy: [{ tool: '*', decision: 'allow' }] });
    const result = await bench.run({});
    expect(result.message.isError).toBe(true);
    expect(result.interrupted).toBeUndefined();
    expect(textOf(result.message)).toMatch(
      /^half of it\n\[fake did not finish within 20 ms\..*may have taken effect/,
    );
  });

  test('[TOOL-19b] the body ends before the server gives the attempt up', async () => {
    const tool = fakeTool(async (_args, { signal }) => {
      await aborted(signal);
      throw signal.reason;
    });
    const bench = await toolBench(tool, { startToCloseTimeoutMs: 50 });
    expect(await bench.text({})).toBe('fake did not finish within 45 ms.');
  });
});

// What a user's JavaScript may return, whatever the types say.
function untyped(value: unknown): ToolReturn {
  return value as ToolReturn;
}

describe('[SAFE-05] where the redaction itself fails', () => {
  const words = 'the words of the output';
  const broken = (): never => {
    throw new RangeError(`Invalid string length of ${words}`);
  };
  const failing: Redactor = { ...createRedactor([]), text: broken, cutText: broken, json: broken };

  test.each<[string, ToolReturn | Error]>([
    ['a text', { text: words }],
    ['an error', { text: words, isError: true }],
    ['a throw', new Error(words)],
    ['details', { text: '', details: { words }, full: words }],
    ['a huge text', { text: words.repeat(500_000) }],
  ])(
    '%s is withheld: nothing of it is in the result, the store and the heartbeats',
    async (_name, outcome) => {
      const beats: unknown[] = [];
      const tool = fakeTool((_args, { onUpdate }) => {
        onUpdate(words);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      });
      const bench = await toolBench(tool, { redactor: failing });
      bench.environment.on('heartbeat', (details) => beats.push(details));
      const result = await bench.run({});
      expect(textOf(result.message)).toMatch(
        /^\[What fake answered is withheld: secrets could not be taken out of it \(RangeError\)/,
      );
      expect(result.message.isError).toBe(true);
      expect(JSON.stringify([result, beats])).not.toContain(words);
      expect(await bench.storedNames()).toEqual([]);
    },
  );

  test.each<[ToolReturn, CallOutcome]>([
    [{ text: words }, 'done'],
    [{ text: words, isError: true }, 'failed'],
    [{ text: words, outcome: 'done_in_part' }, 'done_in_part'],
  ])('[TOOL-21b] what the body has done is not called failed: %o', async (returned, outcome) => {
    const bench = await toolBench(
      fakeTool(() => returned, { effect: 'once' }),
      { redactor: failing },
    );
    expect(await bench.run({}, { approvedBy: 'ann@host' })).toMatchObject({
      outcome,
      message: { isError: true },
    });
  });

  test('a heartbeat shows nothing, and does not end the worker', () => {
    const input = { sessionId: 's', runId: 'r', turn: 1, callId: 'c' } as ToolCallInput;
    const partial = createPartialOutput({ input, tool: 'fake', attempt: 1, redactor: failing });
    partial.update(words);
    expect(partial.heartbeat()).toEqual({ runId: 'r', turn: 1, callId: 'c', attempt: 1 });
  });

  test('the reason of a refused call is withheld too', async () => {
    const bench = await toolBench(
      fakeTool(() => ({ text: '' })),
      { redactor: failing, policy: [{ tool: 'fake', decision: 'deny', reason: words }] },
    );
    expect(await bench.text({})).not.toContain(words);
  });
});
