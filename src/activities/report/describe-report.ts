// The material for a critic of a report: the report with the marks of its quotes, and the quoted places with the lines
// around them. Runs in Node; reads the store, so that outputs do not pass through the workflow.
import { cutText } from '@holdfast/base/cut-text';
import type { DescribeReportInput } from '@holdfast/vocabulary/activity-contracts';
import { describeSource } from '@holdfast/report/marks';
import { renderReport } from '@holdfast/report/report-markdown';
import { type CheckedQuote, quotesOf } from '@holdfast/report/report';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { withLoggedOutputs } from '@holdfast/stored/logged-outputs';
import { readStoredLog } from '@holdfast/stored/stored-session';
import { createOwnWorkflow } from '../base/own-workflow.ts';
import { readLogNow } from '../context/answered-beside.ts';
import type { Transcripts } from '../context/transcript.ts';
import { openOutput } from '@holdfast/stored/stored-output';
import { readReport } from './stored-report.ts';

/** Characters: a delegation carries 16,000, and the task goes before it. */
const reportLength = 9_000;
const totalLength = 14_000;
const linesAround = 4;
const lineLength = 300;

type DescribeReportDeps = { artifacts: ArtifactReader; transcripts: Pick<Transcripts, 'readLog'> };

export function createDescribeReport({ artifacts, transcripts }: DescribeReportDeps) {
  return async ({ sessionId, artifactId }: DescribeReportInput): Promise<string> => {
    const report = await readReport(artifacts, sessionId, artifactId);
    const outputs = withLoggedOutputs(artifacts, async (id) =>
      id === sessionId ? readLogNow(transcripts, id, createOwnWorkflow()) : readStoredLog(artifacts, id),
    );
    let described = cutText(renderReport(report), reportLength, '\n[The report is longer.]');
    for (const [place, quote] of placesOf(quotesOf(report))) {
      const around = await linesOf(outputs, sessionId, quote);
      const section = around === undefined ? '' : `\n\n## ${place}\n\n${around}`;
      if (described.length + section.length <= totalLength) described += section;
    }
    return described;
  };
}

/** Each place once, however many quotes are from there. */
function placesOf(quotes: readonly CheckedQuote[]): Map<string, CheckedQuote> {
  const found = quotes.filter((quote) => quote.position !== undefined);
  return new Map(found.map((quote) => [describeQuoteLine(quote), quote]));
}

function describeQuoteLine({ callId, position, source }: CheckedQuote): string {
  return `Around line ${position?.line ?? 0} of call ${callId}: ${source ? describeSource(source) : ''}`;
}

async function linesOf(
  artifacts: ArtifactReader,
  sessionId: string,
  { position, source }: CheckedQuote,
): Promise<string | undefined> {
  if (!position) return undefined;
  // the session of a child is named after that of its parent
  const owner = source?.agent === undefined ? sessionId : `${sessionId}/${source.agent}`;
  const output = await openOutput(artifacts, owner, position.artifactId);
  const piece = output?.pieces.findLast(({ fromLine }) => fromLine <= position.line);
  if (!piece) return undefined;
  const lines = (await piece.load()).split('\n');
  const at = position.line - piece.fromLine;
  const from = Math.max(0, at - linesAround);
  return lines
    .slice(from, at + linesAround + 1)
    .map((line, index) => `${piece.fromLine + from + index}: ${cutText(line, lineLength)}`)
    .join('\n');
}
