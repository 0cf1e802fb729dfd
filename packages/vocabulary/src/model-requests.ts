// The requests of a session as data: of a turn, and beside the loop. Equal inputs give equal requests on every worker. Pure.
import { defined } from '@holdfast/base/defined';
import type { FrozenContext } from './frozen-context.ts';
import { type Message, userMessage } from './messages.ts';
import type { ModelPurpose, ModelRequest, ToolChoice } from './model-call.ts';
import { toDefinitions } from './tool-spec.ts';

export type TurnPlace = { sessionId: string; runId: string; turn: number };

/** `messages`: the view as the model gets it. `system` follows the system prompt. */
export type TurnView = { system?: string; messages: Message[] };

/** One prompt without tools. `maxTokens` limits the answer. */
export type SideQuestion = { purpose: ModelPurpose; system: string; prompt: string; maxTokens: number };

type Attempt = TurnPlace & { attempt: number };

export function turnRequest(
  context: FrozenContext,
  attempt: Attempt & { toolChoice: ToolChoice },
  { system, messages }: TurnView,
): ModelRequest {
  const { maxResponseTokens, thinkingLevel, temperature } = context.settings.model;
  return {
    ...headOf(context, attempt, 'main'),
    systemPrompt: system === undefined ? context.systemPrompt : `${context.systemPrompt}\n\n${system}`,
    messages,
    tools: toDefinitions(context.tools),
    toolChoice: attempt.toolChoice,
    maxResponseTokens,
    thinkingLevel,
    ...defined({ temperature, outputSchema: context.settings.outputSchema }),
  };
}

export function sideRequest(
  context: FrozenContext,
  attempt: Attempt,
  { purpose, system, prompt, maxTokens }: SideQuestion,
): ModelRequest {
  return {
    ...headOf(context, attempt, purpose),
    systemPrompt: system,
    messages: [userMessage(prompt, 'injected')],
    tools: [],
    toolChoice: 'none',
    maxResponseTokens: maxTokens,
    thinkingLevel: 'off',
  };
}

function headOf(
  { agent, model, settings }: FrozenContext,
  { sessionId, runId, turn, attempt }: Attempt,
  purpose: ModelPurpose,
): Pick<ModelRequest, 'model' | 'metadata' | 'headers'> {
  const metadata = { sessionId, agent, runId, turn, attempt, purpose };
  return { model, metadata, ...defined({ headers: settings.model.headers }) };
}
