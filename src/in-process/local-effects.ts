// The loop's effects with real activities in one process: providers, tools, redaction and policy as on a worker. Runs
// in Node. Temporal's own activity timeouts do not apply here; the limits that bodies enforce themselves do.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import type { WorkerActivities } from '../activities/index.ts';
import type { ToolActivity } from '../activities/tools/run-tool.ts';
import type {
  Effects,
  ModelOutcome,
  EffectOutcome,
  ToolCallOutcome,
  ToolCallRequest,
  ChildOutcome,
  ChildRequest,
} from '../core/loop/effects.ts';
import { changeBoard, emptyBoard } from '../core/board/task-board.ts';
import { canHandOver } from '../core/loop/saving.ts';
import type { BoardAnswer, BoardCallInput, BoardState, BoardTask } from '@holdfast/vocabulary/board';
import type { CallModelInput } from '@holdfast/vocabulary/activity-contracts';
import { type Bodies, activityTable } from '@holdfast/vocabulary/activity-table';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import { isHandOverForced } from '../core/session/carried.ts';
import { notServed } from '../core/tools/host-answers.ts';
import { toFailed } from '../workflows/activity-failure.ts';
import { graceMs } from '../workflows/session/stopper.ts';
import { isReconcilable } from '../workflows/session/tool-call.ts';
import { toModelOutcome, toToolOutcome } from './outcomes.ts';
import { type LocalCall, runLocally } from './local-activity.ts';
import { type OwnTaskBoards, callOwnBoard } from '../activities/tools/own-task-board.ts';
import { type MemoryHost, runInMemory } from './memory-host.ts';

/** More are for stores that are down for hours: here no time passes between two attempts. */
const mostAttempts = 10;
const noHosts = 'a session in one process reaches no hosts';

export class LocalEffects implements Effects {
  readonly #host: MemoryHost;
  readonly #activities: WorkerActivities;
  readonly #bodies: Partial<Bodies>;
  readonly #boards: OwnTaskBoards;

  /** `boards` are the trackers of the configuration; other boards are those of this process. */
  constructor(host: MemoryHost, activities: WorkerActivities, boards: OwnTaskBoards = new Map()) {
    this.#host = host;
    this.#activities = activities;
    this.#boards = boards;
    this.#bodies = {
      ...activities,
      archiveFolded: activities.archiveSegment,
      boardCall: async (input) => callOwnBoard(boards, input) ?? callMemoryBoard(input),
    };
  }

  until: Effects['until'] = (ready, timeoutMs) => this.#host.until(ready, timeoutMs);
  isHandOverDue: Effects['isHandOverDue'] = () => {
    const { session } = this.#host;
    return isHandOverForced(session.input, session.turns) && canHandOver(session);
  };
  callModel: Effects['callModel'] = async (input, take) => take(await this.#callModel(input));
  runTool: Effects['runTool'] = async (request, take) => take(await this.#runTool(request));
  runChild: Effects['runChild'] = async (request, take) =>
    take(
      await runChild(this.#host, (child) => new LocalEffects(child, this.#activities, this.#boards), request),
    );
  call: Effects['call'] = async (name, input, { limitMs } = {}) => {
    const { activity = name, attempts, needs, code, ...policy } = activityTable[name];
    if (needs === 'host') return toFailed(new Error(noHosts));
    const body = this.#bodies[name];
    if (!body) throw new Error(`No body for the activity ${name}`);
    const startToCloseTimeoutMs = limitMs ?? policy.limitMs;
    const how = { maximumAttempts: Math.min(attempts, mostAttempts), startToCloseTimeoutMs };
    if (needs === undefined) return this.#settle(activity, () => body(input), how, code);
    return this.#stoppable(activity, () => body(input), how, code);
  };
  log: Effects['log'] = () => undefined;

  async #callModel(input: CallModelInput): Promise<ModelOutcome> {
    // the body counts its retries, and ends them
    const more = { maximumAttempts: Infinity };
    const ended = await this.#stoppable('callModel', () => this.#activities.callModel(input), more);
    return toModelOutcome(ended);
  }

  async #runTool(request: ToolCallRequest): Promise<ToolCallOutcome> {
    const { spec, effect, input, host } = request;
    if (host !== undefined) return { type: 'no_answer', text: notServed(host, noHosts), outcome: 'not_run' };
    const call = async (
      name: `tool.${string}` | `reconcile.${string}`,
      body: ToolActivity,
      attempts?: number,
    ): Promise<EffectOutcome<ToolCallResult>> =>
      this.#stoppable(name, () => body(input), {
        startToCloseTimeoutMs: spec.timeoutMs + 5_000,
        ...defined({ maximumAttempts: attempts }),
      });
    const body = this.#activities[`tool.${spec.name}`];
    if (!body) return { type: 'no_answer', text: `Unknown tool ${spec.name}`, outcome: 'not_run' };
    let ended = await call(`tool.${spec.name}`, body, effect === 'once' ? 1 : undefined);
    const reconcile = this.#activities[`reconcile.${spec.name}`];
    if (ended.type === 'failed' && reconcile && isReconcilable(request, ended.error)) {
      const found = await call(`reconcile.${spec.name}`, reconcile);
      // without an answer, only the loss is known
      if (found.type !== 'failed') ended = found;
    }
    return toToolOutcome(ended, request);
  }

  async #settle<T>(name: string, body: () => Promise<T>, how: Partial<LocalCall> = {}, code?: string) {
    const call = { session: this.#host.session, name, ...how };
    return runLocally(call, body).then(
      (value): EffectOutcome<T> => ({ type: 'done', value }),
      (error: unknown) => toFailed(error, code),
    );
  }

  async #stoppable<T>(
    name: string,
    body: () => Promise<T>,
    how: Partial<LocalCall> = {},
    code?: string,
  ): Promise<EffectOutcome<T>> {
    return this.#host.stoppableFor(graceMs, async (signal) => {
      const outcome = await this.#settle(name, body, { ...how, signal }, code);
      return signal.aborted && outcome.type === 'failed' ? { type: 'stopped' } : outcome;
    });
  }
}

/** A subagent in the same process, until its own end. */
function runChild(
  host: MemoryHost,
  effectsOf: (host: MemoryHost) => Effects,
  { id, input }: ChildRequest,
): Promise<ChildOutcome> {
  return host.stoppable(async (stop): Promise<ChildOutcome> => {
    try {
      const result = await runInMemory(input, (given) => {
        const child = host.openChild(given, id);
        // like a cancelled workflow, the child ends by itself, and the parent waits
        stop.addEventListener('abort', () => child.session.cancel(), { once: true });
        if (stop.aborted) child.session.cancel();
        return { session: child.session, effects: effectsOf(child) };
      });
      return { type: 'ended', result };
    } catch (error) {
      return { type: 'failed', message: messageOf(error) };
    } finally {
      host.family.delete(id);
    }
  });
}

const boards = new Map<string, BoardState>();

/** A task board of this process: same result as the activity; the first `add` opens it. */
export function callMemoryBoard({ board, name, args }: BoardCallInput): BoardAnswer {
  const state = boards.get(board) ?? (name === 'add' ? emptyBoard : undefined);
  if (!state) return { ok: false, code: 'Board.Unknown', reason: `There is no open task board "${board}".` };
  const changed = changeBoard(state, name, args);
  if (!changed.ok) return changed;
  boards.set(board, changed.value.state);
  return { ok: true, task: changed.value.task };
}

export function listMemoryBoard(board: string): readonly BoardTask[] {
  return boards.get(board)?.tasks ?? [];
}
