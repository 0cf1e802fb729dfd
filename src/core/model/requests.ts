// The requests of a session as data: of a turn, and beside the loop. Equal inputs give equal requests on every worker. Pure.
import { defined } from '../base/defined.ts';
import type { FrozenContext } from './frozen-context.ts';
import { type Message, userMessage } from './messages.ts';
import type { ModelPurpose, ModelRequest, ToolChoice } from './model-call.ts';
import { toDefinitions } from './tool-spec.ts';

export type Place = { sessionId: string; runId: string; turn: number };

/** `messages`: the view as the model gets it. `system` follows the system prompt. */
export type TurnView = { system?: string; messages: Message[]; toolChoice: ToolChoice };

/** One prompt without tools. `maxTokens` limits the answer. */
export type Question = { purpose: ModelPurpose; system: string; prompt: string; maxTokens: number };

export function turnRequest(
  context: FrozenContext,
  place: Place & { attempt: number },
  { system, messages, toolChoice }: TurnView,
): ModelRequest {
  const { model: options, outputSchema } = context.settings;
  const { maxResponseTokens, thinkingLevel, temperature, headers } = options;
  return {
    model: context.model,
    systemPrompt: system === undefined ? context.systemPrompt : `${context.systemPrompt}\n\n${system}`,
    messages,
    tools: toDefinitions(context.tools),
    toolChoice,
    maxResponseTokens,
    thinkingLevel,
    ...defined({ temperature, headers, outputSchema }),
    metadata: metadataOf(context, place, 'main'),
  };
}

export function sideRequest(
  context: FrozenContext,
  place: Place & { attempt: number },
  { purpose, system, prompt, maxTokens }: Question,
): ModelRequest {
  return {
    model: context.model,
    systemPrompt: system,
    messages: [userMessage(prompt, 'injected')],
    tools: [],
    toolChoice: 'none',
    maxResponseTokens: maxTokens,
    thinkingLevel: 'off',
    ...defined({ headers: context.settings.model.headers }),
    metadata: metadataOf(context, place, purpose),
  };
}

function metadataOf(
  { agent }: FrozenContext,
  { sessionId, runId, turn, attempt }: Place & { attempt: number },
  purpose: ModelPurpose,
): ModelRequest['metadata'] {
  return { sessionId, agent, runId, turn, attempt, purpose };
}
