// Cuts a message to a number of tokens so that the view fits the context window. The log and the store keep it whole.
// Pure, and dependent on its parameters only: the same bytes in every request of an epoch.
import { capText } from '@holdfast/base/cut-text';
import { textTokens } from '@holdfast/base/text-tokens';
import type { FitParams } from '@holdfast/vocabulary/agent-state';
import type { AssistantContent, Message, UserContent } from '@holdfast/vocabulary/messages';
import { pictureNote, withoutSignature } from '@holdfast/vocabulary/messages';

/** A shorter text has no content: the notice of the cut alone has some forty tokens. */
export const leastTokens = 100;

const asStored = (id: string) => `The full output is artifact ${id}: read_artifact pages and searches it.`;
const notStored = 'It is not kept: ask for less at a time.';
const tooLong = 'The context window does not hold it.';

export function fitMessage(message: Message, { results, messages }: FitParams): Message {
  switch (message.role) {
    case 'tool_result': {
      const { artifactId, content } = message;
      const where = artifactId === undefined ? notStored : asStored(artifactId);
      return { ...message, content: cutContent(content, results, where, messages === undefined) };
    }
    case 'user':
      if (messages === undefined) return message;
      return { ...message, content: cutContent(message.content, messages, tooLong, false) };
    case 'assistant':
      if (messages === undefined) return message;
      return { ...message, content: message.content.map((part) => cutReply(part, messages)) };
    case 'custom':
      return message;
  }
}

function cutContent(content: UserContent[], tokens: number, where: string, shown: boolean): UserContent[] {
  return content.map((part) => {
    if (part.type === 'text') return { ...part, text: cutToTokens(part.text, tokens, where) };
    return shown ? part : pictureNote(part, tooLong);
  });
}

/** Thinking must be sent back byte-equal or not at all; a cut would break its signature. */
function cutReply(part: AssistantContent, tokens: number): AssistantContent {
  if (part.type === 'text' && textTokens(part.text) > tokens)
    return withoutSignature({ ...part, text: cutToTokens(part.text, tokens, tooLong) });
  if (part.type === 'tool_call' && textTokens(part.arguments) > tokens)
    return withoutSignature({ ...part, arguments: cutArguments(part.arguments, tokens) });
  return part;
}

/** Stays valid JSON: a provider may require an object. */
function cutArguments(text: string, tokens: number): string {
  const cut = (_name: string, value: unknown) =>
    typeof value === 'string' ? cutToTokens(value, tokens, tooLong) : value;
  try {
    return JSON.stringify(JSON.parse(text, cut));
  } catch {
    return text;
  }
}

function cutToTokens(text: string, tokens: number, where: string): string {
  const all = textTokens(text);
  if (all <= tokens) return text;
  return capText(text, Math.floor((text.length * tokens) / all), where);
}
