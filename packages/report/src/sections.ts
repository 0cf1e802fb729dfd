// The sections of a report in their order, each made once for every form, and the items of those that are from the agent. Pure.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { describeOver } from './run-words.ts';
import {
  type Body,
  type Item,
  type Pill,
  type NamedWords,
  type Section,
  type State,
  type Tone,
  prose,
} from './document.ts';
import { lastWordsTitle, objectionsTo } from './last-words.ts';
import { checkWords } from './marks.ts';
import {
  type CauseCheck,
  type Gap,
  type Impact,
  type Recommended,
  type Report,
  isNoFault,
} from './report.ts';
import type { CheckedHypothesis, CheckedPrediction, QuotedText, RootCause, TimelineEntry } from './report.ts';
import { actionsBody, answerBody, callsBody, leftParts, lookedAt, steeringItems } from './run-sections.ts';
import { toShownTime } from './shown-times.ts';

/** Without those that have nothing to say. */
export function sectionsOf(report: Report): Section[] {
  const { impact, claims, ruledOut, gaps, rootCause, causeChecks, hypotheses, recommended, run } = report;
  const { standsOut = [], timeline = [] } = report;
  const isFault = !isNoFault(report);
  const sections: [id: string, title: string, body: Body | undefined][] = [
    ['impact', 'Impact', impact && { kind: 'rows', items: impactRows(impact, report) }],
    [
      'root-cause',
      isFault ? 'Root cause' : 'No fault found',
      rootCause && { kind: 'cause', cause: rootCause, isFault },
    ],
    ['looked-at', 'What was looked at', { kind: 'list', items: lookedAt(report) }],
    ['left', 'Where it stopped', run?.left && { kind: 'parts', items: leftParts(run.left) }],
    ['stands-out', 'What stands out in the outputs', { kind: 'quotes', items: standsOut }],
    ['actions', 'Actions', run && actionsBody(report, run)],
    ['recommended', 'Recommended', { ...list(recommended, recommendedItem), isNumbered: true }],
    ['cause-checks', 'Root cause, as checked by code', list(causeChecks, checkItem)],
    ['claims', 'Claims', { kind: 'claims', items: claims }],
    ['ruled-out', 'Ruled out', list(ruledOut, ruledOutItem)],
    ['hypotheses', 'Considered, and why not', list(hypotheses, (each) => hypothesisItem(each, rootCause))],
    ['gaps', 'Gaps', list(gaps, gapItem)],
    ['timeline', 'Timeline', { kind: 'times', items: timeline.map((entry) => eventItem(report, entry)) }],
    ['calls', 'Timeline of the calls', run && callsBody(report, run)],
    ['steering', 'What people said', { kind: 'times', items: steeringItems(report) }],
    ['answer', lastWordsTitle, run && answerBody(report, run)],
  ];
  return sections.flatMap(([id, title, body]) =>
    body === undefined || isEmpty(body) ? [] : [{ id, title, body }],
  );
}

function isEmpty(body: Body): boolean {
  return 'items' in body && body.items.length === 0 && !('introduction' in body);
}

function list<From>(from: readonly From[] = [], toItem: (one: From) => Item): Body & { kind: 'list' } {
  return { kind: 'list', items: from.map((one) => toItem(one)) };
}

function impactRows({ who, since, severity, ongoing }: Impact, report: Report): NamedWords[] {
  const still: Record<Impact['ongoing'], State> = {
    yes: { state: 'yes', tone: 'bad' },
    no: { state: `no (${describeOver(report)})`, tone: 'flat' },
    unknown: { state: 'not known', tone: 'warn' },
  };
  return [
    ['Who', prose`${who}`],
    ['Since', prose`${since}`],
    ['How bad', prose`${severity}`],
    ['Still going on', prose`${still[ongoing]}`],
  ];
}

const byHoldfast: Pill = { mark: 'Marked by Holdfast', tone: 'warn', end: ':' };

/** Objections of code come first. */
function recommendedItem(recommended: Recommended): Item {
  const { text, risk, rollback } = recommended;
  const rows: (NamedWords | false)[] = [
    risk !== undefined && ['Risk', prose`${risk}`],
    rollback !== undefined && ['Rollback', prose`${rollback}`],
  ];
  return {
    words: prose`${text}`,
    notes: objectionsTo(recommended).map((objection) => prose`${byHoldfast} ${objection}`),
    rows: present(rows),
  };
}

/** For the results of checks by code, of hypotheses, and of their predictions. */
const tones = {
  holds: 'good',
  fails: 'bad',
  not_known: 'flat',
  supported: 'good',
  refuted: 'bad',
  open: 'warn',
  untested: 'flat',
  met: 'good',
  opposite: 'bad',
  not_counted: 'warn',
} as const satisfies Record<string, Tone>;

function checkItem({ result, text }: CauseCheck): Item {
  return { words: prose`${{ mark: checkWords[result], tone: tones[result], end: ':' }} ${text}` };
}

function ruledOutItem({ text, quotes }: QuotedText): Item {
  return { words: prose`${text}`, quotes };
}

function hypothesisItem(hypothesis: CheckedHypothesis, rootCause: RootCause | undefined): Item {
  const { component, kind, statement, predictions, status } = hypothesis;
  const mark: Pill = { mark: describeStanding(hypothesis, rootCause), tone: tones[status], end: '.' };
  return {
    words: prose`${mark} ${component} (${kind}): ${statement}`,
    items: predictions.map(predictionItem),
  };
}

/** Such as `h1, the root cause: supported`, or `h2: refuted, because of h2.1`. */
function describeStanding(
  { id, status, predictions }: CheckedHypothesis,
  rootCause: RootCause | undefined,
): string {
  const role = rootCause?.hypothesis?.trim() === id ? ', the root cause' : '';
  const broken = predictions.find(({ refutes, result }) => refutes && result === 'opposite');
  const why = broken ? `, because of ${broken.id}` : statusWords[status];
  return `${id}${role}: ${status}${why}`;
}

const statusWords: Record<CheckedHypothesis['status'], string> = {
  open: ', because no prediction is met',
  supported: '',
  refuted: '',
  untested: ', because no test counts',
};

function predictionItem(prediction: CheckedPrediction): Item {
  const { id, call, expect, result, quote } = prediction;
  const mark: Pill = { mark: describePrediction(prediction), tone: tones[result], end: ':' };
  return { words: prose`${id} ${mark} ${call}: ${expect}`, quotes: quote?.verified ? [quote] : [] };
}

/** Such as `met`, or `withstood`, of an attempt to break it. */
function describePrediction({ result, refutes, reason }: CheckedPrediction): string {
  if (result === 'met') return refutes ? 'met, the opposite would have refuted it' : 'met';
  if (result === 'opposite') return refutes ? 'the opposite: it refutes it' : 'the opposite';
  return result === 'untested' ? 'not tested' : `does not count: ${reason ?? ''}`;
}

function gapItem({ text, source, callId, count, closedBy }: Gap): Item {
  const closed: Pill = { mark: 'Closed by a later read', tone: 'good', end: '.' };
  const head = closedBy ? prose`${closed} ` : '';
  const times = count === undefined ? '' : prose` (x ${String(count)})`;
  const by = source === 'code' ? prose` (found by Holdfast)` : '';
  return { words: prose`${head}${text}${times}${by}`, quotes: present([closedBy]), ...defined({ callId }) };
}

function eventItem(report: Report, { at, event, quotes }: TimelineEntry) {
  return { at: toShownTime(report, at), words: prose`${event}`, quotes };
}
