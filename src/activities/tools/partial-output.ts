// The partial output of a running tool: in the heartbeat, and to watchers in the same process. Cleaned and redacted
// before it leaves the tool; never stored. Runs in Node.
import type { ToolCallInput, ToolHeartbeat } from '@holdfast/vocabulary/activity-contracts';
import type { DeltaBus } from '../base/delta-bus.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import { endOfText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';

export type PartialOutput = ReturnType<typeof createPartialOutput>;

type PartialOutputOptions = {
  input: ToolCallInput;
  tool: string;
  attempt: number;
  redactor: Redactor;
  bus?: Pick<DeltaBus, 'publish' | 'isWatched'>;
};

/** The newest characters of an output that are read, and shown, in a heartbeat too. */
const shownCharacters = 16_384;
const publishEveryMs = 50;

export function createPartialOutput({ input, tool, attempt, redactor, bus }: PartialOutputOptions) {
  const { sessionId, runId, turn, callId } = input;
  let latest = '';
  let open = true;
  let seq = 0;
  let publishedAt = -Infinity;
  // redacted before it is cut: half a secret matches no pattern. The rest of one may follow later
  const cleaned = (): string => {
    try {
      return endOfText(redactor.cutText(sanitiseText(latest)), shownCharacters).toWellFormed();
    } catch {
      return ''; // it may hold secrets, so nothing is shown; the call continues
    }
  };
  const publish = (): void => {
    // a tool may call for every line; people read slower, and the heartbeat has the newest anyway
    if (!bus?.isWatched(sessionId) || performance.now() - publishedAt < publishEveryMs) return;
    publishedAt = performance.now();
    seq += 1;
    const text = cleaned();
    bus.publish({ type: 'tool_partial', sessionId, runId, turn, attempt, seq, callId, tool, text });
  };
  return {
    /** `text` is the whole output so far. */
    update(text: string): void {
      if (!open || input.live === false || typeof text !== 'string') return;
      latest = newestWords(text);
      publish();
    },
    heartbeat(): ToolHeartbeat {
      const partial = cleaned();
      return defined({ runId, turn, callId, attempt, partial: partial || undefined });
    },
    /** Ignores later updates of a body that was left behind. */
    close(): void {
      open = false;
    },
  };
}

// escapes may fill most of it; then its beginning is shown, which may be the end of a secret
function newestWords(text: string): string {
  const length = 4 * shownCharacters;
  return text.length <= length ? text : text.slice(-length).replace(/^\S{1,8192}/, '');
}
