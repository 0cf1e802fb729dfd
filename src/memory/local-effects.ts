// The loop's effects with real activities in one process: providers, tools, redaction and policy as a worker has them.
// Temporal's own time-outs of activities are not here; the limits that bodies keep themselves are.
import type { WorkerActivities } from '../activities/index.ts';
import type { ToolActivity } from '../activities/tools/run-tool.ts';
import { recoveryOf } from '../core/base/failures.ts';
import type {
  AskModelOutcome,
  CondenseOutcome,
  CondenseRequest,
  Effects,
  ModelOutcome,
  ToolCallOutcome,
  ToolCallRequest,
} from '../core/loop/effects.ts';
import type { Stopped } from '../core/loop/effects.ts';
import { toContextOutcome } from '../core/loop/effects.ts';
import type { CallModelInput } from '../core/model/activity-contracts.ts';
import type { ToolCallResult } from '../core/model/call-results.ts';
import type { Segment } from '../core/model/frozen-context.ts';
import { failureOf, paidBy } from '../workflows/activity-failure.ts';
import { unreachableHere } from '../core/loop/host-step.ts';
import { notServed } from '../core/tools/hosts.ts';
import { runLocally } from './local-activity.ts';
import { callMemoryBoard } from './memory-boards.ts';
import type { LocalCall } from './local-activity.ts';
import { createLocalChildren } from './local-children.ts';
import type { MemoryHost } from './memory-host.ts';
import { isHandOverForced } from '../core/session/carried.ts';
import { abortedText } from '../core/state/reduce-tools.ts';
import { describeToolFailure, isReconcilable } from '../workflows/tool-call.ts';
import { canHandOver } from '../core/loop/saving.ts';

/** For a body to return what it has after a stop, as on a worker. */
const graceMs = 3_000;

type Ended<T> = { type: 'done'; value: T } | { type: 'failed'; error: unknown } | { type: 'stopped' };

/** Stopped, or failed with a reason. */
function unanswered(
  ended: Exclude<Ended<unknown>, { type: 'done' }>,
): Stopped | { type: 'failed'; message: string } {
  return ended.type === 'stopped' ? ended : { type: 'failed', message: failureOf(ended.error).message };
}

export class LocalEffects implements Effects {
  readonly #host: MemoryHost;
  readonly #activities: WorkerActivities;
  readonly children: Effects['children'];

  constructor(host: MemoryHost, activities: WorkerActivities) {
    this.#host = host;
    this.#activities = activities;
    this.children = createLocalChildren(host, (child) => new LocalEffects(child, activities));
  }

