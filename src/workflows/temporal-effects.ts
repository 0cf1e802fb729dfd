// The loop's effects under Temporal: activities, durable waits, stops. Every value that leaves here is small, because
// history keeps it.
import { condition, log, scheduleActivity } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type {
  AskModelOutcome,
  CondenseOutcome,
  CondenseRequest,
  Effects,
  HookOutcome,
} from '../core/loop/effects.ts';
import { canHandOver } from '../core/loop/saving.ts';
import type { Stopped } from '../core/loop/effects.ts';
import { toContextOutcome } from '../core/loop/effects.ts';
import type { Activities, AskModelInput, RunHookInput } from '../core/model/activity-contracts.ts';
import type { Segment } from '../core/model/frozen-context.ts';
import type { Session } from '../core/session/session.ts';
import { causeOf, failureOf, paidBy, startFailureOf } from './activity-failure.ts';
import { modelFor } from '../core/model/frozen-context.ts';
import { toModelName } from '../core/model/model-name.ts';
import * as options from './activity-options.ts';
import { createChildSessions } from './child-sessions.ts';
import { runOnFitWorker } from './fit-worker.ts';
import { createHostEffects } from './host-calls.ts';
import { isHistoryLong } from './hand-over.ts';
import type { SignalCount } from './hand-over.ts';
import { callModel } from './model-call.ts';
import type { Host, Stoppable, Stopper } from './stopper.ts';
import { describeToolFailure, runTool } from './tool-call.ts';
import { failedWith } from './stopper.ts';
import { abortedText } from '../core/state/reduce-tools.ts';

export function createTemporalEffects(session: Session, stopper: Stopper, signals: SignalCount): Effects {
  const host = { session, stopper };
  return {
    until: (ready, timeoutMs, summary) => wait(ready, timeoutMs, summary),
    isHandOverDue: () => isHistoryLong(session, signals) && canHandOver(session),
    async assembleContext(input) {
      const work = () => schedule('assembleContext', input, options.assembleContextOptions);
      const outcome = await runOnFitWorker(host, { start: input }, work);
      if (outcome.type === 'done') return toContextOutcome(outcome.value);
      return unanswered(outcome);
    },
    callModel: (input, take) => callModel(host, input, take),
    runTool: (request, take) => runTool(host, request, take),
    async evaluatePolicy(input) {
      const { contextDigest } = input;
      const work = () => schedule('evaluatePolicy', input, options.evaluatePolicyOptions(input));
      const outcome = await runOnFitWorker(host, { contextDigest }, work);
      if (outcome.type === 'done') return { type: 'done', result: outcome.value };
      return unanswered(outcome);
    },
    children: createChildSessions(stopper),
    hosts: createHostEffects(stopper),
    runHook: (input, late) => runHook(host, input, late),
    condense: (request) => condense(host, request),
    askModel: (input) => askModel(host, input),
    async resolveToolGroups(input) {
      const { contextDigest } = input;
      const work = () => schedule('resolveToolGroups', input, options.resolveToolGroupsOptions);
      const outcome = await runOnFitWorker(host, { contextDigest }, work);
      if (outcome.type === 'done') return outcome.value;
      const left = outcome.type === 'left_behind';
      const text = left ? abortedText('read') : describeToolFailure(outcome.error, 'read', undefined).text;
      return { text, isError: true };
    },
    async readSkills(input) {
      const { contextDigest } = input;
      const work = () => schedule('readSkills', input, options.readSkillsOptions(input));
      const outcome = await runOnFitWorker(host, { contextDigest }, work);
      if (outcome.type === 'done') return { type: 'done', ...outcome.value };
      return unanswered(outcome);
    },
    async searchMemory(input) {
      const { contextDigest } = input;
      const work = () => schedule('searchMemory', input, options.searchMemoryOptions);
      const outcome = await runOnFitWorker(host, { contextDigest }, work);
      if (outcome.type === 'done') return { type: 'done', ...outcome.value };
      return unanswered(outcome);
    },
    async flushMemory(input) {
      const contextDigest = session.state.context?.digest ?? '';
      const work = () => schedule('flushMemory', input, options.keepMemoryOptions('flush memory'));
      const outcome = await runOnFitWorker(host, { contextDigest }, work);
      if (outcome.type === 'done') return { type: 'done' };
      return unanswered(outcome);
    },
    saveIncident: (input) =>
      unwrapped(schedule('saveIncident', input, options.keepMemoryOptions('remember the incident'))),
    archive: (input) => schedule('archiveSegment', input, options.archiveOptions(input)),
    readOutput: (input) => unwrapped(schedule('readOutput', input, options.readOutputOptions)),
    completeReport: (input) => unwrapped(schedule('completeReport', input, options.completeReportOptions)),
    saveResult: (input) => unwrapped(schedule('saveResult', input, options.saveResultOptions)),
    saveCheckpoint: (input) => unwrapped(schedule('saveCheckpoint', input, options.saveCheckpointOptions)),
    loadCheckpoint: (input) =>
      schedule('loadCheckpoint', input, options.loadCheckpointOptions).catch((error: unknown) => {
        throw startFailureOf(error);
      }),
    describeReport: (input) =>
      unwrapped(schedule('describeReport', input, options.reflectionOptions('read report'))),
    writeReflection: (input) =>
      unwrapped(schedule('writeReflection', input, options.reflectionOptions('write note'))),
    findReflections: (input) =>
      unwrapped(schedule('findReflections', input, options.reflectionOptions('find notes'))),
    callBoard: (input) =>
      schedule('boardCall', input, options.boardCallOptions(input)).catch((error: unknown) => {
        const { type: code, message } = failureOf(error);
        const reason = `The task board ${input.board} did not answer: ${message}`;
        return { ok: false, code, reason, unknown: true } as const;
      }),
    log: (message, attributes) => log.info(message, attributes),
  };
}

