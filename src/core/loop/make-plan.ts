// The plan of a run, made before its first turn by questions to a planner: how many, and what becomes of their answers, is
// the agent's option planning. The loop that carries it out is the same for all of them.
import { counted } from '../base/words.ts';
import { planPreface } from '../agent/plan/plan-text.ts';
import {
  faultPrompt,
  judgePrompt,
  judgeSystem,
  planTokens,
  plannerPrompt,
  plannerSystem,
  readJudgement,
  readPlannerReply,
} from '../agent/plan/planner.ts';
import type { PlannerTask } from '../agent/plan/planner.ts';
import type { Read } from '../agent/plan/read-plan.ts';
import { isComplete } from '../agent/plan/steps.ts';
import { bestOption, votedPlan } from '../agent/plan/vote.ts';
import type { AgentSettings } from '../model/agent-spec.ts';
import type { Preface } from '../model/messages.ts';
import type { Plan, PlanOption, PlanStep } from '../model/plan.ts';
import type { Session } from '../session/session.ts';
import { viewPosition } from '../view/log.ts';
import { askModel } from './ask-model.ts';
import type { Effects, Preparation } from './effects.ts';

type Made = Omit<Plan, 'runId'>;
type Maker = (planner: Planner) => Promise<Made | undefined>;

/** Absent: the agent has no planner. */
const makers: { [Planning in AgentSettings['planning']]?: Maker } = {
  plan_and_solve: async (planner) => toMade(await planner.plan()),
  hierarchical: async (planner) => toMade(await planner.plan()),
  tree_of_thoughts: chooseBest,
  self_consistency: vote,
};

/** Without a usable plan the run continues without one; a warning says why. */
export const preparePlan: Preparation = (session, effects) => {
  const make = makers[session.settings.planning];
  return make && planRun(session, make(new Planner(session, effects)));
};

async function planRun(session: Session, making: Promise<Made | undefined>): Promise<Preface | undefined> {
  const made = await making;
  const { run } = session.state;
  // one that was made in the grace of a stop was not finished: not judged, or not voted on
  if (!made || !run || session.stop !== undefined) return undefined;
  session.record({ type: 'plan_changed', plan: { ...made, runId: run.runId } });
  return { kind: 'plan', text: planPreface(made.steps) };
}

function toMade(steps: PlanStep[] | undefined): Made | undefined {
  return steps && { steps };
}

const plansToChooseFrom = 3;

/** Several plans, each with a score and a reason; the best is carried out (PLAN-07). */
async function chooseBest(planner: Planner): Promise<Made | undefined> {
  const plans = await planner.plans(plansToChooseFrom, (number, of) => ({ option: { number, of } }));
  const options = plans.length > 0 ? await planner.judge(plans) : undefined;
  const chosen = options ? bestOption(options) : 0;
  const steps = plans[chosen];
  return steps && { steps, ...(options ? { options, chosen } : {}) };
}

const plansToVoteOn = 5;

/** Several answers to the same question; the steps that most of them have (PLAN-08). */
async function vote(planner: Planner): Promise<Made | undefined> {
  const plans = await planner.plans(plansToVoteOn, () => ({}));
  const steps = votedPlan(plans);
  if (steps.length > 0) return { steps };
  if (plans.length > 0) {
    planner.warn(`${counted(plans.length, 'plan')} had no step in common: the first of them is carried out.`);
  }
  return toMade(plans[0]);
}

class Planner {
  readonly #session: Session;
  readonly #effects: Effects;

  constructor(session: Session, effects: Effects) {
    this.#session = session;
    this.#effects = effects;
  }

  /** Undefined where no usable one came. */
  plan(more: Pick<PlannerTask, 'option'> = {}): Promise<PlanStep[] | undefined> {
    const { settings, state } = this.#session;
    const subSteps = settings.planning === 'hierarchical';
    const before = state.plan && !isComplete(state.plan.steps) ? state.plan.steps : [];
    const prompt = plannerPrompt({ task: this.#task, before, subSteps, ...more });
    return this.#ask(plannerSystem, prompt, (text) => readPlannerReply(text, subSteps));
  }

  /** At once, and in their order; those that are usable. */
  async plans(
    count: number,
    each: (number: number, of: number) => Pick<PlannerTask, 'option'>,
  ): Promise<PlanStep[][]> {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const plans = await Promise.all(numbers.map((number) => this.plan(each(number, count))));
    return plans.filter((plan) => plan !== undefined);
  }

  /** Each with its score; undefined where nothing usable came. */
  judge(plans: PlanStep[][]): Promise<PlanOption[] | undefined> {
    const prompt = judgePrompt(this.#task, plans);
    return this.#ask(judgeSystem, prompt, (text) => readJudgement(text, plans));
  }

  warn(message: string): void {
    this.#session.announce({ type: 'warning', code: 'Plan.Unusable', message });
  }

  get #task(): string {
    return this.#session.state.run?.task ?? '';
  }

  /** An answer that cannot be used is asked for once more, with its fault. */
  async #ask<T>(system: string, prompt: string, read: (text: string) => Read<T>): Promise<T | undefined> {
    const { state } = this.#session;
    const view = viewPosition(state);
    const question = {
      ...{ purpose: 'planner' as const, system, maxTokens: planTokens, tools: true as const },
      ...(view.toSeq < view.fromSeq ? {} : { view }),
    };
    let fault = '';
    for (const asked of [prompt, undefined]) {
      // the answer before it may have come in the grace of a stop, which does not reach another question
      if (this.#session.stop !== undefined) return undefined;
      const answer = await askModel(this.#session, this.#effects, {
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
    this.warn(`The planner gave no plan that can be used, and the run continues without it: ${fault}`);
    return undefined;
  }
}
