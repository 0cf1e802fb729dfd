// The activity deliver: makes a message and sends it to one destination, once an attempt. Runs in Node.
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { messageOf } from '@holdfast/base/message-of';
import { defined } from '@holdfast/base/defined';
import type { Activities } from '@holdfast/vocabulary/activity-table';
import type { Tried } from '@holdfast/vocabulary/deliver';
import { handBack } from '../base/hand-back.ts';
import { workflowOf } from '../base/own-workflow.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Destinations } from './destinations.ts';
import { type MessageDeps, toMessage } from './to-message.ts';

/** `identity` is that of the worker. */
export type DeliverDeps = MessageDeps & { destinations: Destinations; identity: string };

export function createDeliver({ destinations, identity, ...deps }: DeliverDeps): Activities['deliver'] {
  return async ({ tried, ...input }) => {
    const { cancellationSignal, info } = Context.current();
    const { destination: name, question } = input;
    if (tried && info.attempt === 1) throw toFailure(tried);
    const send = destinations.get(name);
    if (!send) {
      const known = [...destinations.keys()].sort().join(', ') || 'none, it has none';
      throw handBack(identity, `has no destination "${name}": expected ${known}.`);
    }
    // nobody can answer it any more, and the message would say that it waits
    if (question && question.deadline < Date.now()) throw refused('the deadline of the question has passed');
    if (question && info.attempt > 1) {
      // a session that does not answer may wait
      const isOpen = await workflowOf(question.sessionId)
        .waitsFor(question.id)
        .catch(() => true);
      if (!isOpen) throw refused('the question has been answered, or its session has ended');
    }
    // the attempt of a session ends before Temporal gives it up: its receiver then has at most one request open
    const limit = AbortSignal.timeout(Math.min(info.scheduleToCloseTimeoutMs, 61_000) - 1_000);
    try {
      await send(await toMessage(input, deps), AbortSignal.any([cancellationSignal, limit]));
    } catch (error) {
      cancellationSignal.throwIfAborted();
      const words = deps.redactor.text(messageOf(error));
      const { isFinal, afterMs } = error instanceof DeliveryError ? error : { isFinal: false };
      throw toFailure({ error: words, isFinal, ...defined({ afterMs }) });
    }
  };
}

function refused(error: string): ApplicationFailure {
  return toFailure({ error, isFinal: true });
}

function toFailure({ error: message, isFinal, afterMs }: Tried): ApplicationFailure {
  if (isFinal) return ApplicationFailure.create({ message, type: 'Delivery.Refused', nonRetryable: true });
  return ApplicationFailure.create({
    message,
    type: 'Delivery.NotTaken',
    // expected while a receiver is down
    category: ApplicationFailureCategory.BENIGN,
    // the workflow reads the details
    ...defined({ nextRetryDelay: afterMs, details: afterMs === undefined ? undefined : [afterMs] }),
  });
}
