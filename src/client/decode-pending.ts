// Decodes the heartbeats and failures of the calls in flight from `describe`, which the SDK leaves encoded. Runs in the
// caller's process.
import type { WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { isRecord, isText } from '../core/base/json.ts';

export type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

/** Rejects with a CodecError if this process lacks the key. */
export async function readPending(handle: WorkflowHandle): Promise<PendingActivity[]> {
  const { pendingActivities } = (await handle.describe()).raw;
  const codecs = handle.client.options.loadedDataConverter.payloadCodecs;
  const decode = async (payloads: Payload[]): Promise<Payload[]> => {
    let decoded = payloads;
    for (const codec of codecs.toReversed()) decoded = await codec.decode(decoded);
    return decoded;
  };
  return Promise.all(
    (pendingActivities ?? []).map(
      async ({ heartbeatDetails, lastFailure, ...activity }): Promise<PendingActivity> => ({
        ...activity,
        ...(heartbeatDetails && {
          heartbeatDetails: { payloads: await decode(heartbeatDetails.payloads ?? []) },
        }),
        ...(lastFailure && {
          lastFailure: { ...lastFailure, message: await decodedMessage(lastFailure, decode) },
        }),
      }),
    ),
  );
}

type Failure = NonNullable<PendingActivity['lastFailure']>;

/** With encryption, the message of a failure is in a payload of its own. */
async function decodedMessage(
  { message, encodedAttributes }: Failure,
  decode: (payloads: Payload[]) => Promise<Payload[]>,
): Promise<string> {
  const [payload] = encodedAttributes ? await decode([encodedAttributes]) : [];
  if (!payload?.data) return message ?? '';
  const attributes: unknown = JSON.parse(Buffer.from(payload.data).toString('utf8'));
  return isRecord(attributes) && isText(attributes['message']) ? attributes['message'] : (message ?? '');
}
