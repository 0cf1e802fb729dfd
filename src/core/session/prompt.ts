// Turns callers' input into user messages, and describes any error in it. Small guards instead of schemas, because
// signal and update handlers run in the workflow.
import { defined } from '@holdfast/base/defined';
import { destinationName } from '@holdfast/vocabulary/deliver';
import {
  type CustomMessage,
  type ImagePart,
  type PromptMessage,
  type TextPart,
  type UserContent,
  type UserMessage,
  type UserOrigin,
  userMessage,
} from '@holdfast/vocabulary/messages';
import { type Json, type Parsed, isList, isRecord, isText, isTooDeep, listOf } from '@holdfast/base/json';
import { objectOf, oneOf, optional, refuse } from '@holdfast/base/json';
import { inlineImageBytes, jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';

/** Reads a prompt: text, one user message, or several of them with custom messages between. */
export function parsePrompt(input: unknown): Parsed<PromptMessage[]> {
  const list: unknown[] = Array.isArray(input) ? input : [input];
  const messages = list.map((entry) => toCustomMessage(entry) ?? toUserMessage(entry, 'prompt'));
  const wrong = messages.findIndex((message) => message === undefined);
  if (wrong >= 0) {
    return refuse(
      'InvalidMessage',
      `prompt ${wrong} is no text, no user message {role: "user", content: [...]} and no custom one {role: "custom", kind, data}`,
    );
  }
  const good = messages.filter((message) => message !== undefined);
  if (good.every(isBlank)) {
    return refuse('EmptyPrompt', 'the prompt is empty: expected text that says what to do');
  }
  return withinSize(good);
}

/** The first problem in the fields of a start input that the workflow itself depends on; undefined if there is none. */
export function problemOfStartFields(input: unknown): string | undefined {
  if (!isRecord(input)) return 'the start input is no object: expected {prompt, ...}';
  const { messages, checkpoint, deliver } = input;
  if (!isDeliver(deliver)) return 'deliver is no list of destinations: expected [{to: name, on?: [point]}]';
  if (checkpoint !== undefined && checkpoint !== 'saved' && !isRecord(checkpoint)) {
    return 'checkpoint is neither "saved" nor an object: expected what "holdfast checkpoint export" writes';
  }
  if (messages === undefined) return undefined;
  if (!Array.isArray(messages)) return 'messages is no list: expected the messages that the log begins with';
  const wrong = messages.findIndex((message) => !isSent(message) && !isCustom(message));
  return wrong < 0 ? undefined : `messages.${wrong} is no message: expected {role, content: [{type, ...}]}`;
}

/** The names become ids of activities; the schema checks the rest. */
const isDeliver = optional(
  listOf(objectOf({ to: (name) => isText(name) && destinationName.test(name), on: optional(isList) })),
);

const isCustom = objectOf({ role: oneOf('custom'), kind: isText });
const isSent = objectOf({
  role: oneOf('user', 'assistant', 'tool_result'),
  content: listOf(objectOf({ type: isText })),
});

export type SteeringInput = {
  id: string;
  message: UserMessage;
  mode: 'next_turn' | 'interrupt';
  /** The subagent that the message is for. */
  to?: string;
  /** Name of the sender. */
  actor?: string;
};

/** Reads the payload of a steer or followUp signal. */
export function parseQueued(payload: unknown, origin: UserOrigin): Parsed<SteeringInput> {
  if (!isRecord(payload)) return refuse('InvalidMessage', 'expected an object {id, message}');
  const { id, message, mode, to, actor } = payload;
  if (typeof id !== 'string' || id === '' || id.length > 200) {
    return refuse('InvalidMessage', 'expected an id of 1 to 200 characters, chosen by the sender');
  }
  const parsed = toUserMessage(message, origin);
  if (!parsed || isBlank(parsed))
    return refuse('InvalidMessage', `message ${id} is empty or no user message`);
  if (to !== undefined && (typeof to !== 'string' || to === '' || to.length > 1_000)) {
    return refuse('InvalidMessage', `message ${id} is for nobody: expected the name of a subagent in "to"`);
  }
  if (actor !== undefined && (typeof actor !== 'string' || actor === '' || actor.length > 200)) {
    return refuse('InvalidMessage', `message ${id}: expected a name of 1 to 200 characters in "actor"`);
  }
  const sent = { ...parsed, origin, messageId: id };
  const value: SteeringInput = {
    id,
    message: sent,
    mode: mode === 'interrupt' ? mode : 'next_turn',
    ...defined({ to, actor }),
  };
  const sized = withinSize([value.message]);
  return sized.ok ? { ok: true, value } : sized;
}

function toUserMessage(input: unknown, origin: UserOrigin): UserMessage | undefined {
  if (typeof input === 'string') return userMessage(input, origin);
  if (!isRecord(input) || input['role'] !== 'user') return undefined;
  const content = input['content'];
  if (typeof content === 'string') return userMessage(content, origin);
  if (!Array.isArray(content)) return undefined;
  const parts = content.filter(isUserContent).map(knownFields);
  return parts.length === content.length ? { role: 'user', content: parts, origin } : undefined;
}

/** Drops other fields before they enter the log: they could be nested too deeply for JSON. */
function knownFields(part: UserContent): UserContent {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { artifactId, mediaType, sha256, data } = part;
  return defined({ type: 'image', artifactId, mediaType, sha256, data });
}

function toCustomMessage(input: unknown): CustomMessage | undefined {
  if (!isRecord(input) || input['role'] !== 'custom') return undefined;
  const { kind, data } = input;
  // a value from the wire is JSON
  const json = (data ?? null) as Json;
  return typeof kind === 'string' && kind !== '' && !isTooDeep(json)
    ? { role: 'custom', kind, data: json }
    : undefined;
}

const isTextPart = objectOf<TextPart>({ type: oneOf('text'), text: isText });
const isImagePart = objectOf<ImagePart>({
  type: oneOf('image'),
  artifactId: isText,
  mediaType: isText,
  sha256: isText,
  data: optional(isText),
});

function isUserContent(part: unknown): part is UserContent {
  return isTextPart(part) || isImagePart(part);
}

/** A custom message is an application's data, and no task. */
function isBlank(message: PromptMessage): boolean {
  return (
    message.role === 'custom' ||
    message.content.every((part) => part.type === 'text' && part.text.trim() === '')
  );
}

function withinSize<M extends PromptMessage>(messages: M[]): Parsed<M[]> {
  if (messages.some(holdsLargeImage)) {
    return refuse(
      'ImageTooLarge',
      'an image inside a message is over 128 KiB: expected one in the artifact store that the workers read',
    );
  }
  const size = jsonBytes(messages);
  if (size <= maxPayloadBytes) return { ok: true, value: messages };
  return refuse(
    'TooLarge',
    `the message is ${size} bytes, at most ${maxPayloadBytes} are taken; name a file instead`,
  );
}

function holdsLargeImage(message: PromptMessage): boolean {
  if (message.role === 'custom') return false;
  const limit = 4 * Math.ceil(inlineImageBytes / 3);
  return message.content.some((part) => part.type === 'image' && (part.data?.length ?? 0) > limit);
}
