// Reads the webhooks of PagerDuty, version 3: one event of one incident. Pure.
import { z } from 'zod';
import { valueAt } from '../pointer.ts';
import { noAlert, type ReadFormat, reader, scalar } from '../shape.ts';
import { toStatus } from '../status-words.ts';
import { toJoined } from '../texts.ts';

const reference = z
  .unknown()
  .optional()
  .transform((value) => valueAt(value, '/summary'));

const incidentSchema = z.looseObject({
  id: scalar,
  priority: reference,
  service: reference,
  escalation_policy: reference,
  teams: z.array(reference).nullish(),
});

const schema = z.looseObject({
  event: z.looseObject({
    event_type: z.string('expected an event such as incident.triggered'),
    data: incidentSchema,
  }),
});

const readIncident = reader('webhook of PagerDuty (version 3)', schema, ({ event }) => {
  const { event_type: type, occurred_at: at, data } = event;
  const { id, incident_key: key, title, summary, urgency, priority, service, number, teams } = data;
  const status = statusOf(type) ?? 'ignored';
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

/** Undefined for events about people and notes, and about others than incidents. */
function statusOf(type: string): 'firing' | 'resolved' | undefined {
  const [, word] = /^incident\.(\w+)$/.exec(type) ?? [];
  const status = toStatus(word);
  return status === 'ignored' ? undefined : status;
}

export const readPagerduty: ReadFormat = (body, receiver) => {
  const type = valueAt(body, '/event/event_type');
  return typeof type === 'string' && statusOf(type) === undefined
    ? noAlert(`The event ${type}`, 'opens and closes no incident')
    : readIncident(body, receiver);
};
