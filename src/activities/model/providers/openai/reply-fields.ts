// Fields beside text and calls that a server of Chat Completions gave, and wants back: thinking, and signatures that core
// has no word for. The log keeps them as signatures of parts, which reach the model that made them and no other.
import type { AssistantContent, AssistantMessage } from '../../../../core/model/messages.ts';
import { isRecord } from '../../../../core/base/json.ts';
import { parseObject } from '../wire-parts.ts';

/** Fields with thinking as text. It goes back under the same name, which is the part's signature. */
export const thinkingFields = ['reasoning_content', 'reasoning'] as const;
export type ThinkingField = (typeof thinkingFields)[number];

type Fields = Record<string, unknown>;

const callFields = ['extra_content', 'provider_specific_fields', 'thought_signature'];
const messageFields = ['extra_content', 'reasoning_details', 'thinking_blocks'];

/** The signature of a call with the fields of one more piece of it. */
export function withCallFields(signature: string | undefined, delta: object): { signature?: string } {
  return toSignature(merged(fromFieldSignature(signature), delta, callFields));
}

export function addMessageFields(fields: Fields, delta: object): Fields {
  return merged(fields, delta, messageFields);
}

/** A part that only carries fields of the message. */
export function toFieldParts(fields: Fields): AssistantContent[] {
  const { signature } = toSignature(fields);
  return signature === undefined ? [] : [{ type: 'thinking', text: '', redacted: true, signature }];
}

function toSignature(fields: Fields): { signature?: string } {
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
    if (field !== undefined) fields[field] = `${(fields[field] as string | undefined) ?? ''}${part.text}`;
    else Object.assign(fields, fromFieldSignature(part.signature));
  }
  return fields;
}

export function hasReasoned({ content }: { content: { type: string; signature?: string }[] }): boolean {
  return content.some(({ signature }) => signature === 'reasoning_content');
}

function merged(before: Fields, delta: object, names: readonly string[]): Fields {
  const given = Object.entries(delta).filter(([name, value]) => names.includes(name) && value);
  return given.reduce<Fields>(
    (fields, [name, value]) => ({ ...fields, [name]: withPiece(fields[name], value) }),
    before,
  );
}

function withPiece(before: unknown, piece: unknown): unknown {
  if (!Array.isArray(piece)) return isRecord(before) && isRecord(piece) ? { ...before, ...piece } : piece;
  const list: unknown[] = Array.isArray(before) ? [...before] : [];
  for (const entry of piece) {
    const at = list.findLastIndex((other) => isSameEntry(other, entry));
    if (at === -1) list.push(entry);
    else list[at] = withMore(Object(list[at]), Object(entry));
  }
  return list;
}

/** Pieces of one entry have its index and type. Two calls have an entry each under one index, with ids of their own. */
function isSameEntry(left: unknown, right: unknown): boolean {
  if (!isRecord(left) || !isRecord(right) || left['type'] !== right['type']) return false;
  const isEnded = left['index'] === undefined && Boolean(left['signature']);
  return (
    !isEnded &&
    left['index'] === right['index'] &&
    (left['id'] ?? right['id']) === (right['id'] ?? left['id'])
  );
}

/** Fields that stream in pieces; of others the last one counts. */
const texts = ['text', 'summary', 'data', 'thinking'];

function withMore(before: Fields, more: Fields): Fields {
  const entries = Object.entries(more).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries([
    ...Object.entries(before),
    ...entries.map(([name, value]) => {
      const isPiece = texts.includes(name) && typeof before[name] === 'string' && typeof value === 'string';
      return [name, isPiece ? `${before[name] as string}${value as string}` : value];
    }),
  ]);
}
