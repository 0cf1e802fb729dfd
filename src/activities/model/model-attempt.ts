// One attempt of a model call for its watchers: live pieces on the bus, partial text and ledger in the heartbeat. Holds
// the only copy of both while the attempt runs.
import { Context } from '@temporalio/activity';
import { defined } from '@holdfast/base/defined';
import type {
  CallModelHeartbeat,
  CallModelInput,
  ModelLedger,
} from '@holdfast/vocabulary/activity-contracts';
import type { FrozenModel } from '@holdfast/vocabulary/frozen-context';
import type { Usage } from '@holdfast/vocabulary/messages';
import type { LiveEvent } from '@holdfast/vocabulary/session-events';
import type { ModelDelta } from '@holdfast/vocabulary/model-call';
import { isRecord } from '@holdfast/base/json';
import { utf8Bytes } from '@holdfast/base/sizes';
import type { DeltaBus } from '../base/delta-bus.ts';
import { startHeartbeat } from '../base/heartbeat.ts';
import { type AttemptTime, withWasted } from './model-ledger.ts';

/**
 * Text of a heartbeat, which a watcher in another process reads about once a second: more than models write in that time.
 * The server keeps the last one only.
 */
const shownBytes = 32 * 1024;

/** The cost of this attempt and the earlier ones, without the replies that are kept. */
export type ModelBill = {
  ledger: ModelLedger;
  /** Sets the provider's counts for the current reply. */
  count(usage: Usage, from: FrozenModel): void;
  /** Books the cost of the current reply, which is not kept; by default its counts so far. */
  waste(usage?: Usage, from?: FrozenModel): void;
  /** The ledger with counts that are not booked yet: an attempt lost midway was paid for too. */
  current(): ModelLedger;
  /** Shows a piece of the reply; nobody watches a request beside the loop. */
  onDelta(delta: ModelDelta): void;
  /** Discards the pieces so far: their reply is not kept. */
  restart(): void;
};

export function createBill(ledger: ModelLedger): ModelBill {
  let counted: { usage: Usage; from: FrozenModel } | undefined;
  const bill: ModelBill = {
    ledger,
    count: (usage, from) => void (counted = { usage, from }),
    waste(usage = counted?.usage, from = counted?.from) {
      bill.ledger = withWasted(bill.ledger, usage, from?.prices);
      counted = undefined;
    },
    current: () => withWasted(bill.ledger, counted?.usage, counted?.from.prices),
    onDelta: () => undefined,
    restart: () => undefined,
  };
  return bill;
}

export type ModelAttempt = ModelBill & {
  readonly attempt: number;
  /** All text of the reply so far. */
  text(): string;
  time(): AttemptTime;
  /** Stops showing the attempt. */
  hide(): void;
  /** Sends the ledger now: a failure's own heartbeat is the last that the next attempt receives. */
  beat(): void;
  stop(): void;
};

/** Starts the heartbeat; call it on the activity's first line. Continues the ledger of the attempt before. */
export function beginAttempt(input: CallModelInput, bus: DeltaBus): ModelAttempt {
  const { info } = Context.current();
  const { attempt } = info;
  const startedAt = performance.now();
  const messageSeq = input.view.toSeq + 1;
  let text = '';
  let seq = 0;
  let hidden = false;
  const heartbeat = startHeartbeat(details, bus);
  // one object with the bill, because the ledger is replaced
  const state: ModelAttempt = Object.assign(createBill(resumeLedger(info.heartbeatDetails, input.ledger)), {
    attempt,
    text: () => text,
    onDelta(delta: ModelDelta) {
      if (delta.type === 'text') text += delta.text;
      publish({ type: 'delta', messageSeq, delta });
    },
    restart() {
      text = '';
      publish({ type: 'reset', messageSeq });
    },
    time() {
      const ranMs = Math.round(performance.now() - startedAt);
      return { now: info.currentAttemptScheduledTimestampMs + ranMs, ranMs };
    },
    hide: () => void (hidden = true),
    beat: heartbeat.beat,
    stop: heartbeat.stop,
  });
  function details(): CallModelHeartbeat {
    const { runId, turn } = input;
    const shown = hidden ? '' : text;
    const partial = newestBytes(shown, shownBytes);
    const partialFrom = shown.length - partial.length || undefined;
    return {
      runId,
      turn,
      messageSeq,
      attempt,
      partial,
      ...defined({ partialFrom }),
      ledger: state.current(),
    };
  }
  function publish(body: LiveBody): void {
    if (hidden) return;
    seq += 1;
    bus.publish({ sessionId: input.sessionId, runId: input.runId, turn: input.turn, attempt, seq, ...body });
  }
  // watchers of an earlier attempt in this process must discard its pieces
  if (attempt > 1) state.restart();
  return state;
}

type LiveBody = LiveEvent extends infer Event
  ? Event extends LiveEvent
    ? Omit<Event, 'sessionId' | 'runId' | 'turn' | 'attempt' | 'seq'>
    : never
  : never;

/** The ledger of the attempt before, else the one that the call began with. */
export function resumeLedger(details: unknown, begun: ModelLedger = { failures: 0 }): ModelLedger {
  return isHeartbeat(details) ? details.ledger : begun;
}

function isHeartbeat(details: unknown): details is Pick<CallModelHeartbeat, 'ledger'> {
  return isRecord(details) && isRecord(details['ledger']) && 'failures' in details['ledger'];
}

/** The end of a text, at most `maxBytes` of UTF-8, never beginning inside a character. */
export function newestBytes(text: string, maxBytes: number): string {
  let tail = text.slice(-maxBytes);
  while (utf8Bytes(tail) > maxBytes) tail = tail.slice(Math.ceil((utf8Bytes(tail) - maxBytes) / 4));
  return /^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail;
}
