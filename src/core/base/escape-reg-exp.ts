/** The text as a pattern that matches nothing else; also with the flag u. Pure. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$*+?.()|[\]{}/]/g, String.raw`\$&`);
}
