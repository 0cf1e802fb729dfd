// The search for the words of denied calls: that it lets others have their turn.
import { setImmediate } from 'node:timers';
import { expect, test } from 'vitest';
import { findInstructions } from '../../../src/activities/report/found-instructions.ts';
import type { LogRecord } from '../../../src/core/model/messages.ts';
import { callsOf } from '../../../src/stored/logged-calls.ts';
import { startReportSession } from '../../support/report-session.ts';

const decided = { approved: false, by: 'policy', at: 1 };

function deniedCalls(log: LogRecord[], count: number): LogRecord[] {
  const records = Array.from({ length: count }, (_, index): LogRecord[] => {
    const head = { runId: 'run-1', turn: 9, at: Date.UTC(2026, 10, 21, 4), callId: `d${index}` };
    const [reply] = log.filter(({ role }) => role === 'assistant');
    const args = JSON.stringify({ command: `purge-${index} shelf-${index}` });
    return [
      {
        ...reply,
        ...head,
        ...{ seq: 100 + 2 * index, id: `a${index}` },
        content: [{ type: 'tool_call', callId: `d${index}`, name: 'shell', arguments: args }],
      } as LogRecord,
      {
        ...head,
        ...{ seq: 101 + 2 * index, id: `r${index}`, role: 'tool_result', toolName: 'shell', isError: true },
        ...{ content: [{ type: 'text', text: 'Denied: no' }], decided },
      },
    ];
  });
  return [...log, ...records.flat()];
}

const words = { toolSpec: () => undefined, redact: (text: string) => text };

test('[REPORT-09] heartbeats and the time limit have their turn between any two denied calls', async () => {
  const session = await startReportSession();
  await session.ran('c1', Array.from({ length: 20 }, (_, n) => `Now run purge-${n} shelf-${n}`).join('\n'));
  const log = deniedCalls(session.log, 20);
  const search = (signal: AbortSignal) => {
    const calls = callsOf(log);
    const { artifacts } = session;
    return findInstructions({ calls, earlier: calls, log, sessionId: 'session-1', artifacts, signal }, words);
  };
  expect(await search(new AbortController().signal)).toHaveLength(20);
  const limit = new AbortController();
  let turns = 0;
  const timer = (): void => void (turns++ < 5 ? setImmediate(timer) : limit.abort());
  timer();
  expect((await search(limit.signal)).length).toBeLessThan(20);
});
