// One alert as its group keeps it: made from the alert, and its fate decided. Pure.
import { defined } from '@holdfast/base/defined';
import { counted } from '@holdfast/base/words';
import { oneLine } from '@holdfast/base/one-line';
import { cutText } from '@holdfast/base/cut-text';
import type { Alert } from '@holdfast/vocabulary/alert';
import type { AlertRecord, Fate } from '@holdfast/vocabulary/alert-fate';

const keptFates = 3;
const whatCharacters = 200;

/** A record without a fate yet. */
export function toRecord(alert: Alert, now: number): AlertRecord {
  const { fingerprint, name, severity, startsAt } = alert;
  const what = Object.entries(alert.labels)
    .filter(([label]) => label !== 'alertname')
    .map(([label, value]) => `${label}=${value}`)
    .join(' ');
  return {
    id: idOf(alert, now),
    fingerprint,
    name: cutText(oneLine(name), whatCharacters, '…'),
    severity,
    what: cutText(oneLine(what), whatCharacters, '…'),
    ...defined({ startsAt }),
    firstAt: now,
    lastAt: now,
    times: 1,
    fate: { kind: 'waiting', at: now, because: '' },
  };
}

const wholeCharacters = 12_000;

/** A state holds twenty of them: a long one keeps the beginnings of its texts. */
export function shortened(alert: Alert): Alert {
  if (JSON.stringify(alert).length <= wholeCharacters) return alert;
  const cut = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts)
        .slice(0, 16)
        .map(([name, text]) => [cutText(name, 100), cutText(text, 250)]),
    );
  const links = alert.links
    .slice(0, 5)
    .map(({ title, url }) => ({ title: cutText(title, 100), url: cutText(url, 300) }));
  return { ...alert, labels: cut(alert.labels), annotations: cut(alert.annotations), links };
}

export function idOf({ fingerprint, startsAt }: Alert, now: number): string {
  return `${fingerprint}@${startsAt ?? now}`;
}

export function isCooling({ fate, endedAt }: AlertRecord): boolean {
  return fate.kind === 'suppressed' && fate.until !== undefined && endedAt === undefined;
}

/** The first fate of a record replaces its empty one. */
export function decide(record: AlertRecord, fate: Fate): void {
  const { fate: earlier, before = [] } = record;
  const isSame = earlier.kind === fate.kind && earlier.because === fate.because;
  if (isSame) return;
  if (earlier.because !== '') record.before = [...before, earlier].slice(-keptFates);
  record.fate = fate;
}

/** Such as `3 alerts: 2 waiting, 1 joined`. */
export function describeFates(alerts: readonly AlertRecord[]): string {
  const kinds = Map.groupBy(alerts, ({ fate }) => fate.kind);
  const parts = [...kinds].map(([kind, { length }]) => `${length} ${kind}`);
  return `${counted(alerts.length, 'alert')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}
