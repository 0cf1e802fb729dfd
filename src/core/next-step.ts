// The one decision of the agent: given its state and what waits outside, what comes next. Pure, total, and the
// whole of LOOP-02's order between a turn's parts; how a step is done is elsewhere.
import type { AgentState, RunEnd, RunState } from './agent-state.ts';
import {
  budgetEnd,
  finalizedEnd,
  loopEnd,
  loopVerdict,
  spentBudget,
  turnLimitEnd,
  turnLimitReached,
} from './limits.ts';
import type { QueueName } from './events.ts';
import { assertNever } from './session-machine.ts';

/** What waits outside the loop, looked at without taking anything. */
export type Waiting = {
  now: number;
  prompt: boolean;
  steering: number;
  followUp: number;
  /** A steer or follow-up that arrived while idle and therefore starts a run (QUEUE-13). */
  idleMessage: boolean;
  abort: boolean;
  /** The history is long enough to go on in a new execution. */
  handOver: boolean;
  /** No further prompt will come: the session may close when idle. */
  closing: boolean;
};

export type NextStep =
  | { type: 'start_run' }
  | { type: 'assemble_context' }
  | { type: 'drain'; queue: QueueName }
  | { type: 'start_turn' }
  | { type: 'call_model'; toolChoice: 'auto' | 'none' }
  | { type: 'run_tools' }
  | { type: 'warn_of_loop' }
  | { type: 'finish_turn' }
  | { type: 'finalize' }
  | { type: 'set_end'; end: RunEnd }
  | { type: 'end_run' }
  | { type: 'hand_over' }
  | { type: 'wait' }
  | { type: 'close' };

export function decideNextStep(state: AgentState, waiting: Waiting): NextStep {
  const { run, context } = state;
  if (!run) return decideWhenIdle(waiting);
  if (run.end) return run.turnOpen ? { type: 'finish_turn' } : { type: 'end_run' };
  const open = run.cursor === 'answered' && run.batch.some((entry) => !entry.answer);
  // also a stopped run answers every call that the log holds
  if (waiting.abort && !open) return { type: 'set_end', end: { status: 'aborted' } };
  if (!context) return { type: 'assemble_context' };
  switch (run.cursor) {
    case 'boundary':
      return decideAtBoundary(state, run, waiting);
    case 'ready': {
      const spent = spentBudget(run, context.settings.budget, waiting.now);
      return spent
        ? { type: 'set_end', end: budgetEnd(spent) }
        : { type: 'call_model', toolChoice: run.finalizing ? 'none' : 'auto' };
    }
    case 'answered':
      return decideAfterReply(state, run);
    default:
      return assertNever(run.cursor);
  }
}

function decideWhenIdle(waiting: Waiting): NextStep {
  if (waiting.prompt || waiting.idleMessage) return { type: 'start_run' };
  if (waiting.closing) return { type: 'close' };
  return waiting.handOver ? { type: 'hand_over' } : { type: 'wait' };
}

function decideAfterReply(state: AgentState, run: RunState): NextStep {
  if (run.batch.some((entry) => !entry.answer)) return { type: 'run_tools' };
  const verdict = loopVerdict(state);
  if (verdict === 'warn') return { type: 'warn_of_loop' };
  if (verdict === 'stop') return { type: 'set_end', end: loopEnd };
  return { type: 'finish_turn' };
}

/** Between turns: limits, then hand-over, then the queues, then the next turn or the end. */
function decideAtBoundary(state: AgentState, run: RunState, waiting: Waiting): NextStep {
  const maxTurns = state.context?.settings.maxTurns ?? 0;
  const goesOn = run.wantsReply || run.pending.length > 0;
  if (run.finalizing && run.responses > maxTurns) return { type: 'set_end', end: finalizedEnd };
  if (goesOn && !run.finalizing && turnLimitReached(run, maxTurns)) {
    return state.context?.settings.onLimit === 'finalize'
      ? { type: 'finalize' }
      : { type: 'set_end', end: turnLimitEnd(maxTurns) };
  }
  if (waiting.handOver) return { type: 'hand_over' };
  // finalizing answers what is there: a message taken now could not be followed up
  if (!run.finalizing && !run.polled && waiting.steering > 0) return { type: 'drain', queue: 'steering' };
  if (goesOn) return { type: 'start_turn' };
  if (waiting.followUp > 0) return { type: 'drain', queue: 'followUp' };
  return { type: 'set_end', end: { status: 'completed', cause: run.terminated ? 'terminate' : 'answer' } };
}
