// The texts behind a position in the view: from this worker's memory if its own activities made them, else paged from the
// workflow and read from stored segments. Queries write nothing to history.
import { defined } from '@holdfast/base/defined';
import { ApplicationFailure } from '@temporalio/common';
import { LRUCache } from 'lru-cache';
import type { UnseenMessage, ViewPage, ViewPosition } from '@holdfast/vocabulary/activity-contracts';
import { type Segment, notKept } from '@holdfast/vocabulary/frozen-context';
import { type LogRecord, type Message, bareMessage } from '@holdfast/vocabulary/messages';
import { jsonBytes } from '@holdfast/base/sizes';
import { reducedRecords } from '@holdfast/view/reducers/table';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import type { MessageCache } from '../base/message-cache.ts';
import type { OwnWorkflow } from '../base/own-workflow.ts';
import { leafSegments } from '@holdfast/stored/leaf-segments';
import { loadSegment } from '../storage/segments.ts';

export type ViewSource = {
  sessionId: string;
  /** Temporal's run id. Texts of another run are used only if that run handed over to this one. */
  workflowRunId: string;
  continuedFrom?: string;
  view: ViewPosition;
  unseen: UnseenMessage[];
};

type LogRange = { fromSeq?: number; toSeq: number };

export type LoadedView = {
  /** The text behind the frozen system prompt in this epoch. */
  system?: string;
  /** The words before the log's messages: the summary and the parts kept beside it. */
  head: Message[];
  messages: Message[];
};

export type Transcripts = {
  /** The view; the same on every worker, whatever is in its memory. */
  view(source: ViewSource, workflow: OwnWorkflow): Promise<LoadedView>;
  /** The session's log from `fromSeq` (default 1) to `toSeq`, oldest first, including messages outside the view. */
  readLog(sessionId: string, range: LogRange, workflow: OwnWorkflow): Promise<LogRecord[]>;
  /** The same, one stored stretch after the other: each is read when it is asked for, and not kept. */
  readStretches(sessionId: string, range: LogRange, workflow: OwnWorkflow): AsyncIterable<LogRecord[]>;
  /** Frees the memory of a session that is likely to rest; its next call pages again. */
  release(sessionId: string): void;
};

/** The known part of one session: the messages from `fromSeq` on without a gap. Immutable: replaced, never changed. */
type Known = {
  workflowRunId: string;
  epoch: number;
  fromSeq: number;
  /** Absent until read. Empty before the first condense. */
  head?: Message[];
  system?: string;
  messages: Message[];
  bytes: number;
  /** Stored stretches read for this epoch, by hash; the next execution names them again. */
  segments: ReadonlyMap<string, LogRecord[]>;
};

type LoadSegment = {
  records(segment: Segment): Promise<LogRecord[]>;
  list(segment: Segment): Promise<Segment[]>;
};
type Parts = { cache: MessageCache; artifacts: ArtifactStore; maxBytes?: number };

/** `maxBytes` limits the memory of all sessions together. Default 64 MiB. */
export function createTranscripts({ cache, artifacts, maxBytes = 64 * 1024 * 1024 }: Parts): Transcripts {
  const sessions = new LRUCache<string, Known>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });
  const readStretches: Transcripts['readStretches'] = async function* (
    sessionId,
    { fromSeq = 1, toSeq },
    workflow,
  ) {
    if (toSeq < fromSeq) return;
    yield* readPages(fromSeq, toSeq, (fromSeq) => workflow.getMessages(fromSeq - 1), {
      records: (segment) => loadSegment(artifacts, sessionId, segment),
      list: (segment) => loadSegment(artifacts, sessionId, segment),
    });
  };
  return {
    async view(source, workflow) {
      const { sessionId, view } = source;
      let known = takeUnseen(fitting(sessions.get(sessionId), source), source, cache);
      if (nextSeq(known) <= view.toSeq || lacksHead(known, view))
        known = await page(known, source, workflow, artifacts);
      sessions.set(sessionId, known);
      for (const ref of source.unseen) if ('digest' in ref) cache.forget(sessionId, ref.digest);
      return {
        ...defined({ system: known.system }),
        head: known.head ?? [],
        messages: known.messages.slice(0, view.toSeq - view.fromSeq + 1),
      };
    },
    readLog: (...asked) => joined(readStretches(...asked)),
    readStretches,
    release: (sessionId) => void sessions.delete(sessionId),
  };
}

