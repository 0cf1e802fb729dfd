// Freezes a run: prompt, tools, model and settings, assembled once by a worker.
import type { SessionSettings } from '../model/agent-spec.ts';
import type { AssembleContextInput, BegunWith } from '../model/activity-contracts.ts';
import type { FrozenContext } from '../model/frozen-context.ts';
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
  const { loadedGroups, loadedSkills, run, context } = state;
  return {
    ...{ sessionId, runId: run?.runId ?? '', input: { ...agentInput, ...settings } },
    ...(loadedGroups ? { loadedGroups } : {}),
    ...(loadedSkills ? { loadedSkills } : {}),
    // before its first turn the context in the state is of the run before
    ...(context && run && run.turn > 0 ? { begun: begunWith(context) } : {}),
  };
}

function begunWith({
  access,
  functions,
  artifactStore,
  sourceDigests,
  skills,
  settings,
}: FrozenContext): BegunWith {
  const { mode, dryRun, offTheRecord } = settings;
  return {
    ...(access ? { access } : {}),
    functions,
    modes: { mode, dryRun, offTheRecord },
    ...(artifactStore === undefined ? {} : { artifactStore }),
    ...(sourceDigests ? { sourceDigests } : {}),
    ...(skills ? { skills } : {}),
  };
}
