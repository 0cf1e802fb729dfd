// What is said once for a run, when it has its context: its place, memory, skills, a plan. It goes before the words of the run's
// first message, and is recorded with it, so that every request and a replay show the same.
import { placePreface } from '../agent/place.ts';
import type { Preface } from '../model/messages.ts';
import type { Session } from '../session/session.ts';
import type { Effects, Preparation } from './effects.ts';
import { preparePlan } from './make-plan.ts';
import { recall } from './memory.ts';
import { loadTriggered } from './triggered-skills.ts';

/** The run's own time: the same in a replay and in every request. */
const tellPlace: Preparation = (session) => {
  const { context } = session.state;
  const place = context && placePreface(context, session.now());
  return place && Promise.resolve(place);
};

/** In the order in which their texts are shown: the plan is made last, and is nearest to the task. */
const preparations: readonly Preparation[] = [tellPlace, recall, loadTriggered, preparePlan];

export async function prepareRun(session: Session, effects: Effects): Promise<void> {
  const preface: Preface[] = [];
  for (const prepare of preparations) {
    // a run without a new message from a person continues what it has
    const isAsked = session.state.run?.pending.some(({ role }) => role === 'user') === true;
    if (!isAsked || session.stop !== undefined) break;
    const preparing = prepare(session, effects);
    // most have nothing to do: a promise for each would be paid for in every run
    const part = preparing && (await preparing);
    if (part) preface.push(part);
  }
  if (preface.length > 0) session.record({ type: 'prefaced', preface });
}
