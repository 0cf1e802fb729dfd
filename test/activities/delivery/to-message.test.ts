// The document of a message, from the facts of its point and the stored report: what it says, what it leaves out, and
// that it follows its published schema.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { toCard } from '../../../src/activities/delivery/card.ts';
import { cardText } from '../../../src/activities/delivery/markdown.ts';
import { toMessage } from '../../../src/activities/delivery/to-message.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import type { DeliveredEnd, DeliveryInput } from '@holdfast/vocabulary/deliver';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';
import type { Report } from '@holdfast/report/report';
import { toReportRef } from '@holdfast/report/report-ref';
import { toEnd, toQuestion } from '../../../src/core/session/delivery-points.ts';
import { calls } from '../../support/memory-model.ts';
import { sampleMessages } from '../../support/sample-messages.ts';
import { wholeReport } from '../../support/sample-reports.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const secret = 'hunter2-hunter2-hunter2';
const artifactId = 'report-of-run-1.md';

const ended: RunResult = {
  runId: 'run-1',
  status: 'completed',
  cause: 'answer',
  answer: 'The pool is too small.',
  content: '',
  thoughts: { items: [], truncated: false, fromSeq: 1, toSeq: 2 },
  newMessages: { fromSeq: 1, toSeq: 2 },
  usage: {},
  costUsd: 0.12,
  turns: 3,
  toolCalls: 4,
  condenses: 0,
  startedAt: 1_000,
  endedAt: 61_000,
};

const point = (facts: Pick<DeliveryInput, 'question' | 'end'>): DeliveryInput => ({
  id: 'delivery:s:run-1:end',
  point: facts.question ? 'question' : 'end',
  to: ['team'],
  sessionId: 's',
  runId: 'run-1',
  at: Date.UTC(2026, 10, 28),
  agent: 'investigator',
  task: 'Why?',
  ...facts,
});

/** The message of this point; with a report in the store. */
async function messageOf(input: DeliveryInput, report?: Report) {
  const artifacts = await createFileArtifactStore(await temporaryFolder());
  if (report) await artifacts.put('s', 'report-of-run-1.json', JSON.stringify(report));
  const redactor = createRedactor([secret]);
  return toMessage(input, { artifacts, redactor, uiAddressOf: (id) => `https://ui.example.com/${id}` });
}

const endOf = async (result: Partial<RunResult>, report?: Report, needsReport = false) =>
  (await messageOf(point({ end: toEnd({ ...ended, ...result }, needsReport) }), report)).end;

test('[SAFE-11c] no text of the document hides or turns words, so none of a form made from it does', async () => {
  const hidden = 'go\u202e to\u200b sleep';
  const input = {
    ...point({ end: toEnd({ ...ended, answer: hidden }) }),
    task: hidden,
    labels: { alertname: hidden },
  };
  const message = await messageOf(input, undefined);
  expect(JSON.stringify(message)).not.toMatch(/\u202e|\u200b/);
  const shown = String.raw`go\u{202E} to\u{200B} sleep`;
  expect(message).toMatchObject({
    session: { task: shown, labels: { alertname: shown } },
    end: { summary: shown },
  });
  expect(cardText(toCard(message))).toContain(`Summary:\n  │ ${shown}\n`);
});

