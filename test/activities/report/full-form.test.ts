// The whole form of a report over a real store: what is kept of it, what is asked for once more, which quotes carry a claim.
import { describe, expect, test } from 'vitest';
import { createArgumentValidator } from '../../../src/activities/tools/tool-arguments.ts';
import { workLimit } from '../../../src/activities/report/work-limit.ts';
import { lookUpQuotes } from '../../../src/activities/report/look-up-quotes.ts';
import { createReportTool } from '../../../src/activities/built-in/report/report.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { claimParts, reportParts } from '../../support/report-parts.ts';
import { readStored, startReportSession } from '../../support/report-session.ts';

const pods = `NAME                        READY   STATUS             RESTARTS   AGE
payments-6d8f9b7c5-h9k2m    0/1     CrashLoopBackOff   12         3h`;
const [header = '', row = ''] = pods.split('\n');

/** A report in which nothing is missing, with these quotes for its one claim. */
function complete(quotes: JsonObject[], more: JsonObject = {}): JsonObject {
  return { ...reportParts, claims: [{ ...claimParts, text: 'The pod is down.', quotes }], ...more };
}

async function session() {
  const started = await startReportSession();
  await started.ran('c1', pods);
  await started.ran('c2', 'dial tcp 10.0.0.7:5432: connection refused', { isError: true, name: 'probe' });
  return started;
}

