// report over a real store: outputs are put there by real tool activities, as in a session.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { ArtifactStore } from '../../../../src/activities/storage/artifact-store.ts';
import { openOutput } from '@holdfast/stored/stored-output';
import { checkQuotes } from '../../../../src/activities/report/check-quotes.ts';
import { readLoggedCalls } from '@holdfast/stored/logged-calls';
import { createGrepTool } from '../../../../src/activities/built-in/files/grep.ts';
import { createReportTool } from '../../../../src/activities/built-in/report/report.ts';
import { createReadArtifactTool } from '../../../../src/activities/built-in/files/read-artifact.ts';
import { stoppedNotice } from '../../../../src/activities/tools/tool-result.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { quoting, readStored, startReportSession } from '../../../support/report-session.ts';
import { failingStore, toolBench } from '../../../support/tool-calls.ts';

const output = 'time=12:03:10 pool exhausted size=2  \r\ntime=12:03:11 waiting=20\nend';

describe('quotes are searched in the stored full result of their call', () => {
  test('[REPORT-01bc] found, after newline and trailing-space normalisation: verified with its position', async () => {
    const { ran, report, artifacts } = await startReportSession({ tools: [createGrepTool({ roots: [] })] });
    await ran('call_1', output);
    const result = await report({
      summary: 'Too small.',
      grade: 'confirmed',
      ruledOut: ['the database'],
      gaps: ['db2'],
      timeline: [{ at: '12:03', event: 'exhausted' }],
      claims: [
        {
          text: 'Exhausted.',
          quotes: [
            { callId: 'call_1', quote: 'pool exhausted size=2\ntime=12:03:11' },
            { callId: 'call_1', quote: '12:03:11 waiting=20' },
          ],
        },
      ],
    });
    const { report: content } = await readStored(artifacts, result);
    const lines = ['time=12:03:10 pool exhausted size=2', 'time=12:03:11 waiting=20', 'end'];
    expect(content).toEqual({
      version: 1,
      author: 'agent',
      sessionId: 'session-1',
      runId: 'run-1',
      turn: 1,
      summary: 'Too small.',
      grade: 'confirmed',
      ruledOut: [{ text: 'the database', quotes: [] }],
      gaps: [{ text: 'db2', source: 'model' }],
      timeline: [{ at: '12:03', event: 'exhausted', quotes: [] }],
      claims: [
        {
          text: 'Exhausted.',
          verified: true,
          quotes: [
            {
              callId: 'call_1',
              quote: 'pool exhausted size=2\ntime=12:03:11',
              verified: true,
              source: { tool: 'grep', argument: '', at: '2026-11-21T03:04:06.000Z' },
              position: { artifactId: 'tool-call_1', line: 1, character: 15 },
              context: {
                fromLine: 1,
                lines,
                marked: [
                  { line: 1, start: 14, end: 35 },
                  { line: 2, start: 0, end: 13 },
                ],
              },
            },
            {
              callId: 'call_1',
              quote: '12:03:11 waiting=20',
              verified: true,
              source: { tool: 'grep', argument: '', at: '2026-11-21T03:04:06.000Z' },
              position: { artifactId: 'tool-call_1', line: 2, character: 6 },
              context: { fromLine: 1, lines, marked: [{ line: 2, start: 5, end: 24 }] },
            },
          ],
        },
      ],
    });
    expect(result.report).toEqual({
      artifactId: 'report-report_1.md',
      grade: 'confirmed',
      quotes: 2,
      verifiedQuotes: 2,
      claims: 1,
      verifiedClaims: 1,
    });
  });

  test('[REPORT-01b] in the full result, not in what the model saw of it', async () => {
    const { ran, report } = await startReportSession();
    await ran('call_1', `${'x\n'.repeat(50_000)}the one line\n${'y\n'.repeat(50_000)}`);
    expect((await report(quoting(['call_1', 'the one line']))).report).toMatchObject({ verifiedQuotes: 1 });
  });

  test.each([
    ['no summary', { summary: '' }],
    ['an unknown grade', { grade: 'sure' }],
    ['claims that are no list', { claims: 'all' }],
    ['a quote without a call', { claims: [{ text: 'x', quotes: [{ quote: 'y' }] }] }],
    ['an unknown field', { more: 1 }],
  ])('[REPORT-21c] %s: an error that names the field', async (_name, input) => {
    const { report } = await startReportSession();
    const result = await report(input);
    expect(result.message.isError).toBe(true);
    expect(textOf(result.message)).toContain(Object.keys(input)[0]);
    expect(result.report).toBeUndefined();
  });
});

