// A worker that is killed between the result of a call and the write of its output: whoever reads the output takes it from the
// log of the session.
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createReadArtifactTool } from '../../src/activities/built-in/files/read-artifact.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { createClient } from '../../src/client.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { openStoredSession } from '@holdfast/stored/open-session';
import { functionModel } from '../support/function-model.ts';
import { lookTool } from '../support/plain-tool.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { storedNames } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { killProcess, startChild } from '../support/worker-processes.ts';

const line = 'pool timeout after 512 ms';
const report = {
  summary: 'The pool is too small.',
  grade: 'confirmed',
  claims: [{ text: 'It timed out.', quotes: [{ callId: 'call_1_1', quote: line }] }],
  ruledOut: [],
  gaps: [],
};

test.each([
  ['from the log that the session holds', {}],
  ['from a segment that a hand-over has stored', { continueAsNewAfterTurns: 1 }],
])(
  '[TOOL-27ac] [FAULT-4] a worker killed between result and write: report, read_artifact and readers have the output %s',
  async (_where, options) => {
    const looked = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const bench = await createSessionBench({
      workerless: true,
      tools: [lookTool, createReportTool(), createReadArtifactTool()],
      model: functionModel(async ({ number }) => {
        if (number === 2) return { calls: [{ tool: 'report', args: report }] };
        if (number === 3)
          return { calls: [{ tool: 'read_artifact', args: { artifactId: 'tool-call_1_1' } }] };
        looked.resolve();
        await mayEnd.promise;
        return { text: 'The pool is too small.' };
      }),
    });
    // its store never ends a write
    const child = startChild('held-store-child.ts', bench, []);
    const handle = await bench.start({ prompt: 'Why?', loop: { heartbeatTimeoutMs: 2_000 }, ...options });
    const sessionId = handle.workflowId;
    await until('the result is in the log', async () =>
      (await bench.readLog(sessionId).catch(() => [])).some(({ role }) => role === 'tool_result'),
    );
    await killProcess(child);
    await bench.addWorker();
    await looked.promise;
    const connection = await Connection.connect({ address: bench.address });
    onTestFinished(() => connection.close());
    const { taskQueue, holdfast, artifactsDir } = bench;
    const outside = createClient({ connection, namespace: 'default', taskQueue });
    const shown = { lines: [line], marked: 1, totalLines: 2, call: { tool: 'look' } };
    // the run has not ended: no log is stored yet
    for (const client of [holdfast, outside]) {
      const session = client.session(sessionId);
      expect(await session.readOutput('call_1_1', { line: 1, around: 0 })).toMatchObject(shown);
      expect(await session.readOutput('call_9_9')).toBeUndefined();
    }
    mayEnd.resolve();
    const result = await holdfast.session(sessionId).result();
    expect(result.report).toMatchObject({ quotes: 1, verifiedQuotes: 1, verifiedClaims: 1 });
    const [quote] = (await holdfast.report(sessionId))?.claims[0]?.quotes ?? [];
    expect(quote).toMatchObject({ verified: true, position: { artifactId: 'tool-call_1_1', line: 1 } });
    const texts = (await bench.readLog(sessionId)).map((record) => textOf(record));
    expect(texts).toContain(`${line}\npool is full\n[lines 1 to 2 of 2]`);
    // what a reader without server and worker has
    const stored = openStoredSession(await createFileArtifactStore(artifactsDir), sessionId);
    expect(await stored.output('call_1_1', { line: 1, around: 0 })).toMatchObject(shown);
    // and nobody has written it meanwhile
    expect(await storedNames(artifactsDir, sessionId)).not.toContain('tool-call_1_1');
  },
);
