// The counts of a reply whose provider has sent none. Pure.
import { type AssistantMessage, type Usage, noUsage } from '../../core/model/messages.ts';
import type { ModelRequest } from '../../core/model/model-call.ts';
import { textTokens } from '../../core/base/text-tokens.ts';
import { estimateTokens, factorOf } from '../../core/view/estimate.ts';

export function estimateUsage(request: ModelRequest, reply: AssistantMessage): Usage {
  const { systemPrompt, tools, messages } = request;
  const prefix = Math.round(textTokens(systemPrompt + JSON.stringify(tools)) * factorOf(request));
  const input = prefix + estimateTokens(messages, request);
  return { ...noUsage, input, output: estimateTokens([reply], request), estimated: true };
}