describe('marks', () => {
  test('[REPORT-02abc] a claim needs a quote, and all its quotes; none is dropped; the model reads the marks', async () => {
    const { ran, report, artifacts } = await startReportSession();
    await ran('call_1', output);
    const result = await report({
      claims: [
        { text: 'One.', quotes: [{ callId: 'call_1', quote: 'pool exhausted size=2' }] },
        {
          text: 'Two.',
          quotes: [
            { callId: 'call_1', quote: 'pool exhausted size=2' },
            { callId: 'call_1', quote: 'pool exhausted size=20' },
          ],
        },
        { text: 'Three.', quotes: [] },
      ],
    });
    const { report: content, markdown } = await readStored(artifacts, result);
    expect(content.claims.map((claim) => [claim.text, claim.verified])).toEqual([
      ['One.', true],
      ['Two.', false],
      ['Three.', false],
    ]);
    expect(result.report).toMatchObject({ claims: 3, verifiedClaims: 1, quotes: 3, verifiedQuotes: 2 });
    expect(markdown).toMatch(
      /1\. \*\*Quote found\.\*\* One\.[^]*2\. \*\*QUOTES NOT FOUND\.\*\* Two\.[^]*3\. \*\*NO QUOTE\.\*\* Three\./,
    );
    expect(textOf(result.message).split('\n')).toEqual([
      'Report stored. 2 of 3 quotes found, all of them for 1 of 3 claims.',
      'claim 1: Quote found',
      '  quote 1: found, line 1',
      'claim 2: QUOTES NOT FOUND',
      '  quote 1: found, line 1',
      '  quote 2: NOT FOUND: it is not in the output of that call',
      'claim 3: NO QUOTE',
      'Call report once more, with everything in it: that one is final. Correct or add what you can, and leave out what you do not know:',
      '- what is NOT FOUND above: copy it again from the output that holds it, or leave it out',
      '- claims without a quote (3): quote what shows them',
      '- impact: who is affected, since when, how badly, and whether it is still happening',
      '- rootCause: the component, the kind of fault, and what is wrong with it',
      '- role and confidence of claims 1, 2, 3',
      '- recommended: what is left to do, with risk and rollback; [] for nothing',
      '- timeline: what happened when, oldest first',
    ]);
  });

  test('[REPORT-02c] it may be corrected, and then it is final', async () => {
    const { ran, report, artifacts } = await startReportSession();
    await ran('call_1', output);
    const first = await report(quoting(['call_1', 'pool exhausted size=3']));
    const second = await report(quoting(['call_1', 'pool exhausted size=2']), 'report_2');
    expect(second.report).toMatchObject({ artifactId: 'report-report_2.md', verifiedQuotes: 1 });
    expect(textOf(second.message)).toMatch(/Now give your final answer\.$/);
    const still = await report(quoting(['call_1', 'pool exhausted size=4']), 'report_3');
    expect(textOf(still.message)).toMatch(/This was the correction: what was not found or left out stays so/);
    expect((await readStored(artifacts, first)).report.claims[0]?.verified).toBe(false);
  });
});

