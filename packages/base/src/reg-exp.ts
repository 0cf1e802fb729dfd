// Texts and regular expressions. Pure.

/** The text as a pattern that matches nothing else; also with the flag u. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$*+?.()|[\]{}/]/g, String.raw`\$&`);
}

export function isRegExp(source: string, flags = 'u'): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
