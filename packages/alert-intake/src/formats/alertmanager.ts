// Reads the webhook of Alertmanager, version 4, and payloads in its form that lack some of its fields. Pure.
import { z } from 'zod';
import { bag, optionalBag, type ReadFormat, reader } from '../shape.ts';

const word = z.string().toLowerCase();
const status = word.pipe(z.enum(['firing', 'resolved'])).nullish();

const alertSchema = z.looseObject({ status, labels: bag, annotations: optionalBag });

const schema = z
  .looseObject({
    status,
    groupLabels: optionalBag,
    commonLabels: optionalBag,
    commonAnnotations: optionalBag,
    alerts: z.array(alertSchema).min(1, 'expected at least one alert'),
  })
  .superRefine(({ status: ofAll, alerts }, context) => {
    const place = alerts.findIndex((alert) => (alert.status ?? ofAll) === undefined);
    const path = ['alerts', place, 'status'];
    if (place >= 0) context.addIssue({ code: 'custom', path, message: 'expected "firing" or "resolved"' });
  });

type Body = z.output<typeof schema>;

/** `sender` is the title of the link to it. */
export function createReader(what: string, sender: string): ReadFormat {
  return reader(what, schema, (body) => body.alerts.map((alert) => toFound(alert, body, sender)));
}

function toFound(alert: Body['alerts'][number], body: Body, sender: string) {
  const { startsAt, endsAt, fingerprint, values } = alert;
  const { truncatedAlerts, groupLabels } = body;
  // Alertmanager repeats them in each alert; others, which send one alert, may not
  const common = body.alerts.length === 1 ? body : undefined;
  const labels = { ...common?.commonLabels, ...alert.labels };
  const annotations = { ...common?.commonAnnotations, ...alert.annotations };
  const links = {
    Source: alert.generatorURL,
    Dashboard: alert.dashboardURL,
    Panel: alert.panelURL,
    Silence: alert.silenceURL,
    [sender]: body.externalURL,
  };
  return {
    status: alert.status ?? body.status ?? 'firing',
    labels,
    startsAt,
    endsAt,
    fingerprint,
    links,
    // the sender has left out alerts that nobody can read any more
    annotations: { ...annotations, values, truncatedAlerts: truncatedAlerts || undefined },
    groupLabels,
  };
}

export const readAlertmanager = createReader('webhook of Alertmanager', 'Alertmanager');
