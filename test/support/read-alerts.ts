// Reads a request of a sender as the gateway does.
import { type AlertsRead, readBody, refuseSender } from '@holdfast/alert-intake/read-alerts';
import type { AlertRequest, IntakeDeps } from '@holdfast/alert-intake/sender-check';
import type { Receiver } from '@holdfast/alert-intake/route';

export async function readAlerts(of: Receiver, request: AlertRequest, deps: IntakeDeps): Promise<AlertsRead> {
  return (await refuseSender(of.receiver, request, deps)) ?? readBody(of, request.parse());
}
