// Assembles the context of a run as a worker of this configuration would freeze it. For commands that inspect it, without
// a server, a store or a check of keys.
import { createAssembleContext } from '../activities/assembly/assemble-context.ts';
import type { ReadPromptFiles } from '../activities/assembly/prompt-files.ts';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/config-file.ts';
import { problemOfStart } from '../core/agent/start.ts';
import type { FrozenContext } from '../core/model/frozen-context.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import type { Parts } from './parts.ts';

const noStore: ArtifactStore = { id: 'none', put: () => Promise.resolve(), get: async () => undefined };

type Wanted = { input: SessionInput; loadedGroups?: string[]; readPromptFiles?: ReadPromptFiles };

/** Throws a ConfigError for an agent or a mode that a start would refuse. */
export async function assembleHere(
  { model, models, toolGroups, maxMode }: Pick<Config, 'model' | 'models' | 'toolGroups' | 'maxMode'>,
  { agents, tools, hooks, skills }: Pick<Parts, 'agents' | 'tools' | 'hooks' | 'skills'>,
  { input: given, loadedGroups = [], readPromptFiles }: Wanted,
): Promise<FrozenContext> {
  const input: SessionInput = { prompt: '-', ...given };
  const names = { tools: new Set(tools.keys()), toolGroups: new Set(Object.keys(toolGroups)) };
  const problem = problemOfStart(input, {
    agents,
    ...names,
    model,
    maxMode,
    problemOfHooks: () => undefined,
  });
  if (problem) throw new ConfigError(problem.message);
  const deps = { agents, tools, toolGroups, hooks, skills, defaultModel: model, models, maxMode };
  const assembleContext = createAssembleContext({
    ...deps,
    readPromptFiles,
    artifacts: noStore,
    searchAttributes: [],
  });
  return assembleContext({ sessionId: '', runId: '', input, loadedGroups });
}
