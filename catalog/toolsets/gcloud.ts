// The reader of answers of the Google Cloud command line in JSON: log entries, objects. Pure.
import { z } from 'zod';
import { isRecord } from '@holdfast/base/json';
import { record, shortText, text, valueAt } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';
import { objectLines, readCloud, shown } from './cloud-objects.ts';

/** https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry */
const entry = z.looseObject({
  logName: z.string(),
  timestamp: text,
  severity: text,
  resource: z.object({ labels: z.record(z.string(), z.string()).optional() }).optional(),
  protoPayload: record.optional(),
});

/** Any answer. */
export const answers = readCloud((value) =>
  answer(Array.isArray(value) ? value.map(lineOf) : isRecord(value) ? objectLines(value) : [shown(value)]),
);

function lineOf(item: unknown): string {
  const { data } = entry.safeParse(item);
  if (data === undefined) return shown(item);
  const labels = Object.entries(data.resource?.labels ?? {}).flatMap(([name, label]) =>
    name === 'project_id' ? [] : label,
  );
  const said =
    valueAt(data, 'textPayload', 'jsonPayload.message', 'jsonPayload') ?? calledBy(data.protoPayload);
  return `${words(data.timestamp, data.severity, labels.join('/'))}: ${shortText(said) ?? ''}`;
}

/** Of an audit log: https://cloud.google.com/logging/docs/reference/audit/auditlog/rest/Shared.Types/AuditLog */
function calledBy(audit: z.output<typeof record> | undefined): string | undefined {
  if (audit === undefined) return undefined;
  const [method, who, where, why] = [
    'methodName',
    'authenticationInfo.principalEmail',
    'resourceName',
    'status.message',
  ].map((path) => shortText(valueAt(audit, path)));
  return words(method, who && `by ${who}`, where && `on ${where}`, why);
}
