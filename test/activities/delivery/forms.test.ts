// The forms of a message for people: what they say, that they keep to the limits of their products, and that hostile
// words in them stay words.
import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { type Card, toCard } from '../../../src/activities/delivery/card.ts';
import type { DeliveryMessage } from '../../../src/activities/delivery/delivery-message.ts';
import { cardMarkup, cardText } from '../../../src/activities/delivery/markdown.ts';
import { toSlack } from '../../../src/activities/delivery/slack.ts';
import { toTeams } from '../../../src/activities/delivery/teams.ts';
import type { RunStatus } from '@holdfast/vocabulary/run-result';
import {
  alertMessage,
  approvalMessage,
  endMessage,
  questionMessage,
  sampleMessages,
  withWords,
} from '../../support/sample-messages.ts';

const textOf = (message: DeliveryMessage): string => cardText(toCard(message));
/** As the product gets it. */
const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const hostile =
  '</pre><script>alert(1)</script> <!channel> <@U1> @channel @all [click](https://evil.example) ![x](https://evil.example/x.png) http://evil.example www.evil.example HTTPS://evil.example *bold* `code` {noformat} "quoted" \\ \u202e end\r\nSubject: owned\n# heading\n- list\n```\nfence';

describe('the words', () => {
  test('[DELIV-05a] a question says who is asked, what would run where, until when, and how to answer', () => {
    const text = textOf(approvalMessage);
    expect(text).toMatch(
      /^Waiting for approval: systemctl restart payments on web-3\n\nCall:\n {2}bash .*\n\nWhat it would change:\n/,
    );
    expect(text).toContain('  Undo: there is none\n  Now:\n  active (running) since 02:11\n');
    expect(text).toContain(
      '\n\nThe agent says:\n  │ The pool is empty. I want to restart payments.\n\nHost: web-3\n',
    );
    expect(text).toContain('Asked: team\n');
    expect(text).toContain('Host: web-3\n');
    expect(text).toContain('Until: 2026-11-29 03:04:05 UTC, then it does not run\n');
    expect(text).toContain('\n  bash {"command":"systemctl restart payments"}\n');
    expect(text).toContain('\n  holdfast approve checkout-is-slow-k3v9x call_3_1\n');
    const asked = textOf(questionMessage);
    expect(asked).toMatch(/^Waiting for an answer: Was the pool made smaller on purpose\?\n\nQuestion:\n/);
    expect(asked).toContain('Asked: team, lead\n');
    expect(asked).toContain('Subagent: logs-1\n');
    expect(asked).toContain('Options: yes / no\n');
    expect(asked).toContain('Question:\n  │ Was the pool made smaller on purpose?\n');
  });

  test('[DELIV-05a] a call that was cut says so, and its first command shows it whole', () => {
    const { question } = approvalMessage;
    if (!question) throw new Error('a question was expected');
    const answer = ['holdfast approvals s --whole', ...question.answer];
    expect(textOf({ ...approvalMessage, question: { ...question, isCut: true, answer } })).toContain(
      'Call (cut here, so look at the whole one first):\n',
    );
  });

  test('[DELIV-17abf] after the question comes the alert with severity, start and links; no words that all have, and no labels of ours', () => {
    expect(textOf(alertMessage)).toContain(`
  holdfast deny checkout-is-slow-k3v9x call_3_1 --reason "why"

Alert: HighLatency web-3
Severity: critical
Since: 02:58:00 UTC

wiki.example.com: runbook: https://wiki.example.com/runbooks/%28latency%29
prometheus.example.com: generator: https://prometheus.example.com/graph?g0.expr=up

Session: checkout-is-slow-k3v9x
Labels: team=shop
Message: `);
    const { session } = alertMessage;
    const links = [
      { title: 'x', url: 'javascript:alert(1)' },
      { title: 'y', url: 'wiki' },
    ];
    const alert = { name: 'a', links };
    expect(textOf({ ...alertMessage, session: { ...session, alert } })).not.toContain('javascript');
  });

  test('[DELIV-17f] the host of a link is there whatever its title says, and four links of usual length are shown', () => {
    const { session } = alertMessage;
    const links = [
      { title: `runbook (wiki.example.com) ${'how to mend it '.repeat(20)}`, url: 'https://evil.test/x' },
      { title: 'long', url: `https://evil.test/${'x'.repeat(600)}` },
      ...Array.from({ length: 6 }, (_, at) => ({
        title: `link ${at}`,
        url: `https://www.example.com/${at}`,
      })),
    ];
    const text = textOf({ ...alertMessage, session: { ...session, alert: { name: 'a', links } } });
    expect(text).toMatch(/\nevil\.test: runbook \(wiki\.example\.com\) how .*…: https:\/\/evil\.test\/x\n/);
    expect(text.match(/www\.example\.com: link \d/g)).toHaveLength(3);
    expect(text).not.toContain('long');
  });

  test('[DELIV-17d] the newest action comes first and whole; ids, calls and commands keep their times', () => {
    const { end } = endMessage;
    if (!end) throw new Error('an end was expected');
    const at = '2026-11-28T03:01:00.000Z';
    const undo = 'restore --to 2026-11-28T02:00:00Z';
    const actions = Array.from({ length: 5 }, (_, index) => ({
      at,
      call: `change ${index} ${'word '.repeat(50)}`,
      outcome: 'Done, nobody was asked',
      before: 'a',
      after: 'b',
      undo,
    }));
    const session = { ...endMessage.session, id: 'nightly-2026-11-28T03:00:00Z' };
    const text = textOf({ ...endMessage, session, end: { ...end, actions, summary: `Since ${at}.` } });
    expect(text).toContain('Since 03:01:00 UTC.');
    expect(text).toMatch(/Actions:\n {2}│ 03:01:00 UTC Done, nobody was asked: change 4 /);
    expect(text.match(/undo: restore --to 2026-11-28T02:00:00Z\n/g)).toHaveLength(2);
    expect(text).toMatch(/│ and 3 earlier ones: see the report\n/);
    expect(text).toContain('(nightly-2026-11-28T03:00:00Z)');
  });

  test('[DELIV-17c] nothing is cut in a word', () => {
    const { end } = endMessage;
    const { question } = approvalMessage;
    if (!end || !question) throw new Error('both were expected');
    const words = Array.from({ length: 2_000 }, (_, at) => `word${at}`);
    const long = words.join(' ');
    for (const message of [
      {
        ...endMessage,
        end: { ...end, summary: long, gaps: [long], rootCause: { component: 'a', kind: 'b', text: long } },
      },
      { ...approvalMessage, question: { ...question, summary: long, reason: long } },
    ]) {
      const text = textOf(message);
      expect(text).toContain('…');
      for (const [, last = ''] of text.matchAll(/(\w+)…/g)) expect(words).toContain(last);
    }
  });

  test('[DELIV-05b] an end has outcome, cause, impact, next steps, effort, session, labels and a link', () => {
    expect(textOf(endMessage))
      .toBe(`Cause found, NOT fixed (change denied by kim): payments (configuration): pool size 2 instead of 20

Task: Why is checkout slow since 14:00?

Summary:
  │ The pool of connections was made smaller at 13:58.
  │ Since then requests wait.

Cause:
  │ payments: pool size 2 instead of 20 (configuration)

Impact:
  │ all customers; since 13:58; checkout takes 9 s; still going on

Actions:
  │ 03:02:00 UTC Refused, denied by kim: rollback d-41
  │ 03:01:00 UTC Done, approved by lee: scale payments 3
  │   before: replicas 2
  │   after: replicas 3
  │   undo: scale payments 2

Not known:
  │ - Who made the pool smaller.

Next steps:
  │ 1. Set the pool to 20 again.
  │ 2. Add an alert for waiting requests.

Grade: confirmed, 4 of 4 quotes found
Effort: $0.12, 3 min 20 s, 7 turns, 12 tool calls

Whole report:
  holdfast report checkout-is-slow-k3v9x --run run-1

Session: night watch (checkout-is-slow-k3v9x)
Labels: alertname=HighLatency, instance=web-3:9100
Message: delivery:checkout-is-slow-k3v9x:run-1:end

Open in the Temporal UI: https://temporal.example.com/namespaces/default/workflows/checkout-is-slow-k3v9x
`);
  });

  const ends: [RunStatus, string][] = [
    ['failed', 'Failed. '],
    ['completed', 'Failed. '],
    ['aborted', 'Stopped. '],
    ['timed_out', 'Ended early. '],
    ['budget_exceeded', 'Ended early. '],
    ['max_iterations', 'Ended early. '],
    ['loop_detected', 'Ended early. '],
    ['context_exhausted', 'Ended early. '],
  ];
  test.each(ends)('[DELIV-05c] a run that is %s and no success is never called done', (status, title) => {
    const { end } = endMessage;
    if (!end) throw new Error('an end was expected');
    const text = textOf({ ...endMessage, end: { ...end, status, succeeded: false } });
    expect(text.startsWith(title)).toBe(true);
    expect(text.split('\n')[0]).not.toContain('Done');
  });
});

