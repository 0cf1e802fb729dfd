// The reader of answers of the AWS command line in JSON. Pure. Known forms come first: logs, CloudTrail, metrics, queries of
// Logs Insights; of any other each field is a line.
import { z } from 'zod';
import { isRecord, parseJson } from '@holdfast/base/json';
import { list, shortText, text, timeOf } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';
import { objectLines, readCloud } from './cloud-objects.ts';

const at = z.union([z.string(), z.number()]);
const trail = z.object({
  EventTime: at,
  EventName: z.string(),
  Username: text,
  Resources: list(z.object({ ResourceName: text })).optional(),
  CloudTrailEvent: text,
});
const forms = {
  /** logs filter-log-events, get-log-events */
  events: z
    .object({ timestamp: at, logStreamName: text, message: z.string() })
    .transform((event) => ({
      at: timeOf(event.timestamp) ?? '',
      line: `${words(timeOf(event.timestamp), event.logStreamName)}: ${shortText(event.message) ?? ''}`,
    })),
  /** cloudtrail lookup-events */
  Events: trail.transform((event) => ({ at: timeOf(event.EventTime) ?? '', line: trailLine(event) })),
  /** cloudwatch get-metric-statistics */
  Datapoints: z
    .looseObject({ Timestamp: at })
    .transform(({ Timestamp, Unit: _, ...figures }) => ({
      at: timeOf(Timestamp) ?? '',
      line: words(timeOf(Timestamp), JSON.stringify(figures)),
    })),
};

function trailLine({
  EventTime,
  EventName,
  Username,
  Resources = [],
  CloudTrailEvent = '{}',
}: z.output<typeof trail>): string {
  const resources = Resources.flatMap(({ ResourceName }) => ResourceName ?? []).join(', ');
  const whole = parseJson(CloudTrailEvent);
  const error =
    isRecord(whole) && typeof whole['errorCode'] === 'string'
      ? words(whole['errorCode'], shortText(whole['errorMessage']))
      : '';
  const head = `${timeOf(EventTime) ?? '?'} ${EventName} by ${Username ?? 'nobody named'}`;
  return `${head}${resources === '' ? '' : ` on ${resources}`}${error === '' ? '' : ` FAILED: ${error}`}`;
}

const metricData = z.object({
  Label: text,
  Timestamps: list(at),
  Values: list(z.number()),
  StatusCode: text,
  Messages: list(z.object({ Code: text, Value: text })).optional(),
});
const insights = z.array(z.array(z.object({ field: z.string(), value: text })));

/** Any answer. */
export const answers = readCloud((value) => {
  if (!isRecord(value)) return answer(objectLines(value));
  const used: string[] = ['searchedLogStreams', 'ResponseMetadata', 'nextToken', 'NextToken'];
  const lines: string[] = [];
  for (const [name, schema] of Object.entries(forms)) {
    const items = z.array(schema).min(1).safeParse(value[name]);
    if (!items.success) continue;
    used.push(name);
    // metrics are read in their order, events from the newest
    const sign = name === 'Datapoints' ? 1 : -1;
    lines.push(
      ...items.data
        .toSorted((one, other) => sign * (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
        .map(({ line }) => line),
    );
  }
  const metrics = z.array(metricData).safeParse(value['MetricDataResults']);
  const rows = insights.safeParse(value['results']);
  if (metrics.success) used.push('MetricDataResults');
  if (rows.success) used.push('results');
  const gaps = (metrics.data ?? []).map(
    ({ Label, StatusCode = 'Complete', Messages = [] }) =>
      StatusCode !== 'Complete' &&
      words(`${Label ?? '?'}: ${StatusCode}`, ...Messages.map(({ Code, Value }) => words(Code, Value))),
  );
  // a query of Logs Insights that runs, or has run out of time, has found a part
  const state = rows.success ? value['status'] : undefined;
  if (typeof state === 'string' && state !== 'Complete') gaps.push(`the query is ${state}`);
  const found = [
    ...lines,
    ...(metrics.data ?? []).flatMap(({ Label, Timestamps, Values }) =>
      Timestamps.map((time, index) => words(Label, timeOf(time), Values[index])),
    ),
    ...(rows.data ?? []).map((row) =>
      row
        .filter(({ field }) => field !== '@ptr')
        .map(({ value: cell }) => cell ?? '-')
        .join(' '),
    ),
    ...objectLines(value, used),
  ];
  return answer(found, {
    gaps,
    more: typeof (value['NextToken'] ?? value['nextToken']) === 'string' ? true : undefined,
  });
});
