// The agent on one page: the state decides the next step, an effect carries it out, a fact records the outcome. Nothing
// here knows Temporal: every wait is an effect.
import { defined } from '@holdfast/base/defined';
import type { Session } from '../session/session.ts';
import { endOfError } from '../state/limits.ts';
import { saveIncident } from './memory.ts';
import { runCondenseStep } from './condense-step.ts';
import { drainQueue } from './drain-queue.ts';
import { assembleContext, failContext, isRefreshDue, refreshContext } from './assemble-context.ts';
import type { Effects } from './effects.ts';
import { hasHooks } from './hooks.ts';
import { inspectCalls, isInspectionDue } from './host-step.ts';
import { injectedWords } from './injected-words.ts';
import { leaveTurn, runModelStep } from './model-step.ts';
import { type NextStep, type Waiting, decideNextStep } from './next-step.ts';
import { prepareRun } from './prepare-run.ts';
import { runEndHooks, runStartHooks, runTurnEndHooks } from './run-hooks.ts';
import {
  archiveForHandOver,
  completeReport,
  readOutput,
  reset,
  saveCheckpoint,
  saveResult,
} from './saving.ts';
import { assertNever } from '../state/draft.ts';
import { evaluatePolicy, isPolicyDue } from './policy-step.ts';
import { runToolBatch } from './tool-batch.ts';
import { waitForWork } from './waits.ts';

/** Runs a session until it closes, or until it must continue in a new execution. */
export async function runSession(session: Session, effects: Effects): Promise<'closed' | 'hand_over'> {
  for (;;) {
    const { deadline } = session;
    // the timer of the host takes a moment, in which a model would be asked
    if (deadline && deadline.at <= session.now()) session.timeOut(deadline.runId);
    const step = decideNextStep(session.state, waitingOf(session, effects));
    if (step.type === 'close') return 'closed';
    if (step.type === 'hand_over') {
      await archiveForHandOver(session, effects);
      return 'hand_over';
    }
    try {
      const waiting = perform(step, session, effects);
      // most steps only change the state: awaiting each would cost every turn a promise
      if (waiting) await waiting;
    } catch (error) {
      session.record({ type: 'ending', end: endOfError(session.state, error) });
    }
  }
}

function waitingOf(session: Session, effects: Effects): Waiting {
  const { inbox, stop } = session;
  return {
    now: session.now(),
    prompt: inbox.hasPrompt,
    steering: inbox.waiting('steering'),
    isDue: inbox.isDue,
    followUp: inbox.waiting('followUp'),
    idleMessage: inbox.hasIdleMessage,
    ...(stop ? { stop } : {}),
    handOver: effects.isHandOverDue(),
    closing: session.closing,
    reset: inbox.resetIsDue,
    needsReport: session.input.needsReport === true,
  };
}

type Step = Exclude<NextStep, { type: 'hand_over' | 'close' }>;

function perform(step: Step, session: Session, effects: Effects): Promise<void> | void {
  switch (step.type) {
    case 'start_run':
      return session.record({ type: 'run_accepted', ...session.inbox.takePrompt(session.nextRunId) });
    case 'assemble_context':
      return freezeRun(session, effects);
    case 'drain':
      return drainQueue(session, step.queue);
    case 'start_turn':
      return session.record({ type: 'turn_started' });
    case 'call_model':
      return refreshAndAsk(session, effects, step.toolChoice);
    case 'leave_turn':
      return leaveTurn(session);
    case 'condense':
      return runCondenseStep(session, effects, step.reason);
    case 'run_tools':
      return isInspectionDue(session.state)
        ? inspectCalls(session, effects).then(() => judgeAndRun(session, effects))
        : judgeAndRun(session, effects);
    case 'warn_of_loop':
    case 'warn_of_circle':
    case 'remind_of_plan':
    case 'send_back':
      return session.record(injectedWords(session.state, step));
    case 'finalize':
      return session.record({ type: 'finalizing', end: step.end });
    case 'finish_turn':
      return finishTurn(session, effects);
    case 'set_end':
      return session.record({ type: 'ending', end: step.end });
    case 'end_run':
      return endRun(session, effects);
    case 'reset':
      return reset(session, effects);
    case 'wait':
      return waitForWork(session, effects);
    default:
      return assertNever(step);
  }
}

function refreshAndAsk(
  session: Session,
  effects: Effects,
  toolChoice: 'auto' | 'none',
): Promise<void> | void {
  const ask = () => runModelStep(session, effects, toolChoice);
  return isRefreshDue(session.state)
    ? refreshContext(session, effects).then((mayAsk) => (mayAsk ? ask() : undefined))
    : ask();
}

function judgeAndRun(session: Session, effects: Effects): Promise<void> | void {
  return isPolicyDue(session.state)
    ? evaluatePolicy(session, effects).then(() => runToolBatch(session, effects))
    : runToolBatch(session, effects);
}

async function freezeRun(session: Session, effects: Effects): Promise<void> {
  const outcome = await assembleContext(session, effects, session.state.run?.settings ?? {});
  // an abort ends the run at the next step
  if (outcome.type === 'stopped') return;
  if (outcome.type === 'failed') return failContext(session, outcome.message);
  session.record({ type: 'context_assembled', context: outcome.context });
  await prepareRun(session, effects);
  if (hasHooks(session.state)) await runStartHooks(session, effects);
}

function finishTurn(session: Session, effects: Effects): Promise<void> | void {
  session.record({ type: 'turn_ended' });
  const saved = () =>
    session.settings.loop.checkpointEvery === 'turn' ? saveCheckpoint(session, effects) : undefined;
  return hasHooks(session.state) ? runTurnEndHooks(session, effects).then(saved) : saved();
}

async function endRun(session: Session, effects: Effects): Promise<void> {
  if (hasHooks(session.state)) await runEndHooks(session, effects);
  // a hook has sent the answer back
  if (!session.state.run?.end) return;
  const completing = completeReport(session, effects);
  if (completing) await completing;
  const output = await readOutput(session, effects);
  session.record(defined({ type: 'run_ended', output }));
  session.inbox.runEnded();
  session.changed();
  await saveResult(session, effects);
  const saving = saveIncident(session, effects);
  if (saving) await saving;
}
