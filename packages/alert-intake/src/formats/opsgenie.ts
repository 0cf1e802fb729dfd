// Reads the webhooks of Opsgenie: an action on an alert; and a flat form of one alert with its status. Pure.
import { z } from 'zod';
import { isRecord } from '@holdfast/base/json';
import { noAlert, optionalBag, type ReadFormat, reader, scalar, statusOf } from '../shape.ts';
import { toStatus } from '../status-words.ts';
import { toJoined } from '../texts.ts';

const what = 'webhook of Opsgenie';

const actionSchema = z.looseObject({
  action: z.string().min(1),
  alert: z.looseObject({ alertId: scalar, details: optionalBag }),
});

const readAction = reader(what, actionSchema, ({ action, integrationName, alert }) => {
  const { alertId, alias, entity, priority, source, tags, teams, description, tinyId } = alert;
  const status = toStatus(action);
  // the others are about people and notes
  if (status === undefined || status === 'ignored')
    return noAlert(`The action ${action}`, 'opens and closes no alert');
  return [
    {
      status,
      name: alert.message,
      fingerprint: alertId,
      severity: priority,
      startsAt: alert.createdAt,
      // an alert without an alias of its own has its id there, which the next alert has not
      groupId: alias === alertId ? undefined : alias,
      labels: {
        ...alert.details,
        entity,
        source,
        priority,
        tags: toJoined(tags, 200),
        teams: toJoined(teams, 200),
      },
      annotations: { description, action, integration: integrationName, tinyId },
    },
  ];
});

const flatSchema = z.looseObject({
  status: statusOf('a status of Opsgenie, or an action beside it'),
  alert_name: scalar,
  labels: optionalBag,
  annotations: optionalBag,
});

const readFlat = reader(what, flatSchema, ({ status, alert_name: name, labels, annotations, ...alert }) => {
  const { severity, startsAt, endsAt } = alert;
  const fingerprint = annotations['opsgenie_alert_id'];
  return [{ status, name, labels, annotations, fingerprint, severity, startsAt, endsAt }];
});

export const readOpsgenie: ReadFormat = (body, receiver) =>
  isRecord(body) && 'action' in body ? readAction(body, receiver) : readFlat(body, receiver);
