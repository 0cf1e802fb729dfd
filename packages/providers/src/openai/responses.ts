// The wire of OpenAI's Responses API, stateless: the vendor stores nothing, reasoning travels encrypted. One HTTP request
// a call.
import { defined } from '@holdfast/base/defined';
import type OpenAI from 'openai';
import type { AssistantContent, ToolResultMessage, UserContent } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ToolDefinition } from '@holdfast/vocabulary/tool-spec';
import type { ViewMessage } from '@holdfast/view/view-for-model';
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
import { readItemSignature } from './responses-items.ts';
import { ResponsesReply } from './responses-reply.ts';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;
type Item = OpenAI.Responses.ResponseInputItem;
type ContentPart = OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage;

export const responsesWire: WireCode = { toBody, Reply: ResponsesReply };

const withReasoning: OpenAI.Responses.ResponseIncludable[] = ['reasoning.encrypted_content'];

async function toBody(call: WireCall): Promise<Body> {
  const { request, view, abilities, level, options } = call;
  return defined({
    model: request.model.id,
    stream: true,
    store: false,
    max_output_tokens: outputLimit(call),
    // models without reasoning refuse the field
    include: abilities.thinkingLevels.length === 0 ? undefined : withReasoning,
    reasoning: level === 'off' ? undefined : { effort: level, summary: 'auto' as const },
    ...temperatureField(call),
    ...toolFields(request, toTool, 'none' as const),
    ...formatFields(request),
    instructions: request.systemPrompt || undefined,
    input: await toItems(view, options.loadImage),
  });
}

function toTool({ name, description, parameters }: ToolDefinition): OpenAI.Responses.FunctionTool {
  return { type: 'function', name, description, parameters, strict: false };
}

function formatFields({ outputSchema: schema }: ModelRequest): Pick<Body, 'text'> {
  if (schema === undefined) return {};
  return { text: { format: { type: 'json_schema', ...namedSchema(schema) } } };
}

async function toItems(view: ViewMessage[], loadImage: LoadImage): Promise<Item[]> {
  const items: Item[] = [];
  for (const message of view) {
    if (message.role === 'assistant') items.push(...toAssistantItems(message.content));
    else if (message.role === 'user')
      items.push({ type: 'message', role: 'user', content: await toParts(message.content, loadImage) });
    else items.push(await toOutput(message, loadImage));
  }
  return items;
}

async function toOutput(result: ToolResultMessage, loadImage: LoadImage): Promise<Item> {
  const text = withErrorMark(joinTexts(result.content), result.isError);
  const images = result.content.filter((part) => part.type === 'image');
  const said: ContentPart[] = text === '' ? [] : [{ type: 'input_text', text }];
  const output = images.length === 0 ? text : [...said, ...(await toParts(images, loadImage))];
  return { type: 'function_call_output', call_id: result.callId, output };
}

async function toParts(content: UserContent[], loadImage: LoadImage): Promise<ContentPart[]> {
  return Promise.all(
    content.map(async (part): Promise<ContentPart> => {
      if (part.type === 'text') return { type: 'input_text', text: part.text };
      return { type: 'input_image', image_url: await toDataUrl(part, loadImage), detail: 'auto' };
    }),
  );
}

/** Signed parts are items as the API made them, or the phase of the next text. */
function toAssistantItems(content: AssistantContent[]): Item[] {
  const items: Item[] = [];
  let phase: 'commentary' | 'final_answer' | undefined;
  for (const part of content) {
    if (part.type === 'tool_call') {
      const { callId: call_id } = part;
      const name = toWireToolName(part.name);
      items.push({ type: 'function_call', call_id, name, arguments: toArgumentJson(part.arguments) });
    } else if (part.type === 'text') {
      items.push({ type: 'message', role: 'assistant', content: part.text, ...defined({ phase }) });
      phase = undefined;
    } else if (part.signature !== undefined) {
      const carried = readItemSignature(part.signature);
      if (carried === undefined) continue;
      if ('phase' in carried) phase = carried.phase;
      else items.push(carried.item);
    }
  }
  return items;
}
