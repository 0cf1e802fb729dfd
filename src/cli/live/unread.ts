// Messages that no run has read, after a result: their words where a worker answers, and the command that goes on.
import type { SessionHandle } from '../../client.ts';
import type { RunResult } from '../../core/model/run-result.ts';
import { describeUnread } from '../../core/report/describe-end.ts';
import type { Output } from '../cli.ts';
import { withTyped } from '../command-line.ts';
import { describeQueued } from '../render/describe-waiting.ts';

/** `stays`: the session is open, and its messages may have been read since. */
export async function printUnread(
  output: Output,
  session: SessionHandle,
  { undelivered }: Partial<RunResult> & { undelivered?: string[] } = {},
  stays: boolean = undelivered === undefined,
): Promise<void> {
  if (undelivered?.length === 0) return;
  // the server may have deleted the history of a stored result
  const { worker } = await session.liveness().catch(() => ({ worker: 'none' }));
  const waiting = worker === 'answers' ? await session.queued() : undefined;
  const left = undelivered?.map((id) => waiting?.find((one) => one.id === id) ?? { id });
  const messages = (stays ? (waiting ?? left) : left) ?? [];
  if (messages.length === 0) return;
  const { sessionId } = session;
  output.emit({ type: 'unread', sessionId, messages });
  const way = withTyped(describeUnread(sessionId, messages.length, stays));
  output.print([output.colors.yellow(`! ${way}`), ...messages.map(describeQueued)].join('\n'));
}
