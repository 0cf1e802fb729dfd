// Reads the webhooks of Datadog. Their fields are those of the payload that the user has written (docs/alerts.md): named
// after Datadog's variables, in any case, at the top or in `alert`. Pure.
import { z } from 'zod';
import { defined } from '@holdfast/base/defined';
import { isRecord, type JsonRecord, fieldsOf } from '@holdfast/base/json';
import { toDigest } from '../found-alert.ts';
import { toBag, optionalBag, reader, statusOf } from '../shape.ts';
import { toTexts } from '../texts.ts';

/** Datadog begins its titles with it, as in `[Triggered on {host:web-1}] CPU is high`. */
const titled = /^\[((?:re-)?(?:triggered|warn|no data)|renotify|recovered)[^\]]*\]\s*/i;

/** A variable that has no value, or that Datadog does not know. */
const noValue = /^(?:null|\$[A-Z_]+)?$/i;

/** "Recovered" with the state from which it has, as in `Recovered from Warn`. */
const recovered = /^\s*(recovered)\b.*$/is;

const schema = z.preprocess(
  toFields,
  z.looseObject({
    // Triggered, Warn and No Data, each also with "Re-", Renotify, Recovered
    alert_transition: statusOf('a value of $ALERT_TRANSITION'),
    commonlabels: optionalBag,
    commonannotations: optionalBag,
  }),
);

export const readDatadog = reader('webhook of Datadog', schema, (body) => {
  const { alert_id: id, aggreg_key: key, alert_priority: priority, title, date } = body;
  const status = body.alert_transition;
  const scope = toTags(body.alert_scope);
  const { hostname: host, alert_metric: metric, commonlabels } = body;
  // an absent host hides no tag of that name
  const own = defined({ host, metric });
  const labels: JsonRecord = { ...toTags(body.tags), ...scope, ...own, ...commonlabels };
  const { text, alert_query: query, alert_status: state, evidence } = body;
  return [
    {
      status,
      labels,
      name: labels['alertname'] ?? withoutTransition(body.alert_title ?? title),
      severity: labels['severity'] ?? priority ?? body.alert_type,
      fingerprint: body.alert_cycle_key ?? key ?? id,
      // a monitor has an alert for each scope
      groupId: id === undefined ? key : toDigest(toTexts({ ...scope, '': id }, 1_024), 16),
      annotations: { text, title, query, state, priority, evidence, ...body.commonannotations },
      links: { Datadog: body.link, Snapshot: body.snapshot },
      startsAt: status === 'resolved' || body.isRepeat ? undefined : date,
      endsAt: status === 'resolved' ? date : undefined,
    },
  ];
});

function withoutTransition(title: unknown): unknown {
  return typeof title === 'string' ? title.replace(titled, '') : title;
}

/** `env:prod,role:db,web`, or a list or an object of such. */
function toTags(tags: unknown): JsonRecord {
  if (isRecord(tags)) return tags;
  const all: unknown[] = [tags ?? []].flat();
  const pairs = all
    .flatMap((tag) => (typeof tag === 'string' ? tag.split(',') : [tag]))
    .map((tag) =>
      typeof tag === 'string' ? (/^([^:]+):(.*)$/s.exec(tag.trim())?.slice(1) ?? ['tags', tag.trim()]) : tag,
    );
  return toBag(pairs) ?? { tags };
}

function toFields(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const inner = fieldsOf(body['alert']);
  const entries = [...Object.entries(body), ...Object.entries(inner)].filter(
    ([, value]) => typeof value !== 'string' || !noValue.test(value),
  );
  const fields: JsonRecord = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
  const title = fields['title'] ?? fields['event_title'];
  const [, ofTitle] = titled.exec(typeof title === 'string' ? title : '') ?? [];
  const text = fields['text_only_msg'] ?? fields['body'] ?? fields['message'] ?? fields['event_msg'];
  const word = fields['alert_transition'] ?? fields['transition'] ?? fields['state'] ?? ofTitle;
  const alert_transition = typeof word === 'string' ? word.replace(recovered, '$1') : word;
  const date = fields['date'] ?? fields['last_updated'] ?? fields['date_posix'];
  // the date is that of the event: a repeat is no new start
  const isRepeat = typeof word === 'string' && /^re/i.test(word);
  return { ...fields, ...defined({ alert_transition, title, text, date, isRepeat }) };
}
