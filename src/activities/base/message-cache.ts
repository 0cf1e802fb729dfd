// The worker's cache of messages that its own activities made, from the call that made one to the next model call that
// shows it. A miss is never an error: the message is then paged from the workflow.
import { LRUCache } from 'lru-cache';
import type { Message } from '@holdfast/vocabulary/messages';
import { jsonBytes } from '@holdfast/base/sizes';
import { digestOf } from './digest.ts';

export type MessageCache = ReturnType<typeof createMessageCache>;

/** Limited in bytes of JSON; the least recently used is dropped first. Default 64 MiB. */
export function createMessageCache(maxBytes = 64 * 1024 * 1024) {
  const messages = new LRUCache<string, Message>({ maxSize: maxBytes });
  return {
    /** Keeps the message as it will be in the log, and returns its digest for the activity's result. */
    remember(sessionId: string, message: Message) {
      const digest = digestOf(message);
      messages.set(keyOf(sessionId, digest), message, { size: jsonBytes(message) });
      return digest;
    },
    recall: (sessionId: string, digest: string) => messages.get(keyOf(sessionId, digest)),
    /** Call it once the transcript holds the message, so that it is not held twice. */
    forget: (sessionId: string, digest: string) => void messages.delete(keyOf(sessionId, digest)),
  };
}

// per session: one session must not drop an equal message that another still needs
function keyOf(sessionId: string, digest: string): string {
  return `${digest}/${sessionId}`;
}