describe('what is not evidence', () => {
  test('[REPORT-03a] a quote that differs by one character', async () => {
    const { ran, report } = await startReportSession();
    await ran('call_1', output);
    const quote = 'time=12:03:10 pool exhausted size=2';
    expect((await report(quoting(['call_1', quote]))).report).toMatchObject({ verifiedQuotes: 1 });
    for (let index = 0; index < quote.length; index++) {
      const changed = `${quote.slice(0, index)}#${quote.slice(index + 1)}`;
      const { message } = await report(quoting(['call_1', changed]));
      expect(message.details, changed).toMatchObject({ quotes: 1, verifiedQuotes: 0, verifiedClaims: 0 });
    }
  });

  test('[REPORT-03b] a call id of another session', async () => {
    const { ran, report, storedNames } = await startReportSession();
    await ran('call_7', output, { session: 'session-2' });
    expect(await storedNames('session-2')).toEqual(['tool-call_7']);
    const result = await report(quoting(['call_7', 'pool exhausted']));
    expect(result.report).toMatchObject({ verifiedQuotes: 0 });
    expect(textOf(result.message)).toContain('there is no such call in this session');
  });

  test('[REPORT-03b] a call that did not run', async () => {
    const { answered, report } = await startReportSession();
    answered('call_1', 'Denied by ann: not now');
    const result = await report(quoting(['call_1', 'Denied by ann']));
    expect(result.report).toMatchObject({ verifiedQuotes: 0 });
    expect(textOf(result.message)).toContain('no stored output');
  });

  test('[REPORT-16c] another call, and one more: the answer says where the words stand', async () => {
    const { ran, report } = await startReportSession();
    await ran('call_1', output);
    await ran('call_3', output);
    await ran('call_2', 'other');
    const result = await report(quoting(['call_2', 'pool exhausted']));
    expect(result.report).toMatchObject({ verifiedQuotes: 0 });
    expect(textOf(result.message)).toContain('it is in the output of call call_1 (grep)');
  });

  test('[REPORT-03b] an earlier report, in any disguise', async () => {
    const { report, artifacts } = await startReportSession();
    const claim = 'invented evidence';
    await report({ summary: claim, claims: [{ text: claim, quotes: [{ callId: 'x', quote: claim }] }] });
    for (const callId of [
      'report_1',
      'report-report_1.md',
      '../report-report_1',
      'tool-report_1',
      '../session-1/report-report_1.md',
    ]) {
      expect((await report(quoting([callId, claim]), 'report_2')).report, callId).toMatchObject({
        verifiedQuotes: 0,
      });
    }
    const reader = await toolBench(createReadArtifactTool(), { artifacts });
    for (const artifactId of [
      'report-report_1.md',
      'report-report_1.json',
      'tool-report_1',
      '../session-1/report-report_1.md',
    ]) {
      expect(await reader.text({ artifactId }), artifactId).toMatch(/no tool output of that name/);
    }
  });

  test('[REPORT-01c] a quote of nothing', async () => {
    const { ran, report } = await startReportSession();
    await ran('call_1', output);
    expect((await report(quoting(['call_1', ' \n ']))).report).toMatchObject({ verifiedQuotes: 0 });
  });
});

