// Looks quotes up in the stored outputs of this session's calls. Runs in Node; reads the store, writes nothing.
import type { JsonObject } from '../../../core/base/json.ts';
import { toolCallsOf, type LogRecord, type ToolCallPart } from '../../../core/model/messages.ts';
import type { ToolSpec } from '../../../core/model/tool-spec.ts';
import type { CheckedClaim, CheckedQuote, QuoteSource } from '../../../core/report/report.ts';
import { summarise } from '../../model/prepare-calls.ts';
import { toolOutputId } from '../../storage/artifact-store.ts';
import { countLineFeeds, openOutput, type StoredOutput } from '../../storage/stored-output.ts';
import type { ToolContext } from '../define-tool.ts';
import { findQuote } from '../../../core/report/report.ts';

type Session = Pick<ToolContext, 'sessionId' | 'artifacts' | 'toolSpec' | 'redact'>;
type Quote = { callId: string; quote: string };
type Claim = { text: string; quotes: Quote[] };

/** Every claim with its mark. Rejects where the store cannot be read. */
export async function checkClaims(
  claims: readonly Claim[],
  session: Session,
  calls: LoggedCalls,
): Promise<CheckedClaim[]> {
  const outputs = createOutputs(session);
  return Promise.all(
    claims.map(async ({ text, quotes }) => {
      const checked = await Promise.all(quotes.map((quote) => checkQuote(quote, outputs, calls, session)));
      return {
        text,
        verified: checked.length > 0 && checked.every((quote) => quote.verified),
        quotes: checked,
      };
    }),
  );
}

async function checkQuote(
  { callId, quote }: Quote,
  outputs: Outputs,
  calls: LoggedCalls,
  session: Session,
): Promise<CheckedQuote> {
  const logged = calls.get(callId);
  const source = logged && sourceOf(logged, session);
  const named = { callId, quote, ...(source ? { source } : {}) };
  const artifactId = outputOf(callId, logged);
  const output = await outputs.read(artifactId);
  const found = output === undefined ? undefined : await findIn(output, quote);
  if (found !== undefined) return { ...named, verified: true, position: { artifactId, ...found } };
  const reason = output === undefined ? whyNoOutput(callId, calls) : 'it is not in the output of that call';
  return { ...named, verified: false, reason: reason + (await hint({ callId, quote }, outputs, calls)) };
}

function whyNoOutput(callId: string, calls: LoggedCalls): string {
  const result = calls.get(callId)?.result;
  if (result === undefined) return 'there is no such call in this session';
  if (result.toolName === 'report') return 'a report is no evidence';
  return 'that call has no stored output (it did not run, or its output was not kept)';
}

// Models mix up call ids; where the words are real, one more report corrects it.
async function hint(quote: Quote, outputs: Outputs, calls: LoggedCalls): Promise<string> {
  for (const { call, result } of calls.values()) {
    if (result === undefined || call.callId === quote.callId) continue;
    const output = await outputs.read(outputOf(call.callId, { result }));
    // a hint is not worth the search of a long one
    if (output?.pieces.length === 1 && (await findIn(output, quote.quote)) !== undefined) {
      return `; it is in the output of call ${call.callId} (${call.name})`;
    }
  }
  return '';
}

function outputOf(callId: string, logged: Pick<LoggedCall, 'result'> | undefined): string {
  return logged?.result?.artifactId ?? toolOutputId(callId);
}

/** A quote over the border of two pieces is found this far before it. */
const overlap = 32_768;

async function findIn({ pieces }: StoredOutput, quote: string): Promise<Position | undefined> {
  let before = '';
  for (const { fromLine, load } of pieces) {
    const text = await load();
    const found = findQuote(before + text, quote);
    const line = fromLine - countLineFeeds(before);
    if (found !== undefined) return { ...found, line: line + found.line - 1 };
    before = linesAtEnd(text);
  }
  return undefined;
}

type Position = NonNullable<ReturnType<typeof findQuote>>;

/** Whole lines, so that the place in a line is right. */
function linesAtEnd(text: string): string {
  const end = text.slice(-overlap);
  return end.slice(end.indexOf('\n') + 1);
}

type Outputs = { read(artifactId: string): Promise<StoredOutput | undefined> };

/** Each output is loaded once, and of a long one its index, however many quotes name it. */
function createOutputs({ sessionId, artifacts }: Session): Outputs {
  const loaded = new Map<string, Promise<StoredOutput | undefined>>();
  return {
    read(artifactId) {
      const known = loaded.get(artifactId) ?? openOutput(artifacts, sessionId, artifactId);
      loaded.set(artifactId, known);
      return known;
    },
  };
}

/** `seq` is the place of the reply that made the call. */
export type LoggedCall = { call: ToolCallPart; seq: number; result?: ResultRecord };
export type ResultRecord = Extract<LogRecord, { role: 'tool_result' }>;

/** By call id. */
export type LoggedCalls = ReadonlyMap<string, LoggedCall>;

export function readLoggedCalls(log: LogRecord[]): LoggedCalls {
  const calls = new Map<string, LoggedCall>();
  for (const record of log) {
    if (record.role === 'assistant')
      for (const call of toolCallsOf(record)) calls.set(call.callId, { call, seq: record.seq });
    const logged = record.role === 'tool_result' ? calls.get(record.callId) : undefined;
    if (record.role === 'tool_result' && logged !== undefined) logged.result = record;
  }
  return calls;
}

/** Of a URL more than a timeline shows: it is how a reader finds the place again. */
const argumentLength = 300;

/** Undefined where the call has no result. */
function sourceOf(
  { call, result }: LoggedCall,
  { toolSpec, redact }: Pick<ToolContext, 'toolSpec' | 'redact'>,
): QuoteSource | undefined {
  if (result === undefined) return undefined;
  const spec = toolSpec(call.name) ?? { name: call.name };
  const args = argumentsOf(call);
  const summary = summarise(spec, args, { text: redact }, argumentLength);
  const host = result.host ?? hostOf(args, spec);
  return {
    tool: call.name,
    argument: summary.slice(spec.name.length + 1),
    ...(host === undefined ? {} : { host: redact(host) }),
    at: new Date(result.at).toISOString(),
  };
}

/** As the model wrote them; empty where that is no object. */
export function argumentsOf(call: ToolCallPart): JsonObject {
  try {
    const args: unknown = JSON.parse(call.arguments);
    return isObject(args) ? args : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hostOf(args: JsonObject, { taskQueue }: Partial<ToolSpec>): string | undefined {
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  const host = texts.map((text) => URL.parse(text)?.host ?? '').find((name) => name !== '');
  if (host !== undefined) return host;
  return typeof args['host'] === 'string' ? args['host'] : taskQueue;
}
