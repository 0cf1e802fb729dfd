// The answer to a model that hands in a report: the marks of its quotes, and, once, requests to correct or to add. Runs
// in Node, pure.
import { present } from '@holdfast/base/present';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import type { HandedIn } from '../../report/handed-in.ts';
import { describeShare, markOf } from '@holdfast/report/marks';
import type { CauseCheck, CheckedQuote, Gap, Report } from '@holdfast/report/report';

/** The requests; empty if the report is complete. */
export function wantedOf(report: Report): string[] {
  return [...corrections(report), ...forConfirmed(report), ...forNoFault(report), ...additions(report)];
}

type Standing = {
  wanted: readonly string[];
  /** True if the run has handed in a report before. */
  isCorrection: boolean;
  /** An earlier report that proves more, and stays. */
  better: HandedIn | undefined;
};

export function describeMarks(
  report: Report,
  ref: ReportRef,
  { wanted, isCorrection, better }: Standing,
): string {
  const { claims, ruledOut, timeline = [] } = report;
  const open = openGaps(report);
  const added = open.filter(({ source }) => source === 'code').length;
  const closed = report.gaps.length - open.length;
  return present([
    `Report stored. ${describeShare(ref)}`,
    ...claims.flatMap((claim, index) => [
      `claim ${index + 1}: ${markOf(claim)}`,
      ...describeQuotes(claim.quotes),
    ]),
    ...describeEntries('ruledOut', ruledOut),
    ...describeEntries('timeline', timeline),
    added > 0 && `Gaps added: ${added} (calls that failed, were denied or were stopped).`,
    closed > 0 && `Gaps closed by a quoted later read: ${closed}.`,
    report.leftOut && `Left out, because the form has no place for it: ${report.leftOut.join(', ')}.`,
    better && describeBetter(better),
    whatNext(wanted, isCorrection),
  ]).join('\n');
}

function describeBetter({ callId, ref: { claims, verifiedClaims } }: HandedIn): string {
  return `It proves less than your report of call ${callId}, with all quotes found for ${verifiedClaims} of ${claims} claims: that one counts, and names this one.`;
}

export function openGaps({ gaps }: Pick<Report, 'gaps'>): Gap[] {
  return gaps.filter(({ closedBy }) => closedBy === undefined);
}

function describeEntries(field: string, entries: readonly { quotes: CheckedQuote[] }[]): string[] {
  return entries.flatMap(({ quotes }, index) =>
    quotes.length === 0 ? [] : [`${field} ${index + 1}:`, ...describeQuotes(quotes)],
  );
}

function describeQuotes(quotes: readonly CheckedQuote[]): string[] {
  return quotes.map((quote, place) => `  quote ${place + 1}: ${describeQuote(quote)}`);
}

function describeQuote(quote: CheckedQuote): string {
  const { callId, verified, position, reason = '', weak, namedCallId, near } = quote;
  if (!verified) return `NOT FOUND: ${reason}`;
  const where = namedCallId === undefined ? '' : ` of call ${callId} (not ${namedCallId}: corrected)`;
  const how = near ? `found, but it differs in ${near.join(', ')}` : 'found';
  const place = `${how}, line ${position?.line ?? '?'}${where}`;
  return weak === undefined ? place : `${place}; WEAK: ${weak}`;
}

/** A claim may have no quote if the model repeats it. */
function corrections({ claims, ruledOut, timeline = [] }: Report): string[] {
  const lost = [...claims, ...ruledOut, ...timeline].some(({ quotes }) =>
    quotes.some(({ verified }) => !verified),
  );
  const numbersOf = (mark: (claim: Report['claims'][number]) => boolean) =>
    claims.flatMap((claim, index) => (mark(claim) ? [`${index + 1}`] : [])).join(', ');
  const bare = numbersOf(({ quotes }) => quotes.length === 0);
  const weak = numbersOf(({ reason }) => reason !== undefined);
  return present([
    lost && 'what is NOT FOUND above: copy it again from the output that holds it, or leave it out',
    bare !== '' && `claims without a quote (${bare}): quote what shows them`,
    weak !== '' && `claims with weak quotes only (${weak}): quote something that shows them beside`,
  ]);
}

/** The checks that an agent which calls itself sure has left open. */
function forConfirmed({ grade, causeChecks = [], hypotheses = [] }: Report): string[] {
  if (grade !== 'confirmed') return [];
  // hypotheses that are made up behind the evidence prove nothing
  const isAsked = ({ check }: CauseCheck): boolean => check !== 'prediction' || hypotheses.length > 0;
  return causeChecks
    .filter(isAsked)
    .flatMap(({ check, result, text }) =>
      result === 'fails' ? [`for "confirmed": ${text}: ${advice[check]}`] : [],
    );
}

/** The lines that an agent which found no fault has left unexplained. */
function forNoFault({ standsOut = [] }: Report): string[] {
  return standsOut.map(
    ({ callId, quote }) =>
      `for "no fault": quote this line of call ${callId} and say why it is none: ${quote}`,
  );
}

const advice: Record<CauseCheck['check'], string> = {
  component: 'name it as an output names it',
  statement: 'quote the line that shows it, or say it in the words of the outputs',
  order: 'look for what happened before and quote it, or correct impact.since',
  alternative: 'look into the likeliest other explanation, and quote a line that speaks against it',
  contradiction: 'leave it out in one of the two',
  unexplained: 'say what it has to do with the cause and quote it, or rule it out',
  prediction: 'write what is missing with the tool hypotheses, then make the calls that test it',
};

function additions({ impact, rootCause, claims, recommended, timeline }: Report): string[] {
  const incomplete = claims.flatMap(({ role, confidence }, index) =>
    role === undefined || confidence === undefined ? [`${index + 1}`] : [],
  );
  return present([
    !impact && 'impact: who is affected, since when, how badly, and whether it is still happening',
    !rootCause && 'rootCause: the component, the kind of fault, and what is wrong with it',
    incomplete.length > 0 && `role and confidence of claims ${incomplete.join(', ')}`,
    !recommended && 'recommended: what is left to do, with risk and rollback; [] for nothing',
    !timeline && 'timeline: what happened when, oldest first',
  ]);
}

function whatNext(wanted: readonly string[], isFinal: boolean): string {
  if (wanted.length === 0) return 'Now give your final answer.';
  if (isFinal)
    return 'This was the correction: what was not found or left out stays so. Now give your final answer.';
  return [
    'Call report once more, with everything in it: that one is final. Correct or add what you can, and leave out what you do not know:',
    ...wanted.map((item) => `- ${item}`),
  ].join('\n');
}
