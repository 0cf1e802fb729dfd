// The loop's ports under Temporal: activities, durable waits, stops. Runs in the workflow; every value that
// leaves here is small, because history keeps it.
import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  isCancellation,
  scheduleActivity,
} from '@temporalio/workflow';
import type {
  ArchiveSegmentInput,
  AssembleContextInput,
  CallModelInput,
  CallModelResult,
  FrozenContext,
  SavedResult,
  SaveResultInput,
  Segment,
  SummarizeInput,
  SummarizeResult,
  ToolCallInput,
  ToolCallResult,
} from '../core/activity-contracts.ts';
import { argumentsOf } from '../core/call-arguments.ts';
import type { BatchCall, ToolAnswer } from '../core/agent-state.ts';
import { completeSettings } from '../core/complete-settings.ts';
import type { AgentSettings } from '../core/agent-spec.ts';
import type { Failure } from '../core/failures.ts';
import { recoveryOf } from '../core/failures.ts';
import type { Json } from '../core/json.ts';
import { strategyOf } from '../core/condense.ts';
import type { CondensePlan } from '../core/condense/strategy.ts';
import type {
  ApprovalDecision,
  CondenseOutcome,
  ContextOutcome,
  LoopPorts,
  ModelOutcome,
  PaidFailure,
} from '../core/ports.ts';
import type { SessionSettings } from '../core/session-settings.ts';
import { jsonBytes, maxPayloadBytes } from '../core/sizes.ts';
import { errorAnswer } from '../core/tool-answers.ts';
import { viewPosition } from '../core/transcript.ts';
import {
  assembleContextOptions,
  callModelOptions,
  condenseArchiveOptions,
  saveResultOptions,
  summarizeOptions,
  toolOptions,
} from './activity-options.ts';
import { builtInWorkflowTools } from '../core/workflow-tools/built-in.ts';
import { CheckpointSaver } from './checkpoints.ts';
import { failureOf } from './activity-failure.ts';
import { callHook } from './hooks.ts';
import { isHistoryLong, reset } from './hand-over.ts';
import type { Session } from './session.ts';
import { abortedText, describeToolFailure } from './tool-failure.ts';
import { createToolGroups } from './tool-groups.ts';
import type { Visibility } from './visibility.ts';
import { modelSummary } from './visibility.ts';

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
      handOver: isHistoryLong(session),
      closing: session.closing,
      reset: inbox.resetIsDue,
    }),
    inbox: {
      takePrompt: () => inbox.takePrompt(`run-${session.state.runs + 1}`),
      resetDone: () => void (inbox.reset = false),
      take: (queue, place) => inbox.take(queue, place),
    },
    assembleContext: (runId, changes) => assembleContext(session, visibility, runId, changes),
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
      return settingsOf(session).checkpointEvery === 'turn' ? saver.save() : undefined;
    },
    callAnswered: () => (settingsOf(session).checkpointEvery === 'tool' ? saver.save() : undefined),
    reset: () => reset(session),
    waitForWork: () => waitForWork(session),
    runEnded: () => saveResult(session, visibility),
  };
}

async function assembleContext(
  session: Session,
  visibility: Visibility,
  runId: string,
  changes: SessionSettings = {},
): Promise<ContextOutcome> {
  visibility.showTask();
  const { prompt: _, messages: __, carried: ___, checkpoint: ____, ...input } = session.input;
  const { loadedGroups, settings } = session.state;
  const request: AssembleContextInput = {
    ...{ sessionId: session.id, runId, input: { ...input, ...settings, ...changes } },
    ...(loadedGroups ? { loadedGroups } : {}),
  };
  const outcome = await session.stopper.run(() =>
    scheduleActivity<FrozenContext>('assembleContext', [request], assembleContextOptions),
  );
  if (outcome.type === 'done') {
    session.inbox.configure(completeSettings(outcome.value.settings).queues);
    return outcome.value;
  }
  if (outcome.type === 'left_behind' || isCancellation(outcome.error)) return { stopped: true };
  return { failure: { code: 'Run.ContextFailed', message: failureOf(outcome.error).message } };
}

/** The run's settings; the defaults before its context is assembled. */
function settingsOf({ state }: Session): AgentSettings {
  return state.context?.settings ?? completeSettings({});
}

async function callModel(session: Session, input: CallModelInput): Promise<ModelOutcome> {
  session.deadline.watch(session);
  const settings = settingsOf(session);
  const options = {
    ...callModelOptions(settings, modelSummary(session)),
    ...modelQueue(session.state.context),
  };
  const outcome = await session.stopper.run(() =>
    scheduleActivity<CallModelResult>('callModel', [input], options),
  );
  if (outcome.type === 'left_behind') return { type: 'stopped' };
  if (outcome.type === 'failed') {
    if (isCancellation(outcome.error)) return { type: 'stopped' };
    const { failure, type } = failureOf(outcome.error);
    const paid = paidBy(outcome.error);
    return { type: 'failed', failure, recovery: recoveryOf(type), ...(paid ? { paid } : {}) };
  }
  return outcome.value.interrupted
    ? { type: 'stopped', result: outcome.value }
    : { type: 'reply', result: outcome.value };
}

/** A queue of its own is how a provider's rate is limited over all workers. */
function modelQueue(context: FrozenContext | undefined): { taskQueue?: string } {
  return context?.modelTaskQueue === undefined ? {} : { taskQueue: context.modelTaskQueue };
}

