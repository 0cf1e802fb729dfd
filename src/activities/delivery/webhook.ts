// The signed webhook: the document of a message, with a signature over time and body. Runs in Node.
import { createHmac } from 'node:crypto';
import type { DeliveryMessage } from './delivery-message.ts';

/** `at`: ms since the epoch. The receiver checks the signature over `<seconds>.<body>`, and the age. */
export function signed(
  message: DeliveryMessage,
  secret: string,
  at: number,
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(message);
  const seconds = Math.floor(at / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return {
    body,
    headers: {
      'holdfast-signature': `t=${seconds},v1=${digest}`,
      // a header has no letters beyond ASCII
      'holdfast-delivery': encodeURI(message.id),
    },
  };
}
