// A report as a past incident, for later runs. Pure.
import { oneLine } from '../../core/base/one-line.ts';
import { describeDay } from '../../core/base/words.ts';
import { describeGrade, markOf } from '../../core/report/marks.ts';
import { type Report, toReportRef } from '../../core/report/report.ts';

export type Incident = { report: Report; task: string; at: number };

export function incidentSource({ sessionId, runId }: Pick<Report, 'sessionId' | 'runId'>): string {
  return `incident:${sessionId}/${runId}`;
}

export function incidentText({ report, task, at }: Incident): string {
  const { sessionId, summary, rootCause, claims, ruledOut } = report;
  return [
    `## Past incident of ${describeDay(at)}, session ${sessionId}, grade ${describeGrade(toReportRef(report, ''))}`,
    `Task: ${oneLine(task)}`,
    `Found: ${oneLine(summary)}`,
    ...(rootCause
      ? [`Root cause: ${oneLine(`${rootCause.component} (${rootCause.kind}): ${rootCause.text}`)}`]
      : []),
    ...claims.map(
      (claim) => `- ${oneLine(claim.text)}${claim.verified ? '' : ` (${markOf(claim).toLowerCase()})`}`,
    ),
    ...ruledOut.map(({ text }) => `- Ruled out: ${oneLine(text)}`),
  ].join('\n');
}