describe('the end', () => {
  const named = { report: toReportRef(wholeReport, artifactId) };

  test('[DELIV-05b] has the parts of the report that people act on, and never the whole of it', async () => {
    const end = await endOf(named, wholeReport);
    expect(end).toMatchObject({
      succeeded: true,
      grade: wholeReport.grade,
      summary: wholeReport.summary,
      rootCause: wholeReport.rootCause,
      impact: wholeReport.impact,
      nextSteps: wholeReport.recommended?.slice(0, 5).map(({ text }) => text),
      costUsd: 0.12,
      durationMs: 60_000,
      report: 'holdfast report s --run run-1',
    });
    const long = { ...wholeReport, summary: 'words '.repeat(10_000) };
    const text = JSON.stringify(await endOf(named, long));
    expect(text.length).toBeLessThan(8_000);
    expect(text).not.toContain(wholeReport.claims[0]?.quotes[0]?.quote);
  });

  test('[REPORT-26a] of a report that found no fault says so, and names no cause', async () => {
    const rootCause = { component: 'importer', kind: 'none', text: 'The peak is that of every night.' };
    const calm = { ...wholeReport, grade: 'likely' as const, rootCause };
    const message = await messageOf(
      point({ end: toEnd({ ...ended, report: toReportRef(calm, artifactId) }) }),
      calm,
    );
    expect(message.end).toMatchObject({ noFault: true });
    const text = cardText(toCard(message));
    expect(text).toMatch(/^No fault found \(something was changed\): Why\?\n/);
    expect(text).toContain('Grade: no fault found, ');
    expect(text).not.toContain('Cause:');
  });

  test('[DELIV-17de] has what was done with its states, and what is not known', async () => {
    const { run } = wholeReport;
    if (!run) throw new Error('the sample has a run');
    const action = {
      callId: 'c9',
      at: '2026-11-22T03:55:00.000Z',
      call: 'scale payments 3',
      outcome: 'done' as const,
    };
    const change = { before: 'replicas\n2', after: 'replicas\n3', undo: 'scale payments 2' };
    const report: Report = {
      ...wholeReport,
      run: { ...run, actions: [...run.actions, { ...action, by: 'kim', approved: true, change }] },
      gaps: [
        { text: 'Who made the pool smaller.', source: 'model' },
        { text: 'db2 was not reachable.', source: 'code' },
      ],
    };
    const end = await endOf(named, report);
    expect(end?.actions.at(-1)).toEqual({
      at: action.at,
      call: action.call,
      outcome: 'Done, approved by kim',
      before: 'replicas 2',
      after: 'replicas 3',
      undo: 'scale payments 2',
    });
    expect(end?.actions.length).toBeLessThanOrEqual(5);
    expect(end?.gaps).toEqual(['Who made the pool smaller.']);
    expect(end?.heading).toBe(toReportRef(wholeReport, artifactId).heading);
  });

  test('[DELIV-05b] the input of the workflow has no words of the report', () => {
    const input: DeliveredEnd = toEnd({ ...ended, ...named });
    expect(input.answer).toBeUndefined();
    expect(JSON.stringify(input)).not.toContain(wholeReport.summary.slice(0, 30));
  });

  test('a report that the store does not have any more is left out', async () => {
    expect(await endOf(named)).toMatchObject({ succeeded: true, summary: '', nextSteps: [] });
  });

  test('without a report of the agent it has the beginning of the answer', async () => {
    expect(await endOf({})).toMatchObject({ succeeded: true, summary: 'The pool is too small.' });
    const byCode = { report: { ...named.report, byCode: true as const } };
    const end = await endOf(byCode, { ...wholeReport, author: 'code' });
    expect(end).toMatchObject({ summary: 'The pool is too small.' });
    expect(end).not.toHaveProperty('grade');
  });

  test('[DELIV-05c] a run without the report that it needs is no success, and says so', async () => {
    expect(await endOf({ cause: 'no_report' })).toMatchObject({
      succeeded: true,
      words: 'The run completed without a report of the agent.',
    });
    for (const result of [{}, { cause: 'no_report' as const }]) {
      expect(await endOf(result, undefined, true)).toMatchObject({
        succeeded: false,
        words: 'The run ended without a report, which it has to have: it counts as failed.',
      });
    }
    expect(await endOf(named, wholeReport, true)).toMatchObject({ succeeded: true });
  });

  test('[LOOP-38d] a cut answer is said to be one', async () => {
    expect(await endOf({ answerCut: true })).toMatchObject({
      succeeded: true,
      words: 'The run completed. The answer was cut by the output limit (model.maxResponseTokens).',
    });
  });

  test('[DELIV-05c] a failure and an abort keep their own words', async () => {
    const error = { code: 'Model.Quota', message: 'The quota is used up.' };
    expect(await endOf({ status: 'failed', error }, undefined, true)).toMatchObject({
      succeeded: false,
      words: 'The run failed. The quota is used up.',
    });
    expect(await endOf({ status: 'aborted' })).toMatchObject({
      succeeded: false,
      words: 'The run was stopped before it was done.',
    });
  });
});

