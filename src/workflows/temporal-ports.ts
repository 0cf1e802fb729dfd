// The loop's ports under Temporal: activities, durable waits, stops. Runs in the workflow; every value that
// leaves here is small, because history keeps it.
import { condition, isCancellation, scheduleActivity } from '@temporalio/workflow';
import type {
  AssembleContextInput,
  BegunWith,
  SavedResult,
  SaveResultInput,
} from '../core/model/activity-contracts.ts';
import type { FrozenContext } from '../core/model/frozen-context.ts';
import type { BatchCall } from '../core/model/agent-state.ts';
import type { Failure } from '../core/base/failures.ts';
import type { ApprovalDecision, ContextOutcome, LoopPorts } from '../core/loop/ports.ts';
import type { SessionSettings } from '../core/model/agent-spec.ts';
import { builtInWorkflowTools } from '../core/loop/workflow-tools/built-in.ts';
import { failureOf } from './activity-failure.ts';
import { readOutput } from './read-output.ts';
import { assembleContextOptions, saveResultOptions } from './activity-options.ts';
import { CheckpointSaver } from './checkpoints.ts';
import { condense } from './condense-call.ts';
import { runOnFitWorker } from './fit-worker.ts';
import { isHistoryLong, reset } from './hand-over.ts';
import { callHook } from './hooks.ts';
import { callModel } from './model-call.ts';
import type { Session } from './session.ts';
import { runTool } from './tool-call.ts';
import { createToolGroups } from './tool-groups.ts';
import type { Visibility } from './visibility.ts';

export function createTemporalPorts(session: Session, visibility: Visibility): LoopPorts {
  const { inbox } = session;
  const saver = new CheckpointSaver(session);
  return {
    waiting: () => ({
      now: Date.now(),
      prompt: inbox.hasPrompt,
      steering: inbox.waiting('steering'),
      followUp: inbox.waiting('followUp'),
      idleMessage: inbox.hasIdleMessage,
      abort: inbox.abort,
      interrupt: inbox.stop === 'interrupt',
      handOver: isHistoryLong(session),
      closing: session.closing,
      reset: inbox.resetIsDue,
    }),
    inbox: {
      takePrompt: () => inbox.takePrompt(`run-${session.state.runs + 1}`),
      resetDone: () => void (inbox.reset = false),
      take: (queue, place) => inbox.take(queue, place),
    },
    assembleContext: (runId, settings) => assembleContext(session, visibility, runId, settings),
    callHook: (hook, point, input) => callHook(session, hook, point, input),
    callModel: (input) => callModel(session, input),
    condense: (plan) => condense(session, plan),
    runTool: (entry, approvedBy) => runTool(session, entry, approvedBy),
    workflowTools: builtInWorkflowTools(createToolGroups(session)),
    requestApproval: (entry) => requestApproval(session, entry),
    waitForOperator: (failure) => waitForOperator(session, visibility, failure),
    stopRequested: () => session.stopReason,
    turnEnded: () => {
      session.turns++;
      visibility.showDetails();
      return session.settings.checkpointEvery === 'turn' ? saver.save() : undefined;
    },
    callAnswered: () => (session.settings.checkpointEvery === 'tool' ? saver.save() : undefined),
    reset: () => reset(session),
    waitForWork: () => waitForWork(session),
    readOutput: () => readOutput(session),
    runEnded: () => saveResult(session, visibility),
  };
}

async function assembleContext(
  session: Session,
  visibility: Visibility,
  runId: string,
  settings: SessionSettings,
): Promise<ContextOutcome> {
  visibility.showTask();
  const { prompt: _, messages: __, carried: ___, checkpoint: ____, ...input } = session.input;
  const { loadedGroups, run, context } = session.state;
  const request: AssembleContextInput = {
    ...{ sessionId: session.id, runId, input: { ...input, ...settings } },
    ...(loadedGroups ? { loadedGroups } : {}),
    // before its first turn the context in the state is of the run before
    ...(context && run && run.turn > 0 ? { begun: begunWith(context) } : {}),
  };
  const outcome = await runOnFitWorker(session, { start: request }, () =>
    scheduleActivity<FrozenContext>('assembleContext', [request], assembleContextOptions),
  );
  if (outcome.type === 'done') {
    session.inbox.configure(outcome.value.settings.queues);
    return outcome.value;
  }
  if (outcome.type === 'left_behind' || isCancellation(outcome.error)) {
    if (session.stopReason === 'abort') return { stopped: true };
    // the run goes on with the message that interrupted, and with what a hook has changed
    return assembleContext(session, visibility, runId, settings);
  }
  return { failure: { code: 'Run.ContextFailed', message: failureOf(outcome.error).message } };
}

function begunWith({ access, functions, artifactStore }: FrozenContext): BegunWith {
  return {
    ...(access ? { access } : {}),
    functions,
    ...(artifactStore === undefined ? {} : { artifactStore }),
  };
}

async function requestApproval(session: Session, entry: BatchCall): Promise<ApprovalDecision> {
  const { run } = session.state;
  const settings = session.settings;
  const isStopped = () => session.stopReason !== undefined;
  return session.approvals.request(entry, run?.turn ?? 0, settings, isStopped, (event) =>
    session.store.announce(event),
  );
}

async function waitForOperator(
  session: Session,
  visibility: Visibility,
  { code, message }: Failure,
): Promise<'resume' | 'stopped'> {
  const { inbox } = session;
  inbox.resume = false;
  session.operatorReason = message;
  session.store.announce({ type: 'warning', code, message });
  await condition(() => inbox.resume || session.stopReason !== undefined);
  session.operatorReason = undefined;
  visibility.update();
  return inbox.resume ? 'resume' : 'stopped';
}

async function waitForWork(session: Session): Promise<void> {
  const { inbox, input } = session;
  const isAsked = () => inbox.hasPrompt || inbox.hasIdleMessage || inbox.reset;
  const hasWork = () =>
    isAsked() || session.state.condenseRequested || session.closing || isHistoryLong(session);
  if (input.idleTimeoutMs === undefined) return condition(hasWork);
  const woken = await condition(hasWork, input.idleTimeoutMs, { summary: 'idle timeout' });
  if (!woken) inbox.closing = true;
}

/** Best effort: a session whose store is down still has its result in history. */
async function saveResult(session: Session, visibility: Visibility): Promise<void> {
  session.deadline.stop();
  session.inbox.runEnded();
  visibility.update();
  visibility.showDetails();
  const runId = session.state.lastResult?.runId ?? '';
  const input: SaveResultInput = { sessionId: session.id, runId, toSeq: session.state.log.nextSeq - 1 };
  try {
    const saved = await scheduleActivity<SavedResult>('saveResult', [input], saveResultOptions);
    const artifactId = saved.checkpoint;
    session.store.announce({ type: 'checkpoint_saved', artifactId });
  } catch (error) {
    const { message } = failureOf(error);
    session.store.announce({ type: 'warning', code: 'Run.NotSaved', message });
  }
}
