// A session whose artifacts are in S3: an outage of the store costs attempts of activities and nothing else.
import { expect, test } from 'vitest';
import { createS3ArtifactStore } from '../../src/activities/storage/s3-artifact-store.ts';
import { createReadArtifactTool } from '../../src/activities/built-in/files/read-artifact.ts';
import { type LogRecord, textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { s3Missing, startS3Server } from '../support/s3-server.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';

const rows = Array.from(
  { length: 20_000 },
  (_, index) => `row ${index + 1}${index === 12_344 ? ' the cause' : ''}`,
);
const whole = rows.join('\n');
const printTool = fakeTool(() => ({ text: whole }), { name: 'print' });
const results = (log: LogRecord[]) => log.filter((record) => record.role === 'tool_result');

/** Prints what is over the cap, then searches it and reads a page of it. */
const reader = () =>
  functionModel(({ number }) => {
    const artifactId = 'tool-call_1_1';
    if (number === 1) return { calls: [{ tool: 'print' }] };
    if (number === 2)
      return { calls: [{ tool: 'read_artifact', args: { artifactId, search: 'the cause' } }] };
    if (number === 3)
      return { calls: [{ tool: 'read_artifact', args: { artifactId, offset: 12_344, limit: 2 } }] };
    return { text: 'Row 12345 has the cause.' };
  });

function expectWholeAnswers(log: LogRecord[]): void {
  const [printed, found, page] = results(log).map((record) => textOf(record));
  expect(printed?.length).toBeLessThanOrEqual(32_000);
  expect(printed).toContain(
    `of ${whole.length} characters left out here. The full output is artifact tool-call_1_1`,
  );
  expect(found).toBe('12345:row 12345 the cause');
  expect(page).toBe(
    'row 12344\nrow 12345 the cause\n[lines 12344 to 12345 of 20000; continue with offset 12346]',
  );
  expect(results(log).map(({ isError }) => isError)).toEqual([false, false, false]);
}

test.skipIf(s3Missing !== undefined)(
  `[TOOL-14f] [FAULT-88] artifacts in S3: the store is down while an output is stored, and while it is read: both are tried again, and nothing is lost${s3Missing ? ` (${s3Missing})` : ''}`,
  async () => {
    const own = await startS3Server();
    try {
      const artifacts = await createS3ArtifactStore(own.settings);
      let runs = 0;
      let reads = 0;
      const bench = await createSessionBench({
        model: reader(),
        artifacts: {
          ...artifacts,
          async put(sessionId, name, bytes) {
            if (name === 'tool-call_1_1') {
              runs += 1;
              if (runs === 1) await own.stop();
              if (runs === 3) await own.start();
            }
            return artifacts.put(sessionId, name, bytes);
          },
          async get(sessionId, name) {
            if (name === 'tool-call_1_1') {
              reads += 1;
              if (reads === 1) await own.stop();
              if (reads === 2) await own.start();
            }
            return artifacts.get(sessionId, name);
          },
        },
        tools: [printTool, createReadArtifactTool()],
      });
      const handle = await bench.start({ prompt: 'Find the cause.' });
      expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 3 });
      expectWholeAnswers(await bench.readLog(handle.workflowId));
      // two attempts of the output failed, one of the first look into it
      expect({ runs, reads }).toEqual({ runs: 3, reads: 3 });
      const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
      // the server keeps the failure of the attempt before the last
      const failures = events.map(({ activityTaskStartedEventAttributes: started }) => started?.lastFailure);
      expect(failures.filter(Boolean)).toMatchObject([
        { applicationFailureInfo: { type: 'ArtifactStore.Unavailable' } },
        { applicationFailureInfo: { type: 'ArtifactStore.Unavailable' } },
      ]);
    } finally {
      await own.remove();
    }
  },
  600_000,
);
