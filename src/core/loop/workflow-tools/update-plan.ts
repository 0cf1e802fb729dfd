// update_plan: sets the session's plan, or marks one of its steps. Every answer has the whole plan, so that the model
// never works with an old one (PLAN-09).
import { defined } from '@holdfast/base/defined';
import { planText, progressLine } from '../../agent/plan/plan-text.ts';
import { isComplete } from '../../agent/plan/steps.ts';
import { updateSteps } from '../../agent/plan/update-plan.ts';
import { isRecord } from '@holdfast/base/json';
import type { PlanStep } from '@holdfast/vocabulary/plan';
import { failWith } from '@holdfast/vocabulary/tool-spec';
import type { WorkflowTool, WorkflowToolContext } from '../effects.ts';
import { askQuestion } from '../waits.ts';

export const updatePlan: WorkflowTool = {
  name: 'update_plan',
  async run(args, context) {
    const { session } = context;
    const { plan, run } = session.state;
    const steps = plan?.steps ?? [];
    if (isRecord(args) && Object.keys(args).length === 0) {
      return { text: plan ? shown(steps) : 'There is no plan yet. Set one with {steps}.' };
    }
    const updated = updateSteps(steps, args, session.settings.plan.strategy === 'hierarchical');
    if (!updated.ok) return failWith(`The plan was not changed: ${updated.reason}.`);
    const { steps: next, marked } = updated.value;
    session.record({
      type: 'plan_changed',
      // the rejected alternatives do not matter once the agent has set its own plan
      plan: { ...(marked ? plan : {}), steps: next, runId: run?.runId ?? '' },
      ...defined({ stepId: marked?.id }),
    });
    const more = marked?.status === 'failed' ? await afterFailure(marked, context) : undefined;
    return { text: [shown(next), more].filter(Boolean).join('\n\n') };
  },
};

function shown(steps: readonly PlanStep[]): string {
  const end = isComplete(steps) ? 'Every step is done.' : `Done so far: ${progressLine(steps)}`;
  return `${planText(steps)}\n${end}`;
}

/** Applies the agent's option plan.onStepFailure (PLAN-05). */
async function afterFailure(
  { id, text, note = '' }: PlanStep,
  { callId, session, effects }: WorkflowToolContext,
): Promise<string> {
  const { onStepFailure } = session.settings.plan;
  if (onStepFailure === 'stop') {
    const message =
      `Step ${id} of the plan failed (${text}), and plan.onStepFailure is "stop". ${note}`.trim();
    session.record({
      type: 'ending',
      end: { status: 'failed', error: { code: 'Plan.StepFailed', message } },
    });
    return 'The run ends here.';
  }
  if (onStepFailure !== 'escalate') return `Step ${id} failed. ${askForPlan}`;
  const question = `Step ${id} of the plan failed: ${text}${note ? ` (${note})` : ''}. How is the work to continue?`;
  const answer = await askQuestion(session, effects, { id: callId, question });
  if (answer.type === 'answered')
    return `Step ${id} failed. ${answer.actor} was asked, and says: ${answer.text}`;
  const why = answer.type === 'stopped' ? 'the run was stopped' : answer.reason;
  return `Step ${id} failed. A person was asked how to continue, without an answer: ${why}. ${askForPlan}`;
}

const askForPlan =
  'Make a new plan for what is left: call update_plan with steps, and give those that are done with their status.';
