// Renders a checked report as Markdown, for people. Pure. Only this file and document-markdown.ts write the marks: texts from outside
// are escaped (packages/base/src/plain-markdown.ts), so that they cannot pass for a heading or a mark.
import { plainLine, plainLines } from '@holdfast/base/plain-markdown';
import { present } from '@holdfast/base/present';
import { counted, describeCost } from '@holdfast/base/words';
import {
  describeAfter,
  describeReplaced,
  describeSpan,
  dryRunNote,
  instructionsNote,
  instructionsTitle,
  mayDiffer,
  whoStopped,
} from './run-words.ts';
import { outputCommand } from './commands.ts';
import { endSentence } from './describe-end.ts';
import { bodyLines, lineOf } from './document-markdown.ts';
import { describeEvidence, describeGrade } from './marks.ts';
import { quoteRenderer, span } from './quote-markdown.ts';
import type { Report } from './report.ts';
import { titleOf, toReportRef } from './report-ref.ts';
import type { FoundInstruction } from './run-facts.ts';
import { sectionsOf } from './sections.ts';
import { dayOf, timeIn, withShownTimes } from './shown-times.ts';

/** The whole report: every claim with its mark, and every quote with its place or the reason for having none. */
export function renderReport(given: Report): string {
  const report = withShownTimes(given);
  const show = quoteRenderer(report);
  const sections = sectionsOf(report).flatMap(({ title, body }) => section(title, bodyLines(body, show)));
  const figures = renderFigures(report);
  const foot = report.run ? section('Figures', figures) : ['', ...figures];
  return `${[...renderTop(report), ...sections, ...foot].join('\n')}\n`;
}

/** Everything above the first section. */
function renderTop(report: Report): string[] {
  const dryRun = report.dryRun ? [`**Dry run**: ${dryRunNote}`, ''] : [];
  return [
    ...renderHead(report),
    ...dryRun,
    ...renderInstructions(report),
    renderGrade(report),
    '',
    plainLines(report.summary),
  ];
}

/** The grade, its author, and the result of the quote check. */
function renderGrade(report: Report): string {
  const { author, gradeReason } = report;
  const ref = toReportRef(report, '');
  const grade = `Grade: **${describeGrade(ref)}**`;
  if (author === 'code') return `${grade}: ${plainLine(gradeReason ?? '')}`;
  const why = gradeReason === undefined ? '' : ` Lowered by Holdfast: ${plainLine(gradeReason)}`;
  return `${grade}.${why} ${describeEvidence(ref)}`;
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}

/** Heading, task and status; a draft, whose run is not over, has only the title. */
function renderHead(report: Report): string[] {
  const { run } = report;
  if (!run) return [`# ${titleOf(report)}`, ''];
  const { title, error, startedAt, endedAt, afterReport } = run;
  const how = `**${endSentence(run)}** ${dayOf(report)}, ${timeIn(report, startedAt)} to ${timeIn(report, endedAt)}, ${describeSpan(startedAt, endedAt)}.`;
  return present([
    `# ${plainLine(titleOf(report))}`,
    '',
    `Task: ${plainLine(title)}`,
    '',
    how,
    error && plainLine(error.message),
    '',
    ...(afterReport ? [`**${describeAfter(afterReport)}** ${mayDiffer}`, ''] : []),
  ]);
}

/** Comes first: the text may have been planted. */
function renderInstructions(report: Report): string[] {
  const { instructions = [] } = report.run ?? {};
  if (instructions.length === 0) return [];
  return [
    `## ${instructionsTitle}`,
    '',
    instructionsNote,
    '',
    ...instructions.map((found) => renderInstruction(report, found)),
    '',
    '## What was found',
    '',
  ];
}

function renderInstruction(
  report: Report,
  { callId, call, reason, by, at, foundIn }: FoundInstruction,
): string {
  return [
    `- **${plainLine(whoStopped(by))}**, ${timeIn(report, at)}: ${span(call)}, call ${span(callId)}: ${plainLine(reason)}`,
    `  - Line ${foundIn.line} of ${span(foundIn.call)}, call ${span(foundIn.callId)}: ${span(foundIn.text)}`,
    `  - ${span(outputCommand(report, foundIn.callId, foundIn.line))}`,
  ].join('\n');
}

function renderFigures(report: Report): string[] {
  const { run, sessionId, runId, turn, leftOut } = report;
  const place = `Session ${plainLine(sessionId)}, run ${plainLine(runId)}, turn ${turn}.`;
  if (!run) return [place];
  const { status, cause, models, unpriced, turns, toolCalls, tokens, costUsd, links } = run;
  const unpaid = unpriced
    ? ` (no price is known of ${unpriced.map(plainLine).join(', ')}: counted in tokens only)`
    : '';
  return present([
    `- ${place}`,
    `- Status: ${[status, cause].filter(Boolean).join(', ')}`,
    `- Model: ${models.map(plainLine).join(', ') || 'none has answered'}`,
    `- ${counted(turns, 'turn')}, ${counted(toolCalls, 'tool call')}, ${counted(tokens, 'token')}, ${describeCost({ costUsd, costUnknown: unpriced !== undefined })}${unpaid}`,
    leftOut && `- Left out of what the agent handed in: ${leftOut.map(plainLine).join(', ')}`,
    ...(run.replaced ?? []).map((replaced) => `- ${lineOf(describeReplaced(report, replaced))}`),
    `- The whole session: ${span(links.show)}`,
    links.ui !== undefined && `- In the Temporal UI: <${links.ui}>`,
  ]);
}
