// Reads an alarm of CloudWatch as SNS delivers it: an envelope whose `Message` is the alarm as JSON text. Its signature
// is checked elsewhere (sns.ts). Pure.
import { z } from 'zod';
import { isRecord } from '../../../core/base/json.ts';
import { jsonOf } from '../parse-body.ts';
import { anything, misshapen, noAlert, type ReadFormat, reader } from '../shape.ts';

const statuses = { ALARM: 'firing', INSUFFICIENT_DATA: 'firing', OK: 'resolved' } as const;

const alarmSchema = z.object({
  AlarmName: z.string().min(1),
  NewStateValue: z.enum(['ALARM', 'INSUFFICIENT_DATA', 'OK']),
  AlarmDescription: anything,
  AlarmArn: anything,
  AWSAccountId: anything,
  Region: anything,
  NewStateReason: anything,
  StateChangeTime: anything,
  OldStateValue: anything,
  Trigger: z
    .object({ MetricName: anything, Namespace: anything, Dimensions: z.array(z.unknown()).nullish() })
    .nullish(),
});

const readAlarm = reader('alarm of CloudWatch, in the Message of SNS', alarmSchema, (alarm) => {
  const {
    AlarmName: name,
    NewStateValue: state,
    AlarmArn: arn,
    Trigger: trigger,
    StateChangeTime: at,
  } = alarm;
  const status = statuses[state];
  const dimensions = Object.fromEntries((trigger?.Dimensions ?? []).flatMap(toDimension));
  return [
    {
      status,
      name,
      fingerprint: arn,
      groupId: arn,
      labels: {
        alertname: name,
        account: alarm.AWSAccountId,
        region: alarm.Region,
        metric: trigger?.MetricName,
        metric_namespace: trigger?.Namespace,
        ...dimensions,
      },
      annotations: {
        description: alarm.AlarmDescription,
        reason: alarm.NewStateReason,
        state,
        before: alarm.OldStateValue,
      },
      ...(status === 'resolved' ? { endsAt: at } : { startsAt: at }),
    },
  ];
});

/** Its keys are in lower case in some messages, in upper case in others. */
function toDimension(dimension: unknown): [name: string, value: unknown][] {
  if (!isRecord(dimension)) return [];
  const name = dimension['name'] ?? dimension['Name'];
  return typeof name === 'string' ? [[name, dimension['value'] ?? dimension['Value']]] : [];
}

export const readCloudwatch: ReadFormat = (body, receiver) => {
  const what = 'message of SNS';
  const envelope = isRecord(body) ? body : {};
  const { Type: type, Message: message } = envelope;
  if (type === 'SubscriptionConfirmation')
    return noAlert('The subscription', 'is confirmed, and has no alert');
  if (type === 'UnsubscribeConfirmation') return noAlert('The end of the subscription', 'is no alert');
  if (type !== 'Notification')
    return misshapen(what, 'Type: expected a type of SNS; raw delivery has none', body);
  const alarm = typeof message === 'string' ? jsonOf(message) : undefined;
  if (alarm === undefined)
    return misshapen(what, 'Message: expected the JSON text of an alarm of CloudWatch', body);
  return readAlarm(alarm.value, receiver);
};
