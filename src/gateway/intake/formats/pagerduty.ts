// Reads the webhooks of PagerDuty, version 3: one event of one incident. Pure.
import { z } from 'zod';
import { isRecord } from '../../../core/base/json.ts';
import { valueAt } from '../pointer.ts';
import { noAlert, type ReadFormat, reader, scalar } from '../shape.ts';
import { toJoined } from '../texts.ts';

/** Events after which an incident is open, or closed. The others are about people and notes. */
const events = {
  'incident.triggered': 'firing',
  'incident.reopened': 'firing',
  'incident.escalated': 'firing',
  'incident.unacknowledged': 'firing',
  'incident.priority_updated': 'firing',
  'incident.resolved': 'resolved',
} as const;

const reference = z.unknown().transform((value) => valueAt(value, '/summary'));

const incidentSchema = z.looseObject({
  id: scalar,
  priority: reference,
  service: reference,
  escalation_policy: reference,
  teams: z.array(reference).nullish(),
});

const eventNames = Object.keys(events) as (keyof typeof events)[];
const schema = z.looseObject({
  event: z.looseObject({
    event_type: z.enum(eventNames, { error: 'expected an event such as incident.triggered' }),
    data: incidentSchema,
  }),
});

const readIncident = reader('webhook of PagerDuty (version 3)', schema, ({ event }) => {
  const { event_type: type, occurred_at: at, data } = event;
  const { id, incident_key: key, title, summary, urgency, priority, service, number, teams } = data;
  const status = events[type];
  return [
    {
      status,
      name: title ?? summary,
      fingerprint: id,
      groupId: key ?? id,
      severity: priority ?? urgency,
      labels: { service, urgency, priority, policy: data.escalation_policy, teams: toJoined(teams, 200) },
      annotations: { event: type, incident: number },
      links: { Incident: data.html_url },
      // an incident keeps its creation when it is opened again
      ...(type === 'incident.triggered' && { startsAt: data.created_at }),
      ...(type === 'incident.reopened' && { startsAt: at }),
      ...(status === 'resolved' && { endsAt: at }),
    },
  ];
});

export const readPagerduty: ReadFormat = (body, receiver) => {
  const type = isRecord(body) && isRecord(body['event']) ? body['event']['event_type'] : undefined;
  return typeof type === 'string' && !Object.hasOwn(events, type)
    ? noAlert(`The event ${type}`, 'opens and closes no incident')
    : readIncident(body, receiver);
};
