// The tiers of the policy behind its static rules: a classifier, a model, and rules over what the run has read
// (MODE-05, MODE-08). The rules are applied when calls are prepared; the tiers run after the reply is recorded, if
// there are any.
import { cutToBytes } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import type { EvaluatePolicyInput, EvaluatePolicyResult } from '@holdfast/vocabulary/activity-contracts';
import type { AgentState, BatchCall } from '@holdfast/vocabulary/agent-state';
import { namedCall } from '@holdfast/vocabulary/tool-spec';
import type { Session } from '../session/session.ts';
import { denialOf } from '../state/reduce-tools.ts';
import type { Effects } from './effects.ts';

const taskBytes = 2_048;

/** True if a call must not run before the tiers have judged it. */
export function needsVerdict(state: AgentState, entry: BatchCall): boolean {
  const { context, run } = state;
  const { prepared, evaluated, answer } = entry;
  const { tiers } = context ?? {};
  if (!tiers || !run || evaluated || answer || prepared.status !== 'ready') return false;
  const denial = denialOf(state, entry);
  if (prepared.decision === 'deny' || (denial && !denial.heard)) return false;
  return tiers.calls === 'all' || prepared.effect !== 'read' || run.tags !== undefined;
}

export function isPolicyDue(state: AgentState): boolean {
  return state.run?.batch.some((entry) => needsVerdict(state, entry)) ?? false;
}

/** Worker and rules are hardly others before. */
const freshMs = 60_000;

/**
 * The call as judged by today's worker and rules, if it comes from another session or its reply is old: nobody is asked
 * about a call that they deny, or that has no tool any more.
 */
export async function judgedNow(session: Session, effects: Effects, entry: BatchCall): Promise<BatchCall> {
  const { records } = session.state.log;
  const { at = 0 } = records.findLast(({ role }) => role === 'assistant') ?? {};
  if (entry.idempotencyKey === undefined && session.now() - at < freshMs) return entry;
  await evaluatePolicy(session, effects, [entry]);
  return session.state.run?.batch.find(({ call }) => call === entry.call) ?? entry;
}

/** Denies a call without a verdict. Does nothing after a stop: no call begins then. */
export async function evaluatePolicy(
  session: Session,
  effects: Effects,
  due = session.state.run?.batch.filter((entry) => needsVerdict(session.state, entry)) ?? [],
): Promise<void> {
  const input = toInput(session, due);
  if (jsonBytes(input) > maxPayloadBytes) {
    return session.record(denyAll(due, 'their arguments are over 256 KiB together'));
  }
  const outcome = await effects.call('evaluatePolicy', input);
  if (outcome.type === 'stopped') return;
  const judged = outcome.type === 'done' ? outcome.value : { verdicts: [] };
  const why = outcome.type === 'failed' ? outcome.failure.message : 'no verdict came';
  const left = due.filter(({ call }) => !judged.verdicts.some(({ callId }) => callId === call.callId));
  const { verdicts } = denyAll(left, why);
  session.record({ type: 'policy_evaluated', ...judged, verdicts: [...judged.verdicts, ...verdicts] });
}

function denyAll(
  calls: readonly BatchCall[],
  why: string,
): { type: 'policy_evaluated' } & EvaluatePolicyResult {
  const reason = `the policy could not be evaluated: ${why}`;
  const verdicts = calls.map(({ call: { callId } }) => {
    return { callId, decision: 'deny', tier: 'rules', reason } as const;
  });
  return { type: 'policy_evaluated', verdicts };
}

function toInput({ inTurn, state: { run } }: Session, due: readonly BatchCall[]): EvaluatePolicyInput {
  return {
    ...inTurn,
    task: cutToBytes(run?.task ?? '', taskBytes),
    tags: run?.tags ?? [],
    calls: due.map(({ call, prepared }) => ({
      ...namedCall({ call, prepared }),
      ...defined({
        effect: prepared.status === 'ready' && prepared.host !== undefined ? prepared.effect : undefined,
      }),
    })),
  };
}
