// A session id that is used again: each of its sessions stores under a name of its own, and the folder of the id lists
// them. Runs in Node; reads only.
import type { ArtifactReader, ArtifactWriter } from './artifact-names.ts';
import { sha256Hex } from './sha256.ts';
import { readRecords } from './stored-session.ts';

/** In the folder of an id: the sessions that have stored under it. */
export const namesArtifact = 'sessions.json';

/** `storedAs` is the id for the first session of it, and a marked name for every later one. */
export type NamedSession = { storedAs: string; execution: string; startedAt: string };

/** The id with a mark of the execution in which its session began. */
export function markedName(sessionId: string, execution: string): string {
  return `${sessionId}~${sha256Hex(execution).slice(0, 8)}`;
}

/** The id in a marked name; any other text as it is. */
export function withoutMark(name: string): string {
  return name.replace(/(?<=.)~[0-9a-f]{8}$/s, '');
}

/** Its name is a digest. A client stores it under the id, before the session has its name; an import under the name. */
export async function getImage(store: ArtifactReader, name: string, image: string) {
  return (await store.get(name, image)) ?? store.get(withoutMark(name), image);
}

/** True for the name of a session with this id, and for those of its subagents. */
export function isOfSession(name: string, sessionId: string): boolean {
  return name.startsWith(sessionId) && /^(~[0-9a-f]{8})?(\/|$)/.test(name.slice(sessionId.length));
}

/** Oldest first; empty if nothing is stored under the id. */
export async function readNames(store: ArtifactReader, sessionId: string): Promise<NamedSession[]> {
  return (await readRecords<NamedSession>(store, sessionId, namesArtifact)) ?? [];
}

const resolving = new WeakSet<ArtifactReader>();

/** Reads an id as its newest session, and a marked name as the session that it names. */
export function resolveNames(store: ArtifactReader & Partial<ArtifactWriter>): typeof store {
  if (resolving.has(store)) return store;
  const named: typeof store = {
    get: async (asked, name) =>
      store.get(name === namesArtifact ? asked : ((await findNamed(store, asked))?.storedAs ?? asked), name),
    ...(store.put && { put: store.put.bind(store) }),
  };
  resolving.add(named);
  return named;
}

/** The session that an id or a marked name means; undefined if it is not listed. */
export async function findNamed(store: ArtifactReader, asked: string): Promise<NamedSession | undefined> {
  return namedIn(await readNames(store, withoutMark(asked)), asked);
}

/** The same among names that are read already. */
export function namedIn(names: readonly NamedSession[], asked: string): NamedSession | undefined {
  const id = withoutMark(asked);
  if (id === asked) return names.at(-1);
  return names.findLast((name) => name.storedAs === asked || markedName(id, name.execution) === asked);
}
