// The rules about the report of a run: when it is owed, and when it ends the run. Pure.
import type { AgentState, RunEnd, RunState } from '@holdfast/vocabulary/agent-state';
import type { LogRecord, RecordOf } from '@holdfast/vocabulary/messages';
import { noReport } from '@holdfast/vocabulary/run-result';

/** True if the agent must still hand in a report before the run may end. */
export function owesReport(state: AgentState, run: RunState): boolean {
  if (run.report || run.terminated || run.completion || !endsWithReport(state)) return false;
  return !isAboutReport(state, run);
}

/** False for a subagent, which ends with the tool task_complete instead. */
export function endsWithReport(state: AgentState): boolean {
  const has = (name: string): boolean => state.context?.tools.some((tool) => tool.name === name) === true;
  return has('report') && !has('task_complete');
}

/** The end of a run with nothing left to do. `needsReport`: the start asks for one, even of an agent that cannot write it. */
export function completedEnd(state: AgentState, run: RunState, needsReport = false): RunEnd {
  const isMissing = owesReport(state, run) || (needsReport && !run.report && !isAboutReport(state, run));
  return { status: 'completed', cause: isMissing ? noReport : run.terminated ? 'terminate' : 'answer' };
}

/** A follow-up about a report, answered without any call, needs no second report. */
function isAboutReport({ reported }: AgentState, { toolCalls }: RunState): boolean {
  return reported === true && toolCalls === 0;
}

/** True after the reply that follows the final report: its calls do not run, and the model is not asked again. */
export function isPastReport({ reportFinal, responses }: RunState): boolean {
  return reportFinal !== undefined && responses > reportFinal.responses;
}

/** True for the result of a report call that was accepted. */
export function isHandedIn(record: LogRecord): record is RecordOf<'tool_result'> {
  return record.role === 'tool_result' && record.toolName === 'report' && !record.isError;
}

/** Text of the answer to a call after the final report. */
export const notRunAfterReport = 'Not run: the report is final, and nothing is looked at after it.';
