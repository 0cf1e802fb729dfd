// A record of a log with as much of it as completing a report needs. The results of a session of thousands of turns do not
// fit in memory together. Runs in Node, pure.
import { type LogRecord, textOf } from '../../core/model/messages.ts';
import { stoppedNotice } from '../tools/tool-result.ts';
import { decisiveLines, shortLine } from './decisive-lines.ts';
import { refusals } from './found-instructions.ts';

/** Characters of a result that stays whole, and of the beginning of a longer one. */
const shortText = 1_000;
/** Those that a report by code may show of one call. */
const mostLines = 2;

/** Without thinking, and of a long result the beginning, the decisive lines and the words of a refusal or a stop. */
export function shortRecord(record: LogRecord): LogRecord {
  if (record.role === 'assistant')
    return { ...record, content: record.content.filter(({ type }) => type !== 'thinking') };
  // the words of a person are compared with later calls
  if (record.role !== 'tool_result' || record.toolName === 'ask_human') return record;
  const text = textOf(record);
  if (text.length <= shortText) return { ...record, content: [{ type: 'text', text }] };
  const kept = [
    text.slice(0, text.lastIndexOf('\n', shortText) + 1 || shortText),
    ...decisiveLines(text, mostLines).map((line) => shortLine(line, shortText)),
    ...(record.isError ? [refusals.exec(text)?.[0]] : []),
    ...(text.endsWith(stoppedNotice) ? [stoppedNotice] : []),
  ];
  // copied: a part of a string would keep the whole of it
  return { ...record, content: [{ type: 'text', text: JSON.parse(JSON.stringify(kept.join('\n'))) }] };
}
