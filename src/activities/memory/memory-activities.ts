// The activities of memory: searched before a run, written before a condense, and told of a report. On a worker without a
// memory they are handed back. Run in Node.
import { describeDay } from '../../core/base/words.ts';
import type { Activities } from '../../core/model/activity-contracts.ts';
import { readReport } from '../report/stored-report.ts';
import { sha256Hex } from '../context/digest.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { handBack } from '../context/hand-back.ts';
import { createOwnWorkflow, type QueryOwnWorkflow } from '../context/own-workflow.ts';
import { confirmed } from '../confirm-start.ts';
import { withHeartbeat } from '../heartbeat.ts';
import type { Redactor } from '../redaction/redaction.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { incidentSource, incidentText } from './incident-text.ts';
import type { Memory } from './memory.ts';
import { createRecall } from './recall.ts';

type MemoryDeps = {
  memory?: Memory | undefined;
  /** Names this worker to people. */
  identity: string;
  contexts: Pick<FrozenContexts, 'load'>;
  artifacts: Pick<ArtifactStore, 'get'>;
  redactor: Pick<Redactor, 'text'>;
  /** Default: through the worker's own client. */
  query?: QueryOwnWorkflow;
};

type MemoryActivities = Pick<Activities, 'searchMemory' | 'flushMemory' | 'saveIncident'>;

export function createMemoryActivities(deps: MemoryDeps): MemoryActivities {
  const { contexts, artifacts, redactor, query } = deps;
  const memory = (): Memory => {
    if (deps.memory) return deps.memory;
    throw handBack(deps.identity, 'has no memory.');
  };
  return {
    searchMemory: withHeartbeat(async ({ contextDigest, text }) => {
      const { settings } = await contexts.load(contextDigest, createOwnWorkflow(query));
      return { chunks: await createRecall(memory(), redactor)(text, settings) };
    }),
    flushMemory: withHeartbeat(
      confirmed(async ({ sessionId, runId, toSeq, at, facts }) => {
        const key = sha256Hex(JSON.stringify([sessionId, runId, toSeq])).slice(0, 24);
        await memory().append({ key, at, date: describeDay(at), facts: facts.map(redactor.text) });
      }),
    ),
    saveIncident: withHeartbeat(
      confirmed(async ({ sessionId, artifactId, task, at }) => {
        const report = await readReport(artifacts, sessionId, artifactId);
        await memory().keep(incidentSource(report), redactor.text(incidentText({ report, task, at })), at);
      }),
    ),
  };
}
