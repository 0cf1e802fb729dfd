// Reads a request of a sender as the gateway does.
import { type AlertsRead, readBody, refuseSender } from '../../packages/alert-intake/src/read-alerts.ts';
import type { AlertRequest, IntakeDeps } from '../../packages/alert-intake/src/sender-check.ts';
import type { Receiver } from '../../packages/alert-intake/src/route.ts';

export async function readAlerts(of: Receiver, request: AlertRequest, deps: IntakeDeps): Promise<AlertsRead> {
  return (await refuseSender(of.receiver, request, deps)) ?? readBody(of, request.parse());
}
