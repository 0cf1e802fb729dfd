// What a run owes to the report of its agent, and how far it may go behind one. Pure.
import type { AgentState, RunEnd, RunState } from '../model/agent-state.ts';
import type { LogRecord } from '../model/messages.ts';
import { noReport } from '../model/run-result.ts';
import { followsRules } from './loop-rules.ts';

/** True where the words that would end the run are no end of it: its agent is to hand in a report, and has not. */
export function owesReport(state: AgentState, run: RunState): boolean {
  if (run.report || run.terminated || run.completion || !endsWithReport(state)) return false;
  // what is asked about a report, and answered without a look, needs no second one
  return !(state.reported && run.toolCalls === 0);
}

/** A subagent has an end of its own, with the tool task_complete. */
export function endsWithReport(state: AgentState): boolean {
  const has = (name: string): boolean => state.context?.tools.some((tool) => tool.name === name) === true;
  return followsRules(state, 4) && has('report') && !has('task_complete');
}

/** How a run ends in which nothing is left to do. */
export function completedEnd(state: AgentState, run: RunState): RunEnd {
  const cause = run.terminated ? 'terminate' : owesReport(state, run) ? noReport : 'answer';
  return { status: 'completed', cause };
}

/** The reply that the final report has left is there: what it calls does not run, and nobody is asked again. */
export function isPastReport({ reportFinal, responses }: RunState): boolean {
  return reportFinal !== undefined && responses > reportFinal.responses;
}

/** The answer to a report that was accepted. */
export function isHandedIn(record: LogRecord): record is Extract<LogRecord, { role: 'tool_result' }> {
  return record.role === 'tool_result' && record.toolName === 'report' && !record.isError;
}

/** The answer to a call after the final report. */
export const notRunAfterReport = 'Not run: the report is final, and nothing is looked at after it.';
