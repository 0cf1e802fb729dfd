// Reads the webhooks of Datadog. Their fields are those of the payload that the user has written (docs/alerts.md): named
// after Datadog's variables, in any case, at the top or in `alert`. Pure.
import { z } from 'zod';
import { defined } from '../../../core/base/defined.ts';
import { isRecord, type JsonRecord } from '../../../core/base/json.ts';
import { digestOf } from '../found-alert.ts';
import { anything, optionalBag, type ReadFormat, reader } from '../shape.ts';
import { toTexts } from '../texts.ts';

/** Values of $ALERT_TRANSITION, and of `state` in older payloads, in lower case. */
// oxfmt-ignore
const statuses = new Map([
  ...['triggered', 're-triggered', 'warn', 're-warn', 'no data', 're-no data', 'alert', 'alerting', 'warning'].map((word) => [word, 'firing'] as const),
  ...['recovered', 'ok', 'resolved'].map((word) => [word, 'resolved'] as const),
]);

/** Datadog begins its titles with it, as in `[Triggered on {host:web-1}] CPU is high`. */
const titled = /^\[(re-triggered|triggered|re-warn|warn|re-no data|no data|recovered)[^\]]*\]\s*/i;

const schema = z.object({
  alert_transition: z.string().transform((word, context) => {
    const status = statuses.get(word.trim().toLowerCase());
    if (status === undefined)
      context.addIssue({ code: 'custom', message: 'expected a value of $ALERT_TRANSITION' });
    return status ?? 'firing';
  }),
  title: anything,
  alert_title: anything,
  alert_id: anything,
  alert_cycle_key: anything,
  aggreg_key: anything,
  alert_scope: anything,
  alert_priority: anything,
  alert_type: anything,
  alert_query: anything,
  alert_metric: anything,
  alert_status: anything,
  text: anything,
  link: anything,
  snapshot: anything,
  hostname: anything,
  tags: anything,
  date: anything,
  evidence: anything,
  commonlabels: optionalBag,
  commonannotations: optionalBag,
});

const readFields = reader('webhook of Datadog', schema, (body) => {
  const { alert_id: id, aggreg_key: key, alert_priority: priority, title, date } = body;
  const status = body.alert_transition;
  const scope = toTags(body.alert_scope);
  const { hostname: host, alert_metric: metric, commonlabels } = body;
  const labels: JsonRecord = { ...toTags(body.tags), ...scope, host, metric, ...commonlabels };
  const { text, alert_query: query, alert_status: state, evidence } = body;
  return [
    {
      status,
      labels,
      name:
        labels['alertname'] ??
        body.alert_title ??
        (typeof title === 'string' ? title.replace(titled, '') : title),
      severity: labels['severity'] ?? priority ?? body.alert_type,
      fingerprint: body.alert_cycle_key ?? key ?? id,
      // a monitor has an alert for each scope
      groupId: id === undefined ? key : digestOf(toTexts({ ...scope, '': id }, 1_024), 16),
      annotations: { text, title, query, state, priority, evidence, ...body.commonannotations },
      links: { Datadog: body.link, Snapshot: body.snapshot },
      ...(status === 'resolved' ? { endsAt: date } : { startsAt: date }),
    },
  ];
});

/** `env:prod,role:db,web`, or a list of such. Values of one name are one label; a tag without a name is in `tags`. */
function toTags(tags: unknown): JsonRecord {
  const all: unknown[] = Array.isArray(tags) ? tags : typeof tags === 'string' ? tags.split(',') : [];
  const pairs = all.flatMap((tag) => {
    if (typeof tag !== 'string' || tag.trim() === '') return [];
    const [, name = 'tags', value = tag.trim()] = /^([^:]+):(.*)$/s.exec(tag.trim()) ?? [];
    return [{ name, value }];
  });
  const byName = Map.groupBy(pairs, ({ name }) => name);
  const joined = [...byName].map(([name, found]) => [
    name,
    [...new Set(found.map(({ value }) => value))].join(','),
  ]);
  return Object.fromEntries(joined) as JsonRecord;
}

export const readDatadog: ReadFormat = (body, receiver) => {
  if (!isRecord(body)) return readFields(body, receiver);
  const inner = isRecord(body['alert']) ? body['alert'] : {};
  // a variable without a value is ''
  const entries = [...Object.entries(body), ...Object.entries(inner)].filter(([, value]) => value !== '');
  const fields: JsonRecord = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
  const title = fields['title'] ?? fields['event_title'];
  const [, ofTitle] = titled.exec(typeof title === 'string' ? title : '') ?? [];
  const text = fields['text_only_msg'] ?? fields['body'] ?? fields['message'] ?? fields['event_msg'];
  const alert_transition = fields['alert_transition'] ?? fields['transition'] ?? fields['state'] ?? ofTitle;
  const date = fields['date'] ?? fields['last_updated'];
  return readFields({ ...fields, ...defined({ alert_transition, title, text, date }) }, receiver);
};