describe('[REPORT-04] gaps by code', () => {
  test('failed tools, denied calls and unreachable hosts are listed, also when the model leaves them out', async () => {
    const { ran, answered, report, artifacts } = await startReportSession();
    await ran('call_1', output);
    await ran('call_2', 'The host could not be reached: connection refused.', {
      isError: true,
      name: 'http_get',
      args: { url: 'http://db2:1/' },
    });
    await ran('call_3', 'There is no such file or folder.', { isError: true, name: 'read' });
    answered('call_4', 'Denied by ann@host: not during the sale', { service: 'shop' });
    const result = await report({ gaps: ['nothing'] });
    const { report: content, markdown } = await readStored(artifacts, result);
    expect(content.gaps).toEqual([
      { text: 'nothing', source: 'model' },
      {
        text: 'http_get url=http://db2:1/: The host could not be reached: connection refused.',
        source: 'code',
        callId: 'call_2',
      },
      { text: 'read call=call_3: There is no such file or folder.', source: 'code', callId: 'call_3' },
      {
        text: 'restart service=shop: Denied by ann@host: not during the sale',
        source: 'code',
        callId: 'call_4',
      },
    ]);
    expect(markdown).toContain('Denied by ann@host: not during the sale (found by Holdfast)');
    expect(textOf(result.message)).toContain('Gaps added: 3');
  });

  test.each([
    ['short', 'checkout fails'],
    ['cut for the model', 'checkout fails\n'.repeat(10_000)],
  ])('a call that a person stopped is one, though it brought something: %s', async (_name, text) => {
    const { ran, report, artifacts } = await startReportSession();
    await ran('call_1', `${text}\n${stoppedNotice}`);
    const { report: content } = await readStored(artifacts, await report({}));
    expect(content.gaps).toMatchObject([{ source: 'code', callId: 'call_1' }]);
  });

  test('a call that worked when it was made again is none, whatever the order of its keys', async () => {
    const { ran, report, artifacts } = await startReportSession();
    await ran('call_1', 'timeout', { isError: true, args: { a: 1, b: 2 } });
    await ran('call_2', 'fine', { args: { b: 2, a: 1 } });
    await ran('call_3', 'fine', { args: { c: 1 } });
    await ran('call_4', 'timeout', { isError: true, args: { c: 1 } });
    const { report: content } = await readStored(artifacts, await report({}));
    expect(content.gaps.map((gap) => gap.callId)).toEqual(['call_4']);
  });

  test('nor is a call that was refused for its form, or a report that failed', async () => {
    const { answered, report, artifacts } = await startReportSession();
    answered('call_1', 'Invalid arguments for restart: service: required, but missing.');
    await report({ grade: 'sure' });
    const { report: content } = await readStored(artifacts, await report({}, 'report_2'));
    expect(content.gaps).toEqual([]);
  });

  test('gaps are of this run, and not without end', async () => {
    const { answered, report, artifacts, log } = await startReportSession();
    for (let index = 0; index < 60; index++) answered(`call_${index}`, 'failed', { index });
    for (const record of log.slice(0, 4)) record.runId = 'run-0';
    const { report: content } = await readStored(artifacts, await report({}));
    expect(content.gaps).toHaveLength(51);
    expect(content.gaps[0]?.callId).toBe('call_2');
    expect(content.gaps.at(-1)?.text).toBe('8 further calls failed.');
  });
});

