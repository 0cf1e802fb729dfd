// The outline of the view: place, role and size of each message that the model is sent, also of those whose texts were
// archived at a hand-over. Where a view is cut is decided on it, so that a hand-over changes no cut. Pure.
import type { AgentState, ArchivedEntry, LogState } from './agent-state.ts';
import type { LogRecord } from './messages.ts';

export type ViewEntry = {
  seq: number;
  role: 'user' | 'assistant' | 'tool_result';
  /** Of an archived message; a held one is counted from its record. */
  tokens?: number;
  record?: LogRecord;
};

const roles = { u: 'user', a: 'assistant', r: 'tool_result' } as const;

export function viewEntries({ log, view }: AgentState): ViewEntry[] {
  const firstHeld = log.records[0]?.seq ?? log.nextSeq;
  const archived = (log.archived ?? []).flatMap(([seq, letter, tokens]): ViewEntry[] =>
    seq >= view.fromSeq && seq < firstHeld ? [{ seq, role: roles[letter], tokens }] : [],
  );
  const held = log.records.flatMap((record): ViewEntry[] => {
    const { seq, role } = record;
    return role === 'custom' || seq < view.fromSeq || isFailed(record) ? [] : [{ seq, role, record }];
  });
  return [...archived, ...held];
}

/** True where the view begins with messages of which no outline is known: archived by an older version. */
export function beginsUnseen(entries: readonly ViewEntry[], { view, log }: AgentState): boolean {
  return (
    (entries[0]?.seq ?? log.nextSeq) > view.fromSeq &&
    log.segments.some((segment) => segment.toSeq >= view.fromSeq)
  );
}

/** The outline with what leaves the state; what the view no longer shows is forgotten. */
export function withArchived(
  { archived = [], records }: LogState,
  toSeq: number,
  fromSeq: number,
  tokensOf: (record: LogRecord) => number,
): ArchivedEntry[] {
  const leaving = records.flatMap((record): ArchivedEntry[] => {
    if (record.seq > toSeq || record.role === 'custom' || isFailed(record)) return [];
    return [[record.seq, letterOf(record.role), tokensOf(record)]];
  });
  return [...archived, ...leaving].filter(([seq]) => seq >= fromSeq);
}

function letterOf(role: ViewEntry['role']): ArchivedEntry[1] {
  return role === 'tool_result' ? 'r' : role === 'user' ? 'u' : 'a';
}

/** In the log, never in a request. */
function isFailed(record: LogRecord): boolean {
  return record.role === 'assistant' && (record.stopReason === 'error' || record.stopReason === 'aborted');
}
