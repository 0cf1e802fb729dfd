// The outputs that a log has whole. Their artifacts are stored behind their results, so a worker that dies in between
// leaves none: every reader of outputs takes the log then. Runs in Node; reads only.
import { type Message, type RecordHead, textOf, type ToolResultMessage } from '@holdfast/vocabulary/messages';
import { type ArtifactReader, toolOutputPrefix } from './artifact-names.ts';

/** A message of a log. Without the digest of its activity, the workflow or a hook has changed it. */
export type Logged<Of = Message> = Of & Pick<RecordHead, 'digest'>;

/** Undefined if the stored output has more than the message, or there is none. */
export function wholeOutputOf(message: Logged<ToolResultMessage>): string | undefined {
  const { artifactId, isPart, digest } = message;
  if (artifactId === undefined || isPart || digest === undefined) return undefined;
  const text = textOf(message);
  // a message of an earlier version says only in its text that it is a part
  return text.includes(`artifact ${artifactId}: `) ? undefined : text;
}

/** The messages of a session; undefined if its log cannot be read. */
export type LogOf = (sessionId: string) => Promise<readonly Logged[] | undefined>;

/** Reads the store, and the log of the session for an output that the store lacks. A log is read once. */
export function withLoggedOutputs(store: ArtifactReader, readLog: LogOf): ArtifactReader {
  const logs = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const outputsOf = (sessionId: string): Promise<ReadonlyMap<string, string>> => {
    const known = logs.get(sessionId) ?? readLog(sessionId).then(toOutputs);
    logs.set(sessionId, known);
    return known;
  };
  return withOutputsFrom(store, async (sessionId, artifactId) =>
    (await outputsOf(sessionId)).get(artifactId),
  );
}

/** Reads the store, and asks `find` for an output that the store lacks. */
export function withOutputsFrom(
  store: ArtifactReader,
  find: (sessionId: string, artifactId: string) => Promise<string | undefined>,
): ArtifactReader {
  return {
    async get(sessionId, artifactId) {
      const bytes = await store.get(sessionId, artifactId);
      if (bytes !== undefined || !artifactId.startsWith(toolOutputPrefix)) return bytes;
      const text = await find(sessionId, artifactId);
      return text === undefined ? undefined : Buffer.from(text);
    },
  };
}

/** By artifact. Of a call id that was used twice the last result counts, as in the store. */
function toOutputs(log: readonly Logged[] = []): ReadonlyMap<string, string> {
  const outputs = new Map<string, string>();
  for (const message of log) {
    if (message.role !== 'tool_result' || message.artifactId === undefined) continue;
    const text = wholeOutputOf(message);
    if (text === undefined) outputs.delete(message.artifactId);
    else outputs.set(message.artifactId, text);
  }
  return outputs;
}