test('secrets in the model’s words do not reach the stored report', async () => {
  const { answered, report, artifacts } = await startReportSession();
  answered('call_1', 'Denied', { login: 'password=hunter2' });
  const secret = 'AKIAIOSFODNN7EXAMPLE';
  const result = await report({
    summary: secret,
    ruledOut: [secret],
    gaps: [secret],
    timeline: [{ at: secret, event: secret }],
    claims: [{ text: secret, quotes: [{ callId: secret, quote: secret }] }],
  });
  const { report: content, markdown } = await readStored(artifacts, result);
  for (const text of [JSON.stringify(content), markdown, JSON.stringify(result)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('hunter2');
  }
});

describe('a store', () => {
  const reportInto = async (artifacts: ArtifactStore) => {
    const { log } = await startReportSession();
    const bench = await toolBench(createReportTool(), { artifacts, readLog: () => Promise.resolve(log) });
    return bench.run({ summary: 's', grade: 'likely', claims: [] });
  };

  test('that cannot be written gives an error, and no reference', async () => {
    const result = await reportInto(failingStore('ENOSPC'));
    expect(result.report).toBeUndefined();
    expect(result.message.isError).toBe(true);
    expect(textOf(result.message)).toContain('could not be stored');
  });

  test('[FAULT-88] that is down for a moment costs an attempt, and no report', async () => {
    await expect(reportInto(failingStore('ECONNREFUSED'))).rejects.toMatchObject({
      type: 'ArtifactStore.Unavailable',
      nonRetryable: false,
    });
  });
});

test('a second attempt writes the same report', async () => {
  const { ran, report, storedNames, log } = await startReportSession();
  await ran('call_1', output);
  const first = await report(quoting(['call_1', 'pool exhausted size=2']));
  log.length = 2;
  const second = await report(quoting(['call_1', 'pool exhausted size=2']));
  expect({ ...second, ran: first.ran }).toEqual(first);
  expect((await storedNames('session-1')).filter((name) => name.startsWith('report-'))).toEqual([
    'report-report_1.json',
    'report-report_1.md',
  ]);
});

describe('[REPORT-01b] many quotes of a long output', () => {
  const lines = Array.from({ length: 160_000 }, (_, index) => `row ${index + 1} of a long output`);

  test('are looked up together: each piece is read once', async () => {
    const { ran, report, artifacts } = await startReportSession();
    await ran('call_1', lines.join('\n'), { inPieces: true });
    const pieces = (await openOutput(artifacts, 'session-1', 'tool-call_1.pieces'))?.pieces ?? [];
    const get = vi.spyOn(artifacts, 'get');
    const quotes = Array.from({ length: 20 }, (_, at): [string, string] => [
      'call_1',
      `row ${500_000 - at} of`,
    ]);
    expect((await report(quoting(...quotes))).report).toMatchObject({ quotes: 20, verifiedQuotes: 0 });
    const read = get.mock.calls.map(([, name]) => name).filter((name) => name.includes('.piece-'));
    expect(read).toHaveLength(pieces.length);
    expect(new Set(read).size).toBe(pieces.length);
  });

  /** Before the second piece of the first output comes. */
  async function checkedWhen(secondPiece: () => Promise<void> | void) {
    const { ran, artifacts, log } = await startReportSession();
    await ran('call_1', lines.join('\n'), { inPieces: true });
    await ran('call_2', 'short and last');
    const slow: typeof artifacts.get = async (session, name) => {
      if (name.endsWith('-2')) await secondPiece();
      return artifacts.get(session, name);
    };
    const quotes = [
      { callId: 'call_1', quote: 'row 2 of a long' },
      { callId: 'call_1', quote: 'row 159999 of' },
      { callId: 'call_2', quote: 'short and last' },
    ];
    const session = {
      sessionId: 'session-1',
      artifacts: { ...artifacts, get: slow },
      toolSpec: () => undefined,
      redact: (text: string) => text,
      signal: new AbortController().signal,
    };
    return { quotes, session, calls: readLoggedCalls(log) };
  }

  test('[FAULT-117b] that take too much processor time are not looked up, and the rest is', async () => {
    const { quotes, session, calls } = await checkedWhen(() => undefined);
    // the first piece of the long output is above it
    const check = await checkQuotes(quotes, session, calls, 20);
    expect(quotes.map(check).map(({ verified, reason }) => [verified, reason])).toEqual([
      [true, undefined],
      [false, 'not looked up: the time was over before all of that output was searched'],
      [true, undefined],
    ]);
  });

  test('[FAULT-117b] are looked up on a machine that is busy with other work for longer than the limit', async () => {
    const { quotes, session, calls } = await checkedWhen(async () => {
      await setTimeout(3_000);
      // work of others in the same process does not count either
      for (const end = performance.now() + 2_500; performance.now() < end;);
    });
    const check = await checkQuotes(quotes, session, calls, 2_000);
    expect(quotes.map(check).map(({ verified }) => verified)).toEqual([true, true, true]);
  });
});

test('[REPORT-01bc] quotes are found anywhere in an output that is stored in pieces, with their line', async () => {
  const { ran, report, artifacts } = await startReportSession();
  const lines = Array.from({ length: 240_000 }, (_, index) => `row ${index + 1} of a long output`);
  await ran('call_1', lines.join('\n'), { inPieces: true });
  const pieces = (await openOutput(artifacts, 'session-1', 'tool-call_1.pieces'))?.pieces ?? [];
  expect(pieces.length).toBeGreaterThan(3);
  // the last line of a piece with the first of the next
  const wanted = [2, ...pieces.slice(1).map(({ fromLine }) => fromLine - 1), 239_999];
  const result = await report(
    quoting(
      ...wanted.map((line): [string, string] => ['call_1', lines.slice(line - 1, line + 1).join('\n')]),
      ['call_1', 'row 240001 of'],
    ),
  );
  const { report: content } = await readStored(artifacts, result);
  expect(content.claims[0]?.quotes.map(({ position }) => position)).toEqual([
    ...wanted.map((line) => ({ artifactId: 'tool-call_1.pieces', line, character: 1 })),
    undefined,
  ]);
});
