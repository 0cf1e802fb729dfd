// A session whose calls a report may quote: outputs are put into a real store by real tool activities.
import type { ArtifactStore } from '../../src/activities/storage/artifact-store.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import type { RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import type { Json, JsonObject } from '@holdfast/base/json';
import { type LogRecord, type ToolResultMessage, toolCallsOf } from '@holdfast/vocabulary/messages';
import { updateHypotheses } from '../../src/core/agent/hypotheses/update-hypotheses.ts';
import { hypothesesIn } from '@holdfast/report/hypotheses';
import { reportJsonName } from '@holdfast/report/report';
import type { Report } from '@holdfast/report/report';
import { calls } from './memory-model.ts';
import { toolResult } from './recorded-histories.ts';
import { asBehind, fakeTool, temporaryFolder, toolBench, storedNames } from './tool-calls.ts';

/** Time of the first record of the log, unless a test gives one; each further one is a second later. */
const usualStart = Date.UTC(2026, 10, 21, 3, 4, 5);

export type ReportSession = {
  artifacts: ArtifactStore;
  log: LogRecord[];
  /** Runs a fake tool whose output and error flag are given, and writes it into the log. */
  ran(
    callId: string,
    text: string,
    options?: {
      isError?: boolean;
      args?: Json;
      session?: string;
      name?: string;
      inPieces?: boolean;
      details?: Json;
    },
  ): Promise<void>;
  /** A result that the workflow wrote: no tool ran. */
  answered(callId: string, text: string, args?: Json, name?: string): void;
  /** A delegation to these sessions. */
  delegated(callId: string, children: readonly { name: string; id: string }[]): void;
  /** A call of the tool hypotheses, which the workflow runs. */
  wrote(callId: string, args: JsonObject): void;
  /** Moves the time of the records to come. */
  tick(seconds: number): void;
  /** `given` is the call of the model, if its arguments were repaired. */
  report(input: JsonObject, callId?: string, given?: Json): Promise<ToolCallResult>;
  storedNames(sessionId: string): Promise<string[]>;
};

/** `tools` are those that the worker of the report declares, beside `report`. */
export async function startReportSession(
  options: {
    tools?: RegisteredTool[];
    secrets?: string[];
    sessionId?: string;
    artifacts?: ArtifactStore;
    startedAt?: number;
  } = {},
): Promise<ReportSession> {
  const folder = await temporaryFolder();
  const { tools = [], secrets = [], sessionId: ownId = 'session-1', startedAt = usualStart } = options;
  const artifacts = asBehind(options.artifacts ?? (await createFileArtifactStore(folder)));
  const log: LogRecord[] = [];
  let offsetMs = 0;
  const head = () => ({
    seq: log.length + 1,
    id: `m${log.length}`,
    runId: 'run-1',
    turn: 1,
    at: startedAt + log.length * 1_000 + offsetMs,
  });
  const record = (
    name: string,
    callId: string,
    args: Json,
    message: ToolResultMessage,
    more: Pick<LogRecord, 'outcome' | 'digest'> = {},
  ): void => {
    log.push({ ...head(), ...calls(`${callId}:${name}:${JSON.stringify(args)}`) });
    log.push({ ...head(), ...more, ...message });
  };
  return {
    artifacts,
    async storedNames(sessionId) {
      await artifacts.flush();
      return storedNames(folder, sessionId);
    },
    log,
    async ran(
      callId,
      text,
      {
        isError = false,
        args = { call: callId },
        session: sessionId = ownId,
        name = 'grep',
        inPieces = false,
        details,
      } = {},
    ) {
      const bench = await toolBench(
        fakeTool(
          inPieces
            ? (_args, { addOutput }) => addOutput(text).then(() => ({ text: '' }))
            : () => ({ text, isError, ...(details === undefined ? {} : { details }) }),
          { name },
        ),
        { artifacts },
      );
      const { message, digest } = await bench.run(args, { callId, sessionId });
      if (sessionId === ownId) record(name, callId, args, message, { digest });
    },
    answered(callId, text, args = {}, name = 'restart') {
      record(name, callId, args, toolResult(callId, text, name, true), {
        outcome: text.startsWith('Outcome unknown') ? 'unknown' : 'refused',
      });
    },
    delegated(callId, children) {
      const text = JSON.stringify(children.map(({ name }) => ({ agent: name, result: 'the pool is empty' })));
      const details = { children: children.map(({ name, id }) => ({ name, id })) };
      record('delegate', callId, {}, { ...toolResult(callId, text, 'delegate'), details });
    },
    wrote(callId, args) {
      log.push({ ...head(), ...calls(`${callId}:hypotheses:${JSON.stringify(args)}`) });
      log.push({ ...head(), ...answerOf(log, callId, args) });
    },
    tick(seconds) {
      offsetMs += seconds * 1_000;
    },
    async report(input, callId = 'report_1', given = input) {
      const reportTool = createReportTool();
      const bench = await toolBench(reportTool, {
        artifacts,
        secrets,
        readLog: () => Promise.resolve(log),
        tools: new Map([reportTool, ...tools].map((tool) => [tool.spec.name, tool])),
      });
      const args = { summary: 'The pool is too small.', grade: 'likely', claims: [], ...input };
      log.push({ ...head(), ...calls(`${callId}:report:${JSON.stringify(given)}`) });
      const result = await bench.run(args, { callId });
      log.push({ ...head(), ...result.message });
      return result;
    },
  };
}

function answerOf(log: LogRecord[], callId: string, args: JsonObject): ToolResultMessage {
  const place = {
    seq: log.length,
    at: log.at(-1)?.at ?? 0,
    seqOf: (id: string) =>
      log.findLast((one) => one.role === 'assistant' && toolCallsOf(one).some((call) => call.callId === id))
        ?.seq,
  };
  const update = updateHypotheses(hypothesesIn(log), args, place);
  if (!update.ok) throw new Error(update.reason);
  const details = { changed: JSON.parse(JSON.stringify(update.changed)) };
  return { ...toolResult(callId, 'written', 'hypotheses'), details };
}

export async function readStored(
  artifacts: ArtifactStore,
  result: ToolCallResult,
): Promise<{ report: Report; markdown: string }> {
  const markdownName = result.report?.artifactId ?? '';
  const read = async (name: string): Promise<string> =>
    Buffer.from((await artifacts.get('session-1', name)) ?? []).toString('utf8');
  return { report: JSON.parse(await read(reportJsonName(markdownName))), markdown: await read(markdownName) };
}

export const quoting = (...quotes: [string, string][]): JsonObject => ({
  claims: [{ text: 'The pool was exhausted.', quotes: quotes.map(([callId, quote]) => ({ callId, quote })) }],
});
