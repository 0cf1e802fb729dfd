// The id of a new session, such as `checkout-is-slow-k3v9x`: people read it in lists, and type it. Pure but for `random`.

const alphabet = 'abcdefghjkmnpqrstvwxyz23456789';

/** The first words of a text and five random characters. `random` gives a number of 0 or more, and below its argument. */
export function toSessionId(text: string, random: (below: number) => number): string {
  const tail = Array.from({ length: 5 }, () => alphabet[random(alphabet.length)]).join('');
  return `${firstWords(text) || 'session'}-${tail}`;
}

/** The first four words of a text as a part of an id; empty if it has none. */
export function firstWords(text: string): string {
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 4).join('-').slice(0, 32).replace(/-$/, '');
}
