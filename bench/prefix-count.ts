// How many requests begin with the whole of the one before. Pure.

/** `requests` are those that have one before them in their session. */
export type PrefixCount = { requests: number; extending: number; share: number };

/** Bodies by session, in order, each JSON text whose last field is the list of messages. */
export function countExtending(sessions: readonly (readonly string[])[]): PrefixCount {
  const pairs = sessions.flatMap((bodies) =>
    bodies.slice(1).map((body, index) => ({ body, before: bodies[index] ?? '' })),
  );
  // the list's end and the object's: what follows them may be more messages
  const extending = pairs.filter(({ body, before }) => body.startsWith(before.replace(/\]\}$/, ''))).length;
  return { requests: pairs.length, extending, share: extending / pairs.length };
}
