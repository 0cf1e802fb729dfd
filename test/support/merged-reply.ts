// What a subscriber makes of the live events of one reply.
import type { LiveEvent, PartialReply } from '@holdfast/vocabulary/session-events';
import { mergeUpdate, SessionEvents } from '@holdfast/vocabulary/session-events';

export function merged(events: LiveEvent[]): PartialReply | undefined {
  const stream = new SessionEvents();
  const first = events.find((event) => event.type !== 'tool_partial');
  const messageSeq = first && 'messageSeq' in first ? first.messageSeq : 0;
  stream.durable({ seq: 1, at: 0, type: 'message_start', role: 'assistant', messageSeq });
  return events
    .flatMap((event) => stream.live(event))
    .reduce<PartialReply | undefined>(
      (partial, event) => (event.type === 'message_update' ? mergeUpdate(partial, event) : partial),
      undefined,
    );
}
