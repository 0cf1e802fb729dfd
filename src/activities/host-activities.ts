// The activities of a worker that serves one host: the tools of its machine, and what is asked about them.
import type { HostActivities } from '@holdfast/vocabulary/activity-table';
import { createFrozenContexts } from './context/frozen-contexts.ts';
import { createReadLog } from './context/answered-beside.ts';
import { createTranscripts } from './context/transcript.ts';
import { handBackUnknown } from './base/hand-back.ts';
import { withHeartbeat } from './base/heartbeat.ts';
import { createMessageCache } from './base/message-cache.ts';
import { createDescribeHost } from './hosts/describe-host.ts';
import { createInspectCalls } from './hosts/inspect-calls.ts';
import type { ActivityDeps } from './index.ts';
import { createFrozenAccess } from './tools/frozen-access.ts';
import { createToolActivities, type ToolActivity } from './tools/run-tool.ts';

/** The activities of a host's worker, which serves the tools of its machine and no sessions. */
export type HostWorkerActivities = HostActivities &
  Record<`tool.${string}` | `reconcile.${string}`, ToolActivity> & { default(): Promise<never> };

export function createHostActivities(
  { artifacts, maxOutputBytes, tools, policy, redactor, deltaBus, identity }: ActivityDeps,
  host: string,
): HostWorkerActivities {
  const cache = createMessageCache();
  const transcripts = createTranscripts({ cache, artifacts });
  const contexts = createFrozenContexts();
  return {
    ...createToolActivities({
      tools,
      artifacts,
      maxOutputBytes,
      redactor,
      cache,
      host,
      bus: deltaBus,
      // its folders and hosts are its own, so nothing is compared with the session's workers
      frozenAccess: createFrozenAccess({ contexts, identity, policy }),
      readLog: createReadLog(transcripts),
    }),
    describeHost: createDescribeHost({ tools, policy }),
    inspectCalls: withHeartbeat(createInspectCalls({ host, tools, policy, contexts, redactor })),
    default: () => Promise.reject(handBackUnknown(identity)),
  };
}
