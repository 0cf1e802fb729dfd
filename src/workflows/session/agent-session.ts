// The workflow: one session from start to close, over any number of executions. Connects the rules of core/session and
// the loop of core/loop to Temporal.
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  makeContinueAsNewFunc,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { runSession } from '../../core/loop/agent-loop.ts';
import { beginSession, beginFromCheckpoint, readStartPrompt } from '../../core/loop/begin.ts';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { runFailed } from '@holdfast/vocabulary/outer-names';
import { type SessionResult, noReport } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { endSentence } from '@holdfast/report/describe-end';
import { problemOfStartFields } from '../../core/session/prompt.ts';
import { nextInput } from '../../core/session/carried.ts';
import { Session } from '../../core/session/session.ts';
import { accepted, refusal } from '../activity-failure.ts';
import { countEvent } from './count-event.ts';
import { Deliveries } from './deliveries.ts';
import { registerQueries, registerSignals, registerUpdates } from './handlers.ts';
import { reportEvent } from './report-event.ts';
import { sendSignal } from '../send-signal.ts';
import { Stopper } from './stopper.ts';
import { createTemporalEffects } from './temporal-effects.ts';
import { Visibility } from './visibility.ts';

export async function agentSession(input: SessionInput): Promise<SessionResult> {
  // any language may send the input: assembleContext checks the fields that only a run uses
  const problem = problemOfStartFields(input);
  if (problem !== undefined) throw refusal('Input.Invalid', problem);
  const { session, stopper, visibility, deliveries } = openSession(input);
  registerQueries(session); // they answer even if the start is refused
  const prompts = accepted(readStartPrompt(input));
  beginSession(session, prompts);
  // after the prompt, which came first: a waiting abort is meant for its run
  const signals = registerSignals(session);
  registerUpdates(session);
  CancellationScope.current().cancelRequested.catch(() => session.cancel());
  // a cancelled workflow still answers its calls, saves and returns: only its own stops cancel work
  return CancellationScope.nonCancellable(async () => {
    const effects = createTemporalEffects(session, stopper, signals);
    if (session.loading) accepted(await beginFromCheckpoint(session, effects, prompts));
    const exit = await runSession(session, effects);
    // handlers are synchronous; an asynchronous one would lose the message that it works on. Signals that wait for the one
    // before them would not be sent any more, and deliveries that have not started would not start.
    await condition(() => allHandlersFinished() && !session.sending.isBusy && !deliveries.isBusy);
    if (exit === 'hand_over') return handOver(session);
    visibility.end(session.lastResult);
    return close(session);
  });
}

type Opened = { session: Session; stopper: Stopper; visibility: Visibility; deliveries: Deliveries };

function openSession(input: SessionInput): Opened {
  const { workflowId, runId } = workflowInfo();
  const stopper = new Stopper();
  let onChange = (): void => {};
  let report = (_event: AgentEvent): void => {};
  const session = new Session(input, {
    id: workflowId,
    executionId: runId,
    now: () => Date.now(),
    changed: () => onChange(),
    happened: (event) => report(event),
    stop: () => stopper.stopAll(),
    after: startDeadline,
    send: sendSignal,
  });
  const deliveries = new Deliveries(session);
  report = (event) => {
    reportEvent(session, event);
    countEvent(session, event);
    deliveries.happened(event);
  };
  const visibility = new Visibility(session);
  onChange = () => {
    visibility.update();
    deliveries.update();
  };
  return { session, stopper, visibility, deliveries };
}

/** A durable timer (HOOK-13); after a hand-over a new one waits for the rest of the time. */
function startDeadline(ms: number, done: () => void): () => void {
  const scope = new CancellationScope();
  scope.run(() => sleep(ms, { summary: 'deadline of the run' })).then(done, () => undefined);
  return () => scope.cancel();
}

/** Never returns: the execution ends here, and another continues the session. */
function handOver(session: Session): Promise<never> {
  const { memo } = workflowInfo();
  const { task } = session.state;
  // Temporal passes on only the memo of the start, without a task that was added later
  const continueAsNew = makeContinueAsNewFunc<(input: SessionInput) => Promise<unknown>>(
    task === '' ? {} : { memo: { task, ...memo } },
  );
  return continueAsNew(nextInput(session.input, session.carry()));
}

function close(session: Session): SessionResult {
  const result = session.end();
  const { throwOnFailure, needsReport } = session.input;
  const hasFailed = result.status === 'failed' || (needsReport === true && result.cause === noReport);
  if (hasFailed && throwOnFailure) {
    const message = result.error?.message ?? endSentence(result);
    throw ApplicationFailure.create({ type: runFailed, message, nonRetryable: true, details: [result] });
  }
  return result;
}
