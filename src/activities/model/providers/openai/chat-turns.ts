// The order of roles that templates of chat models want. Pure.
import type OpenAI from 'openai';
import type { Refusals } from '../dialects.ts';

type Message = OpenAI.ChatCompletionMessageParam;
type UserMessage = OpenAI.ChatCompletionUserMessageParam;

/** In place of the reply that a model of Mistral wants between results and a person's word. */
const bridge: Message = { role: 'assistant', content: 'I have the results.' };

/** User messages in a row become one. The results of tools stay apart from the words of people. */
export function inTurns(messages: Message[], refuses: Refusals): Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role !== 'user') turns.push(message);
    else if (last?.role === 'user' && refuses.has('user_after_user'))
      turns.splice(-1, 1, joined(last, message));
    else if (last?.role === 'tool' && refuses.has('user_after_tool')) turns.push(bridge, message);
    else turns.push(message);
  }
  return turns;
}

function joined(first: UserMessage, { content }: UserMessage): UserMessage {
  if (typeof first.content === 'string' && typeof content === 'string')
    return { role: 'user', content: `${first.content}\n\n${content}` };
  return { role: 'user', content: [...toParts(first.content), ...toParts(content)] };
}

function toParts(content: UserMessage['content']): OpenAI.ChatCompletionContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
