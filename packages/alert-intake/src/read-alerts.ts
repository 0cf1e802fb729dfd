// Reads the body of one request to `/alerts/<receiver>`: who sent it, its alerts, the group of each, and what the
// configuration says about it. Pure but for the functions that it is given.
import type { Alert, AlertRoute, ReceiverLimits } from '@holdfast/vocabulary/alert';
import { defined } from '@holdfast/base/defined';
import type { JsonRecord } from '@holdfast/base/json';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import type { AlertFormat, ReceiverConfig } from './receivers.schema.ts';
import { type FoundAlert, toAlert, withinLimits } from './found-alert.ts';
import { readAlertmanager } from './formats/alertmanager.ts';
import { readCloudwatch } from './formats/cloudwatch.ts';
import { readDatadog } from './formats/datadog.ts';
import { readGeneric } from './formats/generic.ts';
import { readGrafana } from './formats/grafana.ts';
import { readOpsgenie } from './formats/opsgenie.ts';
import { readPagerduty } from './formats/pagerduty.ts';
import { groupWithoutSecrets } from './group-key.ts';
import { pagerdutySender } from './pagerduty-signature.ts';
import type { ParsedBody } from './parse-body.ts';
import { toReceiverLimits, type Receiver, routeOf } from './route.ts';
import {
  type AlertRequest,
  type AlertsRefused,
  type IntakeDeps,
  misshapenBody,
  type SenderCheck,
} from './sender-check.ts';
import type { ReadFormat } from './shape.ts';
import { snsSender } from './sns.ts';
import { toCappedText, toTexts } from './texts.ts';

/** The payload of a sender, and the check of its signature where it has one. */
type Format = { read: ReadFormat; sender?: SenderCheck };

const formats: Record<AlertFormat, Format> = {
  alertmanager: { read: readAlertmanager },
  grafana: { read: readGrafana },
  pagerduty: { read: readPagerduty, sender: pagerdutySender },
  opsgenie: { read: readOpsgenie },
  datadog: { read: readDatadog },
  cloudwatch: { read: readCloudwatch, sender: snsSender },
  generic: { read: readGeneric },
};

/** Alerts of one group that one route decides, in the order of the body; small enough for one signal. */
export type AlertEntry = {
  key: string;
  title: string;
  route: AlertRoute;
  limits: ReceiverLimits;
  alerts: Alert[];
};

/** `note`: why a valid body has no alerts. */
export type AlertsRead = { ok: true; groups: AlertEntry[]; note?: string } | AlertsRefused;

const mostAlerts = 1_000;

/** True if the signature of the sender takes the place of a token. */
export function isSigned(receiver: ReceiverConfig): boolean {
  return senderOf(receiver) !== undefined;
}

function senderOf(receiver: ReceiverConfig): SenderCheck | undefined {
  const { sender } = formats[receiver.format];
  return sender?.isSetFor(receiver) ? sender : undefined;
}

/** Never rejects. Undefined for a sender that is who it says, or for a receiver whose senders have a token instead. */
export async function refuseSender(
  receiver: ReceiverConfig,
  request: AlertRequest,
  deps: IntakeDeps,
): Promise<AlertsRefused | undefined> {
  return senderOf(receiver)?.refuse(receiver, request, deps);
}

const isIgnored = ({ status }: FoundAlert): boolean => status === 'ignored';
const ignoredNote = 'A status such as acknowledged or muted opens and closes no alert: nothing is done.';

/** Every alert of the body, or a refusal: none is lost silently. Does not look at the sender. */
export function readBody(of: Receiver, parsed: ParsedBody): AlertsRead {
  if (!parsed.ok) return misshapenBody(parsed.reason);
  const found = formats[of.receiver.format].read(parsed.body, of.receiver);
  if (!found.ok) return { ...misshapenBody(found.reason), ...defined({ value: found.value }) };
  const { alerts, note = alerts.every(isIgnored) ? ignoredNote : undefined } = found;
  if (alerts.length > mostAlerts) {
    const reason = `The body has ${alerts.length} alerts: expected at most ${mostAlerts}. Limit them at the sender.`;
    return { ok: false, status: 413, code: 'Alerts.TooMany', reason };
  }
  const limits = toReceiverLimits(of.receiver);
  const groupLabels = groupLabelsOf();
  const routed = alerts.flatMap((one) => {
    if (one.status === 'ignored') return [];
    const alert = toAlert(one, one.status);
    const grouping = { labels: groupLabels(one.groupLabels), id: toCappedText(one.groupId, 1_024) };
    const group = groupWithoutSecrets(alert, grouping, of.receiver.keyLabels);
    return { ...group, route: routeOf(alert, of), alert: withinLimits(alert) };
  });
  const entries = Map.groupBy(routed, ({ key, route }) => JSON.stringify([key, route]));
  const groups = [...entries.values()].flatMap((entry) => {
    const [first] = entry;
    if (first === undefined) return [];
    const { alert: _, ...shared } = first;
    return inPieces(entry.map(({ alert }) => alert)).map((piece) => ({ ...shared, limits, alerts: piece }));
  });
  return { ok: true, groups, ...defined({ note }) };
}

/** Labels of a group, read once for all the alerts that share them: nobody groups by more than 64. */
function groupLabelsOf(): (labels?: JsonRecord) => Record<string, string> {
  const known = new Map<JsonRecord, Record<string, string>>();
  return (labels = {}) => {
    const texts =
      known.get(labels) ?? toTexts(Object.fromEntries(Object.entries(labels).slice(0, 64)), 1_024);
    known.set(labels, texts);
    return texts;
  };
}

/** Lists of at most 256 KiB, unless one alert alone is larger; an alert has at most half a MiB. */
function inPieces(alerts: Alert[]): Alert[][] {
  const pieces: { bytes: number; alerts: Alert[] }[] = [];
  for (const alert of alerts) {
    const bytes = jsonBytes(alert);
    const last = pieces.at(-1);
    if (last && last.bytes + bytes <= maxPayloadBytes) {
      last.alerts.push(alert);
      last.bytes += bytes;
    } else pieces.push({ bytes, alerts: [alert] });
  }
  return pieces.map((piece) => piece.alerts);
}
