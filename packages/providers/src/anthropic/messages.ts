// The wire of Anthropic's Messages API, and of servers that speak it. One HTTP request a call.
import { defined } from '@holdfast/base/defined';
import type Anthropic from '@anthropic-ai/sdk';
import type {
  AssistantContent,
  ToolCallPart,
  ToolResultMessage,
  UserContent,
} from '@holdfast/vocabulary/messages';
import type { ToolDefinition } from '@holdfast/vocabulary/tool-spec';
import { ModelFault } from '../faults.ts';
import type { LoadImage } from '../model-provider.ts';
import { type WireCall, type WireCode, outputLimit, temperatureField, thinkingTokens } from '../vendor.ts';
import { closeSchema, toArgumentObject, toBase64, toWireToolName, toolFields } from '../wire-parts.ts';
import { fromBlockSignature, fromOpaqueSignature } from './blocks.ts';
import { MessagesReply } from './reply.ts';

/** `temperature` exists only in API version 2023-06-01. */
type MessagesBody = Anthropic.MessageCreateParamsStreaming & { temperature?: number };
type Block = Anthropic.ContentBlockParam;

const cacheHere = { cache_control: { type: 'ephemeral' as const } };

export const messagesWire: WireCode = {
  toBody,
  /** The newer version refuses a temperature, and relatives do not know it. */
  headersFor(body, { refuses }) {
    const isOld = 'temperature' in body || refuses.has('anthropic-version');
    return { 'anthropic-version': isOld ? '2023-06-01' : '2026-10-21' };
  },
  Reply: MessagesReply,
};

/**
 * One cache breakpoint is on the system prompt
 * (it covers the tools). The moving one is at request level, where the API places it itself, so that each request's
 * messages extend the last request's; for servers that refuse it there, on the last block.
 */
async function toBody(call: WireCall): Promise<MessagesBody> {
  const { request, refuses } = call;
  const mark = refuses.has('block_cache_control') ? {} : cacheHere;
  const system = { type: 'text' as const, text: request.systemPrompt, ...mark };
  const messages = await toWireMessages(call);
  const last = messages.at(-1);
  if (last?.role === 'user' && refuses.has('cache_control')) Object.assign(Object(last.content.at(-1)), mark);
  return defined({
    model: request.model.id,
    stream: true,
    max_tokens: outputLimit(call),
    ...thinkingFields(call),
    ...temperatureField(call),
    ...cacheHere,
    ...toolFields(request, toTool, { type: 'none' as const }),
    system: system.text === '' ? undefined : [system],
    messages,
  });
}

function thinkingFields({
  level,
  abilities: { thinkingForm },
  request: { outputSchema: schema },
}: WireCall): Pick<MessagesBody, 'thinking' | 'output_config'> {
  const isAdaptive = thinkingForm === 'effort';
  const known = level === 'minimal' ? 'low' : level;
  const effort = isAdaptive && known !== 'off' ? known : undefined;
  const format = schema && { type: 'json_schema' as const, schema: closeSchema(schema) };
  const thinking = isAdaptive
    ? { type: 'adaptive' as const, display: 'summarized' as const }
    : { type: 'enabled' as const, budget_tokens: thinkingTokens[level] };
  const output_config = effort || format ? defined({ effort, format }) : undefined;
  return defined({ thinking: level === 'off' ? undefined : thinking, output_config });
}

function toTool({ name, description, parameters }: ToolDefinition): Anthropic.Tool {
  return { name, description, input_schema: { ...parameters, type: 'object' } };
}

/** All results of a batch go into one user message: the API wants them directly after the calls. */
async function toWireMessages({ view, refuses, options }: WireCall): Promise<Anthropic.MessageParam[]> {
  const wire: Anthropic.MessageParam[] = [];
  // the blocks of the user's message that the next one may join
  let open: Anthropic.ContentBlockParam[] | undefined;
  for (const [at, message] of view.entries()) {
    if (message.role === 'assistant') {
      open = undefined;
      wire.push({ role: 'assistant', content: message.content.flatMap(toAssistantBlock) });
      continue;
    }
    const isBatch = message.role === 'tool_result' && view[at - 1]?.role === 'tool_result';
    if (open === undefined || !(isBatch || refuses.has('user_after_user'))) {
      open = [];
      wire.push({ role: 'user', content: open });
    }
    if (message.role === 'user') open.push(...(await toUserBlocks(message.content, options.loadImage)));
    else open.push(await toResultBlock(message, options.loadImage));
  }
  return wire;
}

async function toResultBlock(
  result: ToolResultMessage,
  loadImage: LoadImage,
): Promise<Anthropic.ToolResultBlockParam> {
  return defined({
    type: 'tool_result',
    tool_use_id: result.callId,
    content: await toUserBlocks(result.content, loadImage),
    is_error: result.isError || undefined,
  });
}

async function toUserBlocks(
  content: UserContent[],
  loadImage: LoadImage,
): Promise<(Anthropic.TextBlockParam | Anthropic.ImageBlockParam)[]> {
  return Promise.all(
    content.map(async (part) => {
      // a new one, because a cache mark may be put on it
      if (part.type === 'text') return { ...part };
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
  if (part.type === 'text') return [{ type: 'text', text: part.text, ...fromBlockSignature(part.signature) }];
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
    ...fromBlockSignature(part.signature),
  };
}

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function toImageType(mediaType: string): (typeof imageTypes)[number] {
  const known = imageTypes.find((type) => type === mediaType);
  if (known !== undefined) return known;
  throw new ModelFault(
    'Model.InvalidRequest',
    `An image of type ${mediaType} cannot be sent: expected ${imageTypes.join(', ')}. Convert it, or leave it out.`,
  );
}
