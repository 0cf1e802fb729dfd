// The id of a new session, such as `checkout-is-slow-k3v9x`: people read it in lists, and type it. Pure but for `random`.

const alphabet = 'abcdefghjkmnpqrstvwxyz23456789';

/** The first words of a text and five random characters. `random` gives a number of 0 or more, and below its argument. */
export function toSessionId(text: string, random: (below: number) => number): string {
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, 4).join('-').slice(0, 32).replace(/-$/, '');
  const tail = Array.from({ length: 5 }, () => alphabet[random(alphabet.length)]).join('');
  return `${slug || 'session'}-${tail}`;
}
