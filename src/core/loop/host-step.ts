// Hosts in the loop: asked for their tools when a run is assembled, and for their verdict on calls before a batch runs.
import type { AgentState, BatchCall } from '../model/agent-state.ts';
import type { FrozenHost, HostAnswers, HostToAsk, HostVerdict } from '../model/hosts.ts';
import { argumentsOf } from '../model/tool-spec.ts';
import type { Session } from '../session/session.ts';
import { notServed, toHostAnswers } from '../tools/hosts.ts';
import type { Effects, Stopped } from './effects.ts';

/** Where the effects have none. */
export const unreachableHere = { missing: 'a session in one process reaches no hosts' };

/** All at once; the slowest one takes seconds. */
export async function askHosts(
  session: Session,
  effects: Effects,
  hosts: readonly HostToAsk[],
): Promise<HostAnswers | Stopped> {
  const { id: sessionId, state } = session;
  const runId = state.run?.runId ?? '';
  const said = await Promise.all(
    hosts.map(
      async (host) =>
        (await effects.hosts?.describe({ sessionId, runId, host: host.name }, host)) ?? unreachableHere,
    ),
  );
  const answered = hosts.flatMap((host, index) => {
    const answer = said[index];
    return answer === undefined || 'type' in answer ? [] : [{ ...host, said: answer }];
  });
  return answered.length < hosts.length ? { type: 'stopped' } : toHostAnswers(answered);
}

/** Whether a call may not run before its host has said what it does there. */
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

/** One activity for each host that has calls in the batch. After a stop none is needed: no call begins. */
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
  { id: sessionId, state }: Session,
  effects: Effects,
  host: FrozenHost,
  calls: readonly BatchCall[],
): Promise<Inspected> {
  const { run, context } = state;
  const outcome =
    (await effects.hosts?.inspect(
      {
        ...{ sessionId, runId: run?.runId ?? '', turn: run?.turn ?? 0, contextDigest: context?.digest ?? '' },
        ...{ host: host.name, tags: run?.tags ?? [] },
        calls: calls.map(({ call, prepared }) => ({
          ...{ callId: call.callId, tool: call.name },
          args: argumentsOf(call, prepared.status === 'ready' ? prepared.args : undefined),
        })),
      },
      host,
    )) ?? unreachableHere;
  if ('type' in outcome) return {};
  const missing = 'verdicts' in outcome ? 'it gave no verdict on this call' : outcome.missing;
  const verdicts = 'verdicts' in outcome ? outcome.verdicts : [];
  const left = calls.filter(({ call }) => !verdicts.some(({ callId }) => callId === call.callId));
  const reason = notServed(host.name, missing);
  return { verdicts, unreachable: left.map(({ call: { callId } }) => ({ callId, reason })) };
}

function hostOf({ prepared }: BatchCall): string | undefined {
  return prepared.status === 'ready' ? prepared.host : undefined;
}
