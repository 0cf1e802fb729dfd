// The facts of a run as parts of its report in Markdown. Pure. Texts from outside are escaped
// (packages/base/src/plain-markdown.ts), so that they cannot pass for a heading or a mark.
import { codeSpan, plainLine, plainLines } from '../../base/src/plain-markdown.ts';
import { capital, counted, describeCost, toDuration } from '../../base/src/words.ts';
import { behindOutcome, describeOutcome, isMarked } from '../../vocabulary/src/call-outcome.ts';
import {
  changeParts,
  describeSettled,
  introduceActions,
  behindDecider,
  outcomeOf,
  settledBy,
  whenSaid,
  whoDecided,
} from './action-words.ts';
import { outputCommand } from './commands.ts';
import { describeGrade } from './marks.ts';
import { markedLine } from './last-words.ts';
import { describeEnd, endSentence } from './describe-end.ts';
import { titleOf } from './report-ref.ts';
import type { Report } from './report.ts';
import { dayOf, timeIn } from './shown-times.ts';
import type { Action, FoundInstruction, LeftOver, ReplacedReport, RunFacts, TimedCall } from './run-facts.ts';

/** Heading, task and status; a draft, whose run is not over, has only the title. */
export function renderHead(report: Report): string[] {
  const { run } = report;
  if (!run) return [`# ${titleOf(report)}`, ''];
  const { title, error, startedAt, endedAt, afterReport } = run;
  const how = `**${endSentence(run)}** ${dayOf(report)}, ${timeIn(report, startedAt)} to ${timeIn(report, endedAt)}, ${toSpan(startedAt, endedAt)}.`;
  const after = afterReport && `**${describeAfter(afterReport)}** The last words of the agent may say more.`;
  return [
    `# ${plainLine(titleOf(report))}`,
    '',
    `Task: ${plainLine(title)}`,
    '',
    how,
    ...(error ? [plainLine(error.message)] : []),
    '',
    ...(after ? [after, ''] : []),
  ];
}

function describeAfter({ calls, messages }: NonNullable<RunFacts['afterReport']>): string {
  return `The run continued after this report: ${counted(calls, 'call')}, ${counted(messages, 'message')}.`;
}

/** Comes first: the text may have been planted. */
export function renderInstructions(report: Report): string[] {
  const { instructions = [] } = report.run ?? {};
  if (instructions.length === 0) return [];
  return [
    '## Instructions in tool output',
    '',
    'These calls were denied or stopped, and an output that was read before has their words. Somebody may have planted them there.',
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
    `- **${by === undefined ? 'Stopped' : plainLine(capital(whoDecided({ by })))}**, ${timeIn(report, at)}: ${span(call)}, call ${span(callId)}: ${plainLine(reason)}`,
    `  - Line ${foundIn.line} of ${span(foundIn.call)}, call ${span(foundIn.callId)}: ${span(foundIn.text)}`,
    `  - ${span(outputCommand(report, foundIn.callId, foundIn.line))}`,
  ].join('\n');
}

/** Changes, attempts and refusals; says so if there were none. */
export function renderActions(report: Report): string[] {
  if (!report.run) return [];
  const { actions, actionsLeftOut } = report.run;
  const introduction = introduceActions(report);
  const lines = [
    ...(introduction === undefined ? [] : [introduction, ...(actions.length === 0 ? [] : [''])]),
    ...actions.map((action) => renderAction(report, action)),
  ];
  return actionsLeftOut === undefined
    ? lines
    : [...lines, `- ${counted(actionsLeftOut, 'action')} from the middle are left out: they are in the log.`];
}

function renderAction(report: Report, action: Action): string {
  const { callId, at, call, with: others, change, decidedAt, reason } = action;
  const when = decidedAt ? `, ${timeIn(report, decidedAt)}` : '';
  const because = reason === undefined ? '' : `: ${plainLine(reason)}`;
  const settled = settledBy(report, action);
  return [
    `- ${timeIn(report, at)} **${plainLine(outcomeOf(action))}**${plainLine(behindDecider(action))}${when}: ${span(call)}, call ${span(callId)}${because}`,
    ...(settled ? [`  - ${plainLine(describeSettled(settled))}: ${span(settled.quote)}`] : []),
    ...(others === undefined ? [] : [`  - With ${span(others)}`]),
    ...(change ? changeParts(change).map(([name, text]) => `  - ${name}: ${span(text)}`) : []),
  ].join('\n');
}

/** The state of unfinished work, for whoever continues it. */
export function renderLeft({ run }: Report): string[] {
  if (!run?.left) return [];
  const { findings, plan, openQuestions, lastTried, refusedReports } = run.left;
  return [
    ...part('Pinned findings', findings.map(plainLine)),
    ...part(
      'Plan',
      plan.map(({ text, status }) => `${status}: ${plainLine(text)}`),
    ),
    ...part('Open questions', openQuestions.map(plainLine)),
    ...part('Tried last', lastTried.map(plainLine)),
    ...part('Reports that were refused', describeRefused(refusedReports).map(plainLine)),
  ];
}

