// The provider for Anthropic's Messages API, and servers that speak it. One HTTP request a call.
import type { ModelReply, ModelRequest, ThinkingLevel } from '../../../../core/model/model-call.ts';
import { addEvent, finishMessages, startMessagesDraft } from './reply.ts';
import { streamOptionsOf, toClientOptions } from '../client-options.ts';
import type { ProviderOptions } from '../client-options.ts';
import { decodeStream } from '../event-stream.ts';
import type { ModelCallOptions, ModelProvider } from '../model-provider.ts';
import type Anthropic from '@anthropic-ai/sdk';
import type {
  AssistantContent,
  ToolCallPart,
  ToolResultMessage,
  UserContent,
} from '../../../../core/model/messages.ts';
import type { ViewMessage } from '../../../../core/view/view-for-model.ts';
import { fromFieldSignature, fromOpaqueSignature } from './blocks.ts';
import { abilitiesFor, outputLimit, temperatureField, thinkingTokens } from '../model-abilities.ts';
import type { ModelAbilities } from '../model-abilities.ts';
import { outgoingView, toBase64, closeSchema, toArgumentObject, toWireToolName } from '../wire-parts.ts';
import type { LoadImage } from '../wire-parts.ts';

const vendor = { name: 'anthropic', baseUrl: 'https://api.anthropic.com', keyVariable: 'ANTHROPIC_API_KEY' };

export function createAnthropicProvider(options: ProviderOptions = {}): ModelProvider {
  return { name: 'anthropic', call: (request, callOptions) => callMessages(request, callOptions, options) };
}

async function callMessages(
  request: ModelRequest,
  callOptions: ModelCallOptions,
  options: ProviderOptions,
): Promise<ModelReply> {
  const { signal, onDelta, apiKey, loadImage, fetch } = callOptions;
  // loaded by the first call: a worker starts faster without it
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    ...toClientOptions(options, vendor, apiKey),
    webhookKey: null,
    ...(fetch === undefined ? {} : { fetch }),
  });
  const body = await toMessagesBody(request, loadImage, options.abilitiesOf?.(request.model.id));
  const answer = client.messages
    .create(body, { signal, headers: { ...versionHeader(body), ...request.headers } })
    .withResponse();
  const draft = startMessagesDraft(request);
  return decodeStream(answer, streamOptionsOf(options, callOptions, client.baseURL), {
    add: (event) => addEvent(draft, event, callOptions),
    stage: () => (draft.isComplete ? 'whole' : 'open'),
    usage: () => draft.usage,
    finish: () => finishMessages(draft, request, onDelta),
  });
}

/** The SDK speaks the newer version, which refuses a temperature. */
function versionHeader(body: MessagesBody): Record<string, string> {
  return body.temperature === undefined ? {} : { 'anthropic-version': '2023-06-01' };
}

// ModelRequest -> Messages body. Pure apart from loading images. Key order is fixed and messages come last. Cache
// breakpoints never stand inside messages, so that each request's messages extend those of the one before: one
// on the system prompt (it covers the tools), and the moving one at request level, which the API places itself.
/** `temperature` exists only in API version 2023-06-01. */
export type MessagesBody = Anthropic.MessageCreateParamsStreaming & { temperature?: number };
type Block = Anthropic.ContentBlockParam;

const idForm = { characters: 'a-zA-Z0-9_-', maxLength: 64 };
const cacheHere = { cache_control: { type: 'ephemeral' as const } };

export async function toMessagesBody(
  request: ModelRequest,
  loadImage: LoadImage,
  own?: Partial<ModelAbilities>,
): Promise<MessagesBody> {
  const { abilities, level } = abilitiesFor(request, 'anthropic', own);
  return {
    model: request.model.id,
    stream: true,
    max_tokens: outputLimit(request.maxResponseTokens, level, abilities),
    ...thinkingFields(level, abilities),
    ...outputFields(level, abilities, request),
    ...temperatureField(request.temperature, level, abilities),
    ...cacheHere,
    ...toolFields(request),
    ...(request.systemPrompt === ''
      ? {}
      : { system: [{ type: 'text' as const, text: request.systemPrompt, ...cacheHere }] }),
    messages: await toWireMessages(outgoingView(request, abilities.images, idForm), loadImage),
  };
}

