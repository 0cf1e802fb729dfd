// The wire of OpenAI's Chat Completions and of every server that speaks them. One HTTP request a call.
import type OpenAI from 'openai';
import {
  type AssistantMessage,
  type ImagePart,
  type ToolResultMessage,
  type UserContent,
  toolCallsOf,
} from '../../../../core/model/messages.ts';
import type { ModelReply, ModelRequest } from '../../../../core/model/model-call.ts';
import type { ViewMessage } from '../../../../core/view/view-for-model.ts';
import { decodeStream } from '../event-stream.ts';
import type { LoadImage } from '../model-provider.ts';
import { type WireCall, outputLimit, temperatureField, toStreamOptions } from '../vendor.ts';
import {
  isStrictSchema,
  joinTexts,
  outputSchemaName,
  toArgumentJson,
  toBase64,
  toWireToolName,
  withErrorMark,
} from '../wire-parts.ts';
import type { Chunk } from './chat-reply.ts';
import { addChunk, chatStage, finishChat, startChatDraft, toThinkingFields } from './chat-reply.ts';
import { createClient, readError } from './client.ts';
import { isOpenAi } from './account.ts';

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type WireMessage = OpenAI.ChatCompletionMessageParam;
type ContentPart = OpenAI.ChatCompletionContentPart;

export async function callChat(call: WireCall): Promise<ModelReply> {
  const { request, options } = call;
  const { signal, onDelta } = options;
  const draft = startChatDraft(request);
  const client = await createClient(call);
  const body = await toChatBody(call, takesNewLimitName(client.baseURL));
  const answer = client.chat.completions
    .create(body, { signal, headers: request.headers ?? {} })
    .asResponse();
  return decodeStream(answer, toStreamOptions(call, client.baseURL, readError), {
    add: (chunk: Chunk) => addChunk(draft, chunk, onDelta),
    stage: () => chatStage(draft),
    usage: () => draft.usage,
    finish: (isDone) => finishChat(draft, request, isDone, onDelta),
  });
}

/** OpenAI's models refuse the older name of the output limit, wherever they are hosted; other servers know only that. */
function takesNewLimitName(baseUrl: string): boolean {
  return isOpenAi(baseUrl) || new URL(baseUrl).hostname.endsWith('.azure.com');
}

/** Pure apart from loading images. Key order is fixed and messages come last, so that requests extend each other. */
async function toChatBody(call: WireCall, newLimitName: boolean): Promise<Body> {
  const { request, view, level, options } = call;
  const limit = outputLimit(call);
  return {
    model: request.model.id,
    stream: true,
    stream_options: { include_usage: true },
    ...(newLimitName ? { max_completion_tokens: limit } : { max_tokens: limit }),
    ...(level === 'off' ? {} : { reasoning_effort: level }),
    ...temperatureField(call),
    ...toolFields(request),
    ...formatFields(request),
    messages: [
      ...(request.systemPrompt === '' ? [] : [{ role: 'system' as const, content: request.systemPrompt }]),
      ...(await toWireMessages(view, options.loadImage)),
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