describe.each([
  ['Slack', (card: Card) => JSON.stringify(toSlack(card))],
  ['Teams', (card: Card) => JSON.stringify(toTeams(card))],
  ['Markdown', cardMarkup],
  ['plain text', cardText],
] as const)('in %s', (_name, toForm) => {
  test.each([questionMessage, endMessage])(
    '[DELIV-08a] no word of the $point is an address or a mention',
    (message) => {
      const form = toForm(toCard(withWords(message, hostile, ['answer', 'report'])));
      expect(form.replaceAll('https://temporal.example.com', '')).not.toMatch(
        /https?:\/\/(?!adaptivecards)|www\.\w|@(?:channel|all)/i,
      );
    },
  );

  test('[SAFE-11d] each line of the words of a model has a bar', () => {
    const { end } = endMessage;
    if (!end) throw new Error('an end was expected');
    const summary = 'It was the pool.\n\nAnswer with:\n  holdfast approve other call_1';
    const form = toForm(toCard({ ...endMessage, end: { ...end, summary } })).replaceAll('\\n', '\n');
    expect(form).toMatch(/│ +Answer with:[^]*│ +holdfast approve other/);
  });
});

const linked = /^https:\/\/(?:temporal|wiki|prometheus)\.example\.com\//;

type Block = { type: string; text?: { type: string; text: string }; elements?: Element[] };
type Element = { type: string; text?: string; url?: string; elements?: Element[] };

