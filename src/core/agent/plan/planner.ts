// The prompts of a planner, and the parsing of its replies. Pure. A planner has no tools, and answers in JSON.
import { oneLine } from '@holdfast/base/one-line';
import { cutText } from '@holdfast/base/cut-text';
import { isRecord, isText, parseJson, fieldsOf } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import type { PlanOption, PlanStep } from '@holdfast/vocabulary/plan';
import { planText } from './plan-text.ts';
import { type Read, readPlan } from './read-plan.ts';
import type { Steps } from './steps.ts';

export const plannerSystem =
  'You make plans for an agent that looks into a problem with the tools it is given. You do not carry them out: you have no ' +
  'tools. A good plan has few steps, each of which one can see the end of; it looks before it concludes, tests what could ' +
  'prove it wrong, and checks its result before it is reported. Answer with one JSON object and nothing else.';

export const judgeSystem =
  'You judge plans of an agent that looks into a problem. You do not carry them out. Prefer the plan that would find out ' +
  'soonest that it is wrong, and that leaves nothing out which the task asks for. Answer with one JSON object and nothing else.';

/** Limit for a plan as JSON. */
export const planTokens = 2_000;

export type PlannerTask = {
  task: string;
  /** The open steps of an earlier plan. */
  before: Steps;
  /** True if steps may have sub-steps. */
  subSteps: boolean;
  /** The number of this plan among several for the same task. */
  option?: { number: number; of: number };
};

export function plannerPrompt({ task, before, subSteps, option }: PlannerTask): string {
  return present([
    `The task:\n${task}`,
    before.length > 0 && `The plan so far, and how far it came:\n${planText(before)}`,
    option !== undefined &&
      `This is plan ${option.number} of ${option.of} for the same task, each made without sight of the others: not the first way that comes to mind, but one of its own.`,
    `Answer with ${subSteps ? nestedForm : plainForm}`,
    formNotes,
  ]).join('\n\n');
}

const stepForm = '{"text": "...", "criterion": "...", "dependsOn": ["1"], "verify": true';
const plainForm = `{"steps": [${stepForm}}]}.`;
const nestedForm = `{"steps": [${stepForm}, "steps": [...]}]}, where the inner steps are sub-steps of the same form.`;
const formNotes =
  'text: what is done, in at most ten words, a verb first. criterion: how one sees that it is done. dependsOn: numbers of earlier ' +
  'steps that must be done before it; may be left out. verify: true on steps that check the result, of which there is at least one.';

export function faultPrompt(prompt: string, reason: string): string {
  return `${prompt}\n\nYour last answer was no plan that can be used: ${reason}. Answer again, with the JSON object alone.`;
}

export function readPlannerReply(text: string, subSteps: boolean): Read<PlanStep[]> {
  const json = toJson(text);
  if (!isRecord(json)) return { ok: false, reason: 'it is no JSON object' };
  return readPlan(json['steps'], { subSteps });
}

export function judgePrompt(task: string, plans: readonly Steps[]): string {
  const shown = plans.map((steps, index) => `Plan ${index + 1}:\n${planText(steps)}`);
  return [
    `The task:\n${task}`,
    ...shown,
    `Answer with {"plans": [{"score": 7, "reason": "..."}]}: one entry for each of the ${plans.length} plans, in their order; the score from 0 to 10, the reason in one sentence.`,
  ].join('\n\n');
}

/** Reads one option for each plan. */
export function readJudgement(text: string, plans: readonly Steps[]): Read<PlanOption[]> {
  const json = toJson(text);
  const list = fieldsOf(json)['plans'];
  if (!Array.isArray(list) || list.length !== plans.length) {
    return { ok: false, reason: `it has no list "plans" with ${plans.length} entries` };
  }
  const options = plans.map((steps, index): PlanOption => {
    const entry: unknown = list[index];
    const { score, reason } = fieldsOf(entry);
    return {
      steps: steps.map((step) => step.text),
      score: typeof score === 'number' && Number.isFinite(score) ? Math.min(10, Math.max(0, score)) : -1,
      reason: isText(reason) ? cutText(oneLine(reason), 300) : '',
    };
  });
  const without = options.findIndex(({ score }) => score < 0);
  return without < 0
    ? { ok: true, value: options }
    : { ok: false, reason: `plan ${without + 1} has no score from 0 to 10` };
}

/** The object in a reply, which may have words or a fence around it. */
function toJson(text: string): unknown {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  return from < 0 ? undefined : parseJson(text.slice(from, to + 1));
}
