// Puts a model request together: the frozen context, the view projected and repaired. The same inputs give equal
// requests on every worker. Pure but for the user's own projections.
import { toDefinitions } from '../../core/model/tool-spec.ts';
import type { CallModelInput } from '../../core/model/activity-contracts.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import type { Message } from '../../core/model/messages.ts';
import type { ModelRequest } from '../../core/model/model-call.ts';
import { hookFailed } from './model-failure.ts';
import type { LoadedView } from '../context/transcript.ts';

export type Projections = {
  /** Changes the messages of one request, before anything else; the change is not kept. */
  transformContext?(messages: Message[]): Message[] | Promise<Message[]>;
  /** Projects messages to what a model understands, after transformContext. Custom messages that stay are dropped. */
  convertToLlm?(messages: Message[]): Message[] | Promise<Message[]>;
};

export async function toModelRequest(
  input: CallModelInput,
  context: FrozenContext,
  { system, head, messages }: LoadedView,
  attempt: number,
  { transformContext, convertToLlm }: Projections,
): Promise<ModelRequest> {
  const transformed = await project('transformContext', transformContext, [...head, ...messages]);
  const converted = await project('convertToLlm', convertToLlm, transformed);
  const { sessionId, runId, turn, toolChoice } = input;
  const { maxResponseTokens, thinkingLevel, streamOptions = {}, outputSchema } = context.settings;
  const temperature = streamOptions.temperature ?? context.settings.temperature;
  return {
    model: context.model,
    systemPrompt: system === undefined ? context.systemPrompt : `${context.systemPrompt}\n\n${system}`,
    messages: converted,
    tools: toDefinitions(context.tools),
    toolChoice,
    maxResponseTokens: streamOptions.maxTokens ?? maxResponseTokens,
    thinkingLevel,
    ...(temperature !== undefined && { temperature }),
    ...(streamOptions.headers && { headers: streamOptions.headers }),
    ...(outputSchema && { outputSchema }),
    metadata: {
      ...{ sessionId, agent: context.agent, runId, turn, attempt, purpose: 'main' },
      ...(isCut(input, transformContext ?? convertToLlm) && { viewIsCut: true }),
    },
  };
}

/** A view of the first epoch shows the log from its beginning; a projection may leave messages out. */
function isCut({ view }: CallModelInput, projection: Projections[keyof Projections]): boolean {
  return view.epoch > 1 || view.fromSeq > 1 || projection !== undefined;
}

async function project(
  name: keyof Projections,
  hook: Projections[keyof Projections],
  messages: Message[],
): Promise<Message[]> {
  try {
    return hook === undefined ? messages : await hook(messages);
  } catch (error) {
    throw hookFailed(name, error);
  }
}
