// Loads skills once before a run, triggered by words of its first messages.
import { prefaceText } from '../agent/skills/skill-text.ts';
import { triggeredSkills } from '../agent/skills/triggers.ts';
import { type Preface, textOf } from '../model/messages.ts';
import type { Session } from '../session/session.ts';
import type { Effects } from './effects.ts';

export function loadTriggered(session: Session, effects: Effects): Promise<Preface | undefined> | undefined {
  const { context, run } = session.state;
  const asked = run?.pending.filter(({ role }) => role === 'user').map(textOf) ?? [];
  const names = triggeredSkills(context?.skills ?? [], asked.join('\n'));
  return names.length === 0 ? undefined : load(names, session, effects);
}

async function load(names: string[], session: Session, effects: Effects): Promise<Preface | undefined> {
  const contextDigest = session.state.context?.digest ?? '';
  const outcome = await effects.call('readSkills', { sessionId: session.id, contextDigest, names });
  if (outcome.type === 'stopped') return undefined;
  const failures =
    outcome.type === 'failed'
      ? [outcome.failure.message]
      : outcome.value.unread.map(({ name, reason }) => `Skill ${name} ${reason}.`);
  for (const failure of failures)
    session.announce({ type: 'warning', code: 'skill_not_loaded', message: failure });
  if (outcome.type === 'failed' || outcome.value.read.length === 0) return undefined;
  session.record({ type: 'skills_loaded', names: outcome.value.read.map(({ name }) => name) });
  return { kind: 'skills', text: prefaceText(outcome.value.read) };
}
