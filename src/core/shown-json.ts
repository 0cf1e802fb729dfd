// JSON as a person is shown it before he allows it: exactly what runs, and nothing in it that cannot be seen. Pure.
import type { Json } from './json.ts';

/** Compact JSON of the same value; characters that do not show, or turn the order of others, stand as their escapes. */
export function toShownJson(value: Json): string {
  return JSON.stringify(value).replaceAll(unseen, escapeUnits);
}

// Control, format (bidi among them), private and unassigned characters, blanks other than the blank, fillers.
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
