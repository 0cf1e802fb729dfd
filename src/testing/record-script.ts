// A session's log as a script that plays it again: a run in production becomes a regression test. Redacted by what
// looks like a credential; results were redacted before they entered the log.
import { stringify } from 'yaml';
import { createRedactor } from '../activities/redaction.ts';
import type { Redactor } from '../activities/redaction.ts';
import type { Json } from '../core/json.ts';
import { isWholeReply, textOf, toolCallsOf } from '../core/messages.ts';
import type { LogRecord, ToolCallPart } from '../core/messages.ts';
import type { ModelScript, RecordedResult, ScriptCall, ScriptStep } from '../core/model-script.ts';

type Reply = Extract<LogRecord, { role: 'assistant' }>;
type Result = Extract<LogRecord, { role: 'tool_result' }>;

/** `secrets`: values that must not stand in the script, e.g. the worker's keys. Replies that failed are left out. */
export function recordScript(
  records: readonly LogRecord[],
  name: string,
  secrets: readonly string[] = [],
): ModelScript {
  const redactor = createRedactor(secrets);
  const replies = records.filter(isWholeReply);
  return {
    name,
    description: 'Recorded from a session. The results of its tools stand at their calls.',
    verbatim: true,
    prompts: records
      .filter((record) => record.role === 'user' && record.origin !== 'injected')
      .map((record) => redactor.text(textOf(record))),
    steps: replies.map((reply, index) =>
      toStep(reply, `reply-${index + 1}`, resultsAfter(records, reply), redactor),
    ),
  };
}

/** The script as the text of a file. */
export function toScriptFile(script: ModelScript): string {
  return stringify(script, { lineWidth: 0 });
}

/** Results behind a later reply are not this one's: a model may use an id again. */
function resultsAfter(records: readonly LogRecord[], reply: Reply): Result[] {
  const following = records.slice(records.indexOf(reply) + 1);
  const end = following.findIndex((record) => record.role === 'assistant');
  return following.slice(0, end === -1 ? undefined : end).filter((record) => record.role === 'tool_result');
}

function toStep(reply: Reply, id: string, results: Result[], redactor: Redactor): ScriptStep {
  const text = redactor.text(textOf(reply));
  const thinking = reply.content.flatMap((part) => (part.type === 'thinking' ? [part.text] : [])).join('\n');
  const calls = toolCallsOf(reply).map((call) =>
    toCall(
      call,
      results.find(({ callId }) => callId === call.callId),
      redactor,
    ),
  );
  const usual = calls.length > 0 ? 'tool_use' : 'stop';
  return {
    id,
    ...(thinking === '' ? {} : { thinking: redactor.text(thinking) }),
    ...(text === '' ? {} : { text }),
    ...(calls.length === 0 ? {} : { calls }),
    usage: reply.usage,
    ...(reply.stopReason === usual ? {} : { stopReason: reply.stopReason }),
  };
}

function toCall(call: ToolCallPart, result: Result | undefined, redactor: Redactor): ScriptCall {
  const recorded = result && toResult(result, redactor);
  return {
    tool: call.name,
    ...argumentsOf(call.arguments, redactor),
    ...(recorded?.isError && recorded.text.startsWith('Unknown tool') ? { unlisted: true } : {}),
    ...(recorded ? { result: recorded } : {}),
  };
}

function toResult(result: Result, redactor: Redactor): RecordedResult {
  const text = redactor.text(textOf(result));
  return result.isError ? { text, isError: true } : { text };
}

/** As data, for people; as text where the data would not give the same text again. */
function argumentsOf(text: string, redactor: Redactor): Pick<ScriptCall, 'args' | 'rawArguments'> {
  const args = parseObject(text);
  if (args === undefined || JSON.stringify(args) !== text) return { rawArguments: redactor.text(text) };
  const redacted = redactor.json(args);
  return { args: isObject(redacted) ? redacted : args };
}

function parseObject(text: string): { [key: string]: Json } | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
