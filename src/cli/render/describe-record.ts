// One message of the log for people. Pure.
import { counted } from '../../core/base/words.ts';
import { type LogRecord, textOf } from '../../core/model/messages.ts';
import type { Colors } from '../cli.ts';
import { toLine, toPlain } from './plain-text.ts';

const shownLines = 20;

export function describeRecord(record: LogRecord, colors: Colors): string {
  const head = colors.dim(`${record.seq} · ${placeOf(record)} · ${toMoment(record.at)}`);
  const text = shorten(toPlain(textOf(record)));
  switch (record.role) {
    case 'user':
      return `${head} ${colors.magenta(record.origin)}\n${text}`;
    case 'assistant': {
      const calls = record.content.flatMap((part) =>
        part.type === 'tool_call' ? [colors.cyan(`  → ${part.name} ${toLine(part.arguments, 160)}`)] : [],
      );
      const error = record.errorMessage
        ? [colors.red(`  ${record.stopReason}: ${toLine(record.errorMessage, 300)}`)]
        : [];
      return [`${head} ${colors.bold('agent')}`, ...(text === '' ? [] : [text]), ...calls, ...error].join(
        '\n',
      );
    }
    case 'tool_result':
      return `${head} ${(record.isError ? colors.red : colors.green)(record.toolName)}\n${text}`;
    case 'custom':
      return `${head} ${record.kind}`;
  }
}

/** What stood in the log before the first run belongs to none. */
function placeOf({ runId, turn }: LogRecord): string {
  return runId === '' ? 'before the first run' : `${runId} · turn ${turn}`;
}

/** Such as `2026-11-22 21:06:05 EST`, local: records may be days old. */
function toMoment(at: number): string {
  const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' }).format(at);
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  return `${day} ${zone?.value ?? ''}`.trim();
}

function shorten(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= shownLines) return text;
  return [...lines.slice(0, shownLines), `… ${counted(lines.length - shownLines, 'more line')}`].join('\n');
}