describe('every part', () => {
  test('[REPORT-01a] is kept as it was handed in, the claims in the order of the model', async () => {
    const { report, artifacts } = await session();
    const claims = [
      { text: 'Second in time.', role: 'effect', confidence: 'low', quotes: [{ callId: 'c1', quote: row }] },
      { text: 'First in time.', role: 'background', quotes: [] },
    ];
    const result = await report({ ...reportParts, claims, ruledOut: ['plain', { text: 'an object' }] });
    const { report: content, markdown } = await readStored(artifacts, result);
    const { impact, rootCause, recommended } = reportParts;
    expect(content).toMatchObject({ impact, rootCause, recommended, claims });
    expect(content.timeline).toEqual([{ ...reportParts.timeline[0], quotes: [] }]);
    expect(content.ruledOut).toEqual([
      { text: 'plain', quotes: [] },
      { text: 'an object', quotes: [] },
    ]);
    expect(markdown).toContain(`## Impact

- Who: every checkout
- Since: 14:04 UTC
- How bad: one in five fails
- Still going on: yes

## Root cause

**payments** (configuration): Its pool has two places, so charges wait.

## Recommended

1. Roll d-41 back.
   - Risk: It restarts payments.
   - Rollback: Deploy d-41 again.

## Root cause, as checked by code

- **Found**: "payments" is in call c1, which is quoted for the cause
- **MISSING**: no line that is quoted for the cause has a word of what the root cause says of its component
- **Not known**: no quoted line of the cause has a time to compare, with its date and zone
- **MISSING**: no quote that was found refutes an alternative (2 ruled-out explanations)
- **Found**: nothing in the report speaks against the cause
- **Found**: of each call that shows a failure the report quotes one
- **MISSING**: no hypotheses were written: confirmed needs two, and an attempt to break the leader

## Claims

1. **Quote found.** Second in time. (effect, low confidence)`);
    expect(markdown).toContain('2. **NO QUOTE.** First in time. (background)');
  });

  test('[REPORT-01a] may be left out, and what a model of before sends is valid', () => {
    const validate = createArgumentValidator();
    const { parameters } = createReportTool().spec;
    const before = {
      summary: 's',
      grade: 'likely',
      claims: [{ text: 'x', quotes: [{ callId: 'c', quote: 'q' }] }],
      ruledOut: ['the disk'],
      gaps: ['db2'],
      timeline: [{ at: '12:03', event: 'e' }],
    };
    expect(validate(parameters, before)).toMatchObject({ ok: true });
    expect(validate(parameters, { summary: 's', grade: 'likely', claims: [] })).toMatchObject({ ok: true });
    const full = complete([{ callId: 'c', quote: 'q' }], { summary: 's', grade: 'likely' });
    expect(validate(parameters, full)).toMatchObject({ ok: true });
    const wrong = { ...full, impact: { ...reportParts.impact, ongoing: 'perhaps' } };
    expect(validate(parameters, wrong)).toMatchObject({
      ok: false,
      reason: 'impact.ongoing: must be one of yes, no, unknown.',
    });
  });

  test('[REPORT-02c] that was left out is asked for once, together with what was not found', async () => {
    const { report } = await session();
    const quotes = [
      { callId: 'c1', quote: 'payments is fine' },
      { callId: 'c1', quote: row },
    ];
    const first = textOf((await report({ claims: [{ text: 'Down.', quotes }] })).message);
    expect(first.slice(first.indexOf('Call report'))).toBe(
      [
        'Call report once more, with everything in it: that one is final. Correct or add what you can, and leave out what you do not know:',
        '- what is NOT FOUND above: copy it again from the output that holds it, or leave it out',
        '- impact: who is affected, since when, how badly, and whether it is still happening',
        '- rootCause: the component, the kind of fault, and what is wrong with it',
        '- role and confidence of claims 1',
        '- recommended: what is left to do, with risk and rollback; [] for nothing',
        '- timeline: what happened when, oldest first',
      ].join('\n'),
    );
    const second = textOf((await report({ claims: [{ text: 'Down.', quotes }] }, 'report_2')).message);
    expect(second).toMatch(/ stays so\. Now give your final answer\.$/);
    expect(second).not.toContain('Call report once more');
  });

  test('[REPORT-02c] is asked for again in another run: a report of an earlier one was no correction', async () => {
    const { report, log } = await session();
    await report({ claims: [] });
    for (const record of log) record.runId = 'run-0';
    expect(textOf((await report({ claims: [] }, 'report_2')).message)).toContain('Call report once more');
  });

  test('the confidence of a claim is asked for where only its role is there', async () => {
    const { report } = await session();
    const claims = [{ text: 'Down.', role: 'cause', quotes: [] }];
    expect(textOf((await report(complete([], { claims }))).message)).toContain('\n- role and confidence');
  });

  test('that is there is not asked for: an empty list is an answer', async () => {
    const { report } = await session();
    const input = complete([{ callId: 'c1', quote: row }], { recommended: [], timeline: [] });
    expect(textOf((await report(input)).message)).toMatch(
      /line 2\nGaps added: 1 [^\n]*\nNow give your final answer\.$/,
    );
  });
});

