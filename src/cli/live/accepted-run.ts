// A run that prompt or continue has started: said, and with --wait followed to its result without a live view.
import type { RunResult } from '../../core/model/run-result.ts';
import { type ApprovalOptions, approvalModeOf } from '../approvals/approval-options.ts';
import { createApprovalDesk } from '../approvals/ask-approval.ts';
import { typed } from '../command-line.ts';
import { exitCodeOf } from '../exit-code.ts';
import { showResult } from './follow-session.ts';
import { askRunning } from './running-session.ts';
import type { ExitCode } from '../user-error.ts';
import type { ServerCommand } from '../with-server.ts';

export type AcceptOptions = ApprovalOptions & { wait?: boolean };

/** Starts a run with `accept`; with `wait` answers its approvals as the options say, and shows its result. */
export async function followAccepted(
  frame: ServerCommand,
  sessionId: string,
  options: AcceptOptions & { said: string },
  accept: () => Promise<{ runId: string }>,
): Promise<ExitCode | undefined> {
  const { client } = frame.access;
  // before it starts, so that no approval of its own is missed
  const before = options.wait ? await askRunning(client, sessionId) : undefined;
  const { runId } = await accept();
  frame.output.emit({ type: 'accepted', sessionId, runId });
  frame.output.print(`${options.said} as run ${runId}. "${typed(`watch ${sessionId}`)}" follows it.`);
  if (!options.wait) return undefined;
  const result = await awaitEnd(frame, { sessionId, runId, afterSeq: before?.lastEventSeq ?? 0 }, options);
  await showResult(frame, sessionId, result);
  return exitCodeOf(result);
}

async function awaitEnd(
  { cli, output, access: { client } }: ServerCommand,
  { sessionId, runId, afterSeq }: { sessionId: string; runId: string; afterSeq: number },
  options: ApprovalOptions,
): Promise<RunResult> {
  const desk = createApprovalDesk({ cli, output, sessionId, client, mode: approvalModeOf(options) });
  const done = new AbortController();
  const watched = (async () => {
    for await (const item of client.events(sessionId, afterSeq, done.signal)) desk.onItem(item);
  })();
  try {
    return await client.result(sessionId, { runId });
  } finally {
    done.abort();
    desk.close();
    // a courtesy: the result tells of any trouble itself
    await watched.catch(() => undefined);
  }
}
