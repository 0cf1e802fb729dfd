// Plans the removal of artifacts, and finds old ones that are still needed: by a running session, or by a task that
// another session could continue. Only reads.
import { withoutMark } from '@holdfast/stored/session-names';
import type { StoredArtifact } from '../../config/define-config.ts';
import { eachAtOnce } from '@holdfast/base/at-once';
import { checkpointsKey } from '@holdfast/vocabulary/outer-names';
import type { OpenStore, Stored, StorageUse } from './stored-sessions.ts';

export type PruneRules = {
  /** Sessions whose newest artifact is older are removed; milliseconds since 1970. */
  before: number;
  /** Includes artifacts that uncompleted tasks need. */
  unfinished: boolean;
  isRunning(sessionId: string): Promise<boolean>;
};

/** A whole session, or with a name the checkpoint of a task. */
export type Removal = StorageUse & { name?: string };
export type KeptSession = { sessionId: string; why: 'running' | 'unfinished' };
export type PrunePlan = { removals: Removal[]; kept: KeptSession[] };

const questionsAtOnce = 8;

export async function planPrune(store: OpenStore, stored: Stored, rules: PruneRules): Promise<PrunePlan> {
  const { before, unfinished } = rules;
  const isRunning = onceEach(rules.isRunning);
  const kept: KeptSession[] = [];
  const removals: Removal[] = [];
  // also of young checkpoints: one may name an old session
  const tasks = await readTasks(store, stored.checkpoints);
  const needed = new Set(unfinished ? [] : tasks.filter(isUnfinished).map(({ sessionId }) => sessionId));
  const old = stored.sessions.filter(({ newest }) => newest < before);
  await eachAtOnce(old, questionsAtOnce, async (session) => {
    const { sessionId } = session;
    const why = needed.has(sessionId) ? 'unfinished' : (await isRunning(sessionId)) ? 'running' : undefined;
    if (why) kept.push({ sessionId, why });
    else removals.push(session);
  });
  await eachAtOnce(tasks, questionsAtOnce, async (task) => {
    const { sessionId, checkpoint } = task;
    const newest = checkpoint.storedAt.getTime();
    if (newest >= before || (isUnfinished(task) && !unfinished)) return;
    if (sessionId !== undefined && (await isRunning(sessionId))) return;
    const { name, sizeBytes } = checkpoint;
    removals.push({ sessionId: checkpointsKey, name, artifacts: 1, sizeBytes, newest });
  });
  const byAge = (left: Removal, right: Removal): number => left.newest - right.newest;
  return { removals: removals.sort(byAge), kept };
}

type Task = { checkpoint: StoredArtifact; sessionId?: string; status?: string };

/** An unreadable document may be of a later version, so it counts as unfinished. */
function isUnfinished({ status }: Task): boolean {
  return status !== 'completed';
}

async function readTasks(store: OpenStore, checkpoints: readonly StoredArtifact[]): Promise<Task[]> {
  const tasks: Task[] = [];
  await eachAtOnce(checkpoints, questionsAtOnce, async (checkpoint) => {
    const bytes = await store.get(checkpoint.sessionId, checkpoint.name);
    if (bytes) tasks.push({ checkpoint, ...outlineOf(new TextDecoder().decode(bytes)) });
  });
  return tasks;
}

/** The session of a checkpoint; undefined for anything else, or if it cannot be read. */
export async function checkpointOwner(store: OpenStore, name: string): Promise<string | undefined> {
  const bytes = await store.get(checkpointsKey, name);
  return bytes && outlineOf(new TextDecoder().decode(bytes)).sessionId;
}

function outlineOf(text: string): Omit<Task, 'checkpoint'> {
  try {
    const { id, status }: { id?: unknown; status?: unknown } = JSON.parse(text);
    if (typeof id !== 'string' || typeof status !== 'string') return {};
    // `<session>/<last seq>`
    return { sessionId: id.slice(0, id.lastIndexOf('/')), status };
  } catch {
    return {};
  }
}

function onceEach(ask: (sessionId: string) => Promise<boolean>): (name: string) => Promise<boolean> {
  const asked = new Map<string, Promise<boolean>>();
  return (name) => {
    const sessionId = withoutMark(name);
    const answer = asked.get(sessionId) ?? ask(sessionId);
    asked.set(sessionId, answer);
    return answer;
  };
}
