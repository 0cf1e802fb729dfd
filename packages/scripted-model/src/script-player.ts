// Plays a model script: finds the reply of the step at the request's place. Pure, like the place.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import {
  type AssistantContent,
  type Message,
  type StopDetail,
  type StopReason,
  type Usage,
  type UserContent,
  textOf,
} from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ModelScript, ScriptCall, ScriptFault, ScriptStep } from './model-script.ts';
import { type Asking, ScriptMismatch, scriptFor } from './model-script.ts';
import { type ScriptPlace, callIdOf, currentValues, findPlace, stepAt } from './script-place.ts';
import { type ScriptValues, renderJson, renderText } from './script-template.ts';

export type PlayableRequest = Pick<ModelRequest, 'messages' | 'systemPrompt' | 'tools' | 'toolChoice'>;

export type ScriptReply = {
  content: AssistantContent[];
  stopReason: StopReason;
  stopDetail?: StopDetail;
  usage: Usage;
  /** Its streaming and its fault. Absent after the end of the script. */
  step?: ScriptStep;
};

/**
 * The reply to a request. Throws ScriptMismatch if the messages do not follow the script, a tool is not offered, a
 * capture or template finds no value, or the script is at its end and has no `afterEnd`.
 */
export function playScript(script: ModelScript, request: PlayableRequest): ScriptReply {
  const place = findPlace(script, request.messages);
  const step = stepAt(script, place);
  const values = currentValues(place, step);
  const content = contentOf(script, place, step, values, request);
  const called = content.some((part) => part.type === 'tool_call');
  const wanted = request.toolChoice === 'none' ? undefined : step?.stopReason;
  return {
    content,
    stopReason: wanted ?? (called ? 'tool_use' : 'stop'),
    usage: { ...estimateUsage(request, content), ...step?.usage },
    ...defined({ stopDetail: step?.stopDetail, step }),
  };
}

/** The failure of a step on this attempt, from 1. */
export function faultAt(step: ScriptStep | undefined, attempt: number): ScriptFault | undefined {
  const fault = step?.fault;
  return fault === undefined || attempt > (fault.attempts ?? Infinity) ? undefined : fault;
}

/** A part as the pieces in which it streams. By code points, so that a piece never splits a character. */
export function splitPart(part: AssistantContent, step: ScriptStep | undefined): string[] {
  const text = part.type === 'tool_call' ? part.arguments : part.text;
  return text.match(new RegExp(`[^]{1,${step?.chunkChars ?? 24}}`, 'gu')) ?? [];
}

/** Ids of the steps that may still come after these messages, in the script's order; empty at its end. */
export function unusedSteps(script: ModelScript, messages: Message[]): string[] {
  const { played } = findPlace(script, messages);
  // a set grows while it is read: each step once
  const reachable = new Set(followersOf(script, played.at(-1)));
  for (const id of reachable) followersOf(script, id).forEach((next) => reachable.add(next));
  return script.steps.map((step) => step.id).filter((id) => reachable.has(id) && !played.includes(id));
}

/** Ids of the steps that may follow a step; without an id, those that may begin the script. */
function followersOf(script: ModelScript, id: string | undefined): string[] {
  if (id === 'end') return [];
  const index = script.steps.findIndex((step) => step.id === id);
  const next = id === undefined ? script.start : script.steps[index]?.next;
  const following = script.steps[index + 1]?.id ?? 'end';
  if (next === undefined) return [following];
  if (typeof next === 'string') return [next];
  const isClosed = next.some(({ when }) => when === undefined);
  return present([...next.map(({ goto }) => goto), !isClosed && following]);
}

function contentOf(
  script: ModelScript,
  place: ScriptPlace,
  step: ScriptStep | undefined,
  values: ScriptValues,
  request: PlayableRequest,
): AssistantContent[] {
  if (step === undefined) return [{ type: 'text', text: afterEnd(script, place, values, request) }];
  checkExpectations(script, step, request);
  const said: AssistantContent[] = [];
  const rendered = (text: string): string => (script.verbatim ? text : renderText(text, values));
  if (step.thinking !== undefined) said.push({ type: 'thinking', text: rendered(step.thinking) });
  if (step.text !== undefined) said.push({ type: 'text', text: rendered(step.text) });
  else if (request.toolChoice === 'none') said.push({ type: 'text', text: lastWord(place) });
  if (request.toolChoice === 'none') return said;
  const isOffered = ({ tool }: ScriptCall) => request.tools.some(({ name }) => name === tool);
  const made = (step.calls ?? []).filter((call) => call.ifOffered !== true || isOffered(call));
  const calls = made.map((call, index) => {
    checkOffered(script, step, call, request);
    const { tool: name, args = {}, rawArguments } = call;
    const text = rawArguments ?? JSON.stringify(script.verbatim ? args : renderJson(args, values));
    const callId = callIdOf(place.turn, index + 1, step.id);
    return { type: 'tool_call' as const, callId, name, arguments: text };
  });
  return [...said, ...calls];
}

