// The activity deliver: makes a message and sends it to one destination, once an attempt. Runs in Node.
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { messageOf } from '../../core/base/message-of.ts';
import type { DeliverActivities } from '../../core/model/deliver.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Destinations } from './destinations.ts';
import { type MessageDeps, toMessage } from './to-message.ts';

export type DeliverDeps = MessageDeps & { destinations: Destinations };

export function createDeliver({ destinations, ...deps }: DeliverDeps): DeliverActivities['deliver'] {
  return async (input) => {
    const { destination: name, question } = input;
    const send = destinations.get(name);
    if (!send)
      throw refused(`the worker's config has no destination "${name}": expected ${known(destinations)}`);
    // nobody can answer it any more, and the message would say that it waits
    if (question && question.deadline < Date.now()) throw refused('the deadline of the question has passed');
    const { cancellationSignal } = Context.current();
    try {
      await send(await toMessage(input, deps), cancellationSignal);
    } catch (error) {
      cancellationSignal.throwIfAborted();
      const words = deps.redactor.text(messageOf(error));
      const { isFinal, afterMs } = error instanceof DeliveryError ? error : { isFinal: false };
      if (isFinal) throw refused(words);
      throw ApplicationFailure.create({
        type: 'Delivery.NotTaken',
        message: words,
        // expected while a receiver is down
        category: ApplicationFailureCategory.BENIGN,
        ...(afterMs === undefined ? {} : { nextRetryDelay: afterMs }),
      });
    }
  };
}

function refused(message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'Delivery.Refused', message, nonRetryable: true });
}

function known(destinations: Destinations): string {
  return [...destinations.keys()].sort().join(', ') || 'none, it has none';
}
