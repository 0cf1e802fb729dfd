// Decides about an alert by the configuration: the first route of its receiver that matches, over the receiver's own
// settings. Pure.
import type { Alert, AlertRoute, AlertStart, ReceiverLimits } from '@holdfast/vocabulary/alert';
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import type { AlertRouteConfig, ReceiverConfig } from './receivers.schema.ts';

const defaults = { debounceMs: 30_000, cooldownMs: 1_800_000, slots: 3, reserve: 0.2 };

export type Receiver = { name: string; receiver: ReceiverConfig };

/** The receiver decides where no route matches. */
export function routeOf(alert: Alert, { name, receiver }: Receiver): AlertRoute {
  const { routes = [] } = receiver;
  const place = routes.findIndex((route) => matches(alert, route));
  const route = routes[place];
  const over: Partial<AlertRouteConfig> = route ?? {};
  return {
    rule: route
      ? describeRoute(route, place, name)
      : `receiver ${name}${routes.length > 0 ? ', no route matches' : ''}`,
    input: mergeStart(receiver.start, over.start),
    debounceMs: over.debounceMs ?? receiver.debounceMs ?? defaults.debounceMs,
    cooldownMs: over.cooldownMs ?? receiver.cooldownMs ?? defaults.cooldownMs,
    critical: over.critical ?? alert.severity === 'critical',
    ...defined({ suppress: over.suppress, task: over.task ?? receiver.task }),
  };
}

export function toReceiverLimits({ slots = defaults.slots, budget = {} }: ReceiverConfig): ReceiverLimits {
  return { slots, reserve: defaults.reserve, ...budget };
}

/** The value of a label; those of the alert itself where it has no such label. Undefined for none. */
export function labelOf({ labels, name, severity, status }: Alert, label: string): string | undefined {
  const own = new Map([
    ['alertname', name],
    ['severity', severity],
    ['status', status],
  ]);
  return Object.hasOwn(labels, label) ? labels[label] : own.get(label);
}

function matches(alert: Alert, { match }: AlertRouteConfig): boolean {
  return Object.entries(match).every(([label, patterns]) => {
    const values = [labelOf(alert, label) ?? ''];
    // the sender's word, or ours for it
    if (label === 'severity') values.push(alert.severity);
    return [patterns].flat().some((pattern) => values.some((value) => fits(value, pattern)));
  });
}

function fits(value: string, pattern: string): boolean {
  const isExpression = pattern.length > 2 && pattern.startsWith('/') && pattern.endsWith('/');
  return isExpression ? new RegExp(pattern.slice(1, -1), 'u').test(value) : value === pattern;
}

/** Its text as it is now: later changes of the config do not rewrite it. */
function describeRoute({ name, match }: AlertRouteConfig, place: number, receiver: string): string {
  const conditions = Object.entries(match).map(
    ([label, patterns]) => `${label}=${[patterns].flat().join('|')}`,
  );
  const called = name === undefined ? `route ${place + 1}` : `route "${name}"`;
  const when = conditions.length === 0 ? 'any alert' : conditions.join(', ');
  return cutText(`${called} of receiver ${receiver} (${when})`, 300);
}

/** The options of a route over those of its receiver: in a group field by field. */
export function mergeStart(under: AlertStart = {}, over: AlertStart = {}): AlertStart {
  const labels = { ...under.labels, ...over.labels };
  const merged = mergeOptions(under, over);
  return Object.keys(labels).length > 0 ? { ...merged, labels } : merged;
}
