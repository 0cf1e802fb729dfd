// Finds whole words in a text: `d-51` is not in `d-513`, nor `shop` in `shop-db`. Pure.

/** The place of the first match; -1 without one. */
export function placeOfWord(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isJoined(text[at - 1], word[0]) && !isJoined(word.at(-1), text[at + word.length])) return at;
  return -1;
}

export function hasWord(text: string, word: string): boolean {
  return placeOfWord(text, word) >= 0;
}

function isJoined(left = ' ', right = ' '): boolean {
  return /^[\p{L}\p{N}_-]{2}$/u.test(left + right);
}