describe('quotes of every part are checked alike', () => {
  test('[REPORT-07ab] of what was ruled out, and of the timeline', async () => {
    const { report, artifacts } = await session();
    const quotes = [
      { callId: 'c1', quote: row },
      { callId: 'c1', quote: 'STATUS' },
    ];
    const entry = { at: '12:00', event: 'It crashed.', quotes: [{ callId: 'c9', quote: 'crashed at noon' }] };
    const given = { ruledOut: [{ text: 'The disk.', quotes }], timeline: [entry] };
    const result = await report(complete([{ callId: 'c1', quote: row }], given));
    const { report: content, markdown } = await readStored(artifacts, result);
    const why = 'it is shorter than 12 characters and no whole line of that output';
    expect(content.ruledOut[0]?.quotes).toMatchObject([
      { verified: true, position: { line: 2 }, source: { tool: 'grep' } },
      { verified: false, reason: why },
    ]);
    expect(content.timeline?.[0]?.quotes).toMatchObject([{ verified: false }]);
    expect(result.report).toMatchObject({ quotes: 4, verifiedQuotes: 2, claims: 1, verifiedClaims: 1 });
    const answer = textOf(result.message);
    expect(answer).toContain(`ruledOut 1:\n  quote 1: found, line 2\n  quote 2: NOT FOUND: ${why}`);
    expect(answer).toContain('timeline 1:\n  quote 1: NOT FOUND: there is no such call');
    expect(answer).toContain('- what is NOT FOUND above');
    expect(markdown).toMatch(
      /## Ruled out\n\n- The disk\.\n {3}- quote found: .* line 2 \(shown above\)\n {3}- QUOTE NOT FOUND/,
    );
    expect(markdown).toMatch(/## Timeline\n\n- 12:00: It crashed\.\n {3}- QUOTE NOT FOUND/);
  });

  test('[REPORT-07a] a short one at the border of two pieces is no whole line where the line continues', async () => {
    const stored: { [name: string]: string } = {
      'tool-c1.pieces': JSON.stringify({
        version: 1,
        lines: 4,
        pieces: [
          { name: 'tool-c1.piece-0', characters: 9, lineFeeds: 1 },
          { name: 'tool-c1.piece-1', characters: 13, lineFeeds: 2 },
        ],
      }),
      'tool-c1.piece-0': 'start\nact',
      'tool-c1.piece-1': 'ive\nidle\nend\n',
    };
    const artifacts = {
      ...(await session()).artifacts,
      get: (_id: string, name: string) => Promise.resolve(Buffer.from(stored[name] ?? '')),
    };
    const quotes = ['start', 'act', 'active', 'ive', 'idle', 'end'];
    const place = { artifacts, sessionId: 's', isNearEnough: true };
    const { found, lost } = await lookUpQuotes(
      'tool-c1.pieces',
      quotes,
      place,
      workLimit(60_000, new AbortController().signal),
    );
    const lines = [...found].map(([quote, { position }]) => [quote, position.line]);
    expect(lines).toEqual([
      ['start', 1],
      ['active', 2],
      ['idle', 3],
      ['end', 4],
    ]);
    expect([...lost.keys()]).toEqual(['act', 'ive']);
  });
});

describe('a quote that does not carry a claim alone', () => {
  test.each([
    ['the header of a table', 'c1', header, 'it is the header of a table, which shows no value'],
    [
      'a part of it',
      'c1',
      'STATUS             RESTARTS',
      'it is the header of a table, which shows no value',
    ],
    ['the output of a failed call', 'c2', 'connection refused', 'that call failed'],
    [
      'a part of a number',
      'c1',
      'CrashLoopBackOff   1',
      'it begins or ends within a word or a number, which may say something else',
    ],
  ])('[REPORT-10abd] %s', async (_name, callId, quote, why) => {
    const { report, artifacts } = await session();
    const alone = await report(complete([{ callId, quote }]));
    const { report: content, markdown } = await readStored(artifacts, alone);
    const reason = `its quotes do not carry it alone: ${why}`;
    expect(content.claims[0]).toMatchObject({
      verified: false,
      reason,
      quotes: [{ verified: true, weak: why }],
    });
    expect(alone.report).toMatchObject({ quotes: 1, verifiedQuotes: 1, claims: 1, verifiedClaims: 0 });
    expect(markdown).toContain(`1. **WEAK QUOTE ONLY.** (${reason}) The pod is down.`);
    expect(markdown).toContain(`. **Weak**: ${why}`);
    const answer = textOf(alone.message);
    expect(answer).toContain(`; WEAK: ${why}`);
    expect(answer).toContain('- claims with weak quotes only (1)');
    const beside = await report(
      complete([
        { callId, quote },
        { callId: 'c1', quote: row },
      ]),
      'report_2',
    );
    expect(beside.report).toMatchObject({ quotes: 2, verifiedQuotes: 2, verifiedClaims: 1 });
    expect(textOf(beside.message)).toMatch(/Now give your final answer\.$/);
  });

  test('what cuts a number in one piece of a long output is looked for in the others', async () => {
    const { ran, report, artifacts } = await session();
    const lines = Array.from({ length: 300_000 }, (_, at) => `row ${at + 1} is active`);
    lines[10] = 'pool_size: 20';
    lines[200_000] = 'pool_size: 2';
    await ran('c3', lines.join('\n'));
    const result = await report(complete([{ callId: 'c3', quote: 'pool_size: 2' }]));
    const { claims } = (await readStored(artifacts, result)).report;
    expect(claims[0]).toMatchObject({ verified: true, quotes: [{ position: { line: 200_001 } }] });
    expect(claims[0]?.quotes[0]).not.toHaveProperty('weak');
  });

  const fatal = 'FATAL: the disk is full since 09:58';
  test.each<[string, string, string, string, boolean]>([
    ['what echo prints', `echo "${fatal}"`, fatal, fatal, false],
    ['a part of it', `df -h; echo '${fatal}'`, `1 %\n${fatal}`, 'the disk is full', false],
    [
      'a here-document of several lines',
      `cat <<EOF\n${fatal}\nit is so\nEOF`,
      `${fatal}\nit is so`,
      `${fatal}\nit is so`,
      false,
    ],
    [
      'a line that a search has found a part of',
      'grep "the disk is full" a.log',
      `9 ${fatal}`,
      'the disk is full',
      true,
    ],
    [
      'a file that is there',
      'ls /etc/nginx/nginx.conf',
      '/etc/nginx/nginx.conf',
      '/etc/nginx/nginx.conf',
      true,
    ],
    [
      'its words beside a line that was read',
      `cat a.log; echo it is so`,
      `${fatal}\nit is so`,
      `${fatal}\nit is so`,
      true,
    ],
  ])('[REPORT-10c] the words of the command itself: %s', async (_what, command, output, quote, isCarried) => {
    const { ran, report } = await session();
    await ran('c3', output, { name: 'bash', args: { command } });
    const { report: figures, message } = await report(complete([{ callId: 'c3', quote }]));
    expect(figures).toMatchObject({ verifiedQuotes: 1, verifiedClaims: isCarried ? 1 : 0 });
    expect(textOf(message).includes('WEAK: the arguments of its call have these words')).toBe(!isCarried);
  });

  test('[REPORT-10a] the header with the row below it does', async () => {
    const { report } = await session();
    const { report: figures } = await report(complete([{ callId: 'c1', quote: pods }]));
    expect(figures).toMatchObject({ verifiedClaims: 1 });
  });
});

test('[REPORT-13a] a found quote has the lines around it, long ones cut at the quote', async () => {
  const { ran, report, artifacts } = await session();
  const long = `${'a'.repeat(5_000)} the pool of payments is empty ${'b'.repeat(5_000)}`;
  await ran('c3', ['one', 'two', 'three', long, 'five', 'c'.repeat(5_000), 'seven'].join('\n'));
  const result = await report(complete([{ callId: 'c3', quote: 'the pool of payments is empty' }]));
  const { context } = (await readStored(artifacts, result)).report.claims[0]?.quotes[0] ?? {};
  expect(context?.fromLine).toBe(2);
  const [before, , quoted, after, last] = context?.lines ?? [];
  expect([before, after]).toEqual(['two', 'five']);
  expect(quoted).toMatch(/^…a{50,} the pool of payments is empty b{50,}…$/);
  expect(last).toMatch(/^c{200,}…$/);
});

test('[REPORT-06b] what was taken out of a quote is pointed out', async () => {
  const { ran, report, artifacts } = await session();
  await ran('c3', 'login failed: user=shop password=hunter2hunter2');
  const quote = 'user=shop password=[redacted:password]';
  const result = await report(complete([{ callId: 'c3', quote }]));
  const { report: content, markdown } = await readStored(artifacts, result);
  expect(content.claims[0]?.quotes[0]).toMatchObject({ verified: true, redacted: ['password'] });
  expect(markdown).toContain('. **Redacted**: a part was taken out before it was stored (password)');
});
