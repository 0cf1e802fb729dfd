// Completing the report of a long session: its log is read stretch by stretch, and of each result only a short part is kept.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import type { CompleteReportInput } from '@holdfast/vocabulary/storage-contracts';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { clientWithCheckpoint } from '../../support/own-workflow.ts';
import type { Transcripts } from '../../../src/activities/context/transcript.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createCompleteReport, shortRecord } from '../../../src/activities/report/complete-report.ts';
import { tellingLineOf } from '../../../src/activities/report/describe-call.ts';
import { findGaps } from '../../../src/activities/report/gaps.ts';
import { refusalPattern } from '../../../src/activities/report/found-instructions.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { stoppedNotice } from '../../../src/activities/tools/tool-result.ts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { textOf } from '@holdfast/vocabulary/messages';
import { toolOutputId } from '@holdfast/stored/artifact-names';
import { callsOf } from '@holdfast/stored/logged-calls';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { readReportNamed } from '@holdfast/stored/stored-session';

const runId = 'run-1';
const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} line ${index} of many`).join('\n');

/** A call and its result. */
function turnOf(turn: number, text: string, result: object = {}): LogRecord[] {
  const head = (seq: number) => ({ seq, id: `m${seq}`, runId, turn, at: 1_000 * turn });
  const callId = `c${turn}`;
  const call = { type: 'tool_call' as const, callId, name: 'read', arguments: `{"path":"${turn}"}` };
  const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
  const model = { provider: 'x', id: 'y' };
  const said = { role: 'assistant' as const, content: [call], model, usage, stopReason: 'tool_use' as const };
  const answer = { role: 'tool_result' as const, callId, toolName: 'read', isError: false };
  return [
    { ...head(2 * turn - 1), ...said },
    {
      ...head(2 * turn),
      ...answer,
      content: [{ type: 'text', text }],
      artifactId: toolOutputId(callId),
      ...result,
    },
  ];
}

async function joined(stretches: AsyncIterable<LogRecord[]>): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const stretch of stretches) records.push(...stretch);
  return records;
}

async function complete(stretches: Transcripts['readStretches']) {
  const store = await createFileArtifactStore(await temporaryFolder());
  const completeReport = createCompleteReport({
    artifacts: store,
    redactor: createRedactor([]),
    tools: new Map(),
    prepareCalls: () => Promise.resolve([]),
    transcripts: { readStretches: stretches, readLog: (...asked) => joined(stretches(...asked)) },
  });
  const end = { status: 'aborted' as const };
  const environment = new MockActivityEnvironment({}, { client: clientWithCheckpoint({}) });
  const input: CompleteReportInput = { sessionId: 's', runId, fromSeq: 1, toSeq: 1e6, endedAt: 1e6, end };
  const { artifactId }: ReportRef = await environment.run(completeReport, input);
  return readReportNamed(store, 's', artifactId);
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('[REPORT-28a] each stretch of the log is let go before the next one is asked for', async () => {
  const held: WeakRef<object>[] = [];
  const alive: number[] = [];
  const report = await complete(async function* () {
    for (let turn = 1; turn <= 6; turn += 1) {
      // a WeakRef holds its object to the end of this job
      await setImmediate();
      collectGarbage();
      alive.push(held.filter((ref) => ref.deref() !== undefined).length);
      const stretch = turnOf(turn, lines(1_000, `stretch ${turn}`));
      held.push(new WeakRef(stretch.at(-1)!));
      yield stretch;
    }
  });
  // the newest one may still be in the hands of the loop
  expect(Math.max(...alive)).toBeLessThanOrEqual(1);
  expect(report?.run?.calls).toHaveLength(6);
});

const long = lines(500, 'quiet');
const words = { toolSpec: () => undefined, redact: (text: string) => text };

test.each<[string, string, object]>([
  [
    'with a failure far down',
    `${long}\nERROR pool exhausted\n${long}\nrestarted\nFATAL: no space\n${long}`,
    {},
  ],
  ['of one line', `${'x'.repeat(5_000)} quiet`, {}],
  [
    'of one line that decides at its end',
    `{"a":"${'x'.repeat(2_190)}","b":"CrashLoopBackOff: OOMKilled"}`,
    {},
  ],
  ['with such a line far down', `${long}\n{"a":"${'x'.repeat(2_190)}","b":"CrashLoopBackOff"}\n${long}`, {}],
  ['of a stopped call', `ERROR one\nFATAL two\n${long}\n${stoppedNotice}`, {}],
  ['of a failed call', `\n\ncannot open it\n${long}`, { isError: true }],
  ['of a call refused far down', `${long}\nin a read-only transaction\n${long}`, { isError: true }],
])('[REPORT-28b] a long result %s says in a report what the whole one does', (_, text, result) => {
  const whole = turnOf(1, text, result);
  const short = whole.map(shortRecord);
  const told = (log: LogRecord[]) => ({
    gaps: findGaps(log, runId, words),
    lines: callsOf(log).map((logged) => tellingLineOf(logged, words.redact, 120)),
    refused: refusalPattern.exec(textOf(log[1]!))?.[0],
  });
  expect(told(short)).toEqual(told(whole));
  expect(JSON.stringify(short).length).toBeLessThan(4_000);
});

test('[REPORT-28c] an output that the store lacks is read in the log again, and only the stretch that has it', async () => {
  const asked: unknown[] = [];
  const text = `${long}\nERROR pool exhausted: all 20 connections\n${long}`;
  const turns = [turnOf(1, long), turnOf(2, text, { digest: 'd' }), turnOf(3, long)];
  const report = await complete(async function* (_, { fromSeq = 1, toSeq }) {
    asked.push([fromSeq, toSeq]);
    const wanted = turns.map((turn) => turn.filter(({ seq }) => seq >= fromSeq && seq <= toSeq));
    yield* wanted.filter((turn) => turn.length > 0);
  });
  expect(report?.standsOut).toMatchObject([{ verified: true, position: { line: 501 } }]);
  expect(asked).toEqual([
    [1, 1e6],
    [4, 4],
  ]);
});
