// Keeps a request that a provider refused, so that the person on call can see what was wrong with it. Redacted;
// long data such as images is left out. Runs in Node.
import type { Json } from '../../core/base/json.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { sha256Hex } from '../context/digest.ts';
import type { Redactor } from '../redaction/redaction.ts';

/** Longer words are data, not text: an image, a document. */
const longestWord = 20_000;

export type KeepRefused = (sessionId: string, body: string) => Promise<string | undefined>;

/** Gives the artifact's id; undefined where it could not be kept, because a failure must not hide another. */
export function createKeepRefused(parts: { artifacts: ArtifactStore; redactor: Redactor }): KeepRefused {
  const { artifacts, redactor } = parts;
  return async (sessionId, body) => {
    const text = JSON.stringify(redactor.json(parse(body), withoutData), undefined, 2);
    const id = `refused-request-${sha256Hex(text).slice(0, 12)}`;
    return artifacts.put(sessionId, id, text).then(
      () => id,
      () => undefined,
    );
  };
}

function parse(body: string): Json {
  return JSON.parse(body) as Json;
}

function withoutData(text: string): string {
  if (text.length <= longestWord || /\s/.test(text)) return text;
  return `[${text.length} characters of data left out]`;
}