describe('a question', () => {
  const pending: PendingApproval = {
    id: 'call_1',
    tool: 'bash',
    args: JSON.stringify({ command: 'systemctl restart payments\nreboot' }),
    argsDigest: 'd',
    effect: 'once',
    summary: 'systemctl restart payments',
    turn: 1,
    requestedAt: 0,
    deadline: 1_000,
    rememberable: [],
  };

  test('[DELIV-05a] has the call as it would run on one line, and the host of the call', async () => {
    const { question } = await messageOf(
      point({ question: toQuestion('s', pending, { machine: 'worker-1' }) }),
    );
    expect(question).toMatchObject({
      text: String.raw`bash {"command":"systemctl restart payments\nreboot"}`,
      host: 'worker-1',
      asked: ['team'],
      answer: ['holdfast approve s call_1', 'holdfast deny s call_1 --reason "why"'],
    });
    const onHost = { ...pending, args: JSON.stringify({ command: 'ls', on_host: 'web-3' }) };
    expect(toQuestion('s', onHost, { machine: 'worker-1' }).host).toBe('web-3');
  });

  test('[DELIV-17a] has what the tool shows of the call: the first lines, as in a terminal', async () => {
    const preview = [
      'app.conf',
      'Undo: put it back',
      'Now:',
      ...Array.from({ length: 20 }, (_, at) => `line ${at}`),
    ];
    const shown = toQuestion('s', { ...pending, preview: preview.join('\n') }, { machine: undefined });
    const { question } = await messageOf(point({ question: shown }));
    expect(question?.summary).toBe('systemctl restart payments');
    expect(question?.preview?.split('\n')).toEqual([...preview.slice(0, 12), '… 11 more lines']);
    const long = toQuestion('s', { ...pending, preview: 'x'.repeat(9_000) }, { machine: undefined });
    expect(long.preview?.length).toBeLessThanOrEqual(2_048);
  });

  test('[DELIV-17a] has the words of the agent beside the call', async () => {
    const records = [calls('call_0:echo', 'call_1:bash')].map((message, at) => ({
      seq: at + 1,
      id: `m${at}`,
      runId: 'run-1',
      turn: 1,
      at,
      ...message,
      content: [
        {
          type: 'text' as const,
          text: ` The pool is empty:\u202e I want to restart it. ${'word '.repeat(200)}`,
        },
        ...message.content,
      ],
    }));
    const { question } = await messageOf(
      point({ question: toQuestion('s', pending, { machine: undefined, records }) }),
    );
    expect(question?.said).toMatch(/^The pool is empty:\\u\{202E\} I want to restart it\. word .*word…$/);
    expect(question?.said?.length).toBeLessThanOrEqual(500);
    const other = { ...pending, id: 'call_9' };
    expect(toQuestion('s', other, { machine: undefined, records }).said).toBeUndefined();
  });

  test('[DELIV-05a] a call that is too long is cut, and the way to the whole comes first', async () => {
    const long = { ...pending, args: JSON.stringify({ command: 'x'.repeat(5_000) }) };
    const { question } = await messageOf(point({ question: toQuestion('s', long, { machine: undefined }) }));
    expect(question?.text.length).toBeLessThanOrEqual(2_048);
    expect(question).toMatchObject({ isCut: true });
    expect(question?.answer[0]).toBe('holdfast approvals s --whole');
  });

  test('[DELIV-05a] a call that a subagent could not pass on whole is answered in its own session', () => {
    const child = { name: 'logs-1', sessionId: 's/logs-1' };
    const cut = toQuestion(
      's',
      { ...pending, id: 'logs-1/call_1', isCut: true, child },
      { machine: undefined },
    );
    expect(cut).toMatchObject({ id: 'call_1', sessionId: 's/logs-1', child: 'logs-1', isCut: true });
  });
});

test('[DELIV-17b] the alert of the session, with its start in UTC', async () => {
  const links = [{ title: 'runbook', url: 'https://wiki.example.com/r' }];
  const input = {
    ...point({ end: toEnd(ended) }),
    alert: { name: 'HighLatency', severity: 'critical', startsAt: 0, links },
  };
  expect((await messageOf(input)).session.alert).toEqual({
    name: 'HighLatency',
    severity: 'critical',
    since: '1970-01-01T00:00:00.000Z',
    links,
  });
});

test('[DELIV-05d] every text goes through the redactor', async () => {
  const report = { ...wholeReport, summary: `The password is ${secret}.` };
  const named = { report: toReportRef(wholeReport, artifactId) };
  const input = { ...point({ end: toEnd({ ...ended, ...named }) }), task: `log in with ${secret}` };
  const message = await messageOf(input, report);
  expect(JSON.stringify(message)).not.toContain(secret);
  expect(cardText(toCard(message))).toContain('The password is [redacted');
});

test('[DELIV-06b] every message follows catalog/schemas/delivery.json', () => {
  const file = resolve(import.meta.dirname, '../../../catalog/schemas/delivery.json');
  const check = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(file, 'utf8')));
  for (const message of sampleMessages) expect(check(message) ? [] : check.errors).toEqual([]);
  expect(check({ ...sampleMessages[0], version: 2 })).toBe(false);
  expect(check({ ...sampleMessages[0], session: {} })).toBe(false);
});
