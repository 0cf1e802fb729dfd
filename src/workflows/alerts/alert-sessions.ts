// The sessions of a group of alerts: child workflows that outlive it, and whose ends it hears of. Runs in the workflow.
import {
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  isCancellation,
  type ChildWorkflowHandle,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { AlertGroup, SessionEnd } from '../../core/alerts/alert-group.ts';
import type { AlertGroupInput } from '../../core/alerts/alert.ts';
import { alertOf, alertTask, windowOf } from '../../core/alerts/alert-task.ts';
import { type AlertActivities, endOf, endOfFailure } from '../../core/alerts/session-end.ts';
import type { AlertRecord } from '../../core/alerts/fate.ts';
import type { SessionResult } from '../../../packages/vocabulary/src/run-result.ts';
import { alertLabels } from '../../../packages/vocabulary/src/session-alert.ts';
import { toSessionId } from '../../../packages/vocabulary/src/session-id.ts';
import type { SessionInput } from '../../../packages/vocabulary/src/session-input.ts';
import { freeSlot } from './alert-slots.ts';
import { startBeside } from '../start-beside.ts';
import { agentSessionType } from '../session/workflow-api.ts';

/** Asked again as long as the session runs: Temporal has the waits. */
const { awaitSessionEnd } = proxyActivities<Pick<AlertActivities, 'awaitSessionEnd'>>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '2 s', backoffCoefficient: 2, maximumInterval: '5 min' },
  summary: 'end of the session',
});

type Start = (input: SessionInput) => Promise<SessionResult>;

export class GroupSessions {
  readonly #input: AlertGroupInput;
  readonly #group: AlertGroup;
  readonly #wake: () => void;
  /** Ends that the receiver does not know yet. */
  #telling = 0;

  constructor(input: AlertGroupInput, group: AlertGroup, wake: () => void) {
    this.#input = input;
    this.#group = group;
    this.#wake = wake;
  }

  /** A signal that has not left does not travel into the next execution. */
  get areQuiet(): boolean {
    return this.#telling === 0;
  }

  get receiver(): string {
    return this.#input.receiver;
  }

  /** A child's end reaches only the execution that started it. */
  watchCarried(): void {
    for (const { id, endedAt, by } of this.#group.state.sessions)
      if (endedAt === undefined) void this.#hear(id, by === undefined, awaitSessionEnd({ session: id }));
  }

  async start(records: readonly AlertRecord[], by?: string): Promise<void> {
    const child = await this.#startChild(records);
    // the id is in use: the next one is another
    if (!child) return sleep(1_000);
    this.#group.started(child.workflowId, records, Date.now(), by);
    void this.#hear(child.workflowId, by === undefined, endOfChild(child.result()));
  }

  async #hear(session: string, hasSlot: boolean, end: Promise<SessionEnd>): Promise<void> {
    const ended = await end.catch(() => undefined);
    // the group was cancelled
    if (!ended) return;
    this.#group.ended(session, ended, Date.now());
    this.#wake();
    this.#telling += 1;
    // one that a person asked for has no slot, and costs all the same
    await freeSlot(this.receiver, { costUsd: ended.costUsd, ...(hasSlot ? {} : { keeps: true }) });
    this.#telling -= 1;
  }

  #startChild(records: readonly AlertRecord[]): Promise<ChildWorkflowHandle<Start> | undefined> {
    const { receiver, title } = this.#input;
    const { route } = this.#group.state;
    const group = workflowInfo().workflowId;
    const labels = { ...route?.input.labels, [alertLabels.receiver]: receiver, [alertLabels.group]: group };
    const task = { prompt: alertTask(this.#input, records, this.#group.state), name: title };
    const input: SessionInput = {
      // first: the Temporal UI shows a start in this order
      ...task,
      ...route?.input,
      ...task,
      window: windowOf(records),
      alert: alertOf(title, records),
      labels,
      throwOnFailure: true,
    };
    return startBeside<Start>(agentSessionType, {
      workflowId: toSessionId(`${receiver} ${title}`, (below) => Math.floor(Math.random() * below)),
      args: [input],
      staticSummary: title,
      // for lists: the words of the task are the same for all alerts
      memo: { labels, task: title },
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      cancellationType: ChildWorkflowCancellationType.ABANDON,
    });
  }
}

async function endOfChild(result: Promise<SessionResult>): Promise<SessionEnd> {
  try {
    return endOf(await result);
  } catch (error) {
    // the group was cancelled: its session goes on
    if (isCancellation(error)) throw error;
    return endOfFailure(error instanceof ChildWorkflowFailure ? error.cause : error);
  }
}
