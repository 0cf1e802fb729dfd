// The activity completeReport: the agent's report with what code knows of its run, or a report by code where the run ended
// without one. Runs in Node.
import type { CompleteReportInput } from '../../core/model/storage-contracts.ts';
import type { ReportRef } from '../../core/model/run-result.ts';
import { type Report, toReportRef } from '../../core/report/report.ts';
import { type OwnWorkflow, createOwnWorkflow } from '../context/own-workflow.ts';
import type { Transcripts } from '../context/transcript.ts';
import type { Redactor } from '../redaction/redaction.ts';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { storeUnavailable } from '../storage/segments.ts';
import type { RegisteredTool } from '../tools/define-tool.ts';
import { readReport, storeReport } from './stored-report.ts';

type CompleteReportDeps = {
  artifacts: ArtifactStore;
  transcripts: Pick<Transcripts, 'readLog'>;
  redactor: Redactor;
  tools: ReadonlyMap<string, Pick<RegisteredTool, 'spec'>>;
  /** Default: the workflow that scheduled the activity. */
  workflow?: () => OwnWorkflow;
};

export function createCompleteReport(
  deps: CompleteReportDeps,
): (input: CompleteReportInput) => Promise<ReportRef> {
  const { artifacts, workflow = createOwnWorkflow } = deps;
  return async function completeReport(input) {
    const { sessionId, runId, report: handedIn } = input;
    const { session } = await workflow().getCheckpoint();
    const report = handedIn
      ? await readReport(artifacts, sessionId, handedIn.artifactId)
      : reportByCode(input, session?.state.run?.turn ?? 0);
    const artifactId = `report-of-${runId}.md`;
    await storeReport(artifacts, sessionId, artifactId, report).catch(storeUnavailable);
    return toReportRef(report, artifactId);
  };
}

function reportByCode({ sessionId, runId, end }: CompleteReportInput, turn: number): Report {
  return {
    version: 2,
    ...{ sessionId, runId, turn },
    author: 'code',
    summary: end.error?.message ?? `The run ended: ${end.status}.`,
    grade: 'inconclusive',
    ...{ claims: [], ruledOut: [], gaps: [] },
  };
}
