// Live events of a session whose worker is another process: its heartbeats, asked for once a second, as pieces.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveEvent, LiveSource } from '../core/model/session-events.ts';
import { newText } from '../core/base/words.ts';
import type { Beats, ModelBeat } from './heartbeats.ts';

const pollEveryMs = 1_000;

/** `read` may fail: live text is a courtesy, the events say what is wrong. */
export function createPolledLive(sessionId: string, read: () => Promise<Beats>): LiveSource {
  const stop = new AbortController();
  const pieces = createPieces(sessionId);
  return {
    droppedCount: 0,
    close: () => stop.abort(),
    async *[Symbol.asyncIterator]() {
      while (!stop.signal.aborted) {
        const beats = await read().catch((): Pick<Beats, 'model' | 'tools'> => ({ model: [], tools: [] }));
        yield* pieces(beats);
        await sleep(pollEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
      }
    },
  };
}

/** What the beats have beyond those before. A text whose middle was missed starts over with what is known of it. */
export function createPieces(sessionId: string): (beats: Pick<Beats, 'model' | 'tools'>) => LiveEvent[] {
  let shown: ModelBeat = { runId: '', turn: 0, messageSeq: 0, attempt: 0, text: '' };
  let seq = 0;
  const outputs = new Map<string, string>();

  function ofModel(beat: ModelBeat): LiveEvent[] {
    const { runId, turn, messageSeq, attempt, text } = beat;
    const same = messageSeq === shown.messageSeq && attempt === shown.attempt;
    if (!same) seq = 0;
    const added = same ? newText(shown.text, text) : text;
    shown = beat;
    const head = () => ({ sessionId, runId, turn, attempt, seq: (seq += 1), messageSeq });
    const piece = (words: string): LiveEvent[] =>
      words === '' ? [] : [{ ...head(), type: 'delta', delta: { type: 'text', text: words } }];
    return added === undefined ? [{ ...head(), type: 'reset' }, ...piece(text)] : piece(added);
  }

  return ({ model, tools }) => [
    ...model.flatMap(ofModel),
    ...tools.flatMap(({ runId, turn, callId, tool, attempt, text }): LiveEvent[] => {
      const key = `${callId}/${attempt}`;
      if (outputs.get(key) === text) return [];
      outputs.set(key, text);
      seq += 1;
      return [{ sessionId, runId, turn, attempt, seq, type: 'tool_partial', callId, tool, text }];
    }),
  ];
}
