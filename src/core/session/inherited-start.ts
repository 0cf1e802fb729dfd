// The start of a session that an agent lets begin later, by itself: with the limits of its own session, and no right more.
// Pure.
import { agentInput } from '../checkpoint/checkpoint.ts';
import { defined } from '../base/defined.ts';
import { mergeOptions, toStart } from '../model/merge-options.ts';
import { createScheduleName } from '../model/outer-names.ts';
import type { SessionInput } from '../model/session-input.ts';
import type { Session } from './session.ts';

/** Without its prompt. It cannot make schedules: each of them would begin a new month. */
export function inheritedStart({
  input,
  settings,
  state,
}: Pick<Session, 'input' | 'settings' | 'state'>): SessionInput {
  const { window: _, ...about } = mergeOptions(agentInput(input), toStart(state.run?.settings ?? {}));
  const { mode, budget, tools } = settings;
  return {
    ...about,
    mode,
    budget,
    tools: tools.filter((name) => name !== createScheduleName),
    ...defined({ agent: state.context?.agent, deliver: input.deliver }),
  };
}
