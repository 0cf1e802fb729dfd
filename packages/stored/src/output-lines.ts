// Reads some lines of the stored output of a call, piece by piece, so that no reader holds a long output whole. Runs in
// Node.
import { defined } from '@holdfast/base/defined';
import { cutText } from '@holdfast/base/cut-text';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { OutputLines, OutputRequest } from '@holdfast/vocabulary/stored-reads';
import { type ArtifactReader, toolOutputId } from './artifact-names.ts';
import { withLoggedOutputs } from './logged-outputs.ts';
import { type LoggedCall, endOfCall, readChildLogs, readLoggedCalls } from './logged-calls.ts';
import { type StoredOutput, linesFrom, openOutput, outputIndexName } from './stored-output.ts';
import { readStoredLog } from './stored-session.ts';

const defaultAround = 5;
const maxAround = 500;
/** Limits for one page without a requested line. */
const pageLines = 5_000;
const pageCharacters = 512 * 1024;
const lineCharacters = 4_000;
/** Higher limit for the line that the reader asked for. */
const markedCharacters = 64 * 1024;

/**
 * Undefined if neither store nor log has an output of such a call; empty if the output has no such line. `log`: that of
 * a running session; absent, the stored one is read.
 */
export async function readOutputLines(
  artifacts: ArtifactReader,
  request: OutputRequest,
  log?: LogRecord[],
): Promise<OutputLines | undefined> {
  const { sessionId, call: callId } = request;
  const records = log ?? (await readStoredLog(artifacts, sessionId)) ?? [];
  const logged = await findCall(artifacts, sessionId, callId, records);
  const owner = logged?.by?.sessionId ?? sessionId;
  const outputs = withLoggedOutputs(artifacts, async (id) =>
    id === sessionId ? records : readStoredLog(artifacts, id),
  );
  const output = await openOf(outputs, owner, logged?.call.callId ?? callId, logged?.result?.artifactId);
  if (output === undefined) return undefined;
  return {
    sessionId: owner,
    callId: logged?.call.callId ?? callId,
    ...(logged && describeCall(logged)),
    totalLines: output.lines,
    totalCharacters: output.characters,
    ...(await readLines(output, request)),
  };
}

/** Reads the logs of subagents only if the session has not made the call itself. */
async function findCall(
  artifacts: ArtifactReader,
  sessionId: string,
  callId: string,
  log: LogRecord[],
): Promise<LoggedCall | undefined> {
  const own = readLoggedCalls(log).get(callId);
  if (own !== undefined) return own;
  return readLoggedCalls(log, await readChildLogs(log, { artifacts, sessionId })).get(callId);
}

async function openOf(
  artifacts: ArtifactReader,
  sessionId: string,
  callId: string,
  artifactId = toolOutputId(callId),
): Promise<StoredOutput | undefined> {
  const output = await openOutput(artifacts, sessionId, artifactId);
  return output ?? openOutput(artifacts, sessionId, outputIndexName(artifactId));
}

function describeCall({ call, result, by }: LoggedCall): Pick<OutputLines, 'call'> {
  if (result === undefined) return {};
  return {
    call: {
      tool: call.name,
      arguments: call.arguments,
      isError: result.isError,
      ...defined({ host: result.host, agent: by?.name, outcome: result.outcome }),
      at: new Date(endOfCall(result)).toISOString(),
    },
  };
}

type Lines = Pick<OutputLines, 'fromLine' | 'lines' | 'marked' | 'nextLine'>;

async function readLines(output: StoredOutput, request: OutputRequest): Promise<Lines> {
  const { line, around = defaultAround, fromLine = 1 } = request;
  const asked = line ?? fromLine;
  if (asked < 1 || asked > output.lines) return { fromLine: asked, lines: [] };
  const side = Math.min(Math.max(0, around), maxAround);
  let from = line === undefined ? fromLine : Math.max(1, line - side);
  const to = Math.min(output.lines, line === undefined ? from + pageLines - 1 : line + side);
  const lines: string[] = [];
  let characters = 0;
  for await (const { number, text } of linesFrom(output, from)) {
    const shown = cutLine(text, number === line ? markedCharacters : lineCharacters);
    characters += shown.length;
    if (characters > pageCharacters && number > asked) break;
    lines.push(shown);
    // keeps the lines nearest to the requested one
    for (; characters > pageCharacters && lines.length > 1; from += 1)
      characters -= lines.shift()?.length ?? 0;
    if (number === to) break;
  }
  const next = from + lines.length;
  return {
    fromLine: from,
    lines,
    ...defined({ marked: line, nextLine: line === undefined && next <= output.lines ? next : undefined }),
  };
}

function cutLine(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most)} [${text.length - most} more characters]`;
}
