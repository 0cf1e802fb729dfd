// Turns a session's log into a script that plays it again, so that a run in production becomes a regression test.
// Removes texts that look like credentials; results were redacted before they entered the log. Pure.
import { defined } from '@holdfast/base/defined';
import { stringify } from 'yaml';
import { z } from 'zod';
import { type Redactor, createRedactor } from '@holdfast/redaction/redaction';
import { isRecord, parseJson } from '@holdfast/base/json';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { isWholeReply, textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { LogRecord, RecordOf, ToolCallPart } from '@holdfast/vocabulary/messages';
import { reportRefSchema } from '@holdfast/vocabulary/run-result.schema';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import type { ModelScript, RecordedResult, ScriptCall, ScriptStep } from './model-script.ts';

/** Drops the other fields in the details of a report. */
const refSchema = z.object(reportRefSchema.shape);

/**
 * `secrets`: values that must not be in the script, e.g. the worker's keys. `end`: the result of the last run, because
 * the log alone does not show that tools ended it. Failed replies are left out.
 */
export function recordScript(
  records: readonly LogRecord[],
  name: string,
  secrets: readonly string[] = [],
  end?: Pick<RunResult, 'runId' | 'cause'>,
): ModelScript {
  const redactor = createRedactor(secrets);
  const replies = records.filter(isWholeReply);
  const last = replies.at(-1);
  const terminating = end?.cause === 'terminate' && last?.runId === end.runId ? last : undefined;
  return {
    name,
    description: 'Recorded from a session. The results of its tools are at their calls.',
    verbatim: true,
    prompts: records
      .filter((record) => record.role === 'user' && record.origin !== 'injected')
      .map((record) => redactor.text(textOf(record))),
    steps: replies.map((reply, index) =>
      toStep(reply, `reply-${index + 1}`, {
        results: resultsAfter(records, reply),
        terminate: reply === terminating,
        redactor,
      }),
    ),
  };
}

/** The script as the text of a file. */
export function toScriptFile(script: ModelScript): string {
  return stringify(script, { lineWidth: 0 });
}

/** Results after a later reply do not belong to this one: a model may use an id again. */
function resultsAfter(
  records: readonly LogRecord[],
  reply: RecordOf<'assistant'>,
): RecordOf<'tool_result'>[] {
  const following = records.slice(records.indexOf(reply) + 1);
  const end = following.findIndex((record) => record.role === 'assistant');
  return following.slice(0, end === -1 ? undefined : end).filter((record) => record.role === 'tool_result');
}

type Around = { results: RecordOf<'tool_result'>[]; terminate: boolean; redactor: Redactor };

function toStep(reply: RecordOf<'assistant'>, id: string, around: Around): ScriptStep {
  const { redactor } = around;
  const text = redactor.text(textOf(reply));
  const thinking = reply.content.flatMap((part) => (part.type === 'thinking' ? [part.text] : [])).join('\n');
  const calls = toolCallsOf(reply).map((call) => toCall(call, around));
  const usual = calls.length > 0 ? 'tool_use' : 'stop';
  return defined({
    id,
    thinking: thinking === '' ? undefined : redactor.text(thinking),
    text: text || undefined,
    calls: unlessEmpty(calls),
    usage: reply.usage,
    stopReason: reply.stopReason === usual ? undefined : reply.stopReason,
    stopDetail: reply.stopDetail === 'refusal' ? reply.stopDetail : undefined,
  });
}

function toCall(call: ToolCallPart, around: Around): ScriptCall {
  const result = around.results.find(({ callId }) => callId === call.callId);
  const recorded = result && toResult(result, around);
  return defined({
    tool: call.name,
    ...argumentsOf(call.arguments, around.redactor),
    unlisted: (recorded?.isError && recorded.text.startsWith('Unknown tool')) || undefined,
    result: recorded,
  });
}

function toResult(result: RecordOf<'tool_result'>, { redactor, terminate }: Around): RecordedResult {
  const text = redactor.text(textOf(result));
  const details = result.details === undefined ? undefined : redactor.json(result.details);
  const report = result.toolName === 'report' ? refSchema.safeParse(details).data : undefined;
  return defined({
    text,
    isError: result.isError || undefined,
    details,
    terminate: (terminate && !result.isError) || undefined,
    report,
  });
}

/** Arguments as data, for people; as text if the data would not give the same text again. */
function argumentsOf(text: string, redactor: Redactor): Pick<ScriptCall, 'args' | 'rawArguments'> {
  const args = parseJson(text);
  if (!isRecord(args) || JSON.stringify(args) !== text) return { rawArguments: redactor.text(text) };
  const redacted = redactor.json(args);
  return { args: isRecord(redacted) ? redacted : args };
}
