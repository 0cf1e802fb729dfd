// What of the Messages API core has no word for: redacted thinking and the blocks of the vendor's own server tools, which
// travel as a redacted thinking part whose signature alone carries them, and single fields of texts and calls
// (citations, a caller), which are their part's signature. They go back to the same model byte-equal and reach no other.
import type Anthropic from '@anthropic-ai/sdk';
import type { ThinkingPart } from '../../../core/model/messages.ts';
import { parseObject } from './wire-arguments.ts';

const blockPrefix = 'anthropic-block:';
const fieldsPrefix = 'anthropic-fields:';

export function toOpaquePart(block: Anthropic.ContentBlock): ThinkingPart {
  const signature = block.type === 'redacted_thinking' ? block.data : blockPrefix + JSON.stringify(block);
  return { type: 'thinking', text: '', signature, redacted: true };
}

/** Wire data enters here: what the API sent as a block is what it takes back as one. */
export function fromOpaqueSignature(signature: string): Anthropic.ContentBlockParam {
  if (!signature.startsWith(blockPrefix)) return { type: 'redacted_thinking', data: signature };
  return JSON.parse(signature.slice(blockPrefix.length)) as Anthropic.ContentBlockParam;
}

/** The signature of a part: its block's fields beside those that the part holds itself; nothing where there are none. */
export function toFieldSignature(block: object, known: readonly string[]): { signature?: string } {
  const fields = Object.entries(block).filter(([name, value]) => !known.includes(name) && isTelling(value));
  return fields.length === 0 ? {} : { signature: fieldsPrefix + JSON.stringify(Object.fromEntries(fields)) };
}

/** Nothing for a signature of another wire. */
export function fromFieldSignature(signature = ''): object {
  return signature.startsWith(fieldsPrefix) ? (parseObject(signature.slice(fieldsPrefix.length)) ?? {}) : {};
}

function isTelling(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
