// What it makes of a state to begin from that of another session. Pure.
import type { AgentState, RunState } from '../model/agent-state.ts';
import type { LogRecord } from '../model/messages.ts';
import { move } from './draft.ts';
import type { Draft } from './draft.ts';
import { finishBatch } from './reduce-tools.ts';

/** Its events begin here: a run that goes on is announced as one that begins. */
export function importState(draft: Draft, state: AgentState): void {
  const { run } = state;
  draft.state = { ...state, sessionId: draft.state.sessionId, status: 'idle' };
  if (!run) return;
  move(draft, 'thinking');
  draft.events.push({ type: 'agent_start' });
  if (run.turnOpen) draft.events.push({ type: 'turn_start' });
  if (isAnsweredButNotLogged(run, state.log.records)) finishBatch(draft);
}

/** Left between the last answer and the log. */
function isAnsweredButNotLogged({ batch, cursor }: RunState, records: LogRecord[]): boolean {
  if (cursor !== 'answered' || batch.length === 0) return false;
  return batch.every(({ answer }) => answer) && records.at(-1)?.role === 'assistant';
}
