// Reads the webhooks of PagerDuty, version 3: one event of one incident. Pure.
import { z } from 'zod';
import { valueAtPointer } from '../parse-body.ts';
import { noAlert, type ReadFormat, reader, scalar } from '../shape.ts';
import { toStatus } from '../status-words.ts';
import { toJoined } from '../texts.ts';

const schema = z.looseObject({
  event: z.looseObject({
    event_type: z.string('expected an event such as incident.triggered'),
    data: z.looseObject({ id: scalar }),
  }),
});

const readIncident = reader('webhook of PagerDuty (version 3)', schema, ({ event }) => {
  const { event_type: type, occurred_at: at, data } = event;
  const { id, incident_key: key, title, summary, urgency, number } = data;
  const nameOf = (reference: unknown): unknown => valueAtPointer(reference, '/summary');
  const [service, priority, policy] = [data.service, data.priority, data.escalation_policy].map(nameOf);
  const teams = toJoined([data.teams ?? []].flat().map(nameOf), 200);
  const status = statusOf(type) ?? 'ignored';
  return [
    {
      status,
      name: title ?? summary,
      fingerprint: id,
      groupId: key ?? id,
      severity: priority ?? urgency,
      labels: { service, urgency, priority, policy, teams },
      annotations: { event: type, incident: number },
      links: { Incident: data.html_url },
      // an incident keeps its creation when it is opened again
      startsAt:
        type === 'incident.triggered' ? data.created_at : type === 'incident.reopened' ? at : undefined,
      endsAt: status === 'resolved' ? at : undefined,
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
  const type = valueAtPointer(body, '/event/event_type');
  return typeof type === 'string' && statusOf(type) === undefined
    ? noAlert(`The event ${type}`, 'opens and closes no incident')
    : readIncident(body, receiver);
};
