// The answer of a run that was asked for JSON by a schema (outputSchema): what it still owes, and its value. Pure.
import { noAnswerFault, outputFailure } from '../agent/output-text.ts';
import { jsonOfText } from '../base/json-of-text.ts';
import type { AgentState, RunEnd, RunState } from '../model/agent-state.ts';
import { textOf } from '../model/messages.ts';
import type { RunResult } from '../model/run-result.ts';
import { followsRules } from './loop-rules.ts';

/** In what the run's last reply does not follow the schema; empty where it does, or where no schema binds. */
export function outputFaults(state: AgentState, run: RunState): readonly string[] {
  if (!state.context?.settings.outputSchema || !followsRules(state, 3)) return [];
  // a worker of an older version does not check replies: nobody can say that one is wrong
  return run.output?.faults ?? (run.terminated ? [noAnswerFault] : []);
}

export function outputEnd(faults: readonly string[], askedAgain: boolean): RunEnd {
  const error = { code: 'Output.Invalid', message: outputFailure(faults, askedAgain) };
  return { status: 'failed', cause: 'invalid_output', error };
}

/** The value of the last reply where it follows the schema: that reply is the answer, too. */
export function outputOf({ log }: AgentState, { output }: RunState): Pick<RunResult, 'output'> {
  if (!output || output.faults.length > 0) return {};
  const last = log.records.findLast((record) => record.role === 'assistant');
  const json = last?.seq === output.seq ? jsonOfText(textOf(last)) : undefined;
  return json ? { output: json.value } : {};
}
