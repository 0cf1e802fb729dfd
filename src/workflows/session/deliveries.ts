// The deliveries of a session: at each point an activity tries each destination once. What did not arrive goes to a child
// workflow, so that the session's end does not depend on a receiver. Runs in the workflow.
import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import { messageOf } from '@holdfast/base/message-of';
import { defined } from '@holdfast/base/defined';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import type { DeliveryInput, DeliveryPoint, Tried } from '@holdfast/vocabulary/deliver';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { deliveryId, deliveryType } from '@holdfast/vocabulary/workflow-ids';
import {
  deliveryTitle,
  destinationsAt,
  labelsOf,
  memoOf,
  toEnd,
  toQuestion,
} from '../../core/session/delivery-points.ts';
import type { Session } from '../../core/session/session.ts';
import { lastCauseOf } from '../activity-failure.ts';
import { schedule } from '../activity-options.ts';
import { startBeside } from '../start-beside.ts';

type FirstTry = Omit<DeliveryInput, 'tried'>;

/** A subagent's input has no destinations: its questions are also those of the session at the top. */
export class Deliveries {
  readonly #session: Session;
  /** Keys of the questions of this execution that were sent. None is open when an execution hands over. */
  readonly #asked = new Set<string>();
  #sending = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** An attempt, or a child that has not started, ends with the execution. */
  get isBusy(): boolean {
    return this.#sending > 0;
  }

  /** Called with every event. */
  happened({ type, runId = '' }: AgentEvent): void {
    const { state, input, unread } = this.#session;
    if (type === 'agent_start') this.#send('start', runId);
    // the report is stored by now
    if (type === 'agent_end' && state.lastResult)
      this.#send('end', runId, { end: toEnd(state.lastResult, input.needsReport, unread) });
  }

  /** Called after every change. */
  update(): void {
    const { input, allApprovals, allQuestions, id, state } = this.#session;
    if (input.deliver === undefined) return;
    for (const pending of [...allApprovals, ...allQuestions]) {
      const key = `${pending.id}@${pending.requestedAt}`;
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      const question = toQuestion(id, pending, {
        machine: state.context?.machine?.host,
        records: state.log.records,
      });
      // a model may use the id of a call again, in another turn
      this.#send('question', state.run?.runId ?? '', { question }, `${pending.turn}:${pending.id}`);
    }
  }

  #send(
    point: DeliveryPoint,
    runId: string,
    facts: Pick<DeliveryInput, 'question' | 'end'> = {},
    part: string = point,
  ): void {
    const { id: sessionId, key, executionId, input, state } = this.#session;
    const { deliver = [], name, agent = defaultAgent, labels, alert } = input;
    const to = destinationsAt(deliver, point);
    if (to.length === 0) return;
    // the first message of a session may come before its name
    const stored = state.storedAs ?? `${sessionId}~${executionId}`;
    const message: FirstTry = {
      id: deliveryId({ sessionId, name: stored, runId }, part),
      point,
      to,
      sessionId,
      ...defined({ storedAs: key === sessionId ? undefined : key }),
      runId,
      at: this.#session.now(),
      agent,
      task: state.task,
      ...defined({ name, labels: labelsOf(labels), alert }),
      ...facts,
    };
    this.#sending += 1;
    void CancellationScope.nonCancellable(() => deliverMessage(message))
      .catch((error: unknown) => {
        const words = `Nothing was sent to ${to.join(', ')}: ${messageOf(error)}`;
        this.#session.warn('Delivery.NotStarted', words);
      })
      .then(() => (this.#sending -= 1));
  }
}

/** Resolves when every destination has the message, or a child that lives by itself has the rest. */
async function deliverMessage(message: FirstTry): Promise<void> {
  const tried: Record<string, Tried> = {};
  await Promise.all(
    message.to.map(async (destination) => {
      const summary = deliveryTitle({ ...message, to: [destination] });
      try {
        await schedule('deliverOnce', { ...message, destination }, { summary });
      } catch (error) {
        tried[destination] = toTried(error);
      }
    }),
  );
  const to = Object.keys(tried);
  if (to.length > 0) await startDelivery({ ...message, to, tried });
}

/** The SDK gives a workflow no delay of a failure: it is also in the details (activities/delivery/deliver.ts). */
function toTried(error: unknown): Tried {
  const cause = lastCauseOf(error);
  const { nonRetryable, details } = cause instanceof ApplicationFailure ? cause : {};
  const afterMs = details?.[0];
  return defined({
    error: messageOf(cause),
    isFinal: nonRetryable === true,
    afterMs: typeof afterMs === 'number' ? afterMs : undefined,
  });
}

async function startDelivery(message: DeliveryInput): Promise<void> {
  await startBeside(deliveryType, {
    workflowId: message.id,
    args: [message],
    memo: memoOf(message),
    staticSummary: deliveryTitle(message),
    // a session that was reset comes here again: the first child goes on
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
  });
}
