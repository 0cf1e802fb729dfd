// The provider for OpenAI's Chat Completions and every server that speaks them. One HTTP request a call.
import type { ModelReply, ModelRequest } from '../../../../core/model/model-call.ts';
import { streamOptionsOf } from '../client-options.ts';
import type { ProviderOptions } from '../client-options.ts';
import { decodeStream } from '../event-stream.ts';
import type { ModelCallOptions, ModelProvider } from '../model-provider.ts';
import { addChunk, chatStage, finishChat, startChatDraft } from './chat-reply.ts';
import { createOpenAiClient, takesNewLimitName } from './openai.ts';
import type OpenAI from 'openai';
import { toolCallsOf } from '../../../../core/model/messages.ts';
import type {
  AssistantMessage,
  ImagePart,
  ToolResultMessage,
  UserContent,
} from '../../../../core/model/messages.ts';
import type { ViewMessage } from '../../../../core/view/view-for-model.ts';
import { abilitiesFor, outputLimit, temperatureField } from '../model-abilities.ts';
import type { ModelAbilities } from '../model-abilities.ts';
import {
  joinTexts,
  outgoingView,
  toBase64,
  withErrorMark,
  isStrictSchema,
  outputSchemaName,
  toArgumentJson,
  toWireToolName,
} from '../wire-parts.ts';
import type { LoadImage } from '../wire-parts.ts';

export function createOpenAiChatProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'openai-chat', call: (request, callOptions) => callChat(request, callOptions, options) };
}

async function callChat(
  request: ModelRequest,
  callOptions: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const { signal, onDelta, apiKey, loadImage, fetch } = callOptions;
  const client = await createOpenAiClient(options, apiKey, fetch);
  const body = await toChatBody(
    request,
    takesNewLimitName(client.baseURL),
    loadImage,
    options.abilitiesOf?.(request.model.id),
  );
  const answer = client.chat.completions
    .create(body, { signal, headers: request.headers ?? {} })
    .withResponse();
  const draft = startChatDraft(request);
  return decodeStream(answer, streamOptionsOf(options, callOptions, client.baseURL), {
    add: (chunk) => addChunk(draft, chunk, onDelta),
    stage: () => chatStage(draft),
    usage: () => draft.usage,
    finish: () => finishChat(draft, request, onDelta),
  });
}

// ModelRequest -> Chat Completions body. Pure apart from loading images. Key order is fixed and messages come
// last, so that each request's bytes extend those of the one before.
type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type WireMessage = OpenAI.ChatCompletionMessageParam;
type ContentPart = OpenAI.ChatCompletionContentPart;

/** OpenAI refuses longer ids; other servers take what OpenAI takes. */
const idForm = { characters: 'a-zA-Z0-9_.:-', maxLength: 40 };

/** `newLimitName`: the server wants the newer name of the output limit; others know the older one. */
export async function toChatBody(
  request: ModelRequest,
  newLimitName: boolean,
  loadImage: LoadImage,
  own?: Partial<ModelAbilities>,
): Promise<Body> {
  const { abilities, level } = abilitiesFor(request, 'openai', own);
  const limit = outputLimit(request.maxResponseTokens, level, abilities);
  return {
    model: request.model.id,
    stream: true,
    stream_options: { include_usage: true },
    ...(newLimitName ? { max_completion_tokens: limit } : { max_tokens: limit }),
    ...(level === 'off' ? {} : { reasoning_effort: level }),
    ...temperatureField(request.temperature, level, abilities),
    ...toolFields(request),
    ...formatFields(request),
    messages: [
      ...(request.systemPrompt === '' ? [] : [{ role: 'system' as const, content: request.systemPrompt }]),
      ...(await toWireMessages(outgoingView(request, abilities.images, idForm), loadImage)),
    ],
  };
}

function toolFields(request: ModelRequest): Pick<Body, 'tools' | 'tool_choice'> {
  if (request.tools.length === 0) return {};
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }));
  return request.toolChoice === 'none' ? { tools, tool_choice: 'none' } : { tools };
}

function formatFields({ outputSchema: schema }: ModelRequest): Pick<Body, 'response_format'> {
  if (schema === undefined) return {};
  const json_schema = { name: outputSchemaName, strict: isStrictSchema(schema), schema };
  return { response_format: { type: 'json_schema', json_schema } };
}

async function toWireMessages(view: ViewMessage[], loadImage: LoadImage): Promise<WireMessage[]> {
  const wire: WireMessage[] = [];
  let images: ImagePart[] = [];
  const flushImages = async (): Promise<void> => {
    if (images.length > 0) wire.push(await imagesOfTools(images, loadImage));
    images = [];
  };
  for (const message of view) {
    if (message.role === 'tool_result') {
      wire.push(toToolMessage(message));
      images.push(...message.content.filter((part) => part.type === 'image'));
      continue;
    }
    await flushImages();
    if (message.role === 'user')
      wire.push({ role: 'user', content: await toUserContent(message.content, loadImage) });
    else wire.push(...toAssistantMessage(message));
  }
  await flushImages();
  return wire;
}

function toToolMessage(result: ToolResultMessage): WireMessage {
  const text = joinTexts(result.content) || '(see the attached image)';
  return { role: 'tool', tool_call_id: result.callId, content: withErrorMark(text, result.isError) };
}

/** A tool message holds text only, so a batch's images follow it in a user message. */
async function imagesOfTools(images: ImagePart[], loadImage: LoadImage): Promise<WireMessage> {
  const parts = await Promise.all(images.map((image) => toImagePart(image, loadImage)));
  return { role: 'user', content: [{ type: 'text', text: 'Images from the tool results above:' }, ...parts] };
}

async function toUserContent(content: UserContent[], loadImage: LoadImage): Promise<string | ContentPart[]> {
  if (content.every((part) => part.type === 'text')) return joinTexts(content);
  return Promise.all(
    content.map(async (part): Promise<ContentPart> =>
      part.type === 'text' ? part : toImagePart(part, loadImage),
    ),
  );
}

async function toImagePart(image: ImagePart, loadImage: LoadImage): Promise<ContentPart> {
  const url = `data:${image.mediaType};base64,${await toBase64(image, loadImage)}`;
  return { type: 'image_url', image_url: { url } };
}

function toAssistantMessage(message: AssistantMessage): WireMessage[] {
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = toolCallsOf(message).map((call) => ({
    id: call.callId,
    type: 'function' as const,
    function: { name: toWireToolName(call.name), arguments: toArgumentJson(call.arguments) },
  }));
  if (text === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...toThinkingFields(message),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

// Where servers of Chat Completions put thinking. What is read goes back under the same name, which stands in the log as
// the part's signature; any other signature is of another wire, and means nothing here. Pure.
export const thinkingFields = ['reasoning_content', 'reasoning'] as const;
export type ThinkingField = (typeof thinkingFields)[number];

export function toThinkingFields(message: AssistantMessage): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const part of message.content) {
    if (part.type !== 'thinking' || !isThinkingField(part.signature)) continue;
    fields[part.signature] = (fields[part.signature] ?? '') + part.text;
  }
  return fields;
}

function isThinkingField(signature: string | undefined): signature is ThinkingField {
  return thinkingFields.some((field) => field === signature);
}
