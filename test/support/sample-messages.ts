// Messages with every field that one may have, and the same with hostile words in every text.
import type { DeliveryMessage } from '../../src/activities/delivery/delivery-message.ts';

const session: DeliveryMessage['session'] = {
  id: 'checkout-is-slow-k3v9x',
  runId: 'run-1',
  name: 'night watch',
  task: 'Why is checkout slow since 14:00?',
  subject: 'Why is checkout slow since 14:00?',
  labels: { alertname: 'HighLatency', instance: 'web-3:9100' },
  url: 'https://temporal.example.com/namespaces/default/workflows/checkout-is-slow-k3v9x',
};

export const endMessage: DeliveryMessage = {
  version: 1,
  id: 'delivery:checkout-is-slow-k3v9x:run-1:end',
  point: 'end',
  at: '2026-11-28T03:04:05.000Z',
  session,
  end: {
    status: 'completed',
    cause: 'answer',
    succeeded: true,
    words: 'The run completed.',
    heading: 'Cause found, NOT fixed (change denied by kim)',
    headline:
      'Cause found, NOT fixed (change denied by kim): payments (configuration): pool size 2 instead of 20',
    grade: 'confirmed',
    summary: 'The pool of connections was made smaller at 13:58.\nSince then requests wait.',
    rootCause: { component: 'payments', kind: 'configuration', text: 'pool size 2 instead of 20' },
    impact: { who: 'all customers', since: '13:58', severity: 'checkout takes 9 s', ongoing: 'yes' },
    actions: [
      {
        at: '2026-11-28T03:01:00.000Z',
        call: 'scale payments 3',
        outcome: 'Done, approved by lee',
        before: 'replicas 2',
        after: 'replicas 3',
        undo: 'scale payments 2',
      },
      { at: '2026-11-28T03:02:00.000Z', call: 'rollback d-41', outcome: 'Refused, denied by kim' },
    ],
    gaps: ['Who made the pool smaller.'],
    nextSteps: ['Set the pool to 20 again.', 'Add an alert for waiting requests.'],
    quotes: { given: 4, found: 4 },
    costUsd: 0.1234,
    durationMs: 200_000,
    turns: 7,
    toolCalls: 12,
    report: 'holdfast report checkout-is-slow-k3v9x --run run-1',
  },
};

export const approvalMessage: DeliveryMessage = {
  version: 1,
  id: 'delivery:checkout-is-slow-k3v9x:run-1:3:call_3_1',
  point: 'question',
  at: '2026-11-28T03:04:05.000Z',
  session,
  question: {
    id: 'call_3_1',
    kind: 'approval',
    asked: ['team'],
    text: 'bash {"command":"systemctl restart payments"}',
    summary: 'systemctl restart payments',
    said: 'The pool is empty. I want to restart payments.',
    preview: 'systemctl restart payments\nUndo: there is none\nNow:\nactive (running) since 02:11',
    host: 'web-3',
    reason: 'It changes a service.',
    deadline: '2026-11-29T03:04:05.000Z',
    answer: [
      'holdfast approve checkout-is-slow-k3v9x call_3_1',
      'holdfast deny checkout-is-slow-k3v9x call_3_1 --reason "why"',
    ],
  },
};

export const questionMessage: DeliveryMessage = {
  ...approvalMessage,
  id: 'delivery:checkout-is-slow-k3v9x:run-1:4:call_4_1',
  question: {
    id: 'call_4_1',
    kind: 'question',
    asked: ['team', 'lead'],
    text: 'Was the pool made smaller on purpose?',
    options: ['yes', 'no'],
    subagent: 'logs-1',
    deadline: '2026-11-29T03:04:05.000Z',
    answer: ['holdfast answer checkout-is-slow-k3v9x call_4_1 "your answer"'],
  },
};

/** Of a session that an alert has started. */
export const alertMessage: DeliveryMessage = {
  ...approvalMessage,
  id: 'delivery:checkout-is-slow-k3v9x:run-1:5:call_5_1',
  session: {
    ...session,
    task: 'Investigate this alert: find out what is wrong and why.',
    name: 'HighLatency web-3',
    labels: { team: 'shop', receiver: 'prod', alertGroup: 'alertGroup:prod:HighLatency-web-3' },
    alert: {
      name: 'HighLatency web-3',
      severity: 'critical',
      since: '2026-11-28T02:58:00.000Z',
      links: [
        { title: 'runbook', url: 'https://wiki.example.com/runbooks/(latency)' },
        { title: 'generator', url: 'https://prometheus.example.com/graph?g0.expr=up' },
      ],
    },
  },
};

export const startMessage: DeliveryMessage = {
  version: 1,
  id: 'delivery:checkout-is-slow-k3v9x:run-1:start',
  point: 'start',
  at: '2026-11-28T03:04:05.000Z',
  session,
};

export const sampleMessages = [startMessage, approvalMessage, questionMessage, alertMessage, endMessage];

/** Every text of the message in these words, except those that code writes, and `kept`. */
export function withWords(message: DeliveryMessage, words: string, kept: string[] = []): DeliveryMessage {
  const fixed = [
    'version',
    'id',
    'point',
    'at',
    'url',
    'status',
    'cause',
    'grade',
    'kind',
    'deadline',
    'ongoing',
  ];
  const byCode = [...fixed, ...kept];
  const change = (key: string, value: unknown): unknown => {
    if (byCode.includes(key)) return value;
    if (typeof value === 'string') return words;
    if (Array.isArray(value)) return value.map((each) => change('', each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, each]) => [
      key === 'labels' ? words : name,
      change(key === 'labels' ? '' : name, each),
    ]);
    return Object.fromEntries(entries);
  };
  return change('', message) as DeliveryMessage;
}