/** The activity's own words: ModelFailureDetails of activities/model-failure. */
function paidBy(error: unknown): PaidFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const details = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return isPaid(details) ? details : undefined;
}

function isPaid(details: unknown): details is PaidFailure {
  return typeof details === 'object' && details !== null && 'wasted' in details && 'costUsd' in details;
}

/** Archived first: if that fails nothing is swapped (COND-15). */
async function condense(session: Session, plan: CondensePlan): Promise<CondenseOutcome> {
  const { state, id: sessionId } = session;
  const range: ArchiveSegmentInput = {
    sessionId,
    fromSeq: state.log.records[0]?.seq ?? plan.fromSeq,
    toSeq: plan.toSeq,
  };
  const input = toSummarizeInput(session, plan);
  const options = summarizeOptions(plan, settingsOf(session), strategyOf(state).summaryTimeoutMs);
  const outcome = await session.stopper.run(async () => {
    // what was archived at a hand-over need not be again
    const segment = range.fromSeq > range.toSeq ? undefined : await archiveFolded(range);
    const result = await scheduleActivity<SummarizeResult>('summarize', [input], options);
    return { ...result, ...(segment ? { segment } : {}) };
  });
  if (outcome.type === 'done') return { type: 'done', ...outcome.value };
  const failure = outcome.type === 'failed' ? failureOf(outcome.error).failure : stoppedFailure;
  return { type: 'failed', failure };
}

function toSummarizeInput({ state, id: sessionId }: Session, plan: CondensePlan): SummarizeInput {
  const { run, context, lastResult } = state;
  return {
    ...{ sessionId, runId: run?.runId ?? lastResult?.runId ?? '', turn: run?.turn ?? 0 },
    contextDigest: context?.digest ?? '',
    view: { ...viewPosition(state), toSeq: plan.toSeq },
    ...(plan.splitFromSeq === undefined ? {} : { splitFromSeq: plan.splitFromSeq }),
  };
}

function archiveFolded(range: ArchiveSegmentInput): Promise<Segment> {
  return scheduleActivity<Segment>('archiveSegment', [range], condenseArchiveOptions(range));
}

const stoppedFailure: Failure = { code: 'Condense.Failed', message: 'The condense was stopped.' };

async function runTool(
  session: Session,
  entry: BatchCall,
  approvedBy: string | undefined,
): Promise<ToolAnswer> {
  const { call, prepared } = entry;
  const { context } = session.state;
  const spec = context?.tools.find((tool) => tool.name === call.name);
  if (!context || !spec || prepared.status !== 'ready')
    return errorAnswer(entry, `Unknown tool ${call.name}`);
  const input = toToolInput(session, entry, prepared.argsDigest, prepared.args, approvedBy);
  if (jsonBytes(input) > maxPayloadBytes) {
    return errorAnswer(entry, 'Not run: its arguments are over 256 KiB. Pass a file or less text.');
  }
  const options = toolOptions(spec, context.settings, prepared.summary);
  const outcome = await session.stopper.run(() =>
    scheduleActivity<ToolCallResult>(`tool.${call.name}`, [input], options),
  );
  if (outcome.type === 'done') return outcome.value;
  const text =
    outcome.type === 'left_behind'
      ? abortedText(spec.effect)
      : describeToolFailure(outcome.error, spec.effect, spec.taskQueue);
  return errorAnswer(entry, text);
}

function toToolInput(
  session: Session,
  { call, idempotencyKey }: BatchCall,
  argsDigest: string,
  args: Json | undefined,
  approvedBy: string | undefined,
): ToolCallInput {
  const { run, context } = session.state;
  return {
    sessionId: session.id,
    runId: run?.runId ?? '',
    turn: run?.turn ?? 0,
    callId: call.callId,
    args: argumentsOf(call, args),
    argsDigest,
    ...(approvedBy === undefined ? {} : { approvedBy }),
    resultCap: settingsOf(session).toolResultCap,
    view: viewPosition(session.state),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(context?.settings.live === false ? { live: false } : {}),
    ...(context?.artifactStore === undefined ? {} : { artifactStore: context.artifactStore }),
  };
}

async function requestApproval(session: Session, entry: BatchCall): Promise<ApprovalDecision> {
  const { run } = session.state;
  const settings = settingsOf(session);
  const isStopped = () => session.stopReason !== undefined;
  return session.approvals.request(entry, run?.turn ?? 0, settings, isStopped, (pending, answer) => {
    const { id: callId, tool, summary, reason, deadline } = pending;
    session.store.announce(
      answer
        ? {
            type: 'approval_resolved',
            callId,
            approved: answer.approve,
            actor: answer.actor,
            ...(answer.reason === undefined ? {} : { reason: answer.reason }),
          }
        : {
            type: 'approval_requested',
            ...{ callId, tool, summary, deadline },
            ...(reason === undefined ? {} : { reason }),
          },
    );
  });
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
    const artifactId = saved.checkpoint ?? saved.artifactId;
    session.store.announce({ type: 'checkpoint_saved', artifactId });
  } catch (error) {
    const { message } = failureOf(error);
    session.store.announce({ type: 'warning', code: 'Run.NotSaved', message });
  }
}
