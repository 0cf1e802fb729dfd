// The deliveries of a session: at each point a child workflow takes the message to its destinations, so that neither the
// session's history nor its end depends on a receiver. Runs in the workflow.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancellationScope, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { messageOf } from '../core/base/message-of.ts';
import { defined } from '../core/base/defined.ts';
import { defaultAgent } from '../core/agent/start.ts';
import { deliveryId, deliveryType } from '../core/model/deliver.ts';
import type { DeliveryInput, DeliveryPoint } from '../core/model/deliver.ts';
import type { AgentEvent } from '../core/model/events.ts';
import {
  deliveryTitle,
  destinationsAt,
  labelsOf,
  memoOf,
  toEnd,
  toQuestion,
} from '../core/session/delivery-points.ts';
import type { Session } from '../core/session/session.ts';

/** A subagent's input has no destinations: its questions are also those of the session at the top. */
export class Deliveries {
  readonly #session: Session;
  /** Keys of the questions of this execution that were sent. None is open when an execution hands over. */
  readonly #asked = new Set<string>();
  #starting = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** A child that has not started yet ends with the execution. */
  get isBusy(): boolean {
    return this.#starting > 0;
  }

  /** Called with every event. */
  happened({ type, runId = '' }: AgentEvent): void {
    const { state, input } = this.#session;
    if (type === 'agent_start') this.#send('start', runId);
    // the report is stored by now
    if (type === 'agent_end' && state.lastResult)
      this.#send('end', runId, { end: toEnd(state.lastResult, input.needsReport) });
  }

  /** Called after every change. */
  update(): void {
    const { input, allApprovals, allQuestions, id, state } = this.#session;
    if (input.deliver === undefined) return;
    for (const pending of [...allApprovals, ...allQuestions]) {
      const key = `${pending.id}@${pending.requestedAt}`;
      if (this.#asked.has(key)) continue;
      this.#asked.add(key);
      const question = toQuestion(id, pending, state.context?.machine?.host);
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
    const { id: sessionId, input, state } = this.#session;
    const { deliver = [], name, agent = defaultAgent, labels } = input;
    const to = destinationsAt(deliver, point);
    if (to.length === 0) return;
    const message: DeliveryInput = {
      id: deliveryId(sessionId, runId, part),
      point,
      to,
      sessionId,
      runId,
      at: this.#session.now(),
      agent,
      task: state.task,
      ...defined({ name, labels: labelsOf(labels) }),
      ...facts,
    };
    this.#starting += 1;
    void start(message)
      .catch((error: unknown) => {
        const words = `Nothing was sent to ${to.join(', ')}: ${messageOf(error)}`;
        this.#session.announce({ type: 'warning', code: 'Delivery.NotStarted', message: words });
      })
      .then(() => (this.#starting -= 1));
  }
}

/** Resolves when the child has started: from then on it lives by itself. */
function start(message: DeliveryInput): Promise<unknown> {
  return CancellationScope.nonCancellable(() =>
    startChild(deliveryType, {
      workflowId: message.id,
      args: [message],
      memo: memoOf(message),
      staticSummary: deliveryTitle(message),
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    }),
  ).catch((error: unknown) => {
    // a session that was reset comes here again: chats tell no repeat from a message
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  });
}
