// Shows a session as it goes on: one line per event, and the model's text while it is being written. The events
// give the order; live text waits for the event that opens its turn.
import type { Retry, WatchItem } from '../../client.ts';
import type { AgentEvent } from '../../core/model/events.ts';
import type { LiveEvent } from '../../core/model/session-events.ts';
import type { Output } from '../cli.ts';
import { withTyped } from '../command-line.ts';
import type { Silence } from '../live/silence-watch.ts';
import { describeEvent } from './describe-event.ts';
import { createLiveText } from './live-text.ts';
import { describeRetry, describeSilence } from './describe-retry.ts';
import { toLine } from './plain-text.ts';

export type SessionRenderer = {
  item(item: WatchItem): void;
  live(event: LiveEvent): void;
  partial(partial: { turn: number; attempt: number; text: string }): void;
  /** A call that failed and is tried again by itself. */
  retry(retry: Retry): void;
  /** A worker that has stopped to beat in a call. */
  silence(silence: Silence): void;
  /** Ends an open line. */
  close(): void;
};

export function createSessionRenderer(
  output: Output,
  sessionId: string,
  write: (text: string) => void,
  now: () => number = Date.now,
): SessionRenderer {
  const { colors } = output;
  const context = { colors, sessionId, summaries: new Map<string, string>(), now };
  const text = createLiveText(write);
  /** Live text is shown for this turn only: it is open, and its reply has not ended. */
  let openTurn: string | undefined;
  let early: LiveEvent[] = [];

  const print = (line: string | undefined): void => {
    if (line === undefined) return;
    text.close();
    write(`${line}\n`);
  };

  function showEvent(event: AgentEvent): void {
    const ownWords = event.type === 'message_end' && event.role === 'assistant';
    // The text was shown as it came; the event only ends its line.
    if (!(ownWords && text.close())) print(describeEvent(event, context));
    if (ownWords) openTurn = undefined;
    if (event.type !== 'turn_start') return;
    openTurn = turnKey(event);
    const held = early.filter((live) => turnKey(live) === openTurn);
    early = early.filter((live) => live.turn > (event.turn ?? 0));
    held.forEach(text.delta);
  }

  return {
    item(item) {
      if (item.type === 'event') showEvent(item.event);
      else if (item.type === 'gap') {
        const { snapshot } = item;
        print(
          colors.yellow(
            `  … events ${item.fromSeq} to ${item.toSeq} are no longer kept; now turn ${snapshot.turn}, ${snapshot.state}`,
          ),
        );
      } else print(colors.yellow(`  ! ${toLine(withTyped(item.message), 300)} Waiting.`));
    },
    live(event) {
      if (event.type === 'tool_partial') return;
      if (turnKey(event) === openTurn) text.delta(event);
      else if (early.length < 4_096) early.push(event);
    },
    partial(partial) {
      if (openTurn?.endsWith(`/${partial.turn}`)) text.partial(partial);
    },
    silence: (silence) => print(colors.yellow(`  ! ${describeSilence(silence)}`)),
    retry: (retry) => print(colors.yellow(`  ! ${describeRetry(retry, now())}`)),
    close: () => void text.close(),
  };
}

function turnKey(event: { runId?: string; turn?: number }): string {
  return `${event.runId}/${event.turn}`;
}
