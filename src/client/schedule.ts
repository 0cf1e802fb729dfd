// The handle to a schedule of sessions, which Temporal keeps. Runs in the caller's process; needs no worker.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ScheduleAlreadyRunning, ScheduleNotFoundError, WorkflowNotFoundError } from '@temporalio/client';
import type { ScheduleHandle } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { CodecError } from '../codec/payload-codec.ts';
import {
  type SchedulePlan,
  expectedScheduleName,
  problemOfPlan,
  scheduleNamePattern,
  slotSessionId,
  toScheduleId,
} from '../core/schedules/schedule.ts';
import { scheduledInput, toTemporalSchedule } from '../core/schedules/to-temporal.ts';
import { agentSessionType } from '../workflows/session/workflow-api.ts';
import { ClientError } from './client-error.ts';
import { type ScheduleState, readSchedule, schedulesAnswerMs } from './schedule-state.ts';
import type { HandleParts } from './session-handle.ts';
import { toSentInput, checkSessionStart, taskOf } from './start-session.ts';

export type NewSchedule = SchedulePlan & {
  /** It starts nothing until it is resumed. */
  paused?: boolean;
};

const beginsWithinMs = 5_000;
const pollMs = 100;

/** Every method rejects with a ClientError. */
export class Schedule {
  readonly name: string;
  readonly #parts: HandleParts;

  /** @internal Made by `client.schedule`. */
  constructor(name: string, parts: HandleParts) {
    if (!scheduleNamePattern.test(name))
      throw refusal(name, `its name is not one: expected ${expectedScheduleName}`);
    this.name = name;
    this.#parts = parts;
  }

  /**
   * Makes it. The input is checked like that of a start. A schedule of this name is refused, or replaced with `replace`;
   * it then stays paused if it is.
   */
  async create(plan: NewSchedule, { replace = false } = {}): Promise<ScheduleState> {
    const { name } = this;
    const { taskQueue, encrypted } = this.#parts;
    const input = toSentInput(scheduledInput(name, plan.input));
    const problem = problemOfPlan(plan, Date.now());
    if (problem !== undefined) throw refusal(name, problem);
    checkSessionStart(input, { sessionId: slotSessionId(name, 0) });
    const place = { name, taskQueue, workflowType: agentSessionType, task: taskOf(input), encrypted };
    const schedule = toTemporalSchedule({ ...plan, input }, place);
    const state = plan.paused ? { paused: true, note: 'made so' } : {};
    const replaced = await this.#call(async ({ client }, handle) => {
      try {
        await client.schedule.create({ ...schedule, state });
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        if (!replace) throw exists(name, error);
        const before = await handle.describe();
        await handle.update((now) => ({ ...schedule, state: plan.paused ? state : now.state }));
        return before;
      }
      return undefined;
    });
    const made = await this.describe();
    if (made.next.length > 0) return made;
    // only the server knows which of its times come
    await this.#call((_, handle) => (replaced ? handle.update(() => replaced) : handle.delete()));
    throw refusal(name, `none of its times comes (${made.times}): expected times that come`);
  }

  /** With its newest sessions: ten, or `runs`. */
  describe({ runs = 10 } = {}): Promise<ScheduleState> {
    return this.#call(({ client }) => readSchedule(client, this.name, runs));
  }

  /** It starts nothing until it is resumed. */
  pause(reason: string): Promise<void> {
    return this.#call((_, handle) => handle.pause(reason));
  }

  /** Slots that passed while it was paused are not made up for. */
  resume(): Promise<void> {
    return this.#call((_, handle) => handle.unpause('resumed'));
  }

  /**
   * Starts a session now, also of a paused schedule. Refused while another runs and the policy is `skip`. `begun` is
   * false for a session that waits for the one that runs.
   */
  async run(): Promise<{ sessionId: string; begun: boolean }> {
    const { overlap, runs } = await this.describe();
    const running = runs.find(({ status }) => status === 'RUNNING');
    if (running && overlap === 'skip') throw stillRunning(this.name, running.sessionId);
    const now = await this.#unusedSecond();
    await this.#call(({ client: { workflowService, options } }, { scheduleId }) =>
      workflowService.patchSchedule({
        namespace: options.namespace,
        scheduleId,
        requestId: randomUUID(),
        // the policy is that of the schedule; the SDK's own call would start a session in any case
        patch: { triggerImmediately: { scheduledTime: msToTs(now) } },
      }),
    );
    const sessionId = slotSessionId(this.name, now);
    return { sessionId, begun: await this.#hasBegun(sessionId) };
  }

  /** Removes it. Sessions that it has started stay, and one that runs goes on. */
  remove(): Promise<void> {
    return this.#call((_, handle) => handle.delete());
  }

  /** The id of a session has whole seconds, and the server would run an id again that has ended. */
  async #unusedSecond(): Promise<number> {
    for (;;) {
      const now = Date.now();
      const sessionId = slotSessionId(this.name, now);
      if (!(await this.#isStarted(sessionId))) return now;
      await sleep(1_000 - (now % 1_000));
    }
  }

  async #hasBegun(sessionId: string): Promise<boolean> {
    const giveUpAt = performance.now() + beginsWithinMs;
    for (;;) {
      const isThere = await this.#isStarted(sessionId);
      if (isThere || performance.now() > giveUpAt) return isThere;
      await sleep(pollMs);
    }
  }

  #isStarted(sessionId: string): Promise<boolean> {
    const { caller, client } = this.#parts;
    return caller.callServer(async () => {
      try {
        await client.workflow.getHandle(sessionId).describe();
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    });
  }

  #call<T>(work: (parts: HandleParts, handle: ScheduleHandle) => Promise<T>): Promise<T> {
    const { caller, client } = this.#parts;
    const handle = client.schedule.getHandle(toScheduleId(this.name));
    return caller.callServer(
      () =>
        work(this.#parts, handle).catch((error: unknown) => {
          throw toClientError(this.name, error);
        }),
      schedulesAnswerMs,
    );
  }
}

/** Other errors are trouble with the server. */
function toClientError(name: string, error: unknown): unknown {
  if (error instanceof ScheduleNotFoundError) {
    const message = `There is no schedule "${name}". "holdfast schedule list" shows those that there are.`;
    return new ClientError('UnknownSession', message, { cause: error });
  }
  if (error instanceof CodecError)
    return new ClientError('CannotDecrypt', `Schedule "${name}" cannot be read. ${error.message}`, {
      cause: error,
    });
  // the SDK's error for times that the server refuses
  if (error instanceof TypeError) return refusal(name, `${error.message}: ${expectedCron}`, error);
  return error;
}

const expectedCron =
  'expected the fields minute, hour, day of month, month and day of week, such as "0 7 * * 1-5"';

function refusal(name: string, reason: string, cause?: unknown): ClientError {
  return new ClientError('InvalidInput', `The schedule "${name}" is refused: ${reason}.`, { cause });
}

function exists(name: string, cause: unknown): ClientError {
  const message =
    `The schedule "${name}" exists already: choose another name, or replace it (--replace). ` +
    `"holdfast schedule show ${name}" shows it.`;
  return new ClientError('SessionExists', message, { cause });
}

function stillRunning(name: string, sessionId: string): ClientError {
  const message =
    `The schedule "${name}" starts nothing now: its session ${sessionId} still runs, and its overlap is skip. ` +
    `"holdfast watch ${sessionId}" follows that one, "holdfast abort ${sessionId}" ends it.`;
  return new ClientError('Refused', message, { reason: 'StillRunning' });
}
