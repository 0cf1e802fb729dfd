// holdfast rm: removes an ended session with its subagents: their histories on the server, and their artifacts.
import { isOfSession } from '@holdfast/stored/session-names';
import { describeArtifacts } from '../../config/artifacts.ts';
import { counted } from '@holdfast/base/words';
import { checkpointsKey, taskArtifact } from '@holdfast/vocabulary/outer-names';
import type { HoldfastClient } from '../../client.ts';
import { undefinedIfUnknown } from '../../client/client-error.ts';
import { stillRuns } from '../../client/remove-session.ts';
import { anySession } from '../arguments.ts';
import { findSession } from '../find-session.ts';
import { checkpointOwner } from '../artifacts/prune-plan.ts';
import { type OpenStore, openStore } from '../artifacts/stored-sessions.ts';
import type { CliCommand } from '../cli-command.ts';
import { confirmRemoval } from '../confirm.ts';
import { toSize } from '../render/plain-text.ts';
import type { ServerCommand } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';

const notes = `Its history, its messages, outputs, reports and checkpoint, and those of its subagents are gone for good. A session that
is running is refused. The server deletes in the background, and may list it for a minute more. What agents remember of it stays ("holdfast memory").`;

export function registerRemove(program: CliCommand): void {
  program
    .command('rm')
    .argument('<session...>', 'session ids', (id: string, ids?: string[]) => [...(ids ?? []), anySession(id)])
    .option('--yes', 'do not ask before the removal')
    .examples(['rm checkout-is-slow-k3v9x', 'rm --yes queue-1 queue-2'], notes)
    // the whole config: a mistake in the place of artifacts must not select another place
    .onServer(removeAll, { config: 'whole' });
}

async function removeAll(
  frame: ServerCommand,
  words: string[],
  { yes = false }: { yes?: boolean },
): Promise<void> {
  const { access, cli, config, output } = frame;
  const store = await openStore(config);
  const sessionIds: string[] = [];
  // unasked only what is named whole: another may begin with the id of one that is gone
  for (const word of words) sessionIds.push(yes ? word : (await findSession(frame, word)).sessionId);
  for (const sessionId of new Set(sessionIds)) {
    const known = await hasEnded(access.client, sessionId);
    const found = store ? await findArtifacts(store, sessionId) : [];
    if (!known && found.length === 0)
      throw new UserError(
        `No session ${sessionId} on the server, and nothing of it in ${describeArtifacts(config)}: expected one that "holdfast list" or "holdfast artifacts list" shows.`,
        exitCodes.unknownSession,
      );
    const sizeBytes = found.reduce((sum, artifact) => sum + artifact.sizeBytes, 0);
    const amount = `${counted(found.length, 'artifact')}, ${toSize(sizeBytes)}`;
    if (!yes)
      await confirmRemoval(cli, `Remove session ${sessionId} (${amount}) for good?`, 'Add --yes to remove.');
    // the server checks again: the person may have waited long
    const { executions } = await access.client.session(sessionId).remove();
    for (const { key, name } of removalsOf(found)) await store?.remove(key, name);
    output.emit({ type: 'removed', sessionId, executions, artifacts: found.length, sizeBytes });
    output.print(`Removed session ${sessionId}: ${amount}.`);
  }
}

/** False for a session that the server does not know; throws for a running one. */
async function hasEnded(client: HoldfastClient, sessionId: string): Promise<boolean> {
  const listing = await client.session(sessionId).describe().catch(undefinedIfUnknown);
  if (listing?.status === 'RUNNING') throw stillRuns(sessionId, sessionId);
  return listing !== undefined;
}

type FoundArtifact = { key: string; name: string; sizeBytes: number };

/** Artifacts of the session and its subagents, and its checkpoint unless another session has continued the task. */
async function findArtifacts(store: OpenStore, sessionId: string): Promise<FoundArtifact[]> {
  const found: FoundArtifact[] = [];
  for await (const { sessionId: key, name, sizeBytes } of store.list()) {
    const isOwn = key !== checkpointsKey && isOfSession(key, sessionId);
    const isCheckpoint = key === checkpointsKey && name === taskArtifact(sessionId);
    if (isOwn || (isCheckpoint && isOfSession((await checkpointOwner(store, name)) ?? '', sessionId)))
      found.push({ key, name, sizeBytes });
  }
  return found;
}

/** Sessions as a whole, checkpoints by name. */
function removalsOf(found: readonly FoundArtifact[]): { key: string; name?: string }[] {
  const sessions = new Set(found.map(({ key }) => key).filter((key) => key !== checkpointsKey));
  const checkpoints = found.filter(({ key }) => key === checkpointsKey);
  return [...[...sessions].map((key) => ({ key })), ...checkpoints];
}
