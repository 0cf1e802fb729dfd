// Blocks of the Messages API that core has no word for: redacted thinking, and the blocks of the vendor's own
// server tools. They travel as a redacted thinking part, whose signature alone carries them, so that they go
// back to the same model byte-equal and never reach another.
import type Anthropic from '@anthropic-ai/sdk';
import type { ThinkingPart } from '../../core/messages.ts';

const blockPrefix = 'anthropic-block:';

export function toOpaquePart(block: Anthropic.ContentBlock): ThinkingPart {
  const signature = block.type === 'redacted_thinking' ? block.data : blockPrefix + JSON.stringify(block);
  return { type: 'thinking', text: '', signature, redacted: true };
}

/** Wire data enters here: what the API sent as a block is what it takes back as one. */
export function fromOpaqueSignature(signature: string): Anthropic.ContentBlockParam {
  if (!signature.startsWith(blockPrefix)) return { type: 'redacted_thinking', data: signature };
  return JSON.parse(signature.slice(blockPrefix.length)) as Anthropic.ContentBlockParam;
}
