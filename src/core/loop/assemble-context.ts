// Freezes a run: a worker assembles its prompt, tools, model and settings once.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import { planText } from '../agent/plan/plan-text.ts';
import { mergeOptions, toStart } from '@holdfast/vocabulary/merge-options';
import type { RunModes, SessionSettings } from '@holdfast/vocabulary/agent-spec';
import type { AssembleContextInput, BegunWith } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { Session } from '../session/session.ts';
import { loweredMode, modesNow } from '../tools/modes.ts';
import type { Effects, Stopped } from './effects.ts';
import { askHosts } from './host-step.ts';

/** `settings` override the start input. Only an abort stops it: after an interrupting message it is asked again. */
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

/** Due for a lowered mode, and on request before every request but the first, whose context has just been made. */
export function isRefreshDue(state: AgentState): boolean {
  const { context, run } = state;
  const isRequested = context?.settings.promptConfig.refresh === 'turn' && (run?.turn ?? 0) > 1;
  return isRequested || loweredMode(state) !== undefined;
}

/** Reads all sources again (PROMPT-03). False if something must happen before the request. */
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

/** Ends a run that has no context. */
export function failContext(session: Session, message: string): void {
  const error = { code: 'Run.ContextFailed', message };
  session.record({ type: 'ending', end: { status: 'failed', error } });
}

export type RunContext =
  | { type: 'done'; context: FrozenContext }
  | { type: 'failed'; message: string }
  | Stopped;

/** An agent with hosts asks them first; their answers go into the context. */
async function assembleOnce(
  session: Session,
  effects: Effects,
  input: AssembleContextInput,
): Promise<RunContext> {
  const outcome = await effects.call('assembleContext', input);
  if (outcome.type === 'stopped') return outcome;
  if (outcome.type === 'failed') return { type: 'failed', message: outcome.failure.message };
  const { value } = outcome;
  if (!('askHosts' in value)) return { type: 'done', context: value };
  if (input.hosts) return { type: 'failed', message: 'The worker asked for hosts that were in its input.' };
  const hosts = await askHosts(session, effects, value.askHosts);
  return 'type' in hosts ? hosts : assembleOnce(session, effects, { ...input, hosts });
}

function toInput({ place, input, state }: Session, settings: SessionSettings): AssembleContextInput {
  const { loadedGroups, loadedSkills, run, context, plan } = state;
  return {
    ...place,
    runId: run?.runId ?? '',
    input: mergeOptions(omit(input, 'prompt', 'messages', 'carried', 'checkpoint'), toStart(settings)),
    ...defined({
      loadedGroups,
      loadedSkills,
      plan: plan && context?.settings.plan.placement === 'system' ? planText(plan.steps) : undefined,
      // before the first turn, the state still has the context of the run before
      begun: context && run && run.turn > 0 ? begunWith(context, modesNow(state)) : undefined,
    }),
  };
}

function begunWith(context: FrozenContext, modes: RunModes): BegunWith {
  const { access, machine, functions, artifactStore, sourceDigests, skills } = context;
  const { settings, systemPrompt, promptSections } = context;
  const prompt = defined({ systemPrompt, promptSections });
  return {
    ...defined({ access, machine }),
    functions,
    // with a refresh before each request, all of it is read again
    ...(settings.promptConfig.refresh === 'turn' ? {} : defined({ prompt, skills })),
    modes,
    ...defined({ artifactStore, sourceDigests }),
  };
}
