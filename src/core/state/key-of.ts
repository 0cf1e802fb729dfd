// The key of a session: the name under which it stores, which is its id unless an earlier session had the id. Pure.
import type { AgentState } from '../model/agent-state.ts';

/** Different for every session of an id, so that keys made of it never meet. */
export function keyOf({ storedAs, sessionId }: Pick<AgentState, 'storedAs' | 'sessionId'>): string {
  return storedAs ?? sessionId;
}
