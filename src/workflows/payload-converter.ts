// How the workflow reads what others send: bytes that cannot be read are undefined, which every handler refuses.
// Part of the workflow bundle. The SDK's own converter throws there, and one such signal would block a session for ever.
import { defaultPayloadConverter } from '@temporalio/workflow';

type Converter = Pick<typeof defaultPayloadConverter, 'toPayload' | 'fromPayload'>;

/** Named as the SDK expects it. */
export const payloadConverter: Converter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload(payload) {
    try {
      return defaultPayloadConverter.fromPayload(payload);
    } catch {
      // any value at all, to the SDK; what it means is decided where it is used
      return undefined as never;
    }
  },
};
