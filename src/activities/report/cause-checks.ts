// Checks the root cause of a report by code: its component was seen, a line of it is older than the first symptom, an
// alternative is refuted, and no line is quoted for both. Runs in Node, pure: it reads the log and the checked quotes.
import { escapeRegExp } from '../../core/base/reg-exp.ts';
import { counted } from '../../core/base/words.ts';
import { textOf } from '../../core/model/messages.ts';
import { quotedLines } from '../../core/report/quotes/quoted-lines.ts';
import { checkPrediction } from '../../core/report/check-prediction.ts';
import {
  type CauseCheck,
  type CheckedQuote,
  type Report,
  carries,
  namesCause,
} from '../../core/report/report.ts';
import { ownBooks } from '../../core/tools/own-books.ts';
import { type LoggedCall, type LoggedCalls, argumentsOf } from '../../stored/logged-calls.ts';
import { timeOfLine } from '../../core/base/line-time.ts';
import { toTime } from './describe-call.ts';
import { textsOf } from './gaps.ts';
import { isWrittenIn } from './evidence.ts';

type Checked = Pick<Report, 'rootCause' | 'claims' | 'ruledOut' | 'impact' | 'hypotheses'>;

/** Undefined for a report that names no cause. */
export function checkCause(report: Checked, calls: LoggedCalls): CauseCheck[] | undefined {
  if (!namesCause(report)) return undefined;
  return [
    checkComponent(report, calls),
    checkOrder(report),
    checkAlternatives(report),
    checkContradictions(report),
    checkPrediction(report),
  ];
}

function checkComponent({ rootCause, claims }: Checked, calls: LoggedCalls): CauseCheck {
  const check = 'component';
  if (!rootCause)
    return { check, result: 'fails', text: 'rootCause is missing, so that no component is named' };
  const quoted = new Set(claims.flatMap(({ quotes }) => quotes.filter(carries).map(({ callId }) => callId)));
  const names = namesIn(rootCause.component);
  const patterns = new Map(names.map((name) => [name, patternOf(name)]));
  // an id that two subagents have in common has a name of its own
  for (const logged of new Set(calls.values())) {
    const isLook = logged.result && !logged.result.isError && !repeating.has(logged.call.name);
    const [seen] = isLook ? ([...patterns].find(([, each]) => isSeen(each, logged, quoted)) ?? []) : [];
    if (seen !== undefined) return { check, result: 'holds', text: `"${seen}" is in call ${logged.id}` };
  }
  const words = names.map((name) => `"${name}"`).join(', ') || `"${rootCause.component}"`;
  return { check, result: 'fails', text: `no call has seen the component ${words}` };
}

/** Tools whose output has the words of an agent or a person, and shows no part of the system. */
const repeating: ReadonlySet<string> = new Set([
  ...ownBooks,
  'ask_human',
  'delegate',
  'edit',
  'read_note',
  'search_memory',
  'write',
  'write_note',
]);

/**
 * An argument counts if the call has brought something that is quoted; a command never, as it may say anything. A line
 * of output counts unless it only repeats an argument.
 */
function isSeen(pattern: RegExp, { id, call, result }: LoggedCall, quoted: ReadonlySet<string>): boolean {
  const { command, ...others } = argumentsOf(call);
  if (quoted.has(id) && textsOf(others).some((text) => pattern.test(text))) return true;
  const text = result ? textOf(result) : '';
  if (!pattern.test(text)) return false;
  const written = textsOf({ command: command ?? null, ...others });
  return text
    .split('\n')
    .some((line) => pattern.test(line) && !written.some((given) => isWrittenIn(given, line)));
}

/** Words that name a kind of thing, which is in many outputs. */
const kinds = new Set(
  (
    'the a an of in on at to for from by with and or its ' +
    'service services server servers host hosts node nodes database databases db table tables index pool connection ' +
    'connections queue topic cache cluster container pod pods process job task config configuration setting settings ' +
    'file folder deploy deployment release version application app api system component module network disk memory cpu ' +
    'certificate client worker user team code data new old'
  ).split(' '),
);

/** In small letters; those of kinds only where it has no other. */
function namesIn(component: string): string[] {
  const words = component.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}_.:/@-]*[\p{L}\p{N}])?/gu) ?? [];
  const names = words.filter((word) => !kinds.has(word));
  return [...new Set(names.length > 0 ? names : words)];
}

