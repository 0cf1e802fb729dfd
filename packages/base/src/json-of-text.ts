// Finds the JSON value in a text: the whole text, a code fence, or an object or list among other words. Pure.
import { type Json, parseJson } from './json.ts';

/** A value, and its place in the text. */
export type JsonPlace = { value: Json; from: number; to: number };

/** The whole text as JSON, else what follows its reasoning, else the last fenced block of that; else undefined. */
export function jsonOfText(text: string): { value: Json } | undefined {
  const said = text.slice(reasoningLength(text));
  const found = [...new Set([text, said, ...fencedBlocks(said).reverse()])].map(parseJson);
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
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;
  tokens.lastIndex = from;
  let depth = 0;
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    if (found[0] === '{' || found[0] === '[') depth++;
    else if ((found[0] === '}' || found[0] === ']') && --depth === 0) return tokens.lastIndex;
  }
  return undefined;
}

const reasoningTags = '(?:\\w{1,20}:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)>';

/** Length of the reasoning before an answer. Some servers give only its closing tag; without one it is all of the text. */
function reasoningLength(text: string): number {
  const end = [...text.matchAll(new RegExp(`</${reasoningTags}`, 'gi'))].at(-1);
  if (end) return end.index + end[0].length;
  return new RegExp(`^\\s*<${reasoningTags}`, 'i').test(text) ? text.length : 0;
}

function fencedBlocks(text: string): string[] {
  // no `^`, for which a line also begins behind U+2028 and each of many carriage returns
  const blocks = text.matchAll(/(?<![^\n])[^\S\n]*```[^\n]*\n([^]*?)(?<![^\n])[^\S\n]*```/g);
  return [...blocks].flatMap(([, block]) => block ?? []);
}
