// The one loop from a vendor's events to a reply, the same for every wire. What breaks on the way is a StreamFault
// that carries what was billed.
import type { Usage } from '../../../core/model/messages.ts';
import type { ModelReply } from '../../../core/model/model-call.ts';
import { assertEventStream } from './assert-event-stream.ts';
import type { ModelCallOptions } from './model-provider.ts';
import { toConnectionFault } from './connection-fault.ts';
import { readEvents } from './read-events.ts';
import type { ReadOptions, SdkStream, Stage } from './read-events.ts';
import { StreamFault } from './stream-fault.ts';

/** How one wire makes a reply of its events. */
export type Decoder<Event> = {
  /** Throws a StreamFault when the event says that the reply failed. */
  add(event: Event): void;
  /** How far the reply is; asked after every event. */
  stage(): Stage;
  /** What the provider has counted so far. */
  usage(): Usage;
  /** Throws a StreamFault when the reply is not whole. */
  finish(): ModelReply;
};

export type StreamOptions = ReadOptions & Pick<ModelCallOptions, 'onUsage'>;

/** Throws a ConnectionFault where no answer came, the SDK's error for one that refuses, else a StreamFault. */
export async function decodeStream<Event>(
  sent: Promise<{ data: SdkStream<Event>; response: Response }>,
  options: StreamOptions,
  decoder: Decoder<Event>,
): Promise<ModelReply> {
  const answer = await sent.catch((error: unknown) => {
    throw toConnectionFault(error, options.host);
  });
  let told = decoder.usage();
  try {
    await assertEventStream(answer.response, options);
    for await (const event of readEvents(answer.data, options, decoder.stage)) {
      decoder.add(event);
      const usage = decoder.usage();
      if (usage !== told) options.onUsage?.(usage);
      told = usage;
    }
    return decoder.finish();
  } catch (error) {
    const fault = isBreakage(error) ? unreadable(error) : error;
    if (fault instanceof StreamFault) fault.usage = decoder.usage();
    throw fault;
  }
}

/** A decoder that breaks has met an event of a shape that no vendor documents: the server's fault, and worth a retry. */
function isBreakage(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof SyntaxError;
}

function unreadable(error: Error): StreamFault {
  const message = `The stream held an event that cannot be read (${error.name}).`;
  return new StreamFault('malformed', message, { cause: error });
}
