// Turns the steps that a model proposes into numbered steps, or lists their faults (PLAN-03, PLAN-06). Pure. The model
// gives no ids: a number is the step's place, so that none can be missing, doubled or out of order.
import { defined } from '@holdfast/base/defined';
import { oneLine } from '@holdfast/base/one-line';
import { type JsonRecord, isRecord, isText } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { jsonBytes, planBytes } from '@holdfast/base/sizes';
import { type PlanStep, stepStatuses } from '@holdfast/vocabulary/plan';
import { type Steps, allSteps, settled } from './steps.ts';

export type Read<T> = { ok: true; value: T } | { ok: false; reason: string };

export const maxSteps = 30;
/** Limits in characters: for a step's text and criterion, and for a note. */
export const stepCharacters = 300;
export const noteCharacters = 500;

/** Number of faults reported at once. */
const shownReasons = 5;

/** Reads a whole plan, with or without sub-steps. */
export function readPlan(value: unknown, { subSteps = false } = {}): Read<PlanStep[]> {
  if (!Array.isArray(value) || value.length === 0) return refuse(['it has no steps']);
  const steps = value.map((item, index) => toStep(item, String(index + 1)));
  return checked(steps, { subSteps });
}

/** Replaces the sub-steps of one step; `value` is a list of proposed steps. */
export function splitStep(steps: Steps, id: string, value: unknown): Read<PlanStep[]> {
  const step = steps.find((candidate) => candidate.id === id);
  if (!step) return refuse([unknownStep(steps, id)]);
  if (!Array.isArray(value) || value.length === 0) return refuse([`step ${id} would have no sub-steps`]);
  const parts = value.map((item, index) => toStep(item, `${id}.${index + 1}`));
  const split = steps.map((other) => (other === step ? settled({ ...step, steps: parts }) : other));
  return checked(split, { subSteps: true });
}

export function unknownStep(steps: Steps, id: string): string {
  const ids = allSteps(steps).map((step) => step.id);
  return `there is no step "${id}": the plan has ${ids.join(', ')}`;
}

/** Takes a proposed step as it is; faults are found later, when all steps are known. */
function toStep(item: unknown, id: string): PlanStep {
  const { text, criterion, dependsOn, verify, status, note, steps }: JsonRecord = isRecord(item) ? item : {};
  return settled({
    id,
    text: lineOf(isText(item) ? item : text),
    status: stepStatuses.find((known) => known === status) ?? 'pending',
    criterion: lineOf(criterion),
    dependsOn: Array.isArray(dependsOn) ? dependsOn.map((other) => lineOf(other)) : [],
    ...defined({
      verify: verify === true || undefined,
      note: lineOf(note) || undefined,
      steps:
        Array.isArray(steps) && steps.length > 0
          ? steps.map((part, index) => toStep(part, `${id}.${index + 1}`))
          : undefined,
    }),
  });
}

function lineOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return isText(value) ? oneLine(value) : '';
}

function checked(steps: PlanStep[], { subSteps }: { subSteps: boolean }): Read<PlanStep[]> {
  const all = allSteps(steps);
  const reasons = present([
    all.length > maxSteps && `it has ${all.length} steps: at most ${maxSteps} are taken`,
    ...all.flatMap((step, index) => problemsOf(step, all.slice(0, index), all)),
    ...(subSteps ? [] : steps.filter((step) => step.steps).map(({ id }) => noSubSteps(id))),
    !all.some(({ verify }) => verify) && noVerification,
  ]);
  if (reasons.length > 0) return refuse(reasons);
  const bytes = jsonBytes(steps);
  return bytes > planBytes
    ? refuse([`it has ${bytes} bytes: at most ${planBytes} are taken`])
    : { ok: true, value: steps };
}

const noVerification =
  'no step verifies the result: mark at least one with verify: true, e.g. one that looks again whether the cause explains the symptoms';

function noSubSteps(id: string): string {
  return `step ${id} has sub-steps, which only the planning "hierarchical" takes: make them steps of their own`;
}

function problemsOf(step: PlanStep, before: Steps, all: Steps): string[] {
  const { id, text, criterion, note = '', steps = [] } = step;
  const long = text.length > stepCharacters || criterion.length > stepCharacters;
  return present([
    text === '' && `step ${id} has no text`,
    criterion === '' && `step ${id} has no criterion: say how one sees that it is done`,
    long && `step ${id} is too long: text and criterion have at most ${stepCharacters} characters`,
    note.length > noteCharacters && `the note of step ${id} has more than ${noteCharacters} characters`,
    steps.some((part) => part.steps) && `step ${id} has sub-steps of sub-steps: there are two levels`,
    ...step.dependsOn.flatMap((other) => problemOfDependency(step, other, before, all)),
  ]);
}

function problemOfDependency({ id }: PlanStep, on: string, before: Steps, all: Steps): string[] {
  if (id.startsWith(`${on}.`)) return [`step ${id} depends on ${on}, of which it is a part`];
  if (before.some((step) => step.id === on)) return [];
  const isLater = all.some((step) => step.id === on);
  return [
    isLater
      ? `step ${id} depends on ${on}, which does not come before it`
      : `step ${id} depends on ${on}, which the plan does not have`,
  ];
}

function refuse(reasons: string[]): { ok: false; reason: string } {
  const more = reasons.length - shownReasons;
  const shown = reasons.slice(0, shownReasons).join('; ');
  return { ok: false, reason: more > 0 ? `${shown}; and ${more} more` : shown };
}
