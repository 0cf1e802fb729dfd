// The wire of OpenAI's Chat Completions and of every server that speaks them. One HTTP request a call.
import type OpenAI from 'openai';
import { defined } from '@holdfast/base/defined';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import {
  type AssistantMessage,
  type ImagePart,
  type ToolCallPart,
  type ToolResultMessage,
  type UserContent,
  toolCallsOf,
} from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ToolDefinition } from '@holdfast/vocabulary/tool-spec';
import type { ViewMessage } from '@holdfast/view/view-for-model';
import type { Refusals } from '../dialects.ts';
import type { LoadImage } from '../model-provider.ts';
import { type WireCall, type WireCode, outputLimit, temperatureField } from '../vendor.ts';
import {
  joinTexts,
  namedSchema,
  toArgumentJson,
  toDataUrl,
  toWireToolName,
  toolFields,
  withErrorMark,
} from '../wire-parts.ts';
import { withoutRefused } from '../fit-body.ts';
import { ChatReply } from './chat-reply.ts';
import { fromFieldSignature, toReplyFields } from './reply-fields.ts';

type Body = OpenAI.ChatCompletionCreateParamsStreaming;
type WireMessage = OpenAI.ChatCompletionMessageParam;
type ContentPart = OpenAI.ChatCompletionContentPart;

export const chatWire: WireCode = { toBody, Reply: ChatReply };

async function toBody(call: WireCall): Promise<Body> {
  const { request, level, refuses } = call;
  const limit = outputLimit(call);
  const isNewer = refuses.has('max_tokens') && !refuses.has('max_completion_tokens');
  return defined({
    model: request.model.id,
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: isNewer ? limit : undefined,
    max_tokens: isNewer ? undefined : limit,
    reasoning_effort: level === 'off' ? undefined : level,
    ...temperatureField(call),
    ...toolFields(request, toTool, 'none' as const),
    ...formatFields(request),
    messages: await toWireMessages(call),
  });
}

function toTool({ name, description, parameters }: ToolDefinition): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters } };
}

function formatFields({ outputSchema: schema }: ModelRequest): Pick<Body, 'response_format'> {
  if (schema === undefined) return {};
  return { response_format: { type: 'json_schema', json_schema: namedSchema(schema) } };
}

async function toWireMessages({ request, view, refuses, options }: WireCall): Promise<WireMessage[]> {
  const replies = view.filter((message) => message.role === 'assistant');
  const isReasoned = replies.some((reply) => 'reasoning_content' in toReplyFields(reply));
  const { systemPrompt } = request;
  const wire: WireMessage[] = [];
  let images: ImagePart[] = [];
  let said: UserContent[] = [];
  if (systemPrompt !== '' && refuses.has('system_role')) said.push({ type: 'text', text: systemPrompt });
  else if (systemPrompt !== '') wire.push({ role: 'system', content: systemPrompt });
  const endTurn = async (): Promise<void> => {
    if (said.length === 0) return;
    if (wire.at(-1)?.role === 'tool' && refuses.has('user_after_tool')) wire.push(bridge);
    wire.push({ role: 'user', content: await toUserContent(said, options.loadImage) });
    said = [];
  };
  const say = async (content: UserContent[]): Promise<void> => {
    if (!refuses.has('user_after_user')) await endTurn();
    said.push(...content);
  };
  const flushImages = async (): Promise<void> => {
    if (images.length > 0) await say([aboutImages, ...images]);
    images = [];
  };
  for (const message of refuses.has('parallel_calls') ? oneByOne(view) : view) {
    if (message.role === 'tool_result') {
      wire.push(toToolMessage(message));
      images.push(...message.content.filter((part) => part.type === 'image'));
      continue;
    }
    await flushImages();
    if (message.role === 'user') {
      await say(message.content);
      continue;
    }
    const reply = toAssistantMessage(message, refuses, isReasoned);
    if (reply.length > 0) await endTurn();
    wire.push(...reply);
  }
  await flushImages();
  await endTurn();
  return wire;
}

/** Each further call of a reply goes before its own result: templates of Llama take one call in a message. */
function oneByOne(view: readonly ViewMessage[]): ViewMessage[] {
  let reply: AssistantMessage | undefined;
  let others: ToolCallPart[] = [];
  return view.flatMap((message): ViewMessage[] => {
    if (message.role === 'assistant') {
      reply = message;
      others = toolCallsOf(message).slice(1);
      return [
        { ...message, content: message.content.filter((part) => !others.some((call) => call === part)) },
      ];
    }
    const call = others.find(({ callId }) => message.role === 'tool_result' && callId === message.callId);
    return reply && call ? [{ ...reply, content: [call] }, message] : [message];
  });
}

/** A tool message holds text only, so a batch's images follow it in a user message. */
const aboutImages: UserContent = { type: 'text', text: 'Images from the tool results above:' };
/** In place of the reply that a model of Mistral wants between results and a person's word, which stays out of them. */
const bridge: WireMessage = { role: 'assistant', content: 'I have the results.' };

function toToolMessage(result: ToolResultMessage): WireMessage {
  const text = joinTexts(result.content) || '(see the attached image)';
  return { role: 'tool', tool_call_id: result.callId, content: withErrorMark(text, result.isError) };
}

async function toUserContent(content: UserContent[], loadImage: LoadImage): Promise<string | ContentPart[]> {
  if (content.every((part) => part.type === 'text')) return joinTexts(content);
  return Promise.all(content.map((part) => toContentPart(part, loadImage)));
}

async function toContentPart(part: UserContent, loadImage: LoadImage): Promise<ContentPart> {
  if (part.type === 'text') return part;
  return { type: 'image_url', image_url: { url: await toDataUrl(part, loadImage) } };
}

function toAssistantMessage(
  message: AssistantMessage,
  refuses: Refusals,
  isReasoned: boolean,
): WireMessage[] {
  const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  // https://api-docs.deepseek.com/guides/thinking_mode: a server that has sent the field wants it in every reply
  const isFilled = isReasoned || refuses.has('unreasoned_replies');
  const given = toolCallsOf(message);
  const isUnsigned = refuses.has('unsigned_calls') && given.every(({ signature }) => signature === undefined);
  const calls = given.map((call, index) => ({
    id: call.callId,
    type: 'function' as const,
    function: { name: toWireToolName(call.name), arguments: toArgumentJson(call.arguments) },
    ...(isUnsigned && index === 0
      ? noSignature
      : withoutRefused(fromFieldSignature(call.signature), refuses)),
  }));
  if (text === '' && calls.length === 0) return [];
  return [
    defined({
      role: 'assistant',
      content: text === '' && !refuses.has('null_content') ? null : text,
      ...withoutRefused({ ...(isFilled && { reasoning_content: '' }), ...toReplyFields(message) }, refuses),
      tool_calls: unlessEmpty(calls),
    }),
  ];
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures: for calls that Gemini did not make. */
const noSignature = { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } };
