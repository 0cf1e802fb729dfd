// The one decision of the agent: the next step, from its state and what waits outside. Pure and total; it has the whole
// order of LOOP-02. The steps are carried out elsewhere.
import type { AgentSettings, Budget } from '@holdfast/vocabulary/agent-spec';
import type { AgentState, RunEnd, RunState } from '@holdfast/vocabulary/agent-state';
import {
  budgetEnd,
  budgetOf,
  finalizedEnd,
  spentBudget,
  stoppedEnd,
  turnLimitEnd,
  turnLimitReached,
} from '../state/limits.ts';
import { type LoopKind, loopVerdict } from '../state/loop-guard.ts';
import { type Circle, circleEnd, circleVerdict } from '../state/circles.ts';
import { outputEnd, outputFaults } from '../state/output.ts';
import { owesSteps } from '../state/reduce-plan.ts';
import { completedEnd, owesReport } from '../state/report.ts';
import type { AnswerLack } from '../state/facts.ts';
import type { QueueName } from '@holdfast/vocabulary/events';
import { type CondenseReason, condenseReason } from '@holdfast/view/condense-reason';
import { assertNever } from '../state/draft.ts';

/** Input from outside the loop, inspected without taking anything. */
export type Waiting = {
  now: number;
  prompt: boolean;
  steering: number;
  /** A steering message came while the next request was prepared. */
  isDue: boolean;
  followUp: number;
  /** A steering message or follow-up that arrived while idle, and therefore starts a run (QUEUE-13). */
  idleMessage: boolean;
  /** A stop that was requested and not yet handled. */
  stop?: 'abort' | 'interrupt';
  /** The history is long enough for a new execution. */
  handOver: boolean;
  /** No further prompt will come: the session may close when idle. */
  closing: boolean;
  /** A reset was requested: the view begins anew once idle. */
  reset: boolean;
  /** A completed run counts as failed without a report of its agent. */
  needsReport: boolean;
};

export type NextStep =
  | { type: 'start_run' }
  | { type: 'assemble_context' }
  | { type: 'drain'; queue: QueueName }
  | { type: 'start_turn' }
  | { type: 'call_model'; toolChoice: 'auto' | 'none' }
  /** The turn closes without its request, because something must be taken first. */
  | { type: 'leave_turn' }
  | { type: 'condense'; reason: CondenseReason }
  | { type: 'run_tools' }
  | { type: 'warn_of_loop'; of: LoopKind; count: number }
  | { type: 'warn_of_circle'; circle: Circle }
  | { type: 'remind_of_plan' }
  /** The answer is sent back to the model because it lacks something. */
  | { type: 'send_back'; lacks: AnswerLack; faults: readonly string[] }
  | { type: 'finish_turn' }
  | { type: 'finalize'; end: RunEnd }
  | { type: 'reset' }
  | { type: 'set_end'; end: RunEnd }
  | { type: 'end_run' }
  | { type: 'hand_over' }
  | { type: 'wait' }
  | { type: 'close' };

export function decideNextStep(state: AgentState, waiting: Waiting): NextStep {
  const { run, context } = state;
  if (!run) return decideWhenIdle(state, waiting);
  const open = run.cursor === 'answered' && run.batch.some((entry) => !entry.answer);
  // a run that ends still answers every call in the log
  if (run.end) return open ? { type: 'run_tools' } : decideWhenEnding(run);
  if (waiting.stop === 'abort' && !open) return { type: 'set_end', end: stoppedEnd(run) };
  if (!context) return { type: 'assemble_context' };
  switch (run.cursor) {
    case 'boundary':
      return decideAtBoundary(state, context.settings, run, waiting);
    case 'ready':
      return decideBeforeRequest(state, run, waiting);
    case 'answered':
      return decideAfterReply(state, run);
    default:
      return assertNever(run.cursor);
  }
}

function decideWhenIdle(state: AgentState, waiting: Waiting): NextStep {
  if (waiting.reset) return { type: 'reset' };
  if (state.condenseRequested) return { type: 'condense', reason: 'requested' };
  if (waiting.prompt) return { type: 'start_run' };
  if (waiting.closing) return { type: 'close' };
  if (waiting.idleMessage) return { type: 'start_run' };
  return waiting.handOver ? { type: 'hand_over' } : { type: 'wait' };
}

function decideWhenEnding(run: RunState): NextStep {
  if (run.turnOpen) return { type: 'finish_turn' };
  // a message that was taken must be in the log of its run, however the run ends; injected warnings need not be
  const taken = run.pending.some((message) => message.role === 'custom' || message.origin !== 'injected');
  return taken ? { type: 'start_turn' } : { type: 'end_run' };
}

/**
 * Decides after the turn has its messages; a condense, a hook or a refused request may have used time and money since.
 */