function schedule<Name extends keyof Activities>(
  name: Name,
  input: Parameters<Activities[Name]>[0],
  activityOptions: ActivityOptions,
): Promise<Awaited<ReturnType<Activities[Name]>>> {
  return scheduleActivity<Awaited<ReturnType<Activities[Name]>>>(name, [input], activityOptions);
}

/** Rejects with the activity's own failure. */
function unwrapped<T>(scheduled: Promise<T>): Promise<T> {
  return scheduled.catch((error: unknown) => {
    throw causeOf(error);
  });
}

function wait(ready: () => boolean, timeoutMs: number | undefined, summary = ''): Promise<boolean> {
  return timeoutMs === undefined
    ? condition(ready).then(() => true)
    : condition(ready, timeoutMs, { summary });
}

async function runHook(host: Host, input: RunHookInput, late: boolean): Promise<HookOutcome> {
  const { contextDigest, hook, point } = input;
  const work = () => schedule('runHook', input, options.runHookOptions(hook, point));
  const outcome = await (late ? host.stopper.runOut(work) : runOnFitWorker(host, { contextDigest }, work));
  if (outcome.type === 'done') return { type: 'answered', result: outcome.value };
  return unanswered(outcome);
}

async function condense(
  host: Host,
  { archive, summarize, timeoutMs }: CondenseRequest,
): Promise<CondenseOutcome> {
  const { view, contextDigest } = summarize;
  const summarizing = options.summarizeOptions(view, sideCall(host, 'condense'), timeoutMs);
  let segment: Segment | undefined;
  const outcome = await runOnFitWorker(host, { contextDigest }, async () => {
    // archived already where the summary was handed back
    if (archive)
      segment ??= await schedule('archiveSegment', archive, options.condenseArchiveOptions(archive));
    return schedule('summarize', summarize, summarizing);
  });
  if (outcome.type === 'done') return { type: 'done', ...outcome.value, ...(segment ? { segment } : {}) };
  return withoutAnswer(outcome);
}

async function askModel(host: Host, input: AskModelInput): Promise<AskModelOutcome> {
  const { contextDigest } = input;
  const work = () =>
    schedule('askModel', input, options.askModelOptions(input, sideCall(host, input.purpose)));
  const outcome = await runOnFitWorker(host, { contextDigest }, work);
  return outcome.type === 'done' ? { type: 'done', ...outcome.value } : withoutAnswer(outcome);
}

function sideCall({ session: { settings, state } }: Host, purpose: 'condense' | AskModelInput['purpose']) {
  const { context } = state;
  return { settings, model: context ? toModelName(modelFor(context, purpose)) : '' };
}

/** Stopped, or failed with a reason. */
function unanswered(
  outcome: Exclude<Stoppable<unknown>, { type: 'done' }>,
): Stopped | { type: 'failed'; message: string } {
  const failed = failedWith(outcome);
  return failed ? { type: 'failed', message: failureOf(failed.error).message } : { type: 'stopped' };
}

/** Of a side request: stopped, or failed at a price. */
function withoutAnswer(
  outcome: Exclude<Stoppable<unknown>, { type: 'done' }>,
): Exclude<AskModelOutcome, { type: 'done' }> {
  const failed = failedWith(outcome);
  if (!failed) return { type: 'stopped' };
  const paid = paidBy(failed.error);
  return { type: 'failed', failure: failureOf(failed.error).failure, ...(paid ? { paid } : {}) };
}
