// The parts from which the context of a run is assembled, for a worker and for commands that inspect it; and its assembly
// here, as a worker of this configuration would freeze it, without a server, a store or a check of keys.
import { createAssembleContext } from '../activities/assembly/assemble-context.ts';
import type { ReadPromptFiles } from '../activities/assembly/prompt-files.ts';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import type { Config } from '../config/config.ts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { Parts } from './parts.ts';
import { hostsOfConfig } from './tool-sources/host-source.ts';

export type AssemblyParts = Pick<Parts, 'agents' | 'tools' | 'toolGroups' | 'hooks' | 'skills'>;

/** One for all: what a command shows is what a worker freezes. */
export function assemblyOf(config: Config, { agents, tools, toolGroups, hooks, skills }: AssemblyParts) {
  const { model: defaultModel, models, maxMode } = config;
  const hosts = hostsOfConfig(config);
  return { agents, tools, toolGroups, hooks, skills, hosts, defaultModel, models, maxMode };
}

const noStore: ArtifactStore = { id: 'none', put: () => Promise.resolve(), get: async () => undefined };

type Wanted = { input: SessionInput; loadedGroups?: string[]; readPromptFiles?: ReadPromptFiles };

/** Throws a ConfigError for an agent or a mode that a start would refuse. */
export async function assembleHere(
  config: Config,
  parts: AssemblyParts & Pick<Parts, 'checkNames'>,
  { input: given, loadedGroups = [], readPromptFiles }: Wanted,
): Promise<FrozenContext> {
  const input: SessionInput = { prompt: '-', ...given };
  parts.checkNames(input);
  const assembleContext = createAssembleContext({
    ...assemblyOf(config, parts),
    readPromptFiles,
    artifacts: noStore,
    searchAttributes: [],
  });
  return assembleContext({ sessionId: '', runId: '', input, loadedGroups });
}
