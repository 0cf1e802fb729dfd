// The preface of a run, made once when its context is ready: place, memory, skills, plan. It is recorded in front of
// the run's first message, so that every request and every replay show the same words.
import { placePreface } from '../agent/place.ts';
import { type Preface, textOf } from '@holdfast/vocabulary/messages';
import type { Session } from '../session/session.ts';
import type { Effects, Preparation } from './effects.ts';
import { preparePlan } from './make-plan.ts';
import { recallMemory } from './memory.ts';
import { isSkillThere, prefaceText } from '../agent/skills/skill-text.ts';
import type { FrozenSkill } from '@holdfast/vocabulary/frozen-context';

/** Uses the run's own time, which is the same in a replay and in every request. */
const tellPlace: Preparation = (session) => {
  const { context } = session.state;
  const place = context && placePreface(context, session.now());
  return place && Promise.resolve(place);
};

/** In the order of their texts: the plan comes last, next to the task. */
const preparations: readonly Preparation[] = [tellPlace, recallMemory, loadTriggered, preparePlan];

export async function prepareRun(session: Session, effects: Effects): Promise<void> {
  const preface: Preface[] = [];
  for (const prepare of preparations) {
    // a run without a new message from a person continues earlier work
    const isAsked = session.state.run?.pending.some(({ role }) => role === 'user') === true;
    if (!isAsked || session.stop !== undefined) break;
    const preparing = prepare(session, effects);
    // most preparations have nothing to do: awaiting each would cost every run a promise
    const part = preparing && (await preparing);
    if (part) preface.push(part);
  }
  if (preface.length > 0) session.record({ type: 'prefaced', preface });
}

function loadTriggered(session: Session, effects: Effects): Promise<Preface | undefined> | undefined {
  const { context, run } = session.state;
  const asked = run?.pending.filter(({ role }) => role === 'user').map(textOf) ?? [];
  const names = triggeredSkills(context?.skills ?? [], asked.join('\n')).filter(
    (name) => !isSkillThere(session.state, name),
  );
  return names.length === 0 ? undefined : load(names, session, effects);
}

async function load(names: string[], session: Session, effects: Effects): Promise<Preface | undefined> {
  const contextDigest = session.state.context?.digest ?? '';
  const outcome = await effects.call('readSkills', { sessionId: session.key, contextDigest, names });
  if (outcome.type === 'stopped') return undefined;
  const failures =
    outcome.type === 'failed'
      ? [outcome.failure.message]
      : outcome.value.unread.map(({ name, reason }) => `Skill ${name} ${reason}.`);
  for (const failure of failures) session.warn('skill_not_loaded', failure);
  if (outcome.type === 'failed' || outcome.value.read.length === 0) return undefined;
  session.record({ type: 'skills_loaded', names: outcome.value.read.map(({ name }) => name) });
  return { kind: 'skills', text: prefaceText(outcome.value.read) };
}

/** Names of the skills with a trigger in the text, in any case. */
function triggeredSkills(skills: readonly FrozenSkill[], text: string): string[] {
  const lowered = text.toLowerCase();
  return skills
    .filter(({ description }) => description !== undefined)
    .filter(({ triggers = [] }) => triggers.some((trigger) => lowered.includes(trigger.toLowerCase())))
    .map(({ name }) => name);
}
