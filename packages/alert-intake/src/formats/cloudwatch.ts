// Reads an alarm of CloudWatch: as SNS delivers it, in an envelope whose `Message` is the alarm as JSON text and whose
// signature is checked elsewhere (sns.ts); or as an event of EventBridge, in such an envelope or by itself. Pure.
import { z } from 'zod';
import { isRecord, type JsonRecord, fieldsOf } from '@holdfast/base/json';
import { toBag, misshapen, noAlert, type ReadFormat, reader } from '../shape.ts';
import { jsonOf, firstAt, valueAtPointer } from '../parse-body.ts';

const alarmSchema = z.looseObject({
  AlarmName: z.string().min(1),
  NewStateValue: z.enum(['ALARM', 'INSUFFICIENT_DATA', 'OK']),
});

const readAlarm = reader('alarm of CloudWatch, by SNS or EventBridge', alarmSchema, (alarm) => {
  const { AlarmName: name, NewStateValue: state, AlarmArn: arn, StateChangeTime: at } = alarm;
  const status = state === 'OK' ? 'resolved' : 'firing';
  const metric = metricOf(alarm.Trigger);
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
        metric: metric['MetricName'] ?? metric['name'],
        metric_namespace: metric['Namespace'] ?? metric['namespace'],
        ...toBag(metric['Dimensions'] ?? metric['dimensions']),
      },
      annotations: {
        description: alarm.AlarmDescription,
        reason: alarm.NewStateReason,
        state,
        before: alarm.OldStateValue,
      },
      startsAt: status === 'resolved' ? undefined : at,
      endsAt: status === 'resolved' ? at : undefined,
    },
  ];
});

/** The metric, or the first one that an expression reads. EventBridge writes its names in lower case. */
function metricOf(trigger: unknown): JsonRecord {
  const metrics = [valueAtPointer(trigger, '/Metrics') ?? []].flat();
  const found = metrics.map((one) => firstAt(one, ['/MetricStat/Metric', '/metricStat/metric']));
  return [...found, trigger].find(isRecord) ?? {};
}

const change = 'CloudWatch Alarm State Change';

/** The fields of https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html as SNS names them. */
function fromEvent(event: JsonRecord): JsonRecord {
  const at = (pointer: string): unknown => valueAtPointer(event, pointer);
  return {
    AlarmName: at('/detail/alarmName'),
    NewStateValue: at('/detail/state/value'),
    AlarmDescription: at('/detail/configuration/description'),
    AlarmArn: at('/resources/0'),
    AWSAccountId: event['account'],
    Region: event['region'],
    NewStateReason: at('/detail/state/reason'),
    StateChangeTime: at('/detail/state/timestamp') ?? event['time'],
    OldStateValue: at('/detail/previousState/value'),
    Trigger: { Metrics: at('/detail/configuration/metrics') },
  };
}

const readState: ReadFormat = (body, receiver) => {
  if (!isRecord(body) || body['detail-type'] === undefined) return readAlarm(body, receiver);
  return body['detail-type'] === change
    ? readAlarm(fromEvent(body), receiver)
    : noAlert('The event', `is no ${change}`);
};

export const readCloudwatch: ReadFormat = (body, receiver) => {
  const what = 'message of SNS';
  const { Type: type, Message: message } = fieldsOf(body);
  // EventBridge has a token; SNS signs, and has an envelope
  if (receiver.topics === undefined)
    return type === undefined
      ? readState(body, receiver)
      : misshapen(what, 'topics: expected this key in the receiver, to check the signature', body);
  if (type === 'SubscriptionConfirmation')
    return noAlert('The subscription', 'is confirmed, and has no alert');
  if (type === 'UnsubscribeConfirmation') return noAlert('The end of the subscription', 'is no alert');
  if (type !== 'Notification')
    return misshapen(what, 'Type: expected a type of SNS; raw delivery has none', body);
  const alarm = typeof message === 'string' ? jsonOf(message) : undefined;
  if (alarm === undefined)
    return misshapen(what, 'Message: expected the JSON text of an alarm of CloudWatch', body);
  return readState(alarm.value, receiver);
};
