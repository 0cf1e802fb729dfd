// The updates of a session: a table of names. Runs in the workflow. The validator is synchronous and without effect, so
// that a refused update leaves nothing in history (LOOP-19).
import { setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { carryOut, readRequest, type Request } from '../core/session/requests.ts';
import type { Session } from '../core/session/session.ts';
import { approvesUnseen, unseenApproval } from '../core/session/answers.ts';
import { accepted } from './activity-failure.ts';
import { updates } from './workflow-api.ts';

const descriptions: Record<keyof typeof updates, string> = {
  prompt: 'Starts a run when idle; answers with its id at once.',
  continue: 'Continues without a new task when idle: {continueText?}; answers with the run id at once.',
  answer: 'Answers what waits for a person: {question, answer, by}, as Current Details show it.',
  resolveApproval:
    'Answers a pending approval: {id, approve, actor, argsDigest, reason?, remember?}; a denial needs no argsDigest.',
  forgetAllowance: 'Takes a remembered approval back: {id, actor}.',
  answerQuestion: 'Answers a question of the agent: {id, text, actor?}.',
  extendBudget: 'Adds to the budget of the work in hand: {turns?, wallMs?, tokens?, costUsd?, toolCalls?}.',
  condense:
    'Folds the older part of the view into a summary when idle; the event condense_end has the outcome.',
  takeBackFinding: 'Takes a pinned finding of the agent back: {id, actor}.',
  cancelQueued: 'Removes a queued message by its id.',
};

export function registerUpdates(session: Session): void {
  for (const name of updateNames) {
    const read = (sent: readonly unknown[]): Request => readRequest(session, name, sent);
    const handle = (...sent: unknown[]): unknown => accepted(carryOut(session, read(sent)));
    const update: UpdateDefinition<unknown, unknown[]> = updates[name];
    setHandler(update, handle, {
      validator: (...sent: unknown[]) => {
        // not by the handler: what was accepted once is carried out
        if (name === 'resolveApproval' && approvesUnseen(sent[0], sent[1])) accepted(unseenApproval);
        accepted(read(sent));
      },
      description: descriptions[name],
    });
  }
}

const updateNames = Object.keys(updates).filter((name): name is keyof typeof updates => name in updates);