function lastWord(place: ScriptPlace): string {
  return place.lastText === '' ? 'No tools are left to use, and nothing was said before.' : place.lastText;
}

function afterEnd(
  script: ModelScript,
  place: ScriptPlace,
  values: ScriptValues,
  request: PlayableRequest,
): string {
  if (script.afterEnd !== undefined) return renderText(script.afterEnd, values);
  if (request.toolChoice === 'none') return lastWord(place);
  throw new ScriptMismatch(
    `Script "${script.name}" is at its end after ${place.played.length} steps, but another reply was asked for. Add a step, or "afterEnd".`,
  );
}

function checkExpectations(script: ModelScript, step: ScriptStep, request: PlayableRequest): void {
  const lastUser = request.messages.findLast((message) => message.role === 'user');
  const { lastUserMatches, systemMatches } = step.expect ?? {};
  const expectations: [string, string | undefined, string][] = [
    ['the last user message', lastUserMatches, lastUser === undefined ? '' : textOf(lastUser)],
    ['the system prompt', systemMatches, request.systemPrompt],
  ];
  for (const [what, pattern, text] of expectations) {
    if (pattern === undefined || new RegExp(pattern, 'm').test(text)) continue;
    throw new ScriptMismatch(
      `Step "${step.id}" of script "${script.name}" expected ${what} to match /${pattern}/, but it does not.`,
    );
  }
}

function checkOffered(
  script: ModelScript,
  step: ScriptStep,
  call: ScriptCall,
  request: PlayableRequest,
): void {
  if (call.unlisted === true || request.tools.some((tool) => tool.name === call.tool)) return;
  const offered = request.tools.map((tool) => tool.name).join(', ') || 'none';
  throw new ScriptMismatch(
    `Step "${step.id}" of script "${script.name}" calls "${call.tool}", which the request does not offer. Offered: ${offered}. Add the tool to the agent, or mark the call "unlisted".`,
  );
}

// A quarter of the characters: close enough for figures that people see, and the same everywhere. Uses lengths only and
// makes no copies, because a long session is measured at every call.
function estimateUsage(request: PlayableRequest, content: AssistantContent[]): Usage {
  const { systemPrompt, messages, tools } = request;
  const sent = systemPrompt.length + JSON.stringify(tools).length + total(messages.map(sentLength));
  return {
    input: Math.ceil(sent / 4),
    cacheRead: 0,
    cacheWrite: 0,
    output: Math.ceil(total(content.map(partLength)) / 4),
  };
}

function sentLength(message: Message): number {
  return message.role === 'custom' ? 0 : total(message.content.map(partLength));
}

function partLength(part: AssistantContent | UserContent): number {
  if (part.type === 'image') return 0;
  return part.type === 'tool_call' ? part.name.length + part.arguments.length : part.text.length;
}

function total(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

// The progress of a script over all requests, for naming the unused steps.
export type ScriptProgress = ReturnType<typeof createScriptProgress>;

/** A condensed view has only the newer steps, so a step that was played once stays played. */
export function createScriptProgress(script: ModelScript) {
  const { parts = {} } = script;
  const scripts: ModelScript[] = [script, ...Object.values(parts)];
  const progress = new Map(scripts.map((part) => [part, createPartProgress(part)]));
  const leftOf = (part: ModelScript): string[] => progress.get(part)?.left() ?? [];
  return {
    /** Records an answered request: its messages with the reply at their end, and who asked. */
    saw: (messages: Message[], asking: Asking) => progress.get(scriptFor(script, asking))?.saw(messages),
    /** Ids of the steps still to come, in the script's order; those of a part after its name. */
    left: () => [
      ...leftOf(script),
      ...Object.entries(parts).flatMap(([name, part]) => leftOf(part).map((step) => `${name}/${step}`)),
    ],
  };
}

function createPartProgress(script: ModelScript): { saw(messages: Message[]): void; left(): string[] } {
  const played = new Set<string>();
  let newest: Message[] = [];
  return {
    saw(messages) {
      newest = messages;
      for (const id of findPlace(script, messages).played) played.add(id);
    },
    left: () => unusedSteps(script, newest).filter((id) => !played.has(id)),
  };
}

export function leftOverText(script: ModelScript, left: string[]): string {
  return `Script "${script.name}" has steps left over: ${left.join(', ')}.`;
}
