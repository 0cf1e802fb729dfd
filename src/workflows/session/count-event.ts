// Counts the metrics of runs, approvals and questions where they happen. Uses Temporal's own meter, which is silent in
// a replay. Names of tools, agents and outcomes become labels; ids and words do not.
import { metricMeter, workflowInfo } from '@temporalio/workflow';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { Session } from '../../core/session/session.ts';

type Labels = Record<string, string>;

export function countEvent(session: Session, event: AgentEvent): void {
  switch (event.type) {
    case 'agent_start':
      return count('holdfast_runs_started', 'Runs that began.', {});
    case 'agent_end': {
      const { lastResult, context } = session.state;
      const labels = { outcome: event.status, agent: context?.agent ?? 'none' };
      count('holdfast_runs_ended', 'Runs that ended, by outcome.', labels);
      if (lastResult)
        measure('holdfast_run_duration', 'Of runs.', lastResult.endedAt - lastResult.startedAt, {
          outcome: event.status,
        });
      return;
    }
    case 'approval_resolved': {
      const { allowance, remember, approved, actor } = event;
      const byItself = allowance !== undefined && remember === undefined;
      return countAnswer(session, event, {
        kind: 'approval',
        answer: byItself ? 'remembered' : (byNobody[actor] ?? (approved ? 'approved' : 'denied')),
      });
    }
    case 'question_answered':
      return countAnswer(session, event, { kind: 'question', answer: byNobody[event.actor] ?? 'answered' });
    case 'warning':
      return count('holdfast_warnings', 'Warnings of sessions, by code.', { code: event.code });
    default:
  }
}

/** Actors that are no person (core/loop/waits.ts). */
const byNobody: Record<string, string> = { timer: 'expired', stop: 'stopped' };

function countAnswer({ events }: Session, event: { at: number; callId: string }, labels: Labels): void {
  count('holdfast_answers', 'Approvals and questions that ended, by answer.', labels);
  const waitedMs = events.waitedMs(event);
  if (waitedMs !== undefined)
    measure('holdfast_person_wait', 'Until an approval or a question ended.', waitedMs, labels);
}

function count(name: string, description: string, labels: Labels): void {
  metricMeter.createCounter(name, '', description).add(1, { ...labels, ...queue() });
}

function measure(name: string, description: string, ms: number, labels: Labels): void {
  metricMeter
    .createHistogram(name, 'float', 'seconds', description)
    .record(ms / 1_000, { ...labels, ...queue() });
}

/** The label that other metrics use; in workflows the SDK's own label is `taskQueue`. */
function queue(): Labels {
  return { task_queue: workflowInfo().taskQueue };
}