/** In `payments-6d8f9b7c5-h9k2m` is `payments`, a pod of it; in `prepayments` it is not. */
function patternOf(name: string): RegExp {
  const word = String.raw`[\p{Script=Latin}\p{N}]`;
  return new RegExp(`(?<!${word})${escapeRegExp(name)}(?!${word})`, 'iu');
}

type Moment = { from: number; to: number; callId: string };

function checkOrder({ claims, impact }: Checked): CauseCheck {
  const momentsOf = (role: 'cause' | 'effect') =>
    claims.flatMap((claim) => (claim.role === role ? claim.quotes.filter(carries).flatMap(timesOf) : []));
  const since = momentsIn(impact?.since ?? '', 'impact.since');
  const causes = Map.groupBy(momentsOf('cause'), ({ clock }) => clock);
  const symptoms = Map.groupBy([...momentsOf('effect'), ...since], ({ clock }) => clock);
  const compared = [...causes].flatMap(([clock, moments]) => {
    const [cause, symptom] = [earliest(moments), earliest(symptoms.get(clock) ?? [])];
    return cause && symptom ? [compare(cause, symptom)] : [];
  });
  const [best] = ['holds', 'not_known', 'fails'].flatMap((wanted) =>
    compared.filter(({ result }) => result === wanted),
  );
  const lacks =
    causes.size === 0 ? 'no quoted line of the cause' : 'neither impact.since nor a quoted effect';
  const text = `${lacks} has a time to compare, with its date and zone`;
  return { check: 'order', ...(best ?? { result: 'not_known', text }) };
}

/** A time is as exact as it is written: two of one second may be in either order. */
function compare(cause: Moment, symptom: Moment): Pick<CauseCheck, 'result' | 'text'> {
  const line = `quoted line of the cause (call ${cause.callId}) is of ${toTime(cause.from)}`;
  const first = `the first symptom of ${toTime(symptom.from)}`;
  if (cause.to < symptom.from) return { result: 'holds', text: `a ${line}, ${first}` };
  return cause.from > symptom.to
    ? { result: 'fails', text: `the oldest ${line}, after ${first}` }
    : { result: 'not_known', text: `the oldest ${line}, at the same time as ${first}` };
}

type Timed = Moment & { clock: string };

function timesOf(quote: CheckedQuote): Timed[] {
  const lines = quotedLines(quote).filter(({ marked }) => marked.length > 0);
  return lines.flatMap(({ text }) => momentsIn(text, quote.callId));
}

/** Times without a zone are compared within one output, because all of its lines have the same. */
function momentsIn(line: string, callId: string): Timed[] {
  const { at, hasZone } = timeOfLine(line);
  if (at === undefined) return [];
  const isWholeSecond = at % 1_000 === 0;
  return [{ from: at, to: isWholeSecond ? at + 999 : at, callId, clock: hasZone ? 'UTC' : callId }];
}

function earliest(moments: readonly Moment[]): Moment | undefined {
  return moments.toSorted((left, right) => left.from - right.from)[0];
}

function checkAlternatives({ ruledOut }: Checked): CauseCheck {
  const refuted = ruledOut.filter(({ quotes }) => quotes.some(carries)).length;
  const all = counted(ruledOut.length, 'ruled-out explanation');
  const check = 'alternative';
  if (refuted > 0)
    return { check, result: 'holds', text: `${refuted} of ${all} with a quote that was found` };
  return { check, result: 'fails', text: `no quote that was found refutes an alternative (${all})` };
}

/** Only what is certain: one line that carries the cause, and that rules out an explanation with the cause's component. */
function checkContradictions({ rootCause, claims, ruledOut }: Checked): CauseCheck {
  const names = namesIn(rootCause?.component ?? '');
  const carried = claims.flatMap(({ role, quotes }) => (role === 'cause' ? quotes.flatMap(placesOf) : []));
  for (const { text, quotes } of ruledOut) {
    const isOfCause = names.length > 0 && names.every((name) => patternOf(name).test(text));
    const both = isOfCause ? quotes.flatMap(placesOf).find((place) => carried.includes(place)) : undefined;
    if (both !== undefined)
      return {
        check: 'contradiction',
        result: 'fails',
        text: `${both} is quoted for the cause, and for ruling out an explanation that has its component`,
      };
  }
  return { check: 'contradiction', result: 'holds', text: 'no line is quoted for the cause and against it' };
}

function placesOf({ verified, callId, position }: CheckedQuote): string[] {
  return verified && position ? [`line ${position.line} of call ${callId}`] : [];
}
