// Counts the requests that begin with the whole previous one. Pure.

/** `requests` counts those with a previous one in their session. */
export type PrefixCount = { requests: number; extending: number; share: number };

/** Bodies by session, in order, each JSON text whose last field is the list of messages. */
export function countExtending(sessions: readonly (readonly string[])[]): PrefixCount {
  const pairs = sessions.flatMap((bodies) =>
    bodies.slice(1).map((body, index) => ({ body, before: bodies[index] ?? '' })),
  );
  // the end of the list and of the object: more messages may follow
  const extending = pairs.filter(({ body, before }) => body.startsWith(before.replace(/\]\}$/, ''))).length;
  return { requests: pairs.length, extending, share: extending / pairs.length };
}
