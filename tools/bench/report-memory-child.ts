// Child process of the report's memory measurement: the peak of completeReport over a stored log of this many turns.
import { MockActivityEnvironment } from '@temporalio/testing';
import { clientOf } from '../../test/support/own-workflow.ts';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMessageCache } from '../../src/activities/base/message-cache.ts';
import { createTranscripts } from '../../src/activities/context/transcript.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createCompleteReport } from '../../src/activities/report/complete-report.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { storeSegment } from '../../src/activities/storage/segments.ts';
import type { Segment } from '@holdfast/vocabulary/frozen-context';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import { resultCharacters, segmentTurns } from './report-memory.ts';

const [work, dir = '', turnCount = '0', letter = 'x'] = process.argv.slice(2);
const turns = Number(turnCount);
const sessionId = `report-${turns}`;
const artifacts = await createFileArtifactStore(join(dir, sessionId));
const listFile = join(dir, `${sessionId}.json`);
process.send?.(work === 'write' ? await writeLog() : await complete());
process.disconnect();

/** In a process of its own: the garbage of the writing would hide that of the report. */
async function writeLog(): Promise<string> {
  const segments: Segment[] = [];
  for (let turn = 1; turn <= turns; turn += segmentTurns) {
    const last = Math.min(turns, turn + segmentTurns - 1);
    const records = Array.from({ length: last - turn + 1 }, (_, index) => recordsOf(turn + index)).flat();
    const range = { fromSeq: 2 * turn - 1, toSeq: 2 * last };
    segments.push(await storeSegment(artifacts, sessionId, records, range));
  }
  await writeFile(listFile, JSON.stringify(segments));
  return listFile;
}

async function complete(): Promise<{ before: number; peak: number }> {
  const segments: Segment[] = JSON.parse(await readFile(listFile, 'utf8'));
  const completeReport = createCompleteReport({
    artifacts,
    transcripts: createTranscripts({ cache: createMessageCache(), artifacts }),
    redactor: createRedactor([]),
    tools: new Map(),
    prepareCalls: () => Promise.resolve([]),
  });
  const before = process.memoryUsage.rss();
  const end = { status: 'aborted' as const };
  const client = clientOf(async (name, [after]) =>
    name === 'getMessages'
      ? { epoch: 1, segments: segments.filter((each) => each.toSeq > Number(after)), records: [] }
      : { text: '{}', totalCharacters: 2 },
  );
  const range = { fromSeq: 1, toSeq: 2 * turns };
  await new MockActivityEnvironment({}, { client }).run(() =>
    completeReport({ sessionId, runId: 'run-1', ...range, endedAt: 1_000_000, end }),
  );
  // in KiB: the highest that the system has seen
  return { before, peak: process.resourceUsage().maxRSS * 1024 };
}

/** A call that reads, and its result. */
function recordsOf(turn: number): LogRecord[] {
  const head = (seq: number) => ({ seq, id: `m${seq}`, runId: 'run-1', turn, at: 1_000 * turn });
  const text = Array.from(
    { length: Math.ceil(resultCharacters / 100) },
    (_, line) => `${turn}.${line} ${letter.repeat(90)}`,
  ).join('\n');
  const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
  const call = {
    type: 'tool_call' as const,
    callId: `c${turn}`,
    name: 'read',
    arguments: `{"path":"${turn}"}`,
  };
  const digest = createHash('sha256').update(text).digest('hex');
  return [
    {
      ...head(2 * turn - 1),
      role: 'assistant',
      content: [call],
      model: { provider: 'x', id: 'y' },
      usage,
      stopReason: 'tool_use',
    },
    {
      ...head(2 * turn),
      role: 'tool_result',
      callId: `c${turn}`,
      toolName: 'read',
      content: [{ type: 'text', text }],
      isError: false,
      artifactId: `tool-c${turn}`,
      digest,
    },
  ];
}
