// All activities of a worker from what they need: the one list of what the workflow can schedule.
import type { Activities } from '../core/activity-contracts.ts';
import type { PolicyRule } from '../core/tool-policy.ts';
import { createArchiveSegment, createSaveResult } from './archive-segment.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { createAssembleContext } from './assemble-context.ts';
import type { AssembleContextDeps } from './assemble-context.ts';
import { createCallModel } from './call-model.ts';
import { classifyFailure } from './classify-failure.ts';
import type { DeltaBus } from './delta-bus.ts';
import { withHeartbeat } from './heartbeat.ts';
import { createLoadCheckpoint } from './load-checkpoint.ts';
import { createMessageCache } from './message-cache.ts';
import { createOwnWorkflow } from './own-workflow.ts';
import { createPrepareCalls } from './prepare-calls.ts';
import { loadToolsTool } from '../core/tools/load-tools.ts';
import { createReadOutput } from './read-output.ts';
import { createResolveToolGroups } from './resolve-tool-groups.ts';
import { declareWorkflowTool } from './tools/tool-handler.ts';
import type { ModelProvider } from './providers/model-provider.ts';
import type { Projections } from './model-request.ts';
import type { ModelHooks } from './providers/request-hooks.ts';
import type { Redactor } from './redaction.ts';
import { loadImage } from './load-image.ts';
import { createKeepRefused } from './refused-request.ts';
import { createToolActivities } from './run-tool.ts';
import type { ToolActivity } from './run-tool.ts';
import { createSaveCheckpoint } from './save-checkpoint.ts';
import type { SendDeps } from './send-request.ts';
import { createRunHook } from './run-hook.ts';
import { createSummarize } from './summarize.ts';
import { createTranscripts } from './transcript.ts';

export type ActivityDeps = Omit<AssembleContextDeps, 'checkInput'> & {
  providers: ReadonlyMap<string, ModelProvider>;
  policy: PolicyRule[];
  artifacts: ArtifactStore;
  redactor: Redactor;
  deltaBus: DeltaBus;
  /** The provider's key, read anew for every attempt; empty or absent leaves the configured one. */
  resolveApiKey?: (provider: string) => Promise<string | undefined>;
  /** Around every HTTP request of a model call. */
  modelHooks?: ModelHooks;
  projections?: Projections;
  checkInput: AssembleContextDeps['checkInput'];
};

export function createActivities(deps: ActivityDeps): Activities & Record<`tool.${string}`, ToolActivity> {
  const { artifacts, tools, policy, redactor, deltaBus } = deps;
  const cache = createMessageCache();
  const transcripts = createTranscripts({ cache, artifacts });
  // not among the tools that an agent names: it comes with the agent's tool groups
  const loadTools = declareWorkflowTool(loadToolsTool);
  const callable = new Map([...tools, [loadTools.spec.name, loadTools]]);
  const prepare = createPrepareCalls({ tools: callable, policy, redactor });
  const send: SendDeps = {
    providers: deps.providers,
    classify: classifyFailure,
    keepRefused: createKeepRefused({ artifacts, redactor }),
    redactor,
    ...(deps.modelHooks ? { hooks: deps.modelHooks } : {}),
    loadImage: (sessionId, image) => loadImage(artifacts, sessionId, image),
    ...(deps.resolveApiKey ? { resolveApiKey: deps.resolveApiKey } : {}),
  };
  return {
    ...createToolActivities({
      ...{ tools, policy, artifacts, redactor, cache, bus: deltaBus },
      readLog: (sessionId, view) =>
        transcripts.readLog(sessionId, { toSeq: view.toSeq }, createOwnWorkflow()),
    }),
    assembleContext: withHeartbeat(createAssembleContext(deps)),
    callModel: createCallModel({
      ...{ ...send, ...deps.projections, transcripts, cache, deltaBus, artifacts },
      prepareCalls: prepare,
    }),
    runHook: createRunHook({ hooks: deps.hooks ?? new Map(), transcripts, redactor }),
    summarize: createSummarize({ ...send, transcripts }),
    resolveToolGroups: withHeartbeat(createResolveToolGroups(deps)),
    archiveSegment: withHeartbeat(createArchiveSegment({ artifacts, transcripts })),
    readOutput: withHeartbeat(createReadOutput({ transcripts })),
    saveResult: withHeartbeat(createSaveResult({ artifacts, transcripts })),
    saveCheckpoint: withHeartbeat(createSaveCheckpoint({ artifacts, transcripts })),
    loadCheckpoint: withHeartbeat(
      createLoadCheckpoint({ artifacts, searchAttributes: deps.searchAttributes }),
    ),
  };
}
