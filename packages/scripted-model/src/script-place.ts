// The place in a model script after the messages of a request, found by playing the script over them. Pure: no counter
// and no clock, so that a retry, a replay and another worker find the same place.
import type { AssistantMessage, Message, ToolCallPart, UserMessage } from '@holdfast/vocabulary/messages';
import { textOf, toolCallsOf } from '@holdfast/vocabulary/messages';
import { type ModelScript, type ScriptCall, type ScriptStep, ScriptMismatch } from './model-script.ts';
import { capture, chooseNext } from './script-captures.ts';
import type { ScriptValues } from './script-template.ts';

export type ScriptPlace = {
  /** Number of the next reply, from 1. */
  turn: number;
  /** Ids of the played steps, in order. */
  played: string[];
  values: ScriptValues;
  /** User messages since the last reply. */
  steered: string[];
  /** True if a result since the last reply was an error. */
  failed: boolean;
  /** Calls of the last reply without a result, by call id. */
  open: Map<string, { stepId: string; call: ScriptCall }>;
  lastText: string;
  prompted: boolean;
  /** Earlier messages were folded into a summary, so captures may be missing. */
  folded: boolean;
};

/** Plays the script over the messages. Throws ScriptMismatch for a reply that differs from the script's. */
export function findPlace(script: ModelScript, messages: Message[]): ScriptPlace {
  const start = foldedStart(messages);
  const last = lastPlaces.get(script);
  const known = last?.messages.every((message, index) => message === messages[index]) ? last : undefined;
  const place = known?.place ?? emptyPlace(start?.turn);
  // an error would leave the place half played
  lastPlaces.delete(script);
  for (let index = known?.messages.length ?? 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) break;
    if (message.role === 'user') takeUserMessage(script, place, message);
    if (message.role === 'tool_result') takeResult(place, message.callId, textOf(message), message.isError);
    if (message.role !== 'assistant' || index < (start?.index ?? 0)) continue;
    const step = index === start?.index ? stepById(script, start.stepId) : stepAt(script, place);
    takeReply(script, place, step, message);
  }
  lastPlaces.set(script, { messages: [...messages], place });
  return place;
}

/**
 * The last place of each script: most requests extend the previous one, and are not played from the beginning again.
 */
const lastPlaces = new WeakMap<ModelScript, { messages: Message[]; place: ScriptPlace }>();

/** The next step; undefined at the end of the script. */
export function stepAt(script: ModelScript, place: ScriptPlace): ScriptStep | undefined {
  const last = place.played.at(-1);
  const following = last === undefined ? 0 : script.steps.findIndex((step) => step.id === last) + 1;
  const next = last === undefined ? script.start : script.steps[following - 1]?.next;
  const chosen =
    next === undefined ? undefined : chooseNext(next, { ...place, values: currentValues(place) });
  if (chosen === 'end') return undefined;
  return chosen === undefined ? script.steps[following] : stepById(script, chosen);
}

/** The values for the next reply's templates and conditions. */
export function currentValues(place: ScriptPlace, step?: ScriptStep): ScriptValues {
  return { ...place.values, ...newValues(place, step) };
}

function newValues(place: ScriptPlace, step: ScriptStep | undefined): ScriptValues {
  const steered = place.steered.join('\n');
  const where = `the messages before step "${step?.id}"`;
  const captured = capture(step?.captureSteered ?? {}, steered, where, place.folded);
  return { turn: place.turn, steered, ...captured };
}

/**
 * The id of the n-th call (from 1) of a reply. It names reply and step, so that a view whose beginning was folded away
 * can still be placed; unique in a session, in every provider's alphabet, at most 40 characters below turn 10,000.
 */
export function callIdOf(turn: number, call: number, stepId: string): string {
  return `call_${turn}_${call}_${stepId}`;
}

/** The parts of a script's call id: number of the reply, number of the call (both from 1), step. */
export function readCallId(
  callId: string | undefined,
): { turn: number; call: number; stepId: string } | undefined {
  const match = /^call_(\d+)_(\d+)_([a-z0-9-]+)$/.exec(callId ?? '');
  const [, turn, call, stepId] = match ?? [];
  return stepId === undefined ? undefined : { turn: Number(turn), call: Number(call), stepId };
}

// A view begins in the middle if its first readable call id belongs to a later reply than its position says.
function foldedStart(messages: Message[]): { index: number; turn: number; stepId: string } | undefined {
  let replies = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    replies += 1;
    const id = readCallId(toolCallsOf(message)[0]?.callId);
    if (id !== undefined) return id.turn > replies ? { index, ...id } : undefined;
  }
  return undefined;
}

