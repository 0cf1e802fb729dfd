// Completes the report when a run ends: adds facts that code knows, and writes a report for a run that did not
// complete.
import { defined } from '../base/defined.ts';
import type { RunEnd } from '../model/agent-state.ts';
import { noReport } from '../model/run-result.ts';
import type { Session } from '../session/session.ts';
import { runStretch } from '../state/run-outcome.ts';
import type { Effects } from './effects.ts';
import { isOffTheRecord } from './saving.ts';

/** Best effort: on failure the agent's own report stays unchanged. */
export function completeReport(session: Session, effects: Effects): Promise<void> | undefined {
  const { state } = session;
  const { run } = state;
  if (!run || isOffTheRecord(session)) return undefined;
  const end: RunEnd = run.end ?? { status: 'completed' };
  if (!run.report && end.status === 'completed' && end.cause !== noReport) return undefined;
  const input = {
    sessionId: session.key,
    runId: run.runId,
    ...runStretch(state, run),
    end,
    endedAt: session.now(),
    ...defined({ report: run.report }),
  };
  return effects.call('completeReport', input).then((outcome) => {
    if (outcome.type === 'done') return session.record({ type: 'report_completed', report: outcome.value });
    const message = outcome.type === 'failed' ? outcome.failure.message : 'stopped';
    session.announce({ type: 'warning', code: 'Report.NotCompleted', message });
  });
}