function fitting(known: Known | undefined, { workflowRunId, continuedFrom, view }: ViewSource): Known {
  const { epoch, fromSeq } = view;
  const isRun = known && [workflowRunId, continuedFrom].includes(known.workflowRunId);
  if (isRun && known.epoch === epoch && known.fromSeq === fromSeq) return { ...known, workflowRunId };
  const segments = known?.epoch === epoch ? known.segments : new Map<string, LogRecord[]>();
  return { workflowRunId, epoch, fromSeq, messages: [], bytes: 0, segments };
}

/** Adds the named messages that the cache has, up to the first miss. */
function takeUnseen(known: Known, { sessionId, view, unseen }: ViewSource, cache: MessageCache): Known {
  if (lacksHead(known, view)) return known;
  const bySeq = new Map(unseen.map((ref) => [ref.seq, ref]));
  const added: Message[] = [];
  for (let seq = nextSeq(known); seq <= view.toSeq; seq++) {
    const message = resolve(bySeq.get(seq), sessionId, cache);
    if (message === undefined) break;
    added.push(message);
  }
  return withMessages(known, added);
}

function resolve(
  ref: UnseenMessage | undefined,
  sessionId: string,
  cache: MessageCache,
): Message | undefined {
  if (ref === undefined) return undefined;
  if ('record' in ref) return bareMessage(ref.record);
  return 'digest' in ref ? cache.recall(sessionId, ref.digest) : undefined;
}

/** Every epoch but the first begins with words and reductions that only the workflow has. */
function lacksHead(known: Known, view: ViewPosition): boolean {
  return view.epoch > 1 && known.head === undefined;
}

function nextSeq(known: Known): number {
  return known.fromSeq + known.messages.length;
}

function withMessages(known: Known, added: Message[]): Known {
  const bytes = added.reduce((sum, message) => sum + jsonBytes(message), known.bytes);
  return added.length === 0 ? known : { ...known, messages: [...known.messages, ...added], bytes };
}

async function page(
  known: Known,
  { sessionId, view }: ViewSource,
  workflow: OwnWorkflow,
  artifacts: ArtifactStore,
): Promise<Known> {
  let first: ViewPage | undefined;
  const ask = async (fromSeq: number) => {
    const answer = await workflow.getView(view.epoch, fromSeq);
    if (answer.epoch !== view.epoch) throw superseded(view.epoch, answer.epoch);
    first ??= answer;
    return answer;
  };
  const segments = new Map(known.segments);
  const load: LoadSegment = {
    async records(segment) {
      const records = segments.get(segment.sha256) ?? (await loadSegment(artifacts, sessionId, segment));
      segments.set(segment.sha256, records);
      return records;
    },
    list: (segment) => loadSegment(artifacts, sessionId, segment),
  };
  const records = await joined(readPages(nextSeq(known), view.toSeq, ask, load));
  // the targets of a reduction existed when its epoch began, so its first page has them
  const messages = reducedRecords(first?.reductions, records).map(bareMessage);
  const { head = [], system } = first ?? {};
  return withMessages({ ...known, segments, head, ...defined({ system }) }, messages);
}

/** Reads page after page up to `toSeq`, and at least one: a view may consist of its head only. */
async function* readPages(
  fromSeq: number,
  toSeq: number,
  ask: (fromSeq: number) => Promise<ViewPage>,
  load: LoadSegment,
): AsyncGenerator<LogRecord[]> {
  let next = fromSeq;
  const take = (found: LogRecord[]): LogRecord[] =>
    found.filter(({ seq }) => {
      const isNext = seq === next && next <= toSeq;
      if (isNext) next += 1;
      return isNext;
    });
  do {
    const answer = await ask(next);
    const before = next;
    for await (const segment of leafSegments(answer.segments, next, load.list)) {
      if (next > toSeq) break;
      if (segment.artifactId !== notKept) yield take(await load.records(segment));
      // off the record, so dropped: the log begins after it
      else if (segment.fromSeq <= next) next = segment.toSeq + 1;
    }
    yield take(answer.records);
    if (next === before && next <= toSeq) throw gap(next, toSeq);
  } while (next <= toSeq);
}

async function joined(stretches: AsyncIterable<LogRecord[]>): Promise<LogRecord[]> {
  return (await Array.fromAsync(stretches)).flat();
}

function superseded(wanted: number, found: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'View.Superseded',
    message: `This attempt was asked for epoch ${wanted} of the view, but its workflow is at epoch ${found}: the call is no longer wanted.`,
    nonRetryable: true,
  });
}

function gap(seq: number, toSeq: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'View.Gap',
    message: `The log has no message ${seq}, though the call names messages up to ${toSeq}. This is a bug; the session can be continued from its checkpoint.`,
    nonRetryable: true,
  });
}
