// The session that a person means by a word: its id, or the beginning of one. For every command that takes a session.
import type { SessionHandle } from '../client.ts';
import { undefinedIfUnknown } from '../client/client-error.ts';
import type { OwnCommand, Output } from './cli.ts';
import { type FrameOptions, type ServerCommand, withServer } from './server-access.ts';
import { type ExitCode, exitCodes } from '../common/exit-codes.ts';
import { UserError } from '../common/user-error.ts';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { markedName, namedIn, readNames, withoutMark } from '@holdfast/stored/session-names';

/** More than a person would read. */
const mostShown = 10;
/** Sessions of one id that are looked through for another id. */
const mostListed = 1_000;

/** Runs `work` against the server, with the session that a person means. */
export function withSession(
  command: OwnCommand,
  word: string,
  work: (frame: ServerCommand, session: SessionHandle) => Promise<ExitCode | void>,
  options?: FrameOptions,
): Promise<void> {
  return withServer(command, async (frame) => work(frame, await findSession(frame, word)), options);
}

/** A word that is neither is left as it is, as is one that the store has where the server has it no longer. Throws for several. */
export async function findSession(
  { access: { client }, output }: Pick<ServerCommand, 'access' | 'output'>,
  word: string,
): Promise<SessionHandle> {
  const session = client.session(word);
  // any other error is found again by what is sent to it
  const known = await session
    .describe()
    .catch(undefinedIfUnknown)
    .catch(() => session);
  if (known ?? (await session.storedResult().catch(() => undefined))) return session;
  const options = { idPrefix: word, children: word.includes('/') };
  let ids: string[] = [];
  // an id that was used again is listed for each of its sessions, and may hide another one
  for (const limit of [mostShown, mostListed]) {
    const found = await client.list({ ...options, limit }).catch(() => []);
    ids = [...new Set(found.map(({ sessionId }) => sessionId))];
    if (ids.length !== 1 || found.length < limit) break;
    if (limit === mostListed) return session;
  }
  const only = onlyOne(
    word,
    ids.filter((id) => id.startsWith(word)),
  );
  if (only === undefined) return session;
  // nobody has named it whole
  output.say(`session ${only}`);
  return client.session(only);
}

/** Undefined without any. Throws a UserError that lists several. */
export function onlyOne(word: string, ids: readonly string[]): string | undefined {
  const [first, ...others] = ids;
  if (others.length === 0) return first;
  const shown = ids.slice(0, mostShown).map((id) => `  ${id}`);
  throw new UserError(
    `Several sessions begin with "${word}": name one.\n${shown.join('\n')}`,
    exitCodes.unknownSession,
  );
}

/** Says which session of an id that was used again is shown, and the names of the others. */
export async function sayWhichSession(output: Output, store: ArtifactReader, asked: string): Promise<void> {
  const id = withoutMark(asked);
  const names = await readNames(store, id);
  const shown = namedIn(names, asked);
  if (names.length < 2 || shown === undefined) return;
  const others = names
    .filter(({ execution }) => execution !== shown.execution)
    .map(({ execution, startedAt }) => `${markedName(id, execution)} (of ${startedAt})`);
  const all = [`this one, of ${shown.startedAt}`, ...others].join(', and ');
  output.say(`${names.length} sessions have stored as ${id}: ${all}.`);
}
