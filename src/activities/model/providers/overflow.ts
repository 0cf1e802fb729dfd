// How a request that is too large for the model's window shows itself: in words, in counts, in a stop (COND-08).
// Pure.
import { inputTotal, isFilled } from '../../../core/model/messages.ts';
import type { AssistantMessage } from '../../../core/model/messages.ts';

/** Words of each provider for a prompt beyond the window. A new wording is one line here and one in the test. */
export const overflowPatterns: Record<string, RegExp> = {
  anthropic: /prompt is too long/i,
  anthropicWithReply: /input length and `?max_tokens`? exceed context limit/i,
  bedrock: /input is too long for requested model/i,
  openai: /exceeds the context window|maximum context length (is|of) \d+|context_length_exceeded/i,
  google: /input token count.*exceeds the maximum/i,
  xai: /maximum prompt length is \d+/i,
  groq: /reduce the length of the messages/i,
  copilot: /prompt token count.*exceeds the limit of \d+/i,
  mistral: /too large for model with \d+ maximum context length/i,
  kimi: /exceeded model token limit/i,
  minimax: /context window exceeds limit/i,
  qwen: /range of input length should be/i,
  vllm: /(longer than|exceeds) the maximum model length|max_model_len|context length is only \d+/i,
  sglang: /longer than the model'?s context length|exceeds the model'?s maximum context length/i,
  textGeneration: /inputs`? tokens \+ `?max_new_tokens`? must be <=/i,
  inputLength: /input length \(?\d*( tokens)?\)? ?exceeds the maximum/i,
  glm: /prompt exceeds max length/i,
  cohere: /too many tokens: (the )?total number/i,
  llamaCpp: /exceeds the available context size|context size has been exceeded/i,
  lmStudio: /greater than the context length|context length of only/i,
  ollama:
    /prompt too long; exceeded (max )?context length|input length exceeds (the )?(maximum )?context length/i,
  anyServer: /context[ _](length|window)[ _](is )?exceeded|too many tokens in (the )?(prompt|request|input)/i,
};

/** "Too many tokens" is also how rate limits put it: those are no overflow, whatever else they say. */
const rateWords =
  /rate.?limit|too many requests|tokens per (min|day|second)|\bTPM\b|throttl|quota|per minute|please wait/i;

export function isOverflowText(text: string): boolean {
  return !rateWords.test(text) && Object.values(overflowPatterns).some((pattern) => pattern.test(text));
}

/**
 * Overflow that the provider did not report: a reply that was cut because the window was full, or that is cut or empty
 * with more input than the window holds. A whole reply is kept, whatever was counted: some vendors add up the input of
 * their own tool rounds, and a window may be larger than is known here. `contextWindow` 0 (unknown) leaves only
 * what the provider says itself.
 */
export function isOverflowReply(message: AssistantMessage, contextWindow: number): boolean {
  if (message.stopDetail === 'context_window') return true;
  if (contextWindow === 0) return false;
  const input = inputTotal(message.usage);
  if (message.stopReason === 'length') return input + message.usage.output >= contextWindow * 0.99;
  const isEmpty = message.stopDetail === undefined && !isFilled(message);
  return isEmpty && input > contextWindow;
}
