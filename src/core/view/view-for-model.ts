// The view as one request shows it: fitted to the model that reads it (MSG-08), every call answered once and directly
// after its message, nothing empty, no failed replies. Pure; the log keeps the originals.
import { toLLM } from '../model/llm-message.ts';
import type { LlmMessage } from '../model/llm-message.ts';
import { isWholeReply, toolCallsOf, withoutSignature } from '../model/messages.ts';
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  ModelRef,
  ToolCallPart,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from '../model/messages.ts';
import { isSameModel } from '../model/model-name.ts';

/** What a view consists of once it is repaired. */
export type ViewMessage = LlmMessage;
/** `images`: whether the model can see them. */
export type TargetModel = { model: ModelRef; images: boolean };

export function viewForModel(view: readonly Message[], target: TargetModel): ViewMessage[] {
  return repairView(view.map((message) => fitted(message, target)));
}

function fitted(message: Message, { model, images }: TargetModel): Message {
  if (message.role === 'custom') return message;
  if (message.role === 'assistant') {
    if (isSameModel(message.model, model)) return message;
    return { ...message, content: message.content.flatMap(forAnotherModel) };
  }
  const isShown = images || message.content.every((part) => part.type !== 'image');
  return isShown ? message : { ...message, content: message.content.map(imageToText) };
}

/** Signatures are worthless to another model; so is a redacted block, which holds nothing else. */
function forAnotherModel(part: AssistantContent): AssistantContent[] {
  if (part.type !== 'thinking') return [withoutSignature(part)];
  const isReadable = part.redacted !== true && part.text.trim() !== '';
  return isReadable ? [{ type: 'text', text: part.text }] : [];
}

function imageToText(part: UserContent): UserContent {
  if (part.type !== 'image') return part;
  const text = `[image ${part.artifactId} (${part.mediaType}): this model cannot see images]`;
  return { type: 'text', text };
}

/**
 * Rules MSG-07, MSG-10, MSG-11. Results stand in call order behind their message; whatever stood between moves
 * behind them. The same view with more messages at its end gives the same list with more at its end, as long
 * as it did not end with an open call.
 */
export function repairView(view: readonly Message[]): ViewMessage[] {
  const messages = view.flatMap((message) => toLLM(message) ?? []);
  const repaired: ViewMessage[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) break;
    if (message.role === 'user') pushUser(repaired, message);
    if (!isWholeReply(message)) continue;
    const reply = withoutBlankText(message);
    if (reply.content.length === 0) continue;
    repaired.push(reply, ...answersTo(reply, messages.slice(index + 1, nextReply(messages, index))));
  }
  return repaired;
}

function pushUser(repaired: ViewMessage[], message: UserMessage): void {
  const content = message.content.filter(isFilled);
  if (content.length === 0) return;
  repaired.push(content.length === message.content.length ? message : { ...message, content });
}

/** Results behind a later reply are not this one's: a model may use an id again. */
function nextReply(messages: readonly ViewMessage[], index: number): number {
  // a loop from here on: a search from the start would make a long session's every call quadratic
  for (let at = index + 1; at < messages.length; at++) {
    if (messages[at]?.role === 'assistant') return at;
  }
  return messages.length;
}

function answersTo(reply: AssistantMessage, following: readonly ViewMessage[]): ToolResultMessage[] {
  const open = following.filter((message) => message.role === 'tool_result');
  return toolCallsOf(reply).map((call) => {
    // taken out, so that two calls with one id get one result each
    const at = open.findIndex((result) => result.callId === call.callId);
    const [found] = at === -1 ? [] : open.splice(at, 1);
    return found === undefined ? missingResult(call) : withText(found);
  });
}

function missingResult(call: ToolCallPart): ToolResultMessage {
  return {
    role: 'tool_result',
    callId: call.callId,
    toolName: call.name,
    content: [{ type: 'text', text: 'No result provided' }],
    isError: true,
  };
}

function withText(result: ToolResultMessage): ToolResultMessage {
  const content = result.content.filter(isFilled);
  if (content.length === 0) return { ...result, content: [{ type: 'text', text: '(no output)' }] };
  return content.length === result.content.length ? result : { ...result, content };
}

function withoutBlankText(message: AssistantMessage): AssistantMessage {
  const content = message.content.filter((part) => part.type !== 'text' || isFilled(part));
  return content.length === message.content.length ? message : { ...message, content };
}

function isFilled(part: UserContent): boolean {
  return part.type === 'image' || part.text.trim() !== '';
}
