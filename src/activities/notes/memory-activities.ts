// The activities of memory: search before a run, writing before a condense, and storing a report. A worker without a
// memory hands them back. Also those of notes about failed subagents. Run in Node.
import { toUtc } from '@holdfast/base/words';
import type { Activities } from '@holdfast/vocabulary/activity-table';
import { readReport } from '../report/stored-report.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { handBack } from '../base/hand-back.ts';
import { confirmed } from '../base/confirm-start.ts';
import { withHeartbeat } from '../base/heartbeat.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { createFindReflections, type ReflectionPlaces, createWriteReflection } from './reflections.ts';
import type { Memory } from './memory.ts';
import type { Recall } from './recall.ts';
import { oneLine } from '@holdfast/base/one-line';
import { present } from '@holdfast/base/present';
import { describeGrade, markOf } from '@holdfast/report/marks';
import type { Report } from '@holdfast/report/report';
import { describeCause, toReportRef } from '@holdfast/report/report-ref';

type MemoryDeps = {
  memory?: Memory | undefined;
  /** There where `memory` is. */
  recall?: Recall | undefined;
  identity: string;
  contexts: Pick<FrozenContexts, 'load'>;
  artifacts: Pick<ArtifactStore, 'get'>;
  redactor: Pick<Redactor, 'text'>;
  places: ReflectionPlaces;
};

type MemoryActivities = Pick<
  Activities,
  'searchMemory' | 'flushMemory' | 'saveIncident' | 'writeReflection' | 'findReflections'
>;

export function createMemoryActivities(deps: MemoryDeps): MemoryActivities {
  const { contexts, artifacts, redactor, places, memory, recall } = deps;
  const needed = <Part>(part: Part | undefined): Part => {
    if (part) return part;
    throw handBack(deps.identity, 'has no memory.');
  };
  return {
    searchMemory: withHeartbeat(async ({ contextDigest, text }) => {
      const { settings } = await contexts.load(contextDigest);
      return { chunks: await needed(recall)(text, settings) };
    }),
    flushMemory: withHeartbeat(
      confirmed(async ({ sessionId, runId, toSeq, at, facts }) => {
        const key = sha256Hex(JSON.stringify([sessionId, runId, toSeq])).slice(0, 24);
        return needed(memory).append({ key, at, date: toUtc(at, 'day'), facts: facts.map(redactor.text) });
      }),
    ),
    saveIncident: withHeartbeat(
      confirmed(async ({ sessionId, artifactId, task, at }) => {
        const report = await readReport(artifacts, sessionId, artifactId);
        const source = `incident:${report.sessionId}/${report.runId}`;
        await needed(memory).keep(source, redactor.text(incidentText(report, task, at)), at);
      }),
    ),
    writeReflection: withHeartbeat(createWriteReflection({ places, redactor })),
    findReflections: withHeartbeat(createFindReflections({ places, redactor })),
  };
}

/** A report as the text that later runs find. */
function incidentText(report: Report, task: string, at: number): string {
  const { sessionId, summary, rootCause, claims, ruledOut } = report;
  return present([
    `## Past incident of ${toUtc(at, 'day')}, session ${sessionId}, grade ${describeGrade(toReportRef(report, ''))}`,
    `Task: ${oneLine(task)}`,
    `Found: ${oneLine(summary)}`,
    rootCause && `Root cause: ${oneLine(describeCause(rootCause))}`,
    ...claims.map(
      (claim) => `- ${oneLine(claim.text)}${claim.verified ? '' : ` (${markOf(claim).toLowerCase()})`}`,
    ),
    ...ruledOut.map(({ text }) => `- Ruled out: ${oneLine(text)}`),
  ]).join('\n');
}