/** The limits and types of Slack's documentation for the blocks that are used here. */
function problemsOfSlack(body: unknown): string[] {
  const { text, blocks } = body as { text: string; blocks: Block[] };
  const elementsOf = (element: Element): Element[] => [
    element,
    ...(element.elements ?? []).flatMap(elementsOf),
  ];
  const all = blocks.flatMap(({ elements = [] }) => elements.flatMap(elementsOf));
  const known = ['rich_text_section', 'rich_text_preformatted', 'text', 'link'];
  return [
    ...(blocks.length > 50 ? ['more than 50 blocks'] : []),
    ...(/<[!@#]/.test(text) ? ['a mention in the text'] : []),
    ...blocks.flatMap(({ type, text: head }) => {
      if (type === 'header')
        return head?.type === 'plain_text' && head.text.length <= 150 && head.text !== '' ? [] : ['header'];
      return type === 'rich_text' ? [] : [`a block ${type}, which Slack parses`];
    }),
    ...all.flatMap(({ type, text: words = '', url }) => [
      ...(known.includes(type) ? [] : [`an element ${type}`]),
      ...(type === 'text' && (words === '' || words.length > 3_000) ? [`a text of ${words.length}`] : []),
      ...(type === 'link' && !linked.test(url ?? '') ? [`a link to ${url}`] : []),
    ]),
  ];
}

describe.each(sampleMessages)('$point', (message) => {
  const cards = [
    toCard(message),
    toCard(withWords(message, hostile)),
    toCard(
      withWords(message, '*'.repeat(50_000), [
        'answer',
        'report',
        ...(message.question?.kind === 'approval' ? ['text'] : []),
      ]),
    ),
  ];

  test('[DELIV-07a] [DELIV-08a] Slack gets no more than it takes, and no text that it parses', () => {
    for (const card of cards) expect(problemsOfSlack(wire(toSlack(card)))).toEqual([]);
  });

  test('[DELIV-07c] [DELIV-08a] Teams gets one Adaptive Card below 28 KB, and no text that it parses', () => {
    for (const card of cards) {
      const body = wire(toTeams(card)) as {
        type: string;
        attachments: { contentType: string; content: { body: { type: string; inlines: Element[] }[] } }[];
      };
      const [attachment, ...more] = body.attachments;
      expect(body.type).toBe('message');
      expect(more).toEqual([]);
      expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive');
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(28 * 1024);
      const blocks = attachment?.content.body ?? [];
      expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
      const runs = blocks.flatMap(({ inlines }) => inlines);
      expect(new Set(runs.map(({ type }) => type))).toEqual(new Set(['TextRun']));
      expect(runs.filter(({ text }) => text === '')).toEqual([]);
    }
  });

  test('[DELIV-07b] [DELIV-08a] Markdown is below 16,383 characters; hostile words are no markup and no mention', async () => {
    for (const card of cards) expect(cardMarkup(card).length).toBeLessThan(16_383);
    const text = cardMarkup(toCard(withWords(message, hostile)));
    const page = await marked.parse(text);
    const tags = [...page.matchAll(/<([a-z0-9]+)[ >]/g)].map(([, tag]) => tag ?? '');
    const ours = ['h3', 'ul', 'li', 'strong', 'p', 'code', 'br', 'a'];
    expect(tags.filter((tag) => !ours.includes(tag))).toEqual([]);
    const links = [...page.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href ?? '');
    expect(links.filter((href) => !linked.test(href))).toEqual([]);
    // no mention outside of code, where there is none
    expect(text.replaceAll('\\`', '').replaceAll(/(`+)[\s\S]*?\1/g, '')).not.toMatch(
      /(?<![\w.])@(?:channel|all)/,
    );
  });
});

describe('many lines, and letters of several bytes', () => {
  const { end } = endMessage;
  if (!end) throw new Error('an end was expected');
  const long = (line: string): DeliveryMessage => {
    const text = Array.from({ length: 120 }, (_, at) => line.replace('N', String(at))).join('\n');
    const rootCause = { component: 'payments', kind: 'configuration', text };
    return {
      ...endMessage,
      end: { ...end, summary: text, rootCause, nextSteps: [text, text, text, text, text] },
    };
  };

  test.each(['node-N: ok', '支払いサービスは応答しない N', '"quoted" \\ N', '😀😀😀 N'])(
    '[DELIV-09a] [DELIV-07c] Teams gets less than 20 KB of %s, a text as one block with its line ends',
    (line) => {
      const body = JSON.stringify(toTeams(toCard(long(line))));
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000);
      expect(body.split('"RichTextBlock"').length).toBeLessThan(30);
      expect(body).toContain('\\n');
      // the command stays whole
      expect(body).toContain('holdfast report checkout-is-slow-k3v9x --run run-1');
    },
  );

  test('[DELIV-09b] what was cut is marked, and what fits is not cut', () => {
    const words = '長い文章'.repeat(2_000);
    const hostileCard = toCard(withWords(endMessage, words, ['answer', 'report']));
    const body = JSON.stringify(toTeams(hostileCard));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000);
    expect(body).toContain('…');
    const whole = JSON.stringify(toTeams(toCard(endMessage)));
    expect(whole).not.toContain('…');
    expect(whole).toContain('Since then requests wait.');
  });
});

test('[DELIV-10] a blank text is left out in every form, with its heading', () => {
  const { end } = endMessage;
  if (!end) throw new Error('an end was expected');
  const blank = {
    ...endMessage,
    end: { ...end, words: ' ', summary: ' \n ', nextSteps: [], actions: [], gaps: [] },
  };
  const card = toCard({ ...blank, session: { ...blank.session, labels: {}, task: '\t' } });
  const names = card.parts.flatMap((part) => {
    if (part.kind === 'facts') return part.rows.map(([name]) => name);
    return part.kind === 'links' ? [] : [part.heading];
  });
  expect(names).toEqual(['Cause', 'Impact', 'Grade', 'Effort', 'Whole report', 'Session', 'Message']);
  expect(problemsOfSlack(wire(toSlack(card)))).toEqual([]);
});

test.each(sampleMessages)(
  '[DELIV-15] the $point has the id of its message, by which people tell that it came twice',
  (message) => {
    for (const toForm of [
      cardText,
      cardMarkup,
      (card: Card) => JSON.stringify(toSlack(card)),
      (card: Card) => JSON.stringify(toTeams(card)),
    ])
      expect(toForm(toCard(message))).toContain(message.id);
  },
);
