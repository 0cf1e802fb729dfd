// The reader of answers of the Azure command line in JSON: the activity log, metrics, objects. Pure.
import { z } from 'zod';
import { isRecord } from '@holdfast/base/json';
import { list, text } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';
import { objectLines, readCloud, shown } from './cloud-objects.ts';

/** az monitor activity-log list */
const event = z.object({
  eventTimestamp: z.string(),
  operationName: z.object({ localizedValue: text }).nullish(),
  status: z.object({ value: text }).nullish(),
  caller: text,
  resourceId: text,
});
/** az monitor metrics list */
const metrics = z.object({
  value: z.array(
    z.object({
      name: z.object({ value: text }),
      timeseries: list(z.object({ data: list(z.looseObject({ timeStamp: z.string() })) })),
    }),
  ),
});

/** Any answer. */
export const answers = readCloud((value) => {
  if (Array.isArray(value)) return answer(value.map(lineOf));
  const found = metrics.safeParse(value);
  if (!found.success) return answer(isRecord(value) ? objectLines(value) : [shown(value)]);
  return answer(
    found.data.value.flatMap(({ name, timeseries }) =>
      timeseries.flatMap(({ data }) =>
        data.map(({ timeStamp, ...figures }) => {
          const measured = Object.entries(figures).filter(([, figure]) => figure !== null);
          return words(timeStamp, name.value, JSON.stringify(Object.fromEntries(measured)));
        }),
      ),
    ),
  );
});

function lineOf(item: unknown): string {
  const { data } = event.safeParse(item);
  if (data === undefined) return shown(item);
  const what = words(data.eventTimestamp, data.operationName?.localizedValue, data.status?.value);
  return words(what, data.caller && `by ${data.caller}`, data.resourceId && `on ${data.resourceId}`);
}