function emptyPlace(foldedTurn: number | undefined): ScriptPlace {
  return {
    turn: foldedTurn ?? 1,
    played: [],
    values: {},
    steered: [],
    failed: false,
    open: new Map(),
    lastText: '',
    prompted: false,
    folded: foldedTurn !== undefined,
  };
}

function takeUserMessage(script: ModelScript, place: ScriptPlace, message: UserMessage): void {
  const text = textOf(message);
  if (place.prompted) {
    if (message.origin !== 'injected') place.steered.push(text);
    return;
  }
  place.prompted = true;
  const captured = capture(script.capture ?? {}, text, 'the prompt', place.folded);
  place.values = { ...place.values, prompt: text, ...captured };
}

function takeResult(place: ScriptPlace, callId: string, text: string, isError: boolean): void {
  const answered = place.open.get(callId);
  if (answered === undefined) return;
  place.open.delete(callId);
  place.failed ||= isError;
  const where = `the result of "${answered.call.tool}" (step "${answered.stepId}", call ${callId})`;
  Object.assign(place.values, capture(answered.call.capture ?? {}, text, where, place.folded));
}

function takeReply(
  script: ModelScript,
  place: ScriptPlace,
  step: ScriptStep | undefined,
  message: AssistantMessage,
): void {
  const calls = toolCallsOf(message);
  // in place: a copy for each reply would make a long play cubic
  if (step !== undefined) Object.assign(place.values, newValues(place, step));
  place.lastText = textOf(message) || place.lastText;
  place.steered = [];
  place.failed = false;
  place.open.clear();
  const text = textOf(message);
  if (step?.stopReason === 'length' && !step.calls && text.length > (step.text ?? '').length) {
    // the pieces of a cut answer are one message
    place.played.push(step.id);
    const rest = { type: 'text' as const, text: text.slice((step.text ?? '').length) };
    return takeReply(script, place, stepAt(script, place), { ...message, content: [rest, ...calls] });
  }
  // The answer to a request without tools (a run's last reply) leaves a step with unplayed calls.
  const expected = (step?.calls ?? []).filter((call) => !isLeftOut(call, calls));
  if (calls.length === 0 && expected.length > 0) return;
  if (!fits(step, expected, calls)) throw replyMismatch(script, place, step, calls);
  if (step === undefined) return;
  for (const [index, call] of expected.entries()) openCall(place, step, call, calls[index]);
  place.played.push(step.id);
  place.turn += 1;
}

function openCall(
  place: ScriptPlace,
  step: ScriptStep,
  call: ScriptCall,
  part: ToolCallPart | undefined,
): void {
  if (part === undefined) return;
  place.open.set(part.callId, { stepId: step.id, call });
  const name = call.as ?? (step.calls?.length === 1 ? step.id : undefined);
  if (name !== undefined) place.values[`${name}.callId`] = part.callId;
}

/** True if the request did not offer the call's tool. */
function isLeftOut({ tool, ifOffered }: ScriptCall, calls: ToolCallPart[]): boolean {
  return ifOffered === true && !calls.some(({ name }) => name === tool);
}

function fits(step: ScriptStep | undefined, expected: ScriptCall[], calls: ToolCallPart[]): boolean {
  if (expected.length !== calls.length) return false;
  const id = readCallId(calls[0]?.callId);
  if (id !== undefined && id.stepId !== step?.id) return false;
  return expected.every((call, index) => call.tool === calls[index]?.name);
}

function replyMismatch(
  script: ModelScript,
  place: ScriptPlace,
  step: ScriptStep | undefined,
  calls: ToolCallPart[],
): ScriptMismatch {
  const names = (tools: string[]) => (tools.length === 0 ? 'no calls' : `calls of ${tools.join(', ')}`);
  const expected =
    step === undefined
      ? 'its end'
      : `step "${step.id}" (${names((step.calls ?? []).map((call) => call.tool))})`;
  return new ScriptMismatch(
    `Script "${script.name}" expected ${expected} as reply ${place.turn}, but the transcript has a reply with ${names(calls.map((call) => call.name))}. The session was not begun with this script, or the script was changed.`,
  );
}

function stepById(script: ModelScript, id: string): ScriptStep {
  const step = script.steps.find((candidate) => candidate.id === id);
  if (step !== undefined) return step;
  throw new ScriptMismatch(
    `Script "${script.name}" has no step "${id}", which the transcript or a branch names.`,
  );
}
