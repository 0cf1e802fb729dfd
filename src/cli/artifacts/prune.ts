// Removes old artifacts: shown first, confirmed, and checked again before each removal.
import type { HoldfastClient } from '../../client.ts';
import { undefinedIfUnknown } from '../../client/client-error.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '@holdfast/base/message-of';
import { counted, describeMoment } from '@holdfast/base/words';
import type { OpenedCommand, Output } from '../cli.ts';
import { toSize, toLine } from '../render/plain-text.ts';
import { confirmRemoval } from '../confirm.ts';
import { exitCodeOfError } from '../error-code.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import { type KeptSession, type Removal, planPrune } from './prune-plan.ts';
import { type OpenStore, openStore, listStored } from './stored-sessions.ts';

const dayMs = 24 * 60 * 60 * 1_000;

export type PruneOptions = {
  olderThan?: number;
  dryRun?: boolean;
  yes?: boolean;
  offline?: boolean;
  unfinished?: boolean;
};

/** Shows the old artifacts, asks, and removes them; nothing if `isRunning` rejects. A UserError if nobody can be asked. */
export async function prune(
  { cli, output, config }: OpenedCommand,
  options: PruneOptions,
  isRunning: (sessionId: string) => Promise<boolean>,
): Promise<void> {
  const before = Date.now() - ageOf(config, options);
  const store = await openStore(config);
  const { unfinished = false, dryRun = false } = options;
  const { removals, kept } = store
    ? await planPrune(store, await listStored(store), { before, unfinished, isRunning })
    : { removals: [], kept: [] };
  const now = Date.now();
  for (const removal of removals) {
    output.emit({ type: 'removal', ...removal });
    output.print(toRow(removal, now));
  }
  sayKept(output, kept);
  const all = `${counted(removals.length, 'entry', 'entries')}, ${toSize(sizeOf(removals))}`;
  if (!store || removals.length === 0 || dryRun) {
    output.emit({
      type: 'pruned',
      dryRun,
      entries: dryRun ? removals.length : 0,
      sizeBytes: sizeOf(removals),
    });
    output.print(removals.length === 0 ? 'Nothing is old enough to be removed.' : `${all} would be removed.`);
    return;
  }
  if (!options.yes)
    await confirmRemoval(cli, `Remove ${all} for good?`, 'Add --yes to remove, or --dry-run to look.');
  const removed = await removeAll(store, removals, before, isRunning);
  output.emit({ type: 'pruned', dryRun, entries: removed.length, sizeBytes: sizeOf(removed) });
  output.print(`Removed ${counted(removed.length, 'entry', 'entries')}, ${toSize(sizeOf(removed))}.`);
}

function ageOf({ retention }: Config, { olderThan }: PruneOptions): number {
  if (olderThan !== undefined) return olderThan;
  if (retention) return retention.artifactsDays * dayMs;
  throw new UserError(
    'How old are artifacts that nobody needs? Give --older-than, e.g. 30d, or set "retention": { "artifactsDays": 30 } in the config file.',
  );
}

/** One by one, each checked again: the person may have waited long, and an id may be in use again. */
async function removeAll(
  store: OpenStore,
  removals: readonly Removal[],
  before: number,
  isRunning: (sessionId: string) => Promise<boolean>,
): Promise<Removal[]> {
  const removed: Removal[] = [];
  for (const removal of removals) {
    const { sessionId, name } = removal;
    if (name === undefined && (await isRunning(sessionId))) continue;
    const now = await Array.fromAsync(store.list(sessionId));
    const isYoung = now.some(
      (artifact) => (name === undefined || artifact.name === name) && artifact.storedAt.getTime() >= before,
    );
    if (isYoung) continue;
    await store.remove(sessionId, name);
    removed.push(removal);
  }
  return removed;
}

/** A session that the server does not know has ended, and its history is gone. Any other error stops everything. */
export async function isRunning(client: HoldfastClient, sessionId: string): Promise<boolean> {
  const listing = await client.session(sessionId).describe().catch(undefinedIfUnknown);
  return listing?.status === 'RUNNING';
}

export function addOffline(error: unknown): never {
  if (exitCodeOfError(error) !== exitCodes.noServer) throw error;
  throw new UserError(
    `Nothing was removed, because the server could not be asked which sessions are running. ${messageOf(error)} ` +
      'Add --offline where no session of this store is running.',
    exitCodes.noServer,
    { cause: error },
  );
}

function sayKept(output: Output, kept: readonly KeptSession[]): void {
  kept.forEach((one) => output.emit({ type: 'kept', ...one }));
  const running = kept.filter(({ why }) => why === 'running').length;
  const unfinished = kept.length - running;
  if (running > 0) output.say(`${counted(running, 'old session')} kept: still running.`);
  if (unfinished > 0)
    output.say(
      `${counted(unfinished, 'old session')} kept: the task can be continued (--unfinished removes these too).`,
    );
}

export function toRow({ sessionId, name, artifacts, sizeBytes, newest }: Removal, now: number): string {
  const what = name === undefined ? toLine(sessionId, 80) : `checkpoint ${toLine(name, 80)}`;
  return `${toSize(sizeBytes).padStart(9)}  ${describeMoment(newest, now)}  ${what} (${counted(artifacts, 'artifact')})`;
}

export function sizeOf(entries: readonly { sizeBytes: number }[]): number {
  return entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