function decideBeforeRequest(state: AgentState, run: RunState, waiting: Waiting): NextStep {
  // the run's last request must go out and is paid for, so nothing ends it before
  if (!run.final) {
    if (waiting.stop) return { type: 'leave_turn' };
    const spent = spentBudget(run, budgetOf(state), waiting.now);
    if (spent) return { type: 'set_end', end: budgetEnd(spent) };
  }
  const reason = condenseReason(state);
  if (reason) return { type: 'condense', reason };
  if (mayTakeSteering(run, waiting.steering, waiting.isDue)) return { type: 'drain', queue: 'steering' };
  // work that its tools or its report have ended only lacks the answer
  const onlyAnswers = run.final || run.reportFinal || (run.outputAsked && run.terminated);
  return { type: 'call_model', toolChoice: onlyAnswers ? 'none' : 'auto' };
}

function decideAfterReply(state: AgentState, run: RunState): NextStep {
  if (run.batch.some((entry) => !entry.answer)) return { type: 'run_tools' };
  if (run.completion) return { type: 'finish_turn' };
  const loop = loopVerdict(state);
  if (loop?.verdict === 'warn') return { type: 'warn_of_loop', of: loop.of, count: loop.count };
  if (loop) return { type: 'set_end', end: loop.end };
  const seen = circleVerdict(state);
  if (seen?.verdict === 'warn') return { type: 'warn_of_circle', circle: seen.circle };
  if (seen) return { type: 'set_end', end: circleEnd(state, seen.circle) };
  return { type: 'finish_turn' };
}

/** The order between turns: limits, hand-over, queues, then the next turn or the end. */
function decideAtBoundary(
  state: AgentState,
  settings: AgentSettings,
  run: RunState,
  waiting: Waiting,
): NextStep {
  // queued messages stay queued: the agent has declared its work done
  if (run.completion) return { type: 'set_end', end: { status: 'completed', cause: 'task_complete' } };
  const goesOn = run.wantsReply || run.pending.length > 0;
  const limit = decideAtLimit(settings, run, waiting, goesOn, budgetOf(state));
  if (limit) return limit;
  if (waiting.handOver) return { type: 'hand_over' };
  if (mayTakeSteering(run, waiting.steering, waiting.isDue)) return { type: 'drain', queue: 'steering' };
  if (goesOn) return { type: 'start_turn' };
  if (owesSteps(state, run) && canAnswerAgain(state, settings, run, waiting.now))
    return { type: 'remind_of_plan' };
  const owed = owedByAnswer(state, settings, run, waiting);
  if (owed) return owed;
  if (waiting.followUp > 0) return { type: 'drain', queue: 'followUp' };
  return { type: 'set_end', end: completedEnd(state, run, waiting.needsReport) };
}

/** Once for each request, again for what came meanwhile, and all for the last one; a hook's answer has no request. */
export function mayTakeSteering(run: RunState, waiting: number, isDue: boolean): boolean {
  return waiting > 0 && !run.given && (!run.polled || isDue || run.final !== undefined);
}

/**
 * An answer that lacks something is sent back once for each lack. After that, or without turns left, the run fails for
 * a missing output; for a missing report it completes, and its cause says so.
 */
function owedByAnswer(
  state: AgentState,
  settings: AgentSettings,
  run: RunState,
  waiting: Waiting,
): NextStep | undefined {
  const mayAsk = canAnswerAgain(state, settings, run, waiting.now);
  if (mayAsk && !run.reportAsked && owesReport(state, run))
    return { type: 'send_back', lacks: 'report', faults: ['no report was handed in'] };
  const faults = outputFaults(state, run);
  if (faults.length === 0) return undefined;
  return mayAsk && !run.outputAsked
    ? { type: 'send_back', lacks: 'output', faults }
    : { type: 'set_end', end: outputEnd(faults, run.outputAsked === true) };
}

/** False if a limit leaves no turn for an answer: a reminder would have no effect. */
export function canAnswerAgain(
  state: AgentState,
  { loop }: AgentSettings,
  run: RunState,
  now: number,
): boolean {
  return !turnLimitReached(run, loop.maxTurns) && spentBudget(run, budgetOf(state), now) === undefined;
}

/** A limit ends the run before it takes anything: queued messages stay queued (QUEUE-06). */
function decideAtLimit(
  settings: AgentSettings,
  run: RunState,
  waiting: Waiting,
  goesOn: boolean,
  budget: Budget,
): NextStep | undefined {
  const { final } = run;
  const { maxTurns, onLimit } = settings.loop;
  // the last request itself is allowed, and nothing after it
  if (final) return run.responses > final.responses ? { type: 'set_end', end: final.end } : undefined;
  const counted = waiting.steering + (settings.queues.followUpBudget === 'shared' ? waiting.followUp : 0);
  const steered = goesOn || counted > 0;
  const spent = spentBudget(run, budget, waiting.now);
  if (spent && (steered || waiting.followUp > 0)) return { type: 'set_end', end: budgetEnd(spent) };
  if (!steered || !turnLimitReached(run, maxTurns)) return undefined;
  if (onLimit === 'error') return { type: 'set_end', end: turnLimitEnd(maxTurns) };
  // steering after the last answer is taken first, so that the one remaining answer replies to it
  return goesOn ? { type: 'finalize', end: finalizedEnd } : undefined;
}
