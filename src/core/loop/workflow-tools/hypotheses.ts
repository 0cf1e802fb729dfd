// hypotheses: keeps explanations with what each predicts, before the calls that test them. Every answer has all of them;
// their status is set with the report, where quotes are looked up.
import { updateHypotheses } from '../../agent/hypotheses/update-hypotheses.ts';
import { hypothesesText } from '../../agent/hypotheses/hypotheses-text.ts';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { toolCallsOf } from '@holdfast/vocabulary/messages';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import type { WorkflowTool } from '../effects.ts';

export const hypotheses: WorkflowTool = {
  name: 'hypotheses',
  run(args, { callId, session }) {
    const { state } = session;
    const seqOf = (id: string) => seqOfCall(state, id);
    const place = { seq: seqOf(callId) ?? state.log.nextSeq - 1, at: session.now(), seqOf };
    const update = updateHypotheses(state.hypotheses ?? [], args, place);
    if (!update.ok) return failWith(`Nothing was changed: ${update.reason}.`);
    const { changed } = update;
    if (changed.length > 0) session.record({ type: 'hypotheses_changed', changed });
    const now = session.state.hypotheses ?? [];
    const text =
      now.length === 0 ? 'There are no hypotheses yet. Write some with {add}.' : hypothesesText(now);
    return { text, details: { changed: JSON.parse(JSON.stringify(changed)) } };
  },
};

/** Place of the reply that made the newest call of this id; undefined if the state no longer holds it. */
function seqOfCall({ log }: AgentState, callId: string): number | undefined {
  const reply = log.records.findLast(
    (record) => record.role === 'assistant' && toolCallsOf(record).some((call) => call.callId === callId),
  );
  return reply?.seq;
}
