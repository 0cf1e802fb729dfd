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
    grade: 'confirmed',
    summary: 'The pool of connections was made smaller at 13:58.\nSince then requests wait.',
    rootCause: { component: 'payments', kind: 'configuration', text: 'pool size 2 instead of 20' },
    impact: { who: 'all customers', since: '13:58', severity: 'checkout takes 9 s', ongoing: 'yes' },
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

export const startMessage: DeliveryMessage = {
  version: 1,
  id: 'delivery:checkout-is-slow-k3v9x:run-1:start',
  point: 'start',
  at: '2026-11-28T03:04:05.000Z',
  session,
};

export const sampleMessages = [startMessage, approvalMessage, questionMessage, endMessage];

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
