// What is wrong with a start, found before a server is started for it: by the rules of the worker and of the client.
import { openArtifactStore } from '../config/artifacts.ts';
import { checkSessionStart } from '../client/start-session.ts';
import type { Config } from '../config/config.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { prepareFolder } from '../dev-server/dev-server-note.ts';

/** `detach`: a worker elsewhere runs it, which may have other agents, tools and keys than this process. */
export async function checkStart(
  config: Config,
  input: SessionInput,
  { session, detach = false }: { session?: string | undefined; detach?: boolean | undefined },
): Promise<void> {
  checkSessionStart(input, session === undefined ? {} : { sessionId: session });
  if (!detach) await checkWorker(config, { ...inheritedBy(input), ...input });
}

/** Throws what a worker of this config says at its start, and of the input where there is one. */
export async function checkWorker(config: Config, input?: SessionInput): Promise<void> {
  if (config.temporal.address === undefined) await prepareFolder(config.dir);
  const { checkParts } = await import('../worker/compose-activities.ts');
  await checkParts(config, input);
  await openArtifactStore(config);
}

/** What a session that goes on from a checkpoint has of the one that wrote it. */
export function inheritedBy({ checkpoint }: SessionInput): SessionInput {
  return typeof checkpoint === 'object' && 'session' in checkpoint ? (checkpoint.session?.input ?? {}) : {};
}
