// Finds the JSON value in a text: the whole text, a code fence, or an object or list among other words. Pure.
import { type Json, parseJson } from './json.ts';

/** A value, and its place in the text. */
export type JsonPlace = { value: Json; from: number; to: number };

/** The whole text as JSON, else what follows its reasoning, else the last fenced block of that; else undefined. */
export function jsonOfText(text: string): { value: Json } | undefined {
  const said = text.slice(reasoningLength(text));
  const found = [text, said, ...fencedBlocks(said).reverse()].map(parseJson);
  const value = found.find((candidate) => candidate !== undefined);
  return value === undefined ? undefined : { value };
}

const mostPlaces = 50;

/**
 * The objects and lists among the words behind the reasoning, in order; a part of one is none. One that does not close is
 * the last: what follows may belong to it.
 */
export function jsonPlaces(text: string): JsonPlace[] {
  const places: JsonPlace[] = [];
  const openings = /\{(?=\s{0,99}["}])|\[(?=\s{0,99}(?:[[{"\]\d-]|true|false|null))/g;
  openings.lastIndex = reasoningLength(text);
  for (let found = openings.exec(text); found && places.length < mostPlaces; found = openings.exec(text)) {
    const from = found.index;
    const to = closingOf(text, from);
    if (to === undefined) break;
    openings.lastIndex = to;
    const value = parseJson(text.slice(from, to));
    if (value !== undefined) places.push({ value, from, to });
  }
  return places;
}

/** The place behind the bracket that closes the one at `from`. */
function closingOf(text: string, from: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

const reasoningTag =
  /<(\/?)(?:\w{1,20}:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>/gi;

/** Length of the reasoning before an answer. Some servers give only its closing tag; without one it is all of the text. */
function reasoningLength(text: string): number {
  let length = 0;
  let isOpen: boolean | undefined;
  for (const { 0: tag, 1: slash, index } of text.matchAll(reasoningTag)) {
    if (slash) [length, isOpen] = [index + tag.length, undefined];
    else isOpen ??= text.slice(length, index).trim() === '';
  }
  return isOpen ? text.length : length;
}

function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith('```')) open?.push(line);
    else if (open === undefined) open = [];
    else {
      blocks.push(open.join('\n'));
      open = undefined;
    }
  }
  return blocks;
}
