// Runs in a process of its own with --expose-gc, for tests of what large outputs cost: runs the asked-for calls against a
// file store in the given folder, and prints figures and answers as one line of JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createMessageCache } from '../../src/activities/base/message-cache.ts';
import { digestOf } from '../../src/activities/base/digest.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createBehindStore } from '../../src/activities/storage/behind-store.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createReadArtifactTool } from '../../src/activities/built-in/files/read-artifact.ts';
import { runProcess } from '@holdfast/processes/run-process';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { createToolActivities } from '../../src/activities/tools/run-tool.ts';
import type { JsonObject } from '@holdfast/base/json';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import { textOf } from '@holdfast/vocabulary/messages';
import { z } from 'zod';

/** A text of `size` characters made of `piece`. */
const printTool = defineTool({
  name: 'print',
  description: 'Prints.',
  effect: 'read',
  input: z.strictObject({ piece: z.string(), size: z.int() }),
  run: async ({ piece, size }) => ({ text: piece.repeat(Math.ceil(size / piece.length)).slice(0, size) }),
});

/** What a script prints, by a process, as the tools bash and those of toolsets do it. */
const shellTool = defineTool({
  name: 'shell',
  description: 'Runs a script.',
  effect: 'read',
  timeoutMs: 600_000,
  input: z.strictObject({ script: z.string() }),
  async run({ script }, { signal, addOutput }) {
    const { text, totalBytes, cutBytes } = await runProcess({
      argv: ['/bin/sh', '-c', script],
      cwd: '/',
      environment: { PATH: '/usr/bin:/bin' },
      signal,
      timeoutMs: 600_000,
      onLongOutput: addOutput,
    });
    return { text, details: { totalBytes, cutBytes } };
  },
});

const [folder = '', plan = '[]'] = process.argv.slice(2);
const tools = [printTool, shellTool, createReadArtifactTool()];
const artifacts = createBehindStore(await createFileArtifactStore(folder));
const activities = createToolActivities({
  tools: new Map(tools.map((tool) => [tool.spec.name, tool])),
  frozenAccess: async (tool) => ({ tool, policies: [[]], scope: {}, dryRun: false, offTheRecord: false }),
  artifacts,
  maxOutputBytes: 1024 ** 3,
  redactor: createRedactor(['worker-held-secret-1']),
  cache: createMessageCache(),
  readLog: () => Promise.resolve([]),
});

function call(tool: string, callId: string, args: JsonObject): Promise<ToolCallResult> {
  const body = activities[`tool.${tool}`];
  if (!body) throw new Error(`no tool ${tool}`);
  return new MockActivityEnvironment({ startToCloseTimeoutMs: 700_000 }).run(body, {
    sessionId: 's1',
    runId: 'run-1',
    turn: 1,
    callId,
    args,
    argsDigest: digestOf(args),
    view: { epoch: 1, fromSeq: 1, toSeq: 1 },
    contextDigest: 'context-1',
  });
}

/**
 * What is held: strings and buffers, in MB, once nothing is being written. Collects until it falls no more: buffers are
 * given back by threads that come late on a busy machine.
 */
async function heldMb(): Promise<number> {
  await artifacts.flush();
  for (let least = Infinity; ;) {
    globalThis.gc?.();
    await sleep(50);
    const { heapUsed, external } = process.memoryUsage();
    const held = (heapUsed + external) / 1e6;
    if (held > least - 1) return Math.min(held, least);
    least = held;
  }
}

export type Step = {
  tool: 'print' | 'shell' | 'read_artifact';
  args: JsonObject;
  parallel?: number;
  rounds?: number;
};
export type StepResult = { texts: string[]; ms: number; heldMb: number; peakMb: number };

const steps: Step[] = JSON.parse(plan);
const results: StepResult[] = [];
for (const [index, { tool, args, parallel = 1, rounds = 1 }] of steps.entries()) {
  const startedAt = performance.now();
  let texts: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const ids = Array.from({ length: parallel }, (_, place) => `call_${index}_${round}_${place}`);
    const answers = await Promise.all(ids.map((id) => call(tool, id, args)));
    texts = answers.map(({ message }) => textOf(message));
  }
  const ms = performance.now() - startedAt;
  results.push({ texts, ms, heldMb: await heldMb(), peakMb: process.resourceUsage().maxRSS / 1_000 });
}
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit(0));
