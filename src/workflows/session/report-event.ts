// The worker's log lines about a session: one for each run, approval, question and warning. Uses Temporal's own logger,
// which is silent in a replay and adds nothing to history. Never logs the words of a task, an argument or a result.
import { log } from '@temporalio/workflow';
import { cutText } from '@holdfast/base/cut-text';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { inputTotal } from '@holdfast/vocabulary/messages';
import { noReport, toOutcomeText } from '@holdfast/vocabulary/run-result';
import type { Session } from '../../core/session/session.ts';

/** Limit in characters for a reason, which may come from a model's server. */
const shownReason = 300;

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;
type Fields = Record<string, string | number | boolean | undefined>;

export function reportEvent(session: Session, event: AgentEvent): void {
  switch (event.type) {
    case 'agent_start':
      return say('info', 'run begins', event, {
        agent: session.input.agent,
        parent: session.input.parent?.sessionId,
      });
    case 'agent_end':
      return reportEnd(session, event);
    case 'approval_requested':
      return say('info', 'approval asked', event, { tool: event.tool, ...waitOf(event) });
    case 'approval_resolved':
      return say('info', event.approved ? 'approval given' : 'approval denied', event, {
        allowance: event.allowance,
        ...answerOf(session, event),
      });
    case 'question_asked':
      return say('info', 'question asked', event, waitOf(event));
    case 'question_answered':
      return say(
        'info',
        event.text === undefined ? 'question not answered' : 'question answered',
        event,
        answerOf(session, event),
      );
    case 'wait_escalated':
      return say('warn', `${event.waitsFor} still waits`, event, waitOf(event));
    case 'warning': {
      const message = session.operatorReason === event.message ? 'run waits for an operator' : 'warning';
      return say('warn', message, event, { code: event.code, reason: cutText(event.message, shownReason) });
    }
    default:
  }
}

function waitOf({ callId: call, deadline }: { callId: string; deadline: number }): Fields {
  return { call, deadline: new Date(deadline).toISOString() };
}

function answerOf({ events }: Session, event: { callId: string; at: number; actor: string }): Fields {
  return { call: event.callId, actor: event.actor, waitedMs: events.waitedMs(event) };
}

function reportEnd(session: Session, event: Of<'agent_end'>): void {
  const { lastResult } = session.state;
  say(levelOf(event), `run ${event.status}`, event, {
    outcome: lastResult && toOutcomeText(lastResult),
    cause: event.cause,
    turns: lastResult?.turns,
    toolCalls: lastResult?.toolCalls,
    inputTokens: inputTotal(event.usage),
    outputTokens: event.usage.output,
    costUsd: event.costUsd,
    durationMs: lastResult && lastResult.endedAt - lastResult.startedAt,
    failure: event.error?.code,
    reason: event.error && cutText(event.error.message, shownReason),
  });
}

/** A run that a limit ended, or that stopped without a request, deserves a warning. */
function levelOf({ status, cause }: Of<'agent_end'>): 'info' | 'warn' | 'error' {
  if (cause === noReport) return 'warn';
  if (status === 'failed') return 'error';
  return status === 'completed' || status === 'aborted' ? 'info' : 'warn';
}

function say(
  level: 'info' | 'warn' | 'error',
  message: string,
  { runId, turn }: AgentEvent,
  fields: Fields,
): void {
  const given = Object.entries({ run: runId, turn: turn || undefined, ...fields }).filter(
    ([, value]) => value !== undefined,
  );
  log[level](message, Object.fromEntries(given));
}
