// Lines around a quote, read from a real store: short outputs, outputs in pieces, and calls of subagents.
import { describe, expect, test } from 'vitest';
import { LongOutput } from '../../../src/activities/storage/long-output.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { logArtifact } from '@holdfast/vocabulary/outer-names';
import { readOutputLines } from '@holdfast/stored/output-lines';
import { type ReportSession, startReportSession } from '../../../test/support/report-session.ts';

const sessionId = 'session-1';

/** As at the end of a run. */
async function withLog(session: ReportSession): Promise<ReportSession> {
  await session.artifacts.put(sessionId, logArtifact, JSON.stringify(session.log));
  return session;
}

async function ranOnce(text: string): Promise<ReportSession> {
  const session = await startReportSession();
  await session.ran('c1', text, { args: { file: 'app.log' } });
  return withLog(session);
}

const hundred = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');

describe('[REPORT-13a] the stored output of a call', () => {
  test('is given around a line, with the call that it comes from and its size', async () => {
    const { artifacts } = await ranOnce(hundred);
    expect(await readOutputLines(artifacts, { sessionId, call: 'c1', line: 50, around: 1 })).toEqual({
      sessionId,
      callId: 'c1',
      totalLines: 100,
      totalCharacters: hundred.length,
      call: { tool: 'grep', arguments: '{"file":"app.log"}', at: '2026-11-21T03:04:06.000Z', isError: false },
      fromLine: 49,
      lines: ['line 49', 'line 50', 'line 51'],
      marked: 50,
    });
  });

  test.each([
    [{ line: 1 }, 1, 'line 1', 'line 6'],
    [{ line: 100 }, 95, 'line 95', 'line 100'],
    [{ line: 3, around: 0 }, 3, 'line 3', 'line 3'],
    [{ fromLine: 98 }, 98, 'line 98', 'line 100'],
    [{}, 1, 'line 1', 'line 100'],
  ])('of %j begins at line %i', async (place, fromLine, first, last) => {
    const { artifacts } = await ranOnce(hundred);
    const found = await readOutputLines(artifacts, { sessionId, call: 'c1', ...place });
    expect([found?.fromLine, found?.lines[0], found?.lines.at(-1)]).toEqual([fromLine, first, last]);
    expect(found).not.toHaveProperty('nextLine');
  });

  test('has no lines behind its end, and nothing of a call that did not run', async () => {
    const { artifacts } = await ranOnce('one\ntwo\n');
    expect(await readOutputLines(artifacts, { sessionId, call: 'c1', line: 3 })).toMatchObject({
      totalLines: 2,
      lines: [],
    });
    expect(await readOutputLines(artifacts, { sessionId, call: 'c2', line: 1 })).toBeUndefined();
  });

  test('is found while no log is stored, and then says nothing of the call', async () => {
    const session = await startReportSession();
    await session.ran('c1', 'one');
    const found = await readOutputLines(session.artifacts, { sessionId, call: 'c1' });
    expect(found).toMatchObject({ lines: ['one'] });
    expect(found).not.toHaveProperty('call');
    expect(await readOutputLines(session.artifacts, { sessionId, call: 'c1' }, session.log)).toMatchObject({
      call: { tool: 'grep' },
    });
  });

  test('of a subagent is found by its instance and by its short id', async () => {
    const session = await startReportSession();
    const child = await startReportSession({ artifacts: session.artifacts, sessionId: 'session-1/logs' });
    await child.ran('c7', 'pool exhausted');
    await session.artifacts.put('session-1/logs', logArtifact, JSON.stringify(child.log));
    session.delegated('d1', [{ name: 'logs', id: 'session-1/logs' }]);
    await withLog(session);
    for (const call of ['logs/c7', 'c7']) {
      expect(await readOutputLines(session.artifacts, { sessionId, call, line: 1 })).toMatchObject({
        sessionId: 'session-1/logs',
        callId: 'c7',
        lines: ['pool exhausted'],
        call: { agent: 'logs', tool: 'grep' },
      });
    }
  });

  test('in pieces is read where the line is, over the border of two, and page by page', async () => {
    const session = await startReportSession();
    const output = new LongOutput({
      store: session.artifacts,
      sessionId,
      callId: 'c9',
      redactor: createRedactor([]),
    });
    const lines = Array.from({ length: 80_000 }, (_, index) => `${index + 1} ${'x'.repeat(60)}`);
    for (let at = 0; at < lines.length; at += 10_000)
      await output.add(Buffer.from(`${lines.slice(at, at + 10_000).join('\n')}\n`));
    await output.end();
    const reads: string[] = [];
    const counting = {
      get: (id: string, name: string) => (reads.push(name), session.artifacts.get(id, name)),
    };
    const found = await readOutputLines(counting, { sessionId, call: 'c9', line: 70_000, around: 2 });
    expect(found?.lines).toEqual(lines.slice(69_997, 70_002));
    expect(found?.totalLines).toBe(80_000);
    expect(reads.filter((name) => name.includes('piece-'))).toHaveLength(1);
    const all: string[] = [];
    for (let fromLine: number | undefined = 1; fromLine !== undefined;) {
      const page = await readOutputLines(session.artifacts, { sessionId, call: 'c9', fromLine });
      all.push(...(page?.lines ?? []));
      fromLine = page?.nextLine;
    }
    expect(all).toEqual(lines);
  });

  test('with very long lines is cut, but the line that was asked for is there', async () => {
    const { artifacts } = await ranOnce(['a'.repeat(30_000), 'b'.repeat(30_000), 'end'].join('\n'));
    const found = await readOutputLines(artifacts, { sessionId, call: 'c1', line: 2 });
    expect(found?.lines.map((line) => line.length)).toEqual([
      4_000 + ' [26000 more characters]'.length,
      30_000,
      3,
    ]);
  });

  test('with very long lines fits into one answer of a worker, nearest to the line that was asked for', async () => {
    const { artifacts } = await ranOnce(`${'x'.repeat(4_000)}\n`.repeat(1_000));
    const found = await readOutputLines(artifacts, { sessionId, call: 'c1', line: 600, around: 500 });
    const { fromLine = 0, lines = [] } = found ?? {};
    expect(lines.join('').length).toBeLessThanOrEqual(512 * 1024);
    expect([fromLine <= 600, fromLine + lines.length > 600]).toEqual([true, true]);
  });
});
