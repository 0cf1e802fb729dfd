// Fields beside text and calls that a server of Chat Completions gave, and wants back: thinking, and signatures that core
// has no word for. The log keeps them as signatures of parts, which reach the model that made them and no other.
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import { isRecord } from '@holdfast/base/json';
import { parseObject } from '../wire-parts.ts';

/** Fields with thinking as text. It goes back under the same name, which is the part's signature. */
export const thinkingFields = ['reasoning_content', 'reasoning'] as const;
export type ThinkingField = (typeof thinkingFields)[number];

type Fields = Record<string, unknown>;

/** Fields of a message or a call that Gemini, OpenRouter, LiteLLM and Copilot want back. */
const kept =
  /^(extra_content|reasoning_(details|opaque)|thinking_blocks|provider_specific_fields|thought_signature)$/;

/** The fields with those of one more piece. */
export function withFields(before: Fields, delta: object): Fields {
  const fields = { ...before };
  for (const [name, value] of Object.entries(delta)) {
    if (kept.test(name) && value) fields[name] = withPiece(fields[name], value);
  }
  return fields;
}

export function toFieldSignature(fields: Fields): { signature?: string } {
  return Object.keys(fields).length === 0 ? {} : { signature: JSON.stringify({ chat: fields }) };
}

/** Empty for a signature of another wire. */
export function fromFieldSignature(signature = ''): Fields {
  const { chat }: { chat?: unknown } = parseObject(signature) ?? {};
  return isRecord(chat) ? chat : {};
}

/** The fields of a reply as its server gave them. */
export function toReplyFields({ content }: AssistantMessage): Fields {
  const fields: Fields = {};
  for (const part of content) {
    if (part.type !== 'thinking') continue;
    const field = thinkingFields.find((name) => name === part.signature);
    if (field === undefined) Object.assign(fields, fromFieldSignature(part.signature));
    else fields[field] = `${typeof fields[field] === 'string' ? fields[field] : ''}${part.text}`;
  }
  return fields;
}

function withPiece(before: unknown, piece: unknown): unknown {
  if (!Array.isArray(piece)) return isRecord(before) && isRecord(piece) ? { ...before, ...piece } : piece;
  const list: unknown[] = Array.isArray(before) ? [...before] : [];
  // entries of one piece are different ones
  const open = new Set(list.keys());
  for (const entry of piece) {
    const at = list.findLastIndex((other, place) => open.has(place) && isSameEntry(other, entry));
    if (at === -1) list.push(entry);
    else list[at] = withMore(Object(list[at]), Object(entry));
    open.delete(at);
  }
  return list;
}

/** By index and type; entries of two calls have ids of their own. Without an index a signature ends an entry. */
function isSameEntry(left: unknown, right: unknown): boolean {
  if (!isRecord(left) || !isRecord(right) || left['type'] !== right['type']) return false;
  if (left['index'] === undefined && left['signature']) return false;
  return left['index'] === right['index'] && (!left['id'] || !right['id'] || left['id'] === right['id']);
}

/** Fields that stream in pieces; of others the last one counts. */
const texts = ['text', 'summary', 'data', 'thinking'];

function withMore(before: Fields, more: Fields): Fields {
  const entry = { ...before };
  for (const [name, value] of Object.entries(more)) {
    const begun = texts.includes(name) ? entry[name] : undefined;
    if (typeof begun === 'string' && typeof value === 'string') entry[name] = begun + value;
    else if (value !== null) entry[name] = value;
  }
  return entry;
}
