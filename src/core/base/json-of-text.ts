// Finds the JSON value in a text: the whole text, or a code fence among other words. Pure.
import { type Json, parseJson } from './json.ts';

/** The whole text as JSON, else the last fenced block that is JSON; else undefined. */
export function jsonOfText(text: string): { value: Json } | undefined {
  const found = [text, ...fencedBlocks(text).reverse()].map(parseJson).find((value) => value !== undefined);
  return found === undefined ? undefined : { value: found };
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
