// The preface of a run, made once when its context is ready: place, memory, skills, plan. It is recorded in front of
// the run's first message, so that every request and every replay show the same words.
import { placePreface } from '../agent/place.ts';
import type { Preface } from '../model/messages.ts';
import type { Session } from '../session/session.ts';
import type { Effects, Preparation } from './effects.ts';
import { preparePlan } from './make-plan.ts';
import { recall } from './memory.ts';
import { loadTriggered } from './triggered-skills.ts';

/** Uses the run's own time, which is the same in a replay and in every request. */
const tellPlace: Preparation = (session) => {
  const { context } = session.state;
  const place = context && placePreface(context, session.now());
  return place && Promise.resolve(place);
};

/** In the order of their texts: the plan comes last, next to the task. */
const preparations: readonly Preparation[] = [tellPlace, recall, loadTriggered, preparePlan];

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