/** Used by every form of the report. */
export function describeRefused(refused: LeftOver['refusedReports']): string[] {
  if (!refused) return [];
  const { count, reason, summary } = refused;
  const said = summary === undefined ? [] : [`Its summary, which was not checked: ${summary}`];
  return [`${counted(count, 'report')}; the last because: ${reason}`, ...said];
}

function part(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`- ${title}:`, ...lines.map((line) => `  - ${line}`)];
}

/** Every call with its own times. */
export function renderCalls(report: Report): string[] {
  const { calls = [], callsLeftOut } = report.run ?? {};
  const lines = calls.map((call) => renderCall(report, call));
  if (callsLeftOut === undefined) return lines;
  const half = lines.length / 2;
  const gap = `- ${counted(callsLeftOut, 'call')} between these are left out: they are in the log.`;
  return [...lines.slice(0, half), gap, ...lines.slice(half)];
}

function renderCall(report: Report, timed: TimedCall): string {
  const { callId, at, endedAt, waitedMs, call, result, isError, outcome } = timed;
  const mark = isMarked(outcome, isError) ? ` **${describeOutcome(outcome ?? 'failed')}**` : '';
  const waited = waitedMs === undefined ? '' : ` (after a wait of ${toDuration(waitedMs)})`;
  return `- ${timeIn(report, at)}, ${toSpan(at, endedAt)}${waited}: ${span(call)}, call ${span(callId)}:${mark} ${plainLine(behindOutcome(result, outcome))}`;
}

export function renderSteering(report: Report): string[] {
  return (report.run?.steering ?? []).map(
    (said) => `- ${timeIn(report, said.at)}, ${plainLine(whenSaid(report, said))}: ${plainLine(said.text)}`,
  );
}

/** The last words, if code has marked them, they are newer than the report, or the agent handed in none. */
export function renderAnswer({ run, author }: Report): string[] {
  if (!run || (author === 'agent' && !run.afterReport && !run.wordMarks)) return [];
  const { answer, left, wordMarks = [] } = run;
  // an empty answer has its end on top of the report; other last words may be among the last attempts
  const isSaid = ['', describeEnd(run)].includes(answer.trim()) || left?.lastTried.includes(`"${answer}"`);
  const marks = wordMarks.map((mark) => `- ${markedLine(mark)}`);
  return isSaid && marks.length === 0
    ? []
    : [...marks, ...(marks.length === 0 ? [] : ['']), plainLines(answer)];
}

export function renderFigures(report: Report): string[] {
  const { run, sessionId, runId, turn, leftOut } = report;
  const place = `Session ${plainLine(sessionId)}, run ${plainLine(runId)}, turn ${turn}.`;
  if (!run) return [place];
  const { status, cause, models, unpriced, turns, toolCalls, tokens, costUsd, links } = run;
  const unpaid = unpriced
    ? ` (no price is known of ${unpriced.map(plainLine).join(', ')}: counted in tokens only)`
    : '';
  return [
    `- ${place}`,
    `- Status: ${[status, cause].filter(Boolean).join(', ')}`,
    `- Model: ${models.map(plainLine).join(', ') || 'none has answered'}`,
    `- ${counted(turns, 'turn')}, ${counted(toolCalls, 'tool call')}, ${counted(tokens, 'token')}, ${describeCost({ costUsd, costUnknown: unpriced !== undefined })}${unpaid}`,
    ...(leftOut ? [`- Left out of what the agent handed in: ${leftOut.map(plainLine).join(', ')}`] : []),
    ...(run.replaced ?? []).map((replaced) => `- ${describeReplaced(report, replaced)}`),
    `- The whole session: ${span(links.show)}`,
    ...(links.ui === undefined ? [] : [`- In the Temporal UI: <${links.ui}>`]),
  ];
}

/** Used by every form of the report. */
export function describeReplaced(report: Report, replaced: ReplacedReport): string {
  const { artifactId, callId, at, claims, verifiedClaims, quotes, verifiedQuotes } = replaced;
  return (
    `Another report of this run does not count: ${plainLine(artifactId)} of call ${plainLine(callId)}, ${timeIn(report, at)}, grade ${describeGrade(replaced)}, ` +
    `${verifiedQuotes} of ${quotes} quotes found, all of them for ${verifiedClaims} of ${claims} claims.`
  );
}

function span(text: string): string {
  return codeSpan(text.replaceAll(/\s+/g, ' '));
}

function toSpan(from: string, to: string): string {
  return toDuration(Date.parse(to) - Date.parse(from));
}
