// The live view of one session, from `subscribe` of its handle: every event and the text between them, as a user of the
// client receives them. Shared by run, watch and demo.
import { toOuter } from '@holdfast/vocabulary/outer-form';
import type { Heard, SessionHandle } from '../../client.ts';
import type { Output } from '../cli.ts';
import { createSessionRenderer } from '../render/session-renderer.ts';
import { watchCalls } from './calls-in-flight.ts';
import type { LiveView } from './view.ts';

export type WatchOptions = {
  session: SessionHandle;
  output: Output;
  view: LiveView;
  signal: AbortSignal;
  /** Shows only later events. */
  afterSeq?: number | undefined;
  /** Receives every message, shown or not. Returning true ends the view. */
  onHeard?(heard: Heard): boolean | void;
};

/** Resolves when the session has closed, when `onHeard` ends it, or on abort. */
export async function watchSession(options: WatchOptions): Promise<void> {
  const { session, output, view, afterSeq = 0, onHeard } = options;
  const done = new AbortController();
  const signal = AbortSignal.any([options.signal, done.signal]);
  const renderer = createSessionRenderer(output, session.sessionId, view);
  // not awaited: a call to a server that is away takes seconds
  void watchCalls(session, output, { say: renderer.warn, onLook: view.look }, signal);
  let failure: { error: unknown } | undefined;
  const unsubscribe = session.subscribe(
    (heard) => {
      if (signal.aborted) return;
      if (isAfter(afterSeq, heard)) {
        emitHeard(output, heard);
        renderer.show(heard);
      }
      view.hear(heard);
      if (onHeard?.(heard) === true) done.abort();
    },
    {
      onError: (error) => {
        failure = { error };
        done.abort();
      },
    },
  );
  signal.addEventListener('abort', unsubscribe, { once: true });
  if (signal.aborted) unsubscribe();
  const error = await unsubscribe.ended;
  done.abort();
  renderer.close();
  if (failure) throw failure.error;
  if (error !== undefined) throw error;
}

function isAfter(seq: number, heard: Heard): boolean {
  // subagents number their own; their earlier events are as old as their session
  if (heard.sessionId !== undefined) return true;
  if (heard.type === 'gap') return heard.toSeq > seq;
  return !('at' in heard) || heard.seq > seq;
}

/** For programs: events, gaps and outages; the live text between them is for people. */
function emitHeard({ emit }: Output, heard: Heard): void {
  if (heard.type === 'message_update' || heard.type === 'tool_execution_update') return;
  emit('at' in heard ? { type: 'event', event: toOuter(heard) } : heard);
}
