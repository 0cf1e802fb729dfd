// report of a session that has delegated: its quotes may be of outputs that other sessions got.
import { describe, expect, test } from 'vitest';
import { createGrepTool } from '../../../src/activities/built-in/files/grep.ts';
import type { Json } from '@holdfast/base/json';
import { logArtifact } from '@holdfast/vocabulary/outer-names';
import { textOf } from '@holdfast/vocabulary/messages';
import { unknownOutcome } from '../../../src/core/state/own-answers.ts';
import { quoting, readStored, startReportSession, type ReportSession } from '../../support/report-session.ts';

const child = { name: 'log-analyst-errors-1', id: 'session-1/log-analyst-errors-1' };
const inner = { name: 'grepper-old-1', id: `${child.id}/grepper-old-1` };

/** A session that delegated to `children`, each with a log of its own in the same store. */
async function startTeam(
  children: { name: string; id: string; play(session: ReportSession): Promise<void> | void }[],
): Promise<ReportSession> {
  const session = await startReportSession({ tools: [createGrepTool({ roots: [] })] });
  session.delegated('delegate_1', children);
  for (const { id, play } of children) {
    const own = await startReportSession({ sessionId: id, artifacts: session.artifacts });
    await play(own);
    await session.artifacts.put(id, logArtifact, JSON.stringify(own.log));
  }
  return session;
}

describe('[REPORT-01b] a quote of an output that a child got', () => {
  test('is looked up there, by the name of the child and its call, and the report says who got it', async () => {
    const { report, artifacts } = await startTeam([
      { ...child, play: ({ ran }: ReportSession) => ran('call_1', 'first\n12:03:10 ERROR pool exhausted') },
    ]);
    const result = await report(quoting([`${child.name}/call_1`, '12:03:10 ERROR pool exhausted']));
    expect(result.report).toMatchObject({ verifiedQuotes: 1, verifiedClaims: 1 });
    const { report: content, markdown } = await readStored(artifacts, result);
    expect(content.claims[0]?.quotes[0]).toMatchObject({
      verified: true,
      position: { line: 2 },
      source: { tool: 'grep', agent: child.name },
    });
    expect(markdown).toContain('by log-analyst-errors-1');
  });

  test('is found by the short id of the call where no other call has it', async () => {
    const { report } = await startTeam([
      { ...child, play: ({ ran }: ReportSession) => ran('call_7', 'waiting=20') },
    ]);
    expect((await report(quoting(['call_7', 'waiting=20']))).report).toMatchObject({ verifiedQuotes: 1 });
  });

  test("by a short id that two sessions have, the session's own call is meant, and the reason names the other", async () => {
    const session = await startTeam([
      { ...child, play: ({ ran }: ReportSession) => ran('call_1', 'waiting=20') },
    ]);
    await session.ran('call_1', 'nothing here');
    const result = await session.report(quoting(['call_1', 'waiting=20']));
    expect(result.report).toMatchObject({ verifiedQuotes: 0 });
    expect(textOf(result.message)).toContain(`it is in the output of call ${child.name}/call_1 (grep)`);
  });

  test('of a child of a child is named by both', async () => {
    const session = await startTeam([
      { ...child, play: (own: ReportSession) => own.delegated('delegate_2', [inner]) },
    ]);
    const own = await startReportSession({ sessionId: inner.id, artifacts: session.artifacts });
    await own.ran('call_1', 'the old log');
    await session.artifacts.put(inner.id, logArtifact, JSON.stringify(own.log));
    const result = await session.report(quoting([`${child.name}/${inner.name}/call_1`, 'the old log']));
    expect(result.report).toMatchObject({ verifiedQuotes: 1 });
  });

  test('of a session that this one has not delegated to is not looked up', async () => {
    const session = await startTeam([]);
    const stranger = await startReportSession({ sessionId: child.id, artifacts: session.artifacts });
    await stranger.ran('call_1', 'waiting=20');
    await session.artifacts.put(child.id, logArtifact, JSON.stringify(stranger.log));
    const result = await session.report(quoting([`${child.name}/call_1`, 'waiting=20']));
    expect(result.report).toMatchObject({ verifiedQuotes: 0 });
  });

  test('of the words of a child is none: its result is no evidence', async () => {
    const { report } = await startTeam([
      { ...child, play: ({ ran }: ReportSession) => ran('call_1', 'waiting=20') },
    ]);
    const result = await report(quoting(['delegate_1', 'the pool is empty']));
    expect(textOf(result.message)).toContain('the words of another agent are no evidence');
  });
});

describe('the gaps of a child', () => {
  const failing = {
    ...child,
    play: ({ ran }: ReportSession) => ran('call_1', 'no such file', { isError: true }),
  };

  test('[REPORT-04] are gaps of the report, with its name', async () => {
    const { report, artifacts } = await startTeam([failing]);
    const { report: content } = await readStored(artifacts, await report(quoting()));
    expect(content.gaps).toMatchObject([
      {
        source: 'code',
        callId: `${child.name}/call_1`,
        text: expect.stringContaining(`${child.name}: grep`),
      },
    ]);
  });

  test('[REPORT-08a] of unknown outcome are closed by a read that came later, and by none that came before', async () => {
    const args: Json = { service: 'checkout' };
    const session = await startTeam([
      { ...child, play: ({ answered }: ReportSession) => answered('call_1', unknownOutcome, args) },
    ]);
    session.tick(-3_600);
    await session.ran('before', 'checkout pid 7', { args });
    session.tick(7_200);
    await session.ran('after', 'checkout pid 8', { args });
    const gapOf = async (callId: string, quote: string, reportId: string) => {
      const result = await session.report(quoting([callId, quote]), reportId);
      return (await readStored(session.artifacts, result)).report.gaps[0];
    };
    expect(await gapOf('before', 'checkout pid 7', 'report_1')).not.toHaveProperty('closedBy');
    expect(await gapOf('after', 'checkout pid 8', 'report_2')).toMatchObject({
      closedBy: { callId: 'after' },
    });
  });
});
