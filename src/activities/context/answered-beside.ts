// The results of one reply's calls enter the log together, when all are complete. A later reader of one of them takes it
// from the state of the run. Runs in Node.
import { type LogRecord, toolCallsOf, type ToolResultMessage } from '@holdfast/vocabulary/messages';
import { type AgentState, storedIdOf } from '@holdfast/vocabulary/agent-state';
import { defined } from '@holdfast/base/defined';
import type { ViewPosition } from '@holdfast/vocabulary/activity-contracts';
import type { Logged } from '@holdfast/stored/logged-outputs';
import { createOwnWorkflow, type OwnWorkflow, workflowOf } from '../base/own-workflow.ts';
import type { Transcripts } from './transcript.ts';

/** Gives tools the session's log so far. */
export function createReadLog(
  transcripts: Transcripts,
): (sessionId: string, view: ViewPosition) => Promise<LogRecord[]> {
  return async (sessionId, { toSeq }) => {
    const workflow = createOwnWorkflow();
    return withAnsweredBeside(await transcripts.readLog(sessionId, { toSeq }, workflow), workflow);
  };
}

/** Gives the log of any session; undefined if it does not answer, or its log cannot be read. */
export function createReadLogOf(
  transcripts: Pick<Transcripts, 'readLog'>,
): (sessionId: string) => Promise<LogRecord[] | undefined> {
  return async (sessionId) => {
    try {
      return await readLogNow(transcripts, sessionId, workflowOf(sessionId));
    } catch {
      return undefined;
    }
  };
}

/** All messages that the session has at this moment. */
export async function readLogNow(
  transcripts: Pick<Transcripts, 'readLog'>,
  sessionId: string,
  workflow: OwnWorkflow,
): Promise<LogRecord[]> {
  const { messages, session } = await workflow.getCheckpoint();
  const name = session ? storedIdOf(session.state) : sessionId;
  return transcripts.readLog(name, { toSeq: messages.toSeq }, workflow);
}

/** The log, followed by the results so far of its last reply, in the order of the calls. */
async function withAnsweredBeside(
  log: LogRecord[],
  workflow: Pick<OwnWorkflow, 'getCheckpoint'>,
): Promise<LogRecord[]> {
  const last = log.at(-1);
  if (last?.role !== 'assistant' || toolCallsOf(last).length < 2) return log;
  const { session } = await workflow.getCheckpoint();
  const { runId, turn, at } = last;
  const records = answersSoFar(session?.state.run).map((message, index): LogRecord => {
    const seq = last.seq + 1 + index;
    return { ...message, seq, id: `m${seq}`, runId, turn, at };
  });
  return [...log, ...records];
}

/** The results so far of the calls of the current reply, in their order. */
export function answersSoFar(run: AgentState['run']): Logged<ToolResultMessage>[] {
  return (run?.batch ?? []).flatMap(({ answer }) =>
    answer ? [{ ...answer.message, ...defined({ digest: answer.digest }) }] : [],
  );
}
