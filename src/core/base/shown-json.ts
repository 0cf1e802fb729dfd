// JSON as a person is shown it before he allows it: exactly what runs, and nothing in it that cannot be seen. Pure.
import { cutToBytes } from './cut-text.ts';
import type { Json } from './json.ts';
import { utf8Bytes } from './sizes.ts';

/** Compact JSON of the same value; characters that do not show, or turn the order of others, appear as their escapes. */
export function toShownJson(value: Json): string {
  return JSON.stringify(value).replaceAll(unseen, escapeUnits);
}

/** The same over several lines. */
export function toShownLines(value: Json): string[] {
  return JSON.stringify(value, undefined, 2)
    .split('\n')
    .map((line) => line.replaceAll(unseen, escapeUnits));
}

/** Shown JSON in at most `limitBytes`; a cut says how much there is, and where. */
export function cutShownJson(shown: string, limitBytes: number): string {
  const sizeBytes = utf8Bytes(shown);
  if (sizeBytes <= limitBytes) return shown;
  const note = ` (cut: ${sizeBytes} bytes in all, "holdfast show" and the query pendingApprovals have them)`;
  return `${cutToBytes(shown, limitBytes - note.length)}${note}`;
}

// Control, format (bidi among them), private and unassigned characters, blanks other than the blank, fillers.
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
