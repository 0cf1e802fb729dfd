// Says to the model, between two turns, what code has noticed: circles, an open plan, what an answer lacks. Pure.
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { userMessage } from '@holdfast/vocabulary/messages';
import { outputReminder } from '../agent/output-text.ts';
import { openStepsReminder } from '../agent/plan/plan-text.ts';
import { reportReminder } from '../agent/report-reminder.ts';
import { circleWarning } from '../state/circles.ts';
import { assertNever } from '../state/draft.ts';
import type { Fact } from '../state/facts.ts';
import { loopWarning } from '../state/loop-guard.ts';
import type { NextStep } from './next-step.ts';

type SayingStep = Extract<
  NextStep,
  { type: 'warn_of_loop' | 'warn_of_circle' | 'remind_of_plan' | 'send_back' }
>;

/** The fact that has the words of a step. */
export function injectedWords(state: AgentState, step: SayingStep): Fact {
  const say = (words: string) => userMessage(words, 'injected');
  switch (step.type) {
    case 'warn_of_loop':
      return { type: 'loop_warned', of: step.of, count: step.count, message: say(loopWarning(step)) };
    case 'warn_of_circle':
      return { type: 'circle_warned', message: circleWarning(state, step.circle) };
    case 'remind_of_plan':
      return { type: 'plan_reminded', message: say(openStepsReminder(state.plan?.steps ?? [])) };
    case 'send_back':
      return { ...step, type: 'answer_sent_back', message: say(lacking(state, step)) };
    default:
      return assertNever(step);
  }
}

/** Names what an answer lacks. */
function lacking(
  { context, log }: AgentState,
  { lacks, faults }: Extract<SayingStep, { type: 'send_back' }>,
): string {
  const { settings, tools = [] } = context ?? {};
  if (lacks === 'output') return outputReminder(faults, settings?.outputSchema ?? {});
  const last = log.records.findLast((record) => record.role === 'assistant');
  return reportReminder(
    last,
    tools.map(({ name }) => name),
  );
}
