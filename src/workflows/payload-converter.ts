// Decodes payloads from other programs: unreadable bytes become undefined, which every handler refuses. Part of the
// workflow bundle. The SDK's own converter throws there, and one such signal would block a session forever.
import { defaultPayloadConverter } from '@temporalio/workflow';

type Converter = Pick<typeof defaultPayloadConverter, 'toPayload' | 'fromPayload'>;

/** The SDK requires this name. */
export const payloadConverter: Converter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload(payload) {
    try {
      return defaultPayloadConverter.fromPayload(payload);
    } catch {
      // any type, for the SDK; the code that uses the value checks it
      return undefined as never;
    }
  },
};
