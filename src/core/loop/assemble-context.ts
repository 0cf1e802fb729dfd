// Freezes a run: prompt, tools, model and settings, assembled once by a worker.
import { planText } from '../agent/plan/plan-text.ts';
import type { SessionSettings } from '../model/agent-spec.ts';
import type { AssembleContextInput, BegunWith } from '../model/activity-contracts.ts';
import type { FrozenContext } from '../model/frozen-context.ts';
import type { AgentState } from '../model/agent-state.ts';
import type { Session } from '../session/session.ts';
import type { ContextOutcome, Effects } from './effects.ts';
import { askHosts } from './host-step.ts';

/** The settings are over the start input. Stopped only by an abort: after an interrupting message it is asked for again. */
export async function assembleContext(
  session: Session,
  effects: Effects,
  settings: SessionSettings,
): Promise<RunContext> {
  for (;;) {
    const outcome = await assembleOnce(session, effects, toInput(session, settings));
    if (outcome.type === 'done') session.inbox.configure(outcome.context.settings.queues);
    if (outcome.type !== 'stopped' || session.stop === 'abort') return outcome;
  }
}

/** Before every request but the run's first, which has a context of its own time. */
export function isRefreshDue({ context, run }: AgentState): boolean {
  return context?.settings.promptRefresh === 'turn' && (run?.turn ?? 0) > 1;
}

/** From the sources as they are now (PROMPT-03). False: something came that goes before the request. */
export async function refreshContext(session: Session, effects: Effects): Promise<boolean> {
  const { run, context } = session.state;
  const outcome = await assembleContext(session, effects, run?.settings ?? {});
  if (outcome.type === 'failed') {
    failContext(session, outcome.message);
  } else if (outcome.type === 'done' && outcome.context.digest !== context?.digest) {
    session.record({ type: 'context_refreshed', context: outcome.context });
  }
  const { stop, state } = session;
  return (
    state.run?.end === undefined && (stop === undefined || (stop === 'interrupt' && run?.final !== undefined))
  );
}

/** A run without a context ends. */
export function failContext(session: Session, message: string): void {
  const error = { code: 'Run.ContextFailed', message };
  session.record({ type: 'ending', end: { status: 'failed', error } });
}

export type RunContext = Exclude<ContextOutcome, { type: 'hosts' }>;

/** Where the agent works on hosts, they are asked first: then the context is made with what they say. */
async function assembleOnce(
  session: Session,
  effects: Effects,
  input: AssembleContextInput,
): Promise<RunContext> {
  const outcome = await effects.assembleContext(input);
  if (outcome.type !== 'hosts') return outcome;
  const hosts = await askHosts(session, effects, outcome.askHosts);
  if ('type' in hosts) return hosts;
  const assembled = await effects.assembleContext({ ...input, hosts });
  if (assembled.type !== 'hosts') return assembled;
  return { type: 'failed', message: 'The worker asked for hosts that were in its input.' };
}

function toInput({ id: sessionId, input, state }: Session, settings: SessionSettings): AssembleContextInput {
  const { prompt: _, messages: __, carried: ___, checkpoint: ____, ...agentInput } = input;
  const { loadedGroups, loadedSkills, run, context, plan } = state;
  return {
    ...{ sessionId, runId: run?.runId ?? '', input: { ...agentInput, ...settings } },
    ...(loadedGroups ? { loadedGroups } : {}),
    ...(loadedSkills ? { loadedSkills } : {}),
    ...(plan && context?.settings.planPlacement === 'system' ? { plan: planText(plan.steps) } : {}),
    // before its first turn the context in the state is of the run before
    ...(context && run && run.turn > 0 ? { begun: begunWith(context) } : {}),
  };
}

function begunWith(context: FrozenContext): BegunWith {
  const { access, machine, functions, artifactStore, sourceDigests, skills } = context;
  const { settings, systemPrompt, promptSections } = context;
  const { mode, dryRun, offTheRecord, promptRefresh } = settings;
  const prompt = { systemPrompt, ...(promptSections ? { promptSections } : {}) };
  return {
    ...(access ? { access } : {}),
    ...(machine ? { machine } : {}),
    functions,
    // assembled anew before each request, all of it is read again
    ...(promptRefresh === 'turn' ? {} : { prompt, ...(skills ? { skills } : {}) }),
    modes: { mode, dryRun, offTheRecord },
    ...(artifactStore === undefined ? {} : { artifactStore }),
    ...(sourceDigests ? { sourceDigests } : {}),
  };
}