function thinkingFields(level: ThinkingLevel, abilities: ModelAbilities): Pick<MessagesBody, 'thinking'> {
  if (level === 'off') return {};
  if (abilities.thinkingForm === 'effort') return { thinking: { type: 'adaptive', display: 'summarized' } };
  return { thinking: { type: 'enabled', budget_tokens: thinkingTokens[level] } };
}

function outputFields(
  level: ThinkingLevel,
  { thinkingForm }: ModelAbilities,
  { outputSchema: schema }: ModelRequest,
): Pick<MessagesBody, 'output_config'> {
  const effort = level === 'minimal' ? 'low' : level;
  const byEffort = level !== 'off' && thinkingForm === 'effort';
  const output_config = {
    ...(byEffort && effort !== 'off' ? { effort } : {}),
    ...(schema === undefined
      ? {}
      : { format: { type: 'json_schema' as const, schema: closeSchema(schema) } }),
  };
  return Object.keys(output_config).length === 0 ? {} : { output_config };
}

function toolFields(request: ModelRequest): Pick<MessagesBody, 'tools' | 'tool_choice'> {
  if (request.tools.length === 0) return {};
  const tools = request.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: { ...parameters, type: 'object' as const },
  }));
  return request.toolChoice === 'none' ? { tools, tool_choice: { type: 'none' } } : { tools };
}

/** All results of a batch go into one user message: the API wants them directly after the calls. */
async function toWireMessages(view: ViewMessage[], loadImage: LoadImage): Promise<Anthropic.MessageParam[]> {
  const wire: Anthropic.MessageParam[] = [];
  let results: Anthropic.ToolResultBlockParam[] | undefined;
  for (const message of view) {
    if (message.role !== 'tool_result') {
      results = undefined;
      wire.push(await toWireMessage(message, loadImage));
      continue;
    }
    if (results === undefined) {
      results = [];
      wire.push({ role: 'user', content: results });
    }
    results.push(await toResultBlock(message, loadImage));
  }
  return wire;
}

async function toWireMessage(
  message: Exclude<ViewMessage, ToolResultMessage>,
  loadImage: LoadImage,
): Promise<Anthropic.MessageParam> {
  if (message.role === 'assistant')
    return { role: 'assistant', content: message.content.flatMap(toAssistantBlock) };
  return { role: 'user', content: await toUserBlocks(message.content, loadImage) };
}

async function toResultBlock(
  result: ToolResultMessage,
  loadImage: LoadImage,
): Promise<Anthropic.ToolResultBlockParam> {
  return {
    type: 'tool_result',
    tool_use_id: result.callId,
    content: await toUserBlocks(result.content, loadImage),
    ...(result.isError ? { is_error: true } : {}),
  };
}

async function toUserBlocks(
  content: UserContent[],
  loadImage: LoadImage,
): Promise<(Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[]> {
  return Promise.all(
    content.map(async (part) => {
      if (part.type === 'text') return part;
      const source = {
        type: 'base64' as const,
        media_type: toImageType(part.mediaType),
        data: await toBase64(part, loadImage),
      };
      return { type: 'image' as const, source };
    }),
  );
}

/** Thinking goes back byte-equal; unsigned thinking would be refused, so it goes as text. */
function toAssistantBlock(part: AssistantContent): Block[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text, ...fromFieldSignature(part.signature) }];
  if (part.type === 'tool_call') return [toToolUse(part)];
  if (part.redacted) return part.signature === undefined ? [] : [fromOpaqueSignature(part.signature)];
  if (part.signature !== undefined)
    return [{ type: 'thinking', thinking: part.text, signature: part.signature }];
  return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
}

function toToolUse(part: ToolCallPart): Block {
  return {
    type: 'tool_use',
    id: part.callId,
    name: toWireToolName(part.name),
    input: toArgumentObject(part.arguments),
    ...fromFieldSignature(part.signature),
  };
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function toImageType(mediaType: string): (typeof imageTypes)[number] {
  const known = imageTypes.find((type) => type === mediaType);
  if (known !== undefined) return known;
  throw new UnsupportedImageError(
    `An image of type ${mediaType} cannot be sent: expected ${imageTypes.join(', ')}. Convert it, or leave it out.`,
  );
}

/** The request cannot be built from this view; repeating it would not help. */
export class UnsupportedImageError extends Error {
  override readonly name = 'UnsupportedImageError';
}
