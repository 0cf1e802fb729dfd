// The key of a session: the name under which it stores. It is the id unless an earlier session had that. Pure.
import type { AgentState } from '../model/agent-state.ts';

export function keyOf({ storedAs, sessionId }: Pick<AgentState, 'storedAs' | 'sessionId'>): string {
  return storedAs ?? sessionId;
}
