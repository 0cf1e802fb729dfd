// Counts of tokens under the names of Chat Completions, of Responses, and of servers that speak one of them.
import type OpenAI from 'openai';
import { defined } from '@holdfast/base/defined';
import { type Usage, noUsage } from '@holdfast/vocabulary/messages';

/** The flat counts are DeepSeek's and Kimi's (api-docs.deepseek.com/guides/kv_cache, platform.kimi.ai/docs/api/chat). */
export type WireUsage = Partial<OpenAI.CompletionUsage & OpenAI.Responses.ResponseUsage> & {
  prompt_cache_hit_tokens?: number;
  cached_tokens?: number;
};

export function toUsage(usage: WireUsage | null | undefined): Usage {
  if (!usage) return noUsage;
  const details = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const cacheRead = details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0;
  const cacheWrite = details?.cache_write_tokens ?? 0;
  const { reasoning_tokens: reasoning = 0 } =
    usage.completion_tokens_details ?? usage.output_tokens_details ?? {};
  return defined({
    input: Math.max(0, (usage.prompt_tokens ?? usage.input_tokens ?? 0) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    // gateways leave thinking out of the one and count it in the other
    output: Math.max(usage.completion_tokens ?? usage.output_tokens ?? 0, reasoning),
    reasoning: reasoning > 0 ? reasoning : undefined,
  });
}
