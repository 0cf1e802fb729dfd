// Looks quotes up in the stored outputs of this session's calls. Runs in Node; reads the store, writes nothing.
import { type Json, type JsonObject, isRecord } from '../../../core/base/json.ts';
import { toolCallsOf, type LogRecord, type ToolCallPart } from '../../../core/model/messages.ts';
import type { ToolSpec } from '../../../core/model/tool-spec.ts';
import type { CheckedClaim, CheckedQuote, QuoteSource } from '../../../core/report/report.ts';
import { summarise } from '../../model/prepare-calls.ts';
import { toolOutputId } from '../../storage/artifact-store.ts';
import { isIndexName } from '../../storage/stored-output.ts';
import type { ToolContext } from '../define-tool.ts';
import { type LookedUp, lookUpQuotes } from './look-up-quotes.ts';

type Session = Pick<ToolContext, 'sessionId' | 'artifacts' | 'toolSpec' | 'redact' | 'signal'>;
type Quote = { callId: string; quote: string };
type Claim = { text: string; quotes: Quote[] };

/** Together they take less than the time limit of the report, which must still be stored. */
const defaultLookUpMs = 30_000;

/** Every claim with its mark. Rejects where the store cannot be read. */
export async function checkClaims(
  claims: readonly Claim[],
  session: Session,
  calls: LoggedCalls,
  lookUpMs: number = defaultLookUpMs,
): Promise<CheckedClaim[]> {
  const outOfTime = new AbortController();
  const timer = setTimeout(() => outOfTime.abort(), lookUpMs);
  const signal = AbortSignal.any([session.signal, outOfTime.signal]);
  try {
    const quotes = claims.flatMap((claim) => claim.quotes);
    const lookedUp = await lookUpAll(quotes, session, calls, signal);
    const lost = quotes.filter((quote) => !positionOf(quote, lookedUp, calls));
    const hints = await findHints(lost, session, calls, signal);
    return claims.map(({ text, quotes: named }) => {
      const checked = named.map((quote) => checkQuote(quote, lookedUp, hints, calls, session));
      const verified = checked.length > 0 && checked.every((quote) => quote.verified);
      return { text, verified, quotes: checked };
    });
  } finally {
    clearTimeout(timer);
  }
}

/** By artifact. */
type AllLookedUp = ReadonlyMap<string, LookedUp>;

/** One output after the other, so that few are in memory; long ones last, so that they take no time from the others. */
async function lookUpAll(
  quotes: readonly Quote[],
  session: Session,
  calls: LoggedCalls,
  signal: AbortSignal,
): Promise<AllLookedUp> {
  const byArtifact = Map.groupBy(quotes, ({ callId }) => outputOf(callId, calls.get(callId)));
  const ids = [...byArtifact.keys()];
  const lookedUp = new Map<string, LookedUp>();
  for (const id of [...ids.filter((each) => !isIndexName(each)), ...ids.filter(isIndexName)]) {
    const wanted = byArtifact.get(id)?.map(({ quote }) => quote) ?? [];
    lookedUp.set(id, await lookUpQuotes(id, wanted, session, signal));
  }
  return lookedUp;
}

function positionOf({ callId, quote }: Quote, lookedUp: AllLookedUp, calls: LoggedCalls) {
  return lookedUp.get(outputOf(callId, calls.get(callId)))?.found.get(quote);
}

function checkQuote(
  named: Quote,
  lookedUp: AllLookedUp,
  hints: ReadonlyMap<string, ToolCallPart>,
  calls: LoggedCalls,
  session: Session,
): CheckedQuote {
  const { callId, quote } = named;
  const logged = calls.get(callId);
  const source = logged && sourceOf(logged, session);
  const checked = { callId, quote, ...(source ? { source } : {}) };
  const position = positionOf(named, lookedUp, calls);
  if (position !== undefined) return { ...checked, verified: true, position };
  const hint = hints.get(quote);
  const where = hint ? `; it is in the output of call ${hint.callId} (${hint.name})` : '';
  const state = lookedUp.get(outputOf(callId, logged))?.state;
  return { ...checked, verified: false, reason: whyNotFound(callId, state, calls) + where };
}

function whyNotFound(callId: string, state: LookedUp['state'] | undefined, calls: LoggedCalls): string {
  if (state === 'no output') return whyNoOutput(callId, calls);
  if (state === 'searched') return 'it is not in the output of that call';
  return 'not looked up: the time was over before all of that output was searched';
}

function whyNoOutput(callId: string, calls: LoggedCalls): string {
  const result = calls.get(callId)?.result;
  if (result === undefined) return 'there is no such call in this session';
  if (result.toolName === 'report') return 'a report is no evidence';
  return 'that call has no stored output (it did not run, or its output was not kept)';
}

/**
 * By quote, a call in whose output it is. Models mix up call ids; where the words are real, one more report corrects it.
 * It is not worth the search of long outputs.
 */
async function findHints(
  quotes: readonly Quote[],
  session: Session,
  calls: LoggedCalls,
  signal: AbortSignal,
): Promise<Map<string, ToolCallPart>> {
  const hints = new Map<string, ToolCallPart>();
  const wanted = new Set(quotes.map(({ quote }) => quote));
  for (const logged of calls.values()) {
    const id = outputOf(logged.call.callId, logged);
    if (wanted.size === 0) break;
    if (logged.result === undefined || isIndexName(id)) continue;
    const { found } = await lookUpQuotes(id, wanted, session, signal);
    for (const quote of found.keys()) {
      hints.set(quote, logged.call);
      wanted.delete(quote);
    }
  }
  return hints;
}

function outputOf(callId: string, logged: Pick<LoggedCall, 'result'> | undefined): string {
  return logged?.result?.artifactId ?? toolOutputId(callId);
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
    const args: Json = JSON.parse(call.arguments);
    return isRecord(args) ? args : {};
  } catch {
    return {};
  }
}

function hostOf(args: JsonObject, { taskQueue }: Partial<ToolSpec>): string | undefined {
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  const host = texts.map((text) => URL.parse(text)?.host ?? '').find((name) => name !== '');
  if (host !== undefined) return host;
  return typeof args['host'] === 'string' ? args['host'] : taskQueue;
}
