// Makes the plan of a run before its first turn, by questions to a planner. The agent's option `plan.strategy` decides how
// many questions there are and how their answers are combined; the loop that carries out the plan is always the same.
import { defined } from '@holdfast/base/defined';
import { counted } from '@holdfast/base/words';
import { planPreface } from '../agent/plan/plan-text.ts';
import {
  type PlannerTask,
  faultPrompt,
  judgePrompt,
  judgeSystem,
  planTokens,
  plannerPrompt,
  plannerSystem,
  readJudgement,
  readPlannerReply,
} from '../agent/plan/planner.ts';
import type { Read } from '../agent/plan/read-plan.ts';
import { isComplete } from '../agent/plan/steps.ts';
import { bestOption, votedPlan } from '../agent/plan/vote.ts';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { Preface } from '@holdfast/vocabulary/messages';
import type { Plan, PlanOption, PlanStep } from '@holdfast/vocabulary/plan';
import type { Session } from '../session/session.ts';
import { viewPosition } from '@holdfast/view/log';
import { askModel } from './ask-model.ts';
import type { Effects, Preparation } from './effects.ts';

type Made = Omit<Plan, 'runId'>;
/** The session that asks, and its way to a planner. */
type Asker = { session: Session; effects: Effects };
type Maker = (asker: Asker) => Promise<Made | undefined>;

/** An absent entry means that the agent has no planner. */
const makers: { [Strategy in AgentSettings['plan']['strategy']]?: Maker } = {
  plan_and_solve: async (asker) => toMade(await askForPlan(asker)),
  hierarchical: async (asker) => toMade(await askForPlan(asker)),
  tree_of_thoughts: chooseBest,
  self_consistency: vote,
};

/** Without a usable plan the run continues, and a warning has the reason. */
export const preparePlan: Preparation = (session, effects) => {
  const make = makers[session.settings.plan.strategy];
  return make && planRun(session, make({ session, effects }));
};

async function planRun(session: Session, making: Promise<Made | undefined>): Promise<Preface | undefined> {
  const made = await making;
  const { run } = session.state;
  // a plan finished during the grace period of a stop is incomplete: not judged, or not voted on
  if (!made || !run || session.stop !== undefined) return undefined;
  session.record({ type: 'plan_changed', plan: { ...made, runId: run.runId } });
  return { kind: 'plan', text: planPreface(made.steps) };
}

function toMade(steps: PlanStep[] | undefined): Made | undefined {
  return steps && { steps };
}

const plansToChooseFrom = 3;

/** Makes several plans, scores each with a reason, and takes the best (PLAN-07). */
async function chooseBest(asker: Asker): Promise<Made | undefined> {
  const plans = await askForPlans(asker, plansToChooseFrom, (number, of) => ({ option: { number, of } }));
  const options = plans.length > 0 ? await judge(asker, plans) : undefined;
  const chosen = options && bestOption(options);
  const steps = plans[chosen ?? 0];
  return steps && defined({ steps, options, chosen });
}

const plansToVoteOn = 5;

/** Asks the same question several times, and takes the steps that most answers have (PLAN-08). */
async function vote(asker: Asker): Promise<Made | undefined> {
  const plans = await askForPlans(asker, plansToVoteOn, () => ({}));
  const steps = votedPlan(plans);
  if (steps.length > 0) return { steps };
  if (plans.length > 0) {
    warn(asker, `${counted(plans.length, 'plan')} had no step in common: the first of them is carried out.`);
  }
  return toMade(plans[0]);
}

/** Undefined if no usable plan came. */
function askForPlan(asker: Asker, more: Pick<PlannerTask, 'option'> = {}): Promise<PlanStep[] | undefined> {
  const { settings, state } = asker.session;
  const subSteps = settings.plan.strategy === 'hierarchical';
  const before = state.plan && !isComplete(state.plan.steps) ? state.plan.steps : [];
  const prompt = plannerPrompt({ task: state.run?.task ?? '', before, subSteps, ...more });
  const unusable = 'The planner gave no plan that can be used, and the run continues without it';
  return ask(asker, { system: plannerSystem, prompt, unusable }, (text) => readPlannerReply(text, subSteps));
}

/** Asks for several plans at once; returns the usable ones in the order of the questions. */
async function askForPlans(
  asker: Asker,
  count: number,
  each: (number: number, of: number) => Pick<PlannerTask, 'option'>,
): Promise<PlanStep[][]> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const plans = await Promise.all(numbers.map((number) => askForPlan(asker, each(number, count))));
  return plans.filter((plan) => plan !== undefined);
}

/** Plans with their scores; undefined if no usable answer came. */
function judge(asker: Asker, plans: PlanStep[][]): Promise<PlanOption[] | undefined> {
  const prompt = judgePrompt(asker.session.state.run?.task ?? '', plans);
  const unusable = 'The planner gave no scores that can be used, and the first plan is carried out';
  return ask(asker, { system: judgeSystem, prompt, unusable }, (text) => readJudgement(text, plans));
}

function warn({ session }: Asker, message: string): void {
  session.warn('Plan.Unusable', message);
}

/** An unusable answer is sent back once, with its fault. */
async function ask<T>(
  asker: Asker,
  { system, prompt, unusable }: { system: string; prompt: string; unusable: string },
  read: (text: string) => Read<T>,
): Promise<T | undefined> {
  const { session, effects } = asker;
  const view = viewPosition(session.state);
  const question = defined({
    purpose: 'planner' as const,
    system,
    maxTokens: planTokens,
    tools: true as const,
    view: view.toSeq < view.fromSeq ? undefined : view,
  });
  let fault = '';
  for (const asked of [prompt, undefined]) {
    // the previous answer may have come in the grace period of a stop, which would not reach another question
    if (session.stop !== undefined) return undefined;
    const answer = await askModel(session, effects, {
      ...question,
      prompt: asked ?? faultPrompt(prompt, fault),
    });
    if (answer.type === 'stopped') return undefined;
    if (answer.type === 'failed') {
      fault = answer.failure.message;
      break;
    }
    const made = read(answer.text);
    if (made.ok) return made.value;
    fault = made.reason;
  }
  warn(asker, `${unusable}: ${fault}`);
  return undefined;
}
