// The report of a run that ends: what code knows of the run is added to the agent's own, and a run that did not complete has
// one in any case.
import { messageOf } from '../base/message-of.ts';
import type { RunEnd } from '../model/agent-state.ts';
import { noReport } from '../model/run-result.ts';
import type { Session } from '../session/session.ts';
import { followsRules } from '../state/loop-rules.ts';
import { runStretch } from '../state/run-outcome.ts';
import type { Effects } from './effects.ts';
import { isOffTheRecord } from './saving.ts';

/** Best effort: without it the agent's own report stays as it handed it in. */
export function completeReport(session: Session, effects: Effects): Promise<void> | undefined {
  const { state } = session;
  const { run } = state;
  if (!run || !followsRules(state, 2) || isOffTheRecord(session)) return undefined;
  const end: RunEnd = run.end ?? { status: 'completed' };
  if (!run.report && end.status === 'completed' && end.cause !== noReport) return undefined;
  const input = {
    ...{ sessionId: session.id, runId: run.runId, ...runStretch(state, run), end },
    endedAt: session.now(),
    ...(run.report ? { report: run.report } : {}),
  };
  return effects.completeReport(input).then(
    (report) => session.record({ type: 'report_completed', report }),
    (error: unknown) => {
      session.announce({ type: 'warning', code: 'Report.NotCompleted', message: messageOf(error) });
    },
  );
}
