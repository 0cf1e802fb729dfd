// The agents from which a run is assembled. Their files may change while a worker runs: a run in progress keeps its
// definitions, and a session that was there before keeps the agents that were deleted. Runs in Node.
import { LRUCache } from 'lru-cache';
import type { AssembleContextInput } from '@holdfast/vocabulary/activity-contracts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';

type Agents = ReadonlyMap<string, AgentSpec>;

export type AgentsOfRunDeps = {
  /** The agents of new sessions. */
  agents: Agents;
  /** For sessions that were there before the deletion, and for their subagents. */
  deletedAgents?: Agents | undefined;
  /** Reads the files again, and changes both maps in place. */
  rereadAgents?: (() => Promise<void>) | undefined;
};

/** `nextRunId` of a session without runs. */
const firstRunId = 'run-1';
/** Sessions whose agents a worker remembers. */
const keptSessions = 1_000;

export function createAgentsOfRun({
  agents,
  deletedAgents = new Map(),
  rereadAgents,
}: AgentsOfRunDeps): (input: AssembleContextInput) => Promise<Agents> {
  const kept = new LRUCache<string, Agents>({ max: keptSessions });
  return async ({ sessionId, runId, begun, input: { parent } }) => {
    const own = begun && kept.get(sessionId);
    if (own) return own;
    await rereadAgents?.();
    const isNew = !begun && !parent && runId === firstRunId;
    // those that the session, or the one that started it, had before
    const before = kept.get(parent?.sessionId ?? sessionId) ?? deletedAgents;
    const now = new Map(isNew ? agents : [...before, ...agents]);
    kept.set(sessionId, now);
    return now;
  };
}
