// What a run could not look at, read off its transcript: failed tools, denied calls, unreachable hosts, calls that
// were stopped. By code, because a model may leave it out. Runs in Node, pure.
import { textOf, toolCallsOf } from '../../../core/model/messages.ts';
import type { LogRecord, ToolCallPart, ToolResultMessage } from '../../../core/model/messages.ts';
import type { Gap } from '../../../core/report/report.ts';
import { canonicalJson } from '../../context/digest.ts';
import { rejectionPrefixes } from '../../model/tool-arguments.ts';
import { toOneLine } from '../../redaction/sanitise.ts';
import { stoppedNotice } from '../tool-result.ts';

const maxGaps = 50;

/** Gaps of one run, oldest first. A call that was made again and then worked is none. */
export function findGaps(log: LogRecord[], runId: string): Gap[] {
  const calls = new Map<string, ToolCallPart>();
  const results: ToolResultMessage[] = [];
  for (const record of log) {
    if (record.runId !== runId) continue;
    if (record.role === 'assistant') for (const call of toolCallsOf(record)) calls.set(call.callId, call);
    if (record.role === 'tool_result' && record.toolName !== 'report') results.push(record);
  }
  const worked = new Map(
    results.flatMap((result, index) => (failed(result) ? [] : [[callKey(calls.get(result.callId)), index]])),
  );
  const gaps = results.flatMap((result, index) => {
    const call = calls.get(result.callId);
    if (!failed(result) || (worked.get(callKey(call)) ?? -1) > index) return [];
    return [toGap(result, call)];
  });
  return gaps.length <= maxGaps
    ? gaps
    : [...gaps.slice(0, maxGaps), { text: `${gaps.length - maxGaps} further calls failed.`, source: 'code' }];
}

// A call that was refused for its form says nothing about the world; the model makes it again.
function failed(result: ToolResultMessage): boolean {
  const text = textOf(result);
  if (rejectionPrefixes.some((prefix) => text.startsWith(prefix))) return false;
  return result.isError || text.endsWith(stoppedNotice);
}

function toGap(result: ToolResultMessage, call: ToolCallPart | undefined): Gap {
  const what = toOneLine(`${result.toolName} ${call?.arguments ?? ''}`, 160);
  const why = toOneLine(textOf(result), 240);
  return { text: `${what}: ${why}`, source: 'code', callId: result.callId };
}

function callKey(call: ToolCallPart | undefined): string {
  if (call === undefined) return '';
  try {
    return `${call.name} ${canonicalJson(JSON.parse(call.arguments))}`;
  } catch {
    return `${call.name} ${call.arguments}`;
  }
}
