// The JSON answer of a run with an outputSchema: its faults, and its value. Pure.
import { noAnswerFault, outputFailure } from '../agent/output-text.ts';
import { jsonOfText } from '@holdfast/base/json-of-text';
import type { AgentState, RunEnd, RunState } from '@holdfast/vocabulary/agent-state';
import { textOf } from '@holdfast/vocabulary/messages';
import type { RunResult } from '@holdfast/vocabulary/run-result';

/** Faults of the run's last reply against the schema; empty if there are none, or no schema. */
export function outputFaults(state: AgentState, run: RunState): readonly string[] {
  if (!state.context?.settings.outputSchema) return [];
  return run.output?.faults ?? (run.terminated ? [noAnswerFault] : []);
}

export function outputEnd(faults: readonly string[], askedAgain: boolean): RunEnd {
  const error = { code: 'Output.Invalid', message: outputFailure(faults, askedAgain) };
  return { status: 'failed', cause: 'invalid_output', error };
}

/** The value of the last reply if it follows the schema; that reply is also the answer. */
export function parseRunOutput({ log }: AgentState, { output }: RunState): Pick<RunResult, 'output'> {
  if (!output || output.faults.length > 0) return {};
  const last = log.records.findLast((record) => record.role === 'assistant');
  const said = last?.seq === output.seq ? textOf(last) : '';
  const json = jsonOfText(output.at ? said.slice(...output.at) : said);
  return json ? { output: json.value } : {};
}
