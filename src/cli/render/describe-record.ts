// A message of a session's log, for people. Pure.
import type { Colors } from '../colors.ts';
import { paintOf, callTime } from './describe-event.ts';
import { toLine, toPlain } from './plain-text.ts';
import { describeOutcome, whyOf } from '@holdfast/vocabulary/call-outcome';
import { type LogRecord, type RecordOf, textOf } from '@holdfast/vocabulary/messages';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import { markLines, toVisible } from '@holdfast/base/visible';

const shownLines = 20;

export function describeRecord(record: LogRecord, colors: Colors): string {
  const head = colors.dim(`${record.seq} · ${describeTurn(record)} · ${toMoment(record.at)}`);
  const text = markLines(shorten(toPlain(textOf(record))));
  switch (record.role) {
    case 'user':
      return `${head} ${colors.magenta(record.origin)}\n${text}`;
    case 'assistant': {
      const calls = record.content.flatMap((part) =>
        part.type === 'tool_call'
          ? [colors.cyan(`  → ${part.name} ${toLine(toVisible(part.arguments), 160)}`)]
          : [],
      );
      const error = record.errorMessage
        ? colors.red(`  ${record.stopReason}: ${toLine(record.errorMessage, 300)}`)
        : undefined;
      const rows = [`${head} ${colors.bold('agent')}`, text !== '' && text, ...calls, error];
      return present(rows).join('\n');
    }
    case 'tool_result':
      return `${head} ${resultHead(record, colors)}\n${text}`;
    case 'custom':
      return `${head} ${record.kind}`;
  }
}

export function describeThought(record: LogRecord, text: string, colors: Colors): string {
  const head = `${record.seq} · ${describeTurn(record)} · ${toMoment(record.at)}`;
  return `${colors.dim(head)}\n${markLines(toPlain(text.trim()))}`;
}

/** E.g. `restart_service · failed (exit code 1: no such unit) · 2 s`. */
function resultHead(record: RecordOf<'tool_result'>, colors: Colors): string {
  const { toolName, outcome, isError, ran } = record;
  const paint = paintOf(colors, outcome, isError);
  const words = outcome && describeOutcome(outcome, whyOf(outcome, record));
  return paint([toolName, words && toLine(words, 240), ran && callTime(ran)].filter(Boolean).join(' · '));
}

/** Records from before the first run belong to no run. */
function describeTurn({ runId, turn }: LogRecord): string {
  return runId === '' ? 'before the first run' : `${runId} · turn ${turn}`;
}

/** E.g. `2026-11-22 21:06:05 EST`, local, because records may be days old. */
function toMoment(at: number): string {
  const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' }).format(at);
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  return `${day} ${zone?.value ?? ''}`.trim();
}

function shorten(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= shownLines + 1) return text;
  return [...lines.slice(0, shownLines), `… ${counted(lines.length - shownLines, 'more line')}`].join('\n');
}
