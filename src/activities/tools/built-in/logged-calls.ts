// The calls of a session as its log has them, and where the output of each came from. Runs in Node, pure.
import type { JsonObject } from '../../../core/base/json.ts';
import { toolCallsOf } from '../../../core/model/messages.ts';
import type { LogRecord, ToolCallPart } from '../../../core/model/messages.ts';
import type { QuoteSource } from '../../../core/report/report.ts';
import type { ToolSpec } from '../../../core/model/tool-spec.ts';
import { summarise } from '../../model/prepare-calls.ts';
import type { ToolContext } from '../tool-handler.ts';

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
export function sourceOf(
  { call, result }: LoggedCall,
  { toolSpec, redact }: Pick<ToolContext, 'toolSpec' | 'redact'>,
): QuoteSource | undefined {
  if (result === undefined) return undefined;
  const spec = toolSpec(call.name) ?? { name: call.name };
  const args = argumentsOf(call);
  const summary = summarise(spec, args, { text: redact }, argumentLength);
  const host = hostOf(args, spec);
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
