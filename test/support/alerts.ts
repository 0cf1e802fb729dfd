// Alerts as the gateway sends them, for tests.
import type { SentAlerts } from '../../src/client.ts';
import type { Alert, AlertRoute, ReceiverLimits } from '@holdfast/vocabulary/alert';

export const limits: ReceiverLimits = { slots: 3, reserve: 0.2 };

export function anAlert(changes: Partial<Alert> = {}): Alert {
  return {
    fingerprint: 'f1',
    name: 'HighErrorRate',
    status: 'firing',
    severity: 'warning',
    labels: { alertname: 'HighErrorRate', instance: 'payments-1' },
    annotations: { summary: 'errors are high' },
    startsAt: Date.UTC(2026, 10, 28, 3, 0),
    links: [],
    ...changes,
  };
}

export function aRoute(changes: Partial<AlertRoute> = {}): AlertRoute {
  return {
    rule: 'receiver prod',
    input: { agent: 'tester' },
    debounceMs: 0,
    cooldownMs: 60_000,
    critical: false,
    ...changes,
  };
}

export function sent(alerts: Alert[], changes: Partial<SentAlerts> = {}): SentAlerts {
  return {
    receiver: 'prod',
    key: 'HighErrorRate-payments-1',
    title: 'HighErrorRate payments-1',
    alerts,
    route: aRoute(),
    limits,
    ...changes,
  };
}