  until: Effects['until'] = (ready, timeoutMs) => this.#host.until(ready, timeoutMs);
  isHandOverDue: Effects['isHandOverDue'] = () => {
    const { session } = this.#host;
    return isHandOverForced(session.input, session.turns) && canHandOver(session);
  };
  assembleContext: Effects['assembleContext'] = async (input) => {
    const ended = await this.#stoppable('assembleContext', () => this.#activities.assembleContext(input));
    if (ended.type === 'done') return toContextOutcome(ended.value);
    return unanswered(ended);
  };
  callModel: Effects['callModel'] = async (input, take) => take(await this.#callModel(input));
  runTool: Effects['runTool'] = async (request, take) => take(await this.#runTool(request));

  async #callModel(input: CallModelInput): Promise<ModelOutcome> {
    // the body counts its retries, and ends them
    const more = { maximumAttempts: Infinity };
    const ended = await this.#stoppable('callModel', () => this.#activities.callModel(input), more);
    if (ended.type === 'stopped') return ended;
    if (ended.type === 'failed') {
      const { failure, type } = failureOf(ended.error);
      const paid = paidBy(ended.error);
      return { type: 'failed', failure, recovery: recoveryOf(type), ...(paid ? { paid } : {}) };
    }
    const { value: result } = ended;
    return result.interrupted ? { type: 'stopped', result } : { type: 'reply', result };
  }
  async #runTool(request: ToolCallRequest): Promise<ToolCallOutcome> {
    const { spec, effect, input, host } = request;
    if (host !== undefined)
      return { type: 'no_answer', text: notServed(host, unreachableHere.missing), outcome: 'refused' };
    const call = async (
      name: `tool.${string}` | `reconcile.${string}`,
      body: ToolActivity,
      attempts?: number,
    ): Promise<Ended<ToolCallResult>> =>
      this.#stoppable(name, () => body(input), {
        startToCloseTimeoutMs: spec.timeoutMs + 5_000,
        ...(attempts === undefined ? {} : { maximumAttempts: attempts }),
      });
    const body = this.#activities[`tool.${spec.name}`];
    if (!body) return { type: 'no_answer', text: `Unknown tool ${spec.name}`, outcome: 'refused' };
    let ended = await call(`tool.${spec.name}`, body, effect === 'once' ? 1 : undefined);
    const reconcile = this.#activities[`reconcile.${spec.name}`];
    if (ended.type === 'failed' && reconcile && isReconcilable(request, ended.error)) {
      const found = await call(`reconcile.${spec.name}`, reconcile);
      // without an answer all that is known is the loss
      if (found.type !== 'failed') ended = found;
    }
    if (ended.type === 'done') return { type: 'answered', answer: ended.value };
    if (ended.type === 'stopped') return { type: 'no_answer', text: abortedText(effect), outcome: 'unknown' };
    return { type: 'no_answer', ...describeToolFailure(ended.error, effect, spec.taskQueue) };
  }
  runHook: Effects['runHook'] = async (input) => {
    const ended = await this.#stoppable('runHook', () => this.#activities.runHook(input));
    if (ended.type === 'done') return { type: 'answered', result: ended.value };
    return unanswered(ended);
  };
  evaluatePolicy: Effects['evaluatePolicy'] = async (input) => {
    const more = { maximumAttempts: 3 };
    const ended = await this.#stoppable('evaluatePolicy', () => this.#activities.evaluatePolicy(input), more);
    if (ended.type === 'done') return { type: 'done', result: ended.value };
    return unanswered(ended);
  };
  condense = async ({ archive, summarize }: CondenseRequest): Promise<CondenseOutcome> => {
    let segment: Segment | undefined;
    const ended = await this.#stoppable('summarize', async () => {
      if (archive) segment ??= await this.#activities.archiveSegment(archive);
      return this.#activities.summarize(summarize);
    });
    if (ended.type === 'done') return { type: 'done', ...ended.value, ...(segment ? { segment } : {}) };
    return ended.type === 'stopped' ? ended : withoutAnswer(ended.error);
  };
  askModel: Effects['askModel'] = async (input) => {
    const ended = await this.#stoppable('askModel', () => this.#activities.askModel(input));
    if (ended.type === 'done') return { type: 'done', ...ended.value };
    return ended.type === 'stopped' ? ended : withoutAnswer(ended.error);
  };
  resolveToolGroups: Effects['resolveToolGroups'] = (input) =>
    this.#run('resolveToolGroups', () => this.#activities.resolveToolGroups(input));
  readSkills: Effects['readSkills'] = async (input) => {
    const more = { maximumAttempts: 5 };
    const ended = await this.#stoppable('readSkills', () => this.#activities.readSkills(input), more);
    if (ended.type === 'done') return { type: 'done', ...ended.value };
    return unanswered(ended);
  };
  searchMemory: Effects['searchMemory'] = async (input) => {
    const more = { maximumAttempts: 3 };
    const ended = await this.#stoppable('searchMemory', () => this.#activities.searchMemory(input), more);
    if (ended.type === 'done') return { type: 'done', ...ended.value };
    return unanswered(ended);
  };
  flushMemory: Effects['flushMemory'] = async (input) => {
    const more = { maximumAttempts: 5 };
    const ended = await this.#stoppable('flushMemory', () => this.#activities.flushMemory(input), more);
    if (ended.type === 'done') return { type: 'done' };
    return unanswered(ended);
  };
  saveIncident: Effects['saveIncident'] = (input) =>
    this.#run('saveIncident', () => this.#activities.saveIncident(input), { maximumAttempts: 5 });
  archive: Effects['archive'] = (input) =>
    this.#run('archiveSegment', () => this.#activities.archiveSegment(input));
  readOutput: Effects['readOutput'] = (input) =>
    this.#run('readOutput', () => this.#activities.readOutput(input));
  completeReport: Effects['completeReport'] = (input) =>
    this.#run('completeReport', () => this.#activities.completeReport(input), { maximumAttempts: 5 });
  saveResult: Effects['saveResult'] = (input) =>
    this.#run('saveResult', () => this.#activities.saveResult(input));
  saveCheckpoint: Effects['saveCheckpoint'] = (input) =>
    this.#run('saveCheckpoint', () => this.#activities.saveCheckpoint(input));
  loadCheckpoint: Effects['loadCheckpoint'] = (input) =>
    this.#run('loadCheckpoint', () => this.#activities.loadCheckpoint(input));
  describeReport: Effects['describeReport'] = (input) =>
    this.#run('describeReport', () => this.#activities.describeReport(input), { maximumAttempts: 3 });
  writeReflection: Effects['writeReflection'] = (input) =>
    this.#run('writeReflection', () => this.#activities.writeReflection(input), { maximumAttempts: 3 });
  findReflections: Effects['findReflections'] = (input) =>
    this.#run('findReflections', () => this.#activities.findReflections(input), { maximumAttempts: 3 });
  callBoard: Effects['callBoard'] = (input) => Promise.resolve(callMemoryBoard(input));
  log: Effects['log'] = () => undefined;

  #run<T>(name: string, body: () => Promise<T>, more: Partial<LocalCall> = {}): Promise<T> {
    return runLocally({ session: this.#host.session, name, ...more }, body);
  }

  async #stoppable<T>(
    name: string,
    body: () => Promise<T>,
    more: Partial<LocalCall> = {},
  ): Promise<Ended<T>> {
    let stopped = false;
    let cancelGrace = (): void => undefined;
    const leftBehind = Promise.withResolvers<'left_behind'>();
    try {
      const value = await this.#host.stoppable((signal) => {
        const stop = (): void => {
          stopped = true;
          cancelGrace = this.#host.after(graceMs, () => leftBehind.resolve('left_behind'));
        };
        signal.addEventListener('abort', stop, { once: true });
        return Promise.race([this.#run(name, body, { ...more, signal }), leftBehind.promise]);
      });
      return value === 'left_behind' ? { type: 'stopped' } : { type: 'done', value };
    } catch (error) {
      return stopped ? { type: 'stopped' } : { type: 'failed', error };
    } finally {
      cancelGrace();
    }
  }
}

/** Of a side request: it may have cost something all the same. */
function withoutAnswer(error: unknown): Extract<AskModelOutcome, { type: 'failed' }> {
  const paid = paidBy(error);
  return { type: 'failed', failure: failureOf(error).failure, ...(paid ? { paid } : {}) };
}
