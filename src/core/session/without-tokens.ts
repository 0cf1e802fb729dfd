// Takes tokens out of what people say to a session, before Temporal has it: whatever tells by its form alone that it is a
// credential. Other words of people are theirs. Pure; for callers, not for workflows.
import { defined } from '@holdfast/base/defined';
import { mapValues } from '@holdfast/base/map-values';
import type { Message, UserMessage } from '@holdfast/vocabulary/messages';
import type { SessionAlert } from '@holdfast/vocabulary/session-alert';
import type { PromptInput, SessionInput } from '@holdfast/vocabulary/session-input';
import { redactTokens } from '@holdfast/redaction/redact-patterns';

/** A mark such as `[redacted:github-token]` is in the place of each token. */
export function promptWithoutTokens<Prompt extends PromptInput>(prompt: Prompt): Prompt;
export function promptWithoutTokens(prompt: PromptInput): PromptInput {
  if (typeof prompt === 'string') return redactTokens(prompt);
  return Array.isArray(prompt) ? prompt.map(messageWithoutTokens) : messageWithoutTokens(prompt);
}

/** Words of people in the payloads of messages and answers. */
type Words = { message?: string | UserMessage; continueText?: string; text?: string; reason?: string };

export function payloadWithoutTokens<Payload extends Words>(payload: Payload): Payload {
  const { message, continueText, text, reason } = payload;
  const words = {
    message: message && promptWithoutTokens(message),
    continueText: textWithoutTokens(continueText),
    text: textWithoutTokens(text),
    reason: textWithoutTokens(reason),
  };
  return { ...payload, ...defined(words) };
}

/** The prompt, the messages before it, name, labels and alert. */
export function startWithoutTokens(input: SessionInput): SessionInput {
  const { prompt, messages, name, labels, alert } = input;
  return {
    ...input,
    ...defined({
      prompt: prompt && promptWithoutTokens(prompt),
      messages: messages?.map(messageWithoutTokens),
      name: textWithoutTokens(name),
      labels: labels && mapValues(labels, redactTokens),
      alert: alert && alertWithoutTokens(alert),
    }),
  };
}

function alertWithoutTokens({ name, severity, links, ...rest }: SessionAlert): SessionAlert {
  const cleaned = links?.map(({ title, url }) => ({ title: redactTokens(title), url: redactTokens(url) }));
  return {
    ...rest,
    name: redactTokens(name),
    ...defined({ severity: textWithoutTokens(severity), links: cleaned }),
  };
}

function textWithoutTokens(text: string | undefined): string | undefined {
  return text && redactTokens(text);
}

function messageWithoutTokens(message: Message): Message {
  if (message.role !== 'user') return message;
  const content = message.content.map((part) =>
    part.type === 'text' ? { ...part, text: redactTokens(part.text) } : part,
  );
  return { ...message, content };
}
