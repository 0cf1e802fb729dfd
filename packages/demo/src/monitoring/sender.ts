// The alert of the demo without Prometheus and Alertmanager: reads the shop's metrics each second, and sends the same
// alert in Alertmanager's form when checkouts fail. Node.
import { messageOf } from '@holdfast/base/message-of';

export type AlertTarget = {
  shopUrl: string;
  /** Address that gets the alert by `POST`. */
  alertsUrl: string;
  say(line: string): void;
};

const everyMs = 1_000;
/** Failed checkouts between two looks that count as a fault, and looks in a row until it is sent. */
const tolerated = 1;
const looks = 3;

/** Returns its end. */
export function startSender({ shopUrl, alertsUrl, say }: AlertTarget): () => Promise<void> {
  let before: number | undefined;
  let bad = 0;
  let isSent = false;
  const look = async (): Promise<void> => {
    const failed = failedIn(await (await fetch(`${shopUrl}/metrics`)).text());
    bad = before !== undefined && failed - before > tolerated ? bad + 1 : 0;
    before = failed;
    if (bad < looks || isSent) return;
    const answer = await fetch(alertsUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(new URL(shopUrl).host)),
    });
    if (answer.ok) isSent = true;
    else say(`! The alert was refused: ${await answer.text()}`);
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => say(`! The sender could not look or send: ${messageOf(error)}`));
  }, everyMs);
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}

function failedIn(metrics: string): number {
  const counts = [...metrics.matchAll(/^shop_checkouts_total\{code="5\d\d"\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

function bodyOf(instance: string): object {
  const labels = { alertname: 'CheckoutErrors', instance, job: 'shop', severity: 'critical' };
  const annotations = { summary: 'Checkouts of the shop fail.' };
  const startsAt = new Date().toISOString();
  return {
    version: '4',
    groupKey: `{}:{alertname="CheckoutErrors", instance="${instance}"}`,
    status: 'firing',
    receiver: 'holdfast',
    groupLabels: { alertname: labels.alertname, instance },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: '',
    truncatedAlerts: 0,
    alerts: [
      {
        status: 'firing',
        labels,
        annotations,
        startsAt,
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: '',
        fingerprint: 'demo',
      },
    ],
  };
}
