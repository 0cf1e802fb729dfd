// Readers of RabbitMQ's management API: https://www.rabbitmq.com/docs/http-api-reference. A broker without statistics
// (management.disable_stats, rates_mode = none) leaves figures out, and they are not 0. Pure.
import { z } from 'zod';
import { list, number, readJson, shortText, text, timeOf, valueAt } from '@holdfast/sources/json-reader';
import { answer, type SourceAnswer, words } from '@holdfast/sources/source-answer';
import { parts } from './parts.ts';

type Item = Readonly<Record<string, unknown>>;
const unknown = 'unknown';
const noStatistics = 'statistics are off or not collected yet: these figures are not known, and not 0';

function figure(item: Item, ...paths: string[]): number | undefined {
  const value = valueAt(item, ...paths);
  return typeof value === 'number' ? value : undefined;
}

function shown(item: Item, ...paths: string[]): number | string {
  return figure(item, ...paths) ?? unknown;
}

/** Rates are known where the broker keeps one of them at least: the others had no message. */
function rate(item: Item, name: string): number | string {
  const stats = valueAt(item, 'message_stats');
  const isKept =
    typeof stats === 'object' && stats !== null && Object.keys(stats).some((key) => key.endsWith('_details'));
  return figure(item, `message_stats.${name}_details.rate`) ?? (isKept ? 0 : unknown);
}

const nodeState = z.looseObject({ name: z.string(), running: z.boolean() });

const broker = z.looseObject({
  rabbitmq_version: z.string(),
  cluster_name: text,
  /** Absent before 3.9. */
  disable_stats: z.boolean().optional(),
  rates_mode: text,
});

/** A broker without a queue, or without a message since its start, has no totals and rates either: these are 0. */
export const overview = readJson(broker, (found) => {
  const isOn = found.disable_stats === false;
  const noTotal = figure(found, 'object_totals.queues') === 0 ? 0 : unknown;
  const [all = unknown, ready = unknown, unacknowledged = unknown] = ['', '_ready', '_unacknowledged'].map(
    (name) => figure(found, `queue_totals.messages${name}`) ?? noTotal,
  );
  const rates = [
    'publish',
    'deliver_get',
    'ack',
    'redeliver',
    'return_unroutable',
    'drop_unroutable',
  ].flatMap((name) => {
    const value = figure(found, `message_stats.${name}_details.rate`);
    return value === undefined ? [] : [`${name} ${value}`];
  });
  const churn = [
    'connection_created',
    'connection_closed',
    'channel_created',
    'channel_closed',
    'queue_created',
    'queue_deleted',
  ];
  const objects = valueAt(found, 'object_totals');
  const noRate = isOn && found.rates_mode !== 'none' ? 'no message yet' : 'no rates are known';
  const noChurn = isOn ? 0 : unknown;
  return answer(
    [
      parts(found.cluster_name, `RabbitMQ ${found.rabbitmq_version}`),
      `messages ${all}: ready ${ready}, unacknowledged ${unacknowledged}`,
      `a second: ${rates.length > 0 ? rates.join(', ') : noRate}`,
      objects !== undefined && JSON.stringify(objects),
      `opened and closed a second: ${churn.map((name) => `${name} ${figure(found, `churn_rates.${name}_details.rate`) ?? noChurn}`).join(', ')}`,
    ],
    { gaps: [(all === unknown || found.disable_stats === true) && noStatistics] },
  );
});

export const nodes = readJson(z.array(nodeState), (found) =>
  answer(found.map(nodeLine), {
    gaps: [found.some((node) => node.running && figure(node, 'mem_used') === undefined) && noStatistics],
  }),
);

function nodeLine(node: z.output<typeof nodeState>): string {
  const partitions = valueAt(node, 'partitions');
  const apart =
    Array.isArray(partitions) && partitions.length > 0 && `PARTITIONED from ${partitions.join(', ')}`;
  if (!node.running) return parts(`NOT RUNNING ${node.name}`, apart);
  const alarms = words(
    node['mem_alarm'] === true && 'MEMORY ALARM',
    node['disk_free_alarm'] === true && 'DISK ALARM',
  );
  const up = figure(node, 'uptime');
  return parts(
    words(alarms, node.name),
    apart,
    `memory ${shown(node, 'mem_used')} of ${shown(node, 'mem_limit')} bytes`,
    `disk free ${shown(node, 'disk_free')} (alarm below ${shown(node, 'disk_free_limit')})`,
    `files ${shown(node, 'fd_used')} of ${shown(node, 'fd_total')}`,
    `processes ${shown(node, 'proc_used')} of ${shown(node, 'proc_total')}`,
    `run queue ${shown(node, 'run_queue')}`,
    `up ${up === undefined ? unknown : Math.round(up / 1_000)} s`,
  );
}

const anything = z.looseObject({});
/** A page of a list, and how many there are. */
const page = z.object({ items: list(anything), filtered_count: number });

