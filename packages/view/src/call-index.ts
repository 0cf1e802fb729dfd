// The index of folded calls: the calls from before the view, so that a report can still quote them after any number of
// condenses. Code keeps it, independent of the summariser. Pure.
import { counted } from '@holdfast/base/words';
import { newest } from '@holdfast/base/newest';
import { jsonBytes, utf8Bytes } from '@holdfast/base/sizes';
import type { CallIndex, IndexedCall } from '@holdfast/vocabulary/agent-state';
import { toolOutputPrefix } from '@holdfast/vocabulary/outer-names';

/** Limit for the index text in a view. */
const shownBytes = 12 * 1024;
/** Lower limit for a small window: about 5 % of it. */
const bytesPerWindowToken = 0.2;
/** Limit for calls that no condense has folded yet: enough to fill the text, because it travels at every hand-over. */
const waitingBytes = 16 * 1024;
const callsBetweenCounts = 16;
/** Entries kept for one call with changing results, if not all fit: the first output, and the newest ones. */
const keptOfOne = 4;

const noCalls: CallIndex = { calls: [], leftOut: 0 };

/** Adds a call. A repeated call with the same result has one entry, with its newest id. */
export function withCall({ calls, leftOut }: CallIndex = noCalls, call: IndexedCall): CallIndex {
  const [, callId, , key] = call;
  const others = calls.filter(([, otherId, , otherKey]) => otherKey !== key && otherId !== callId);
  const index = { calls: [...others, call], leftOut };
  // counting at every call would cost more than the call's whole bookkeeping
  if (index.calls.length % callsBetweenCounts !== 0) return index;
  return bounded(index, (all) => newest(all, waitingBytes, jsonBytes));
}

/** Moves the calls before `fromSeq` from the waiting ones to those that the view names. */
export function foldCalls(
  waiting: CallIndex = noCalls,
  folded: CallIndex = noCalls,
  { fromSeq, contextWindow }: { fromSeq: number; contextWindow: number },
): { waiting: CallIndex; folded: CallIndex } {
  const isFolded = ([seq]: IndexedCall) => seq < fromSeq;
  const all = merged(folded, { ...waiting, calls: waiting.calls.filter(isFolded) });
  const bytes = contextWindow === 0 ? shownBytes : Math.min(shownBytes, bytesPerWindowToken * contextWindow);
  return {
    waiting: { calls: waiting.calls.filter((call) => !isFolded(call)), leftOut: 0 },
    folded: bounded(all, (calls) => newestInWords(calls, bytes)),
  };
}

/** Every call that the session still knows, for a view that begins at `fromSeq` again. */
export function unfoldCalls(
  waiting: CallIndex = noCalls,
  folded: CallIndex = noCalls,
  fromSeq = 0,
): CallIndex {
  const all = merged(folded, waiting);
  return { ...all, calls: all.calls.filter(([seq]) => seq >= fromSeq) };
}

/** The text for the model; empty if no call was folded. */
export function callIndexText({ calls, leftOut }: CallIndex = noCalls): string {
  if (calls.length === 0) return '';
  const lines = [...bySummary(calls)].map(([summary, same]) => `- ${summary}: ${same.map(named).join(', ')}`);
  const more =
    leftOut === 0
      ? []
      : [
          `${counted(leftOut, 'older call')} left out here. A report that quotes the words of one under any id ` +
            'is answered with its real id; or make the call again.',
        ];
  return [
    'Tool calls whose results are no longer shown, oldest first, with their call ids. Their outputs are stored: quote them ' +
      `by call id as before. To see one again, use read_artifact with "${toolOutputPrefix}" and the id, or with the name in brackets:`,
    ...lines,
    ...more,
  ].join('\n');
}

function named([, callId, , , artifactId]: IndexedCall): string {
  return artifactId === '' ? callId : `${callId} [${artifactId}]`;
}

/** The artifact id of an entry: empty if it follows from the call's id. */
export function shortArtifactId(artifactId: string, callId: string): string {
  return artifactId === `${toolOutputPrefix}${callId}` ? '' : artifactId;
}

function merged(older: CallIndex, newer: CallIndex): CallIndex {
  const calls = [...older.calls, ...newer.calls];
  // a model may use an id twice: the store then has the newer output
  const last = new Map(
    calls.flatMap(([, callId, , key], place) => [
      [key, place],
      [`id ${callId}`, place],
    ]),
  );
  return {
    calls: calls.filter(
      ([, callId, , key], place) => last.get(key) === place && last.get(`id ${callId}`) === place,
    ),
    leftOut: older.leftOut + newer.leftOut,
  };
}

function bounded(index: CallIndex, fit: (calls: IndexedCall[]) => IndexedCall[]): CallIndex {
  const { calls } = index;
  if (fit(calls).length === calls.length) return index;
  const kept = fit(withoutPolls(calls));
  return { calls: kept, leftOut: index.leftOut + calls.length - kept.length };
}

function withoutPolls(calls: IndexedCall[]): IndexedCall[] {
  const places = new Map(
    [...bySummary(calls)].flatMap(([, same]) => same.map((call, at) => [call, { at, of: same.length }])),
  );
  return calls.filter((call) => {
    const { at, of } = places.get(call) ?? { at: 0, of: 1 };
    return at === 0 || at > of - keptOfOne;
  });
}

function newestInWords(calls: IndexedCall[], bytes: number): IndexedCall[] {
  const said = new Set<string>();
  return newest(calls, bytes, (call) => {
    const [, , summary] = call;
    const line = said.has(summary) ? 0 : utf8Bytes(summary) + '- : '.length;
    said.add(summary);
    return line + utf8Bytes(named(call)) + ', '.length;
  });
}

function bySummary(calls: readonly IndexedCall[]): Map<string, IndexedCall[]> {
  return Map.groupBy(calls, ([, , summary]) => summary);
}
