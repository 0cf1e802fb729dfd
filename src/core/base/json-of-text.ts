// Finds the JSON value in a text: the whole text, or a code fence among other words. Pure.
import type { Json } from './json.ts';

/** The whole text as JSON, else the last fenced block that is JSON; else undefined. */
export function jsonOfText(text: string): { value: Json } | undefined {
  const whole = parseJson(text);
  if (whole) return whole;
  for (const block of fencedBlocks(text).reverse()) {
    const parsed = parseJson(block);
    if (parsed) return parsed;
  }
  return undefined;
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

// JSON.parse returns nothing but JSON
function parseJson(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}