function pageOf(
  { items, filtered_count: total }: z.output<typeof page>,
  line: (item: Item) => string,
  isMeasured: (item: Item) => boolean,
): SourceAnswer {
  const unmeasured = items.filter((item) => !isMeasured(item)).length;
  return answer(items.map(line), {
    total,
    gaps: [unmeasured > 0 && `of ${unmeasured} of ${items.length} ${noStatistics}`],
  });
}

const unseen = 'no queue is shown: the broker leaves out virtual hosts in which the user has no permission';

export const queues = readJson(page, (found, { name }) =>
  found.items.length === 0 && name === ''
    ? answer([], { gaps: [unseen] })
    : pageOf(found, queueLine, (item) => figure(item, 'messages') !== undefined),
);

function queueLine(item: Item): string {
  const [messages, consumers] = [figure(item, 'messages'), figure(item, 'consumers')];
  const nobody = consumers === 0 && messages !== undefined && messages > 0 && ' (NOBODY CONSUMES)';
  const capacity = figure(item, 'consumer_capacity', 'consumer_utilisation');
  const redelivered = figure(item, 'message_stats.redeliver_details.rate');
  const deadLetters = shortText(valueAt(item, 'arguments.x-dead-letter-exchange'));
  const policy = shortText(valueAt(item, 'policy'));
  const name = words(shortText(item['vhost']), shortText(item['name']));
  return parts(
    `${messages ?? unknown} messages in ${name}: ready ${shown(item, 'messages_ready')}`,
    `unacknowledged ${shown(item, 'messages_unacknowledged')}`,
    `consumers ${consumers ?? unknown}${nobody || ''}`,
    `a second: in ${rate(item, 'publish')}`,
    `out ${rate(item, 'deliver_get')}`,
    `acknowledged ${rate(item, 'ack')}`,
    redelivered !== undefined && redelivered > 0 && `redelivered ${redelivered}`,
    words(shortText(item['type']), shortText(item['state'])),
    (consumers ?? 0) > 0 &&
      capacity !== undefined &&
      capacity < 0.5 &&
      `consumers busy: capacity ${Math.round(100 * capacity) / 100}`,
    deadLetters !== undefined && `dead letters to ${deadLetters}`,
    policy !== undefined && `policy ${policy}`,
  );
}

const consumer = z.looseObject({ consumer_tag: text, prefetch_count: number, active: z.boolean().nullish() });

const queueState = z.looseObject({
  arguments: z.unknown().refine((value) => value !== undefined, 'expected those of a queue'),
  type: text,
  state: text,
  node: text,
  consumer_details: list(consumer).optional(),
  deliveries: list(anything).optional(),
});

export const queue = readJson(queueState, (found) => {
  const { type, state, node, consumer_details: consumers = [], deliveries = [] } = found;
  const idle = shortText(valueAt(found, 'idle_since'));
  return answer(
    [
      `${shown(found, 'messages')} messages: ready ${shown(found, 'messages_ready')}, unacknowledged ${shown(found, 'messages_unacknowledged')}, ${shown(found, 'message_bytes')} bytes; ` +
        `${words(type, state)} on ${node ?? unknown}${idle === undefined ? '' : `, idle since ${idle}`}, arguments ${JSON.stringify(found['arguments'] ?? {})}`,
      figure(found, 'consumers') === 0 && 'no consumers',
      ...consumers.map(
        (one) =>
          `consumer ${words(shortText(valueAt(one, 'channel_details.user')), shortText(valueAt(one, 'channel_details.peer_host')), one.consumer_tag)}, prefetch ${one.prefetch_count ?? unknown}${one.active === false ? ', not active' : ''}`,
      ),
      ...deliveries.map((one) => {
        const to = shortText(valueAt(one, 'channel_details.name')) ?? unknown;
        return `${shown(one, 'stats.deliver_get')} delivered to ${to}`;
      }),
    ],
    { gaps: [figure(found, 'messages') === undefined && noStatistics] },
  );
});

/** By state, as they come: blocked, blocking, flow, running. */
export const connections = readJson(page, (found) =>
  pageOf(found, connectionLine, (item) => figure(item, 'recv_oct_details.rate') !== undefined),
);

function connectionLine(item: Item): string {
  const client = valueAt(item, 'client_properties.connection_name', 'client_properties.product');
  const at = figure(item, 'connected_at');
  return parts(
    words(
      shortText(item['state']),
      shortText(item['user']),
      shortText(item['vhost']),
      'from',
      shortText(item['peer_host']),
      shortText(client),
    ),
    `channels ${shown(item, 'channels')}`,
    `bytes a second: in ${shown(item, 'recv_oct_details.rate')}`,
    `out ${shown(item, 'send_oct_details.rate')}`,
    words(at && 'since', timeOf(at)),
  );
}
