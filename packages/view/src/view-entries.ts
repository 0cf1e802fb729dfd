// The outline of the view: place, role and size of each message in it, also of messages that a hand-over archived. Cuts
// of a view are decided on it, so that a hand-over changes none. Pure.
import type { AgentState, ArchivedEntry, LogState } from '@holdfast/vocabulary/agent-state';
import { type LogRecord, isWholeReply } from '@holdfast/vocabulary/messages';

export type ViewEntry = {
  seq: number;
  role: 'user' | 'assistant' | 'tool_result';
  /** Size of an archived message; a held one is counted from its record. */
  tokens?: number;
  record?: LogRecord;
};

const roles = { u: 'user', a: 'assistant', r: 'tool_result' } as const;

export function viewEntries({ log, view }: AgentState): ViewEntry[] {
  const firstHeld = log.records[0]?.seq ?? log.nextSeq;
  const archived = (log.archived ?? []).flatMap(([seq, letter, tokens]): ViewEntry[] =>
    letter !== 'x' && seq >= view.fromSeq && seq < firstHeld ? [{ seq, role: roles[letter], tokens }] : [],
  );
  const held = log.records.flatMap((record): ViewEntry[] => {
    const { seq, role } = record;
    return role === 'custom' || seq < view.fromSeq || !isSent(record) ? [] : [{ seq, role, record }];
  });
  return [...archived, ...held];
}

/** True if the first entry of the view stands for several messages, which no cut can part. */
export function beginsFolded({ log: { archived = [], records, nextSeq }, view }: AgentState): boolean {
  const [oldest = Infinity, next = records[0]?.seq ?? nextSeq] = archived
    .map(([seq]) => seq)
    .filter((seq) => seq >= view.fromSeq);
  return next - oldest > 1;
}

/** Least number of separate entries: the messages that strategies keep by number, and the pairs around them. */
const fewest = 24;
/** Largest number of separate entries: an outline travels at every hand-over, however long the view is. */
const most = 200;

/**
 * Adds the messages that leave the state, and drops those that the view no longer shows. Only the newest `keepTokens`
 * are separate entries: no cut keeps more, and older messages count as one.
 */
export function withArchived(
  { archived = [], records }: LogState,
  toSeq: number,
  { fromSeq, keepTokens }: { fromSeq: number; keepTokens: number },
  tokensOf: (record: LogRecord) => number,
): ArchivedEntry[] {
  const leaving = records.filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
  const entries = leaving.map((record): ArchivedEntry => {
    const letter = letterOf(record);
    return [record.seq, letter, letter === 'x' ? 0 : tokensOf(record)];
  });
  return foldOldest([...archived.filter(([seq]) => seq >= fromSeq), ...entries], keepTokens);
}

function foldOldest(entries: ArchivedEntry[], keepTokens: number): ArchivedEntry[] {
  let cut = entries.length;
  for (let tokens = 0; cut > 0; cut--) {
    const count = entries.length - cut;
    tokens += entries[cut - 1]?.[2] ?? 0;
    if (count >= most || (count >= fewest && tokens > keepTokens)) break;
  }
  // a result stays with its call
  while (cut > 0 && entries[cut]?.[1] === 'r') cut--;
  const oldest = entries[0];
  if (!oldest || cut < 2) return entries;
  const folded = entries.slice(0, cut).reduce((sum, [, , tokens]) => sum + tokens, 0);
  return [[oldest[0], 'u', folded], ...entries.slice(cut)];
}

function letterOf(record: LogRecord): ArchivedEntry[1] {
  if (!isSent(record)) return 'x';
  return record.role === 'tool_result' ? 'r' : record.role === 'user' ? 'u' : 'a';
}

/** False for a message that is only in the log. */
export function isSent(record: LogRecord): boolean {
  if (record.role === 'custom') return false;
  return record.role !== 'assistant' || isWholeReply(record);
}
