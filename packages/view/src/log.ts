// The append-only log, and its positions, references and pages for the model's view. Pure.
import { defined } from '@holdfast/base/defined';
import type { UnseenMessage, ViewPage, ViewPosition } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext, Segment } from '@holdfast/vocabulary/frozen-context';
import type { AgentState, LogState, ViewState } from '@holdfast/vocabulary/agent-state';
import { viewHead } from './condense-reason.ts';
import { estimateTokens } from './estimate.ts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { SeqRange } from '@holdfast/vocabulary/run-result';
import { inlineMessageBytes, inlineMessagesBytes, jsonBytes, maxPageBytes } from '@holdfast/base/sizes';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { withArchived } from './view-entries.ts';

export function viewPosition(state: AgentState): ViewPosition {
  return { epoch: state.view.epoch, fromSeq: viewStart(state), toSeq: state.log.nextSeq - 1 };
}

/** Begins the next epoch of the view: none of it was sent yet, and earlier counts of a provider are void. */
export function beginEpoch(
  { log, view, findings: held = [] }: Pick<AgentState, 'log' | 'view' | 'findings'>,
  { skills: _, findings: pinned, ...shown }: Omit<ViewState, 'epoch' | 'sentSeq' | 'condensedAtSeq'>,
): ViewState {
  const last = log.nextSeq - 1;
  const findings = pinned?.filter(({ id }) => held.some((finding) => finding.id === id));
  return { ...shown, ...defined({ findings }), epoch: view.epoch + 1, sentSeq: last, condensedAtSeq: last };
}

/**
 * The first message of the view. A boundary that the log does not have means the full view, so that nothing is hidden
 * by mistake.
 */
function viewStart({ log, view }: AgentState): number {
  const { records, segments, nextSeq } = log;
  const first = records[0]?.seq ?? nextSeq;
  const known =
    (view.fromSeq >= first && view.fromSeq <= nextSeq) ||
    segments.some(({ fromSeq, toSeq }) => view.fromSeq >= fromSeq && view.fromSeq <= toSeq);
  return known ? view.fromSeq : (segments[0]?.fromSeq ?? first);
}

/** The answer of getView: a page of records, and the settings of this epoch. For another epoch, only its number. */
export function viewPageOf(state: AgentState, epoch: number, fromSeq: number): ViewPage {
  const { view, run, lastTask = '' } = state;
  if (epoch !== view.epoch) return { epoch: view.epoch, head: [], segments: [], records: [] };
  const { system, messages } = viewHead(state);
  return {
    ...pageOf(state, fromSeq),
    head: messages,
    ...defined({ system, reductions: view.reductions }),
    notes: defined({ task: run?.task ?? view.task ?? lastTask, summary: view.summary }),
  };
}

/**
 * References to the records that no model call of this execution has named: a digest if an activity made the message,
 * else the record itself up to 4 KiB, at most 64 KiB in all. The worker pages the rest by query.
 */
export function unseenMessages(state: AgentState): UnseenMessage[] {
  const unseen: UnseenMessage[] = [];
  let bytes = 0;
  for (const record of state.log.records) {
    if (record.seq <= state.view.sentSeq) continue;
    const reference = toReference(record);
    bytes += jsonBytes(reference);
    // a seeded log may be long; the worker reads the rest, up to the position of the view
    if (bytes > inlineMessagesBytes) break;
    unseen.push(reference);
  }
  return unseen;
}

function toReference(record: LogRecord): UnseenMessage {
  const { seq, digest } = record;
  if (digest !== undefined) return { seq, digest };
  return jsonBytes(record) <= inlineMessageBytes ? { seq, record } : { seq };
}

/** Log records from `fromSeq` on, at most 1 MiB a page and `limit` records; older ones as segments. */
export function pageOf(state: AgentState, fromSeq: number, limit = Infinity): ViewPage {
  const { records, segments } = state.log;
  const records_ = records.filter((record) => record.seq >= fromSeq);
  const page: LogRecord[] = [];
  let bytes = 0;
  for (const record of records_) {
    bytes += jsonBytes(record);
    // the first record always fits: none is over 256 KiB
    if (page.length > 0 && (bytes > maxPageBytes - 64 * 1024 || page.length >= limit)) break;
    page.push(record);
  }
  const next = records_[page.length];
  return {
    epoch: state.view.epoch,
    head: [],
    segments: segments.filter((segment) => segment.toSeq >= fromSeq),
    records: page,
    ...defined({ nextSeq: next?.seq }),
  };
}

/**
 * The range to cut from the held records so that the newest ones stay below `bytes`; undefined if all of them do. The
 * last reply and everything after it stay, and the kept part does not begin with a result: limits, condensing and
 * repair need them.
 */
export function archivableRange(log: LogState, bytes: number): SeqRange | undefined {
  const { records } = log;
  let kept = 0;
  let cut = records.length;
  while (cut > 0 && (kept += jsonBytes(records[cut - 1])) <= bytes) cut--;
  const reply = records.findLastIndex((record) => record.role === 'assistant');
  if (reply >= 0) cut = Math.min(cut, reply);
  while (cut > 0 && records[cut]?.role === 'tool_result') cut--;
  const first = records[0];
  const last = records[cut - 1];
  return first && last ? { fromSeq: first.seq, toSeq: last.seq } : undefined;
}

/** Removes a stored stretch from the log: names its segment, and keeps only the outline of its records. */
export function withSegment(
  log: LogState,
  segment: Segment,
  view: { fromSeq: number; context: FrozenContext | undefined } = { fromSeq: Infinity, context: undefined },
): LogState {
  const { archived: _, ...rest } = log;
  const { fromSeq, context } = view;
  // the widest cut keeps 30 % of the window, or 8,192 tokens
  const widest = Math.max(0.4 * (context?.settings.model.contextWindow ?? 0), 10_000);
  // that of a hook may keep any number
  const isAny = context?.hooks?.some(({ points }) => points.includes('beforeCondense'));
  const kept = { fromSeq, keepTokens: isAny ? Infinity : widest };
  const archived = withArchived(log, segment.toSeq, kept, (record) => estimateTokens([record], context));
  // a list replaces the segments that it contains
  const segments = [...log.segments.filter(({ fromSeq }) => fromSeq < segment.fromSeq), segment];
  return defined({
    ...rest,
    segments,
    records: log.records.filter((record) => record.seq > segment.toSeq),
    archived: unlessEmpty(archived),
  });
}
