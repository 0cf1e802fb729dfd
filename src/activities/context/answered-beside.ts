// The results of calls that were made in one reply enter the log together, when all of them are there. Who runs after the
// others reads theirs from the state of the run. Runs in Node.
import { type LogRecord, toolCallsOf } from '../../core/model/messages.ts';
import type { OwnWorkflow } from './own-workflow.ts';

/** The log, and behind it what is answered of its last reply, in the order of the calls. */
export async function withAnsweredBeside(
  log: LogRecord[],
  workflow: Pick<OwnWorkflow, 'getCheckpoint'>,
): Promise<LogRecord[]> {
  const last = log.at(-1);
  if (last?.role !== 'assistant' || toolCallsOf(last).length < 2) return log;
  const { session } = await workflow.getCheckpoint();
  const { runId, turn, at } = last;
  const answers = session?.state.run?.batch.flatMap(({ answer }) => answer?.message ?? []) ?? [];
  const records = answers.map((message, index): LogRecord => {
    const seq = last.seq + 1 + index;
    return { ...message, seq, id: `m${seq}`, runId, turn, at };
  });
  return [...log, ...records];
}
