// Everything that a user's hook may use beside its input: shared data, artifacts of its session, questions to a model.
// Runs in activities.
import type { JsonObject } from '@holdfast/base/json';
import { jsonBytes, utf8Bytes } from '@holdfast/base/sizes';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { Usage } from '@holdfast/vocabulary/messages';
import type { Redactor } from '@holdfast/redaction/redaction';
import type { OpenNotes } from '../storage/note-store.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import type { HookCall, RegisteredHook } from './hook-definition.ts';

/** The questions of a hook in a run. */
export type QuestionsOf = (
  place: Pick<HookPlace, 'sessionId' | 'runId' | 'turn'>,
  context: FrozenContext,
) => HookCall<unknown>['complete'];

/** Work that may ask models; `usage` and `costUsd` are the cost of all its questions. Sends heartbeats. */
export type WithModel = <T extends object>(
  work: (questionsOf: QuestionsOf) => Promise<T>,
) => Promise<T & { usage: Usage; costUsd: number }>;

export type HookCallDeps = {
  artifacts: Pick<ArtifactStore, 'put' | 'get' | 'list'>;
  /** Reads the artifacts, and outputs that only the log has. Default: `artifacts`. */
  outputs?: ArtifactReader;
  redactor: Pick<Redactor, 'text'>;
  /** Absent if the config has no notes. */
  notes?: OpenNotes | undefined;
};

/** The hooks of a worker that may go around its requests to models. */
export type AroundDeps = HookCallDeps & { redactor: Redactor; hooks: ReadonlyMap<string, RegisteredHook> };

/** The place of a call: the hook, its session and its run. */
export type HookPlace = {
  hook: string;
  sessionId: string;
  /** The session at the top. */
  top: string;
  runId: string;
  turn: number;
  offTheRecord: boolean;
  signal: AbortSignal;
  data: JsonObject;
};

const maxDataBytes = 16 * 1024;
const maxKeptBytes = 1024 * 1024;

type Shared = Pick<
  HookCall<unknown>,
  'sessionId' | 'runId' | 'turn' | 'signal' | 'data' | 'share' | 'complete' | 'artifacts' | 'notes'
>;

/** `keep` gets each addition to the shared data. */
export function toHookCall(
  { artifacts, outputs = artifacts, redactor, notes: open }: HookCallDeps,
  { hook, sessionId, top, runId, turn, offTheRecord, signal, data }: HookPlace,
  keep: (more: JsonObject) => void,
  complete: HookCall<unknown>['complete'],
): Shared {
  const shared = { ...data };
  const notes = open?.(top, artifacts);
  /** The text as it is kept; throws where nothing may be. */
  const kept = (what: string, text: string): string => {
    if (offTheRecord) throw new Error(`the session is off the record: no ${what} is written`);
    const clean = redactor.text(text);
    const size = utf8Bytes(clean);
    if (size <= maxKeptBytes) return clean;
    throw new Error(`the ${what} is ${size} bytes, at most ${maxKeptBytes} are written`);
  };
  return {
    sessionId,
    runId,
    turn,
    signal,
    data: shared,
    share(more) {
      const size = jsonBytes({ ...shared, ...more });
      if (size > maxDataBytes)
        throw new Error(`the hooks' shared data would be ${size} bytes, at most ${maxDataBytes} are kept`);
      Object.assign(shared, more);
      keep(more);
    },
    complete,
    artifacts: {
      async write(name, text) {
        const id = `hook-${hook.replaceAll(/[^\w.-]/g, '_')}-${name}`;
        await artifacts.put(sessionId, id, kept('artifact', text));
        return id;
      },
      async read(id) {
        const bytes = await outputs.get(sessionId, id);
        return bytes && Buffer.from(bytes).toString('utf8');
      },
    },
    ...(notes && { notes: { ...notes, write: async (name, text) => notes.write(name, kept('note', text)) } }),
  };
}
