// JSON as an approver sees it: exactly what runs, with every invisible character escaped. Pure.
import { cutToBytes } from './cut-text.ts';
import type { Json } from './json.ts';
import { utf8Bytes } from './sizes.ts';
import { escapeUnseen } from './visible.ts';

/** Compact JSON of the same value; a character that a reader could miss or mistake becomes its JSON escape. */
export function toShownJson(value: unknown): string {
  return escapeUnseen(JSON.stringify(value), escapeUnits);
}

/** The same over several lines. */
export function toShownLines(value: Json): string[] {
  return escapeUnseen(JSON.stringify(value, undefined, 2), escapeUnits).split('\n');
}

/** Shown JSON in at most `limitBytes`; a cut says how much there is, and where. */
export function cutShownJson(shown: string, limitBytes: number): string {
  const sizeBytes = utf8Bytes(shown);
  if (sizeBytes <= limitBytes) return shown;
  const note = ` (cut: ${sizeBytes} bytes in all, "holdfast show" and the query pendingApprovals have them)`;
  return `${cutToBytes(shown, limitBytes - note.length)}${note}`;
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
