// Hosts in the loop: asked for their tools when a run is assembled, and for their verdicts before a batch runs.
import type { AgentState, BatchCall } from '@holdfast/vocabulary/agent-state';
import type { FrozenHost, HostAnswers, HostToAsk, HostVerdict } from '@holdfast/vocabulary/hosts';
import { namedCall } from '@holdfast/vocabulary/tool-spec';
import type { Session } from '../session/session.ts';
import { notServed, toHostAnswers } from '../tools/host-answers.ts';
import type { Effects, Stopped } from './effects.ts';

/** Asks all hosts at once; the slowest takes seconds. */
export async function askHosts(
  session: Session,
  effects: Effects,
  hosts: readonly HostToAsk[],
): Promise<HostAnswers | Stopped> {
  const { key: sessionId, state } = session;
  const runId = state.run?.runId ?? '';
  const said = await Promise.all(
    hosts.map(({ name: host, taskQueue }) =>
      effects.call('describeHost', { sessionId, runId, host }, { taskQueue }),
    ),
  );
  const answered = hosts.flatMap((host, index) => {
    const answer = said[index];
    if (answer === undefined || answer.type === 'stopped') return [];
    return [{ ...host, said: answer.type === 'done' ? answer.value : { missing: answer.failure.message } }];
  });
  return answered.length < hosts.length ? { type: 'stopped' } : toHostAnswers(answered);
}

/** True if a call must not run before its host has described its effect there. */
export function needsInspection(
  { context }: AgentState,
  { call, prepared, inspected, answer }: BatchCall,
): boolean {
  if (inspected || answer || prepared.status !== 'ready' || prepared.decision === 'deny') return false;
  const host = context?.hosts?.find(({ name }) => name === prepared.host);
  return host?.judged?.includes(call.name) ?? false;
}

export function isInspectionDue(state: AgentState): boolean {
  return state.run?.batch.some((entry) => needsInspection(state, entry)) ?? false;
}

/** One activity for each host with calls in the batch. Does nothing after a stop: no call begins then. */
export async function inspectCalls(session: Session, effects: Effects): Promise<void> {
  const { state } = session;
  const due = state.run?.batch.filter((entry) => needsInspection(state, entry)) ?? [];
  const hosts = (state.context?.hosts ?? []).filter(({ name }) =>
    due.some((entry) => hostOf(entry) === name),
  );
  const found = await Promise.all(
    hosts.map((host) => {
      const calls = due.filter((entry) => hostOf(entry) === host.name);
      return inspectOn(session, effects, host, calls);
    }),
  );
  session.record({
    type: 'calls_inspected',
    verdicts: found.flatMap(({ verdicts = [] }) => verdicts),
    unreachable: found.flatMap(({ unreachable = [] }) => unreachable),
  });
}

/** Both are empty after a stop. */
type Inspected = { verdicts?: HostVerdict[]; unreachable?: { callId: string; reason: string }[] };

async function inspectOn(
  { inTurn, state }: Session,
  effects: Effects,
  host: FrozenHost,
  calls: readonly BatchCall[],
): Promise<Inspected> {
  const input = { ...inTurn, host: host.name, tags: state.run?.tags ?? [], calls: calls.map(namedCall) };
  const outcome = await effects.call('inspectCalls', input, { taskQueue: host.taskQueue });
  if (outcome.type === 'stopped') return {};
  const failed = outcome.type === 'failed';
  const missing = failed ? outcome.failure.message : 'it gave no verdict on this call';
  const verdicts = failed ? [] : outcome.value.verdicts;
  const left = calls.filter(({ call }) => !verdicts.some(({ callId }) => callId === call.callId));
  const reason = notServed(host.name, missing);
  return { verdicts, unreachable: left.map(({ call: { callId } }) => ({ callId, reason })) };
}

function hostOf({ prepared }: BatchCall): string | undefined {
  return prepared.status === 'ready' ? prepared.host : undefined;
}
