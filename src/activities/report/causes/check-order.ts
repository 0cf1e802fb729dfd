// Checks that a root cause came before the first symptom. Runs in Node, pure.
import { type Moment, momentsIn } from '@holdfast/base/line-time';
import { counted } from '@holdfast/base/words';
import { type CauseCheck, type CheckedClaim, type CheckedQuote, carries } from '@holdfast/report/report';
import { endOfCall, type LoggedCalls } from '@holdfast/stored/logged-calls';
import { toIso } from '../describe-call.ts';
import { saysWrong, weightOf } from '../decisive-lines.ts';
import { type Cause, hitLines, citedLines } from './cause.ts';

/** Times with a zone have one clock; those without have that of their output, because all its lines have the same. */
type Event = { moment: Moment; clock: string; callId: string };
type OrderVerdict = Pick<CauseCheck, 'result' | 'text'>;
/** `isSame`: the two times may be either before the other. */
type Order = OrderVerdict & { distance?: number; isSame?: true };

/** Kinds of causes that happen at a time; others are states, which are read at any time. */
const happens =
  /\b(?:deploy|release|roll(?:ed|ing)?[ -]?(?:out|back)|change[ds]?\b|restart|reboot|expir|upgrad|migrat|failover|fail-over|scal(?:ed|ing)|switch|delet|cutover)/i;

const dayMs = 86_400_000;
/** An event that is older explains nothing by itself. */
const longestMs = 7 * dayMs;

function isEvent(kind: string): boolean {
  return happens.test(kind);
}

/** `symptoms`: those of `symptomsOf`. */
export function checkOrder(cause: Cause, symptoms: readonly Event[]): CauseCheck {
  const kind = cause.report.rootCause?.kind ?? '';
  const causes = cause.quotes.flatMap((quote) => eventsOf(quote, cause.calls));
  const byClock = Map.groupBy(symptoms, ({ clock }) => clock);
  const compared = [...Map.groupBy(causes, ({ clock }) => clock)].flatMap(([clock, events]) => {
    const [oldest, symptom] = [earliest(events), earliest(byClock.get(clock) ?? [])];
    return oldest && symptom ? [compare(oldest, symptom)] : [];
  });
  const [best] = ['holds', 'not_known', 'fails'].flatMap((wanted) =>
    compared.filter(({ result }) => result === wanted),
  );
  const found: Order = best ?? (isEvent(kind) ? asUtc(causes, symptoms) : undefined) ?? unknownOrder(causes);
  const symptom = firstSymptom(symptoms);
  // a date in a row of data is no time of its line
  const isOld = symptom !== undefined && causes.every(({ moment }) => symptom.from - moment.to > longestMs);
  const isOfEvent = isEvent(kind) || (found.result === 'fails' && cause.quotes.some(isChange));
  // what was so for weeks does not say why it begins now
  if (isOfEvent || (found.result === 'holds' && isOld))
    return { check: 'order', ...asEvent(found, kind, isOld) };
  const { result, text } = found;
  // a state is read when it is looked at, and may have been so before
  return { check: 'order', text, result: result === 'fails' ? 'not_known' : result };
}

/** Most hosts have UTC: times without a zone may show so that the cause came first, and never that it came later. */
function asUtc(causes: readonly Event[], symptoms: readonly Event[]): Order | undefined {
  const [oldest, symptom] = [earliest(causes), earliest(symptoms)];
  const compared = oldest && symptom && compare(oldest, symptom);
  return compared && compared.result !== 'fails'
    ? { ...compared, text: `${compared.text}, if both are of UTC` }
    : undefined;
}

function unknownOrder(causes: readonly Event[]): Order {
  const lacks = causes.length === 0 ? 'no quoted line of the cause' : 'no symptom';
  return { result: 'not_known', text: `${lacks} has a time to compare, with its date and zone` };
}

function asEvent(found: Order, kind: string, isOld: boolean): OrderVerdict {
  const { distance = 0, isSame, result, text } = found;
  if (result === 'holds' && isOld)
    return { result: 'fails', text: `${text}: ${counted(Math.floor(distance / dayMs), 'day')} before it` };
  if (result !== 'not_known' || isSame) return { result, text };
  return { result: 'fails', text: `${text}; a cause of the kind "${kind}" has one` };
}

function eventsOf(quote: CheckedQuote, calls: LoggedCalls): Event[] {
  const logged = calls.get(quote.callId);
  const day = logged?.result ? endOfCall(logged.result) : undefined;
  return hitLines(quote).flatMap(({ text }) => {
    const moments = momentsIn(text, day).map((moment) => toEvent(moment, quote.callId));
    return earliest(moments) ?? [];
  });
}

function toEvent(moment: Moment, callId: string): Event {
  return { moment, callId, clock: moment.hasZone ? 'UTC' : callId };
}

/** Quoted lines that are none of the cause, the start of the alert, and the time that the agent gives. */
export function symptomsOf({ report, claims, quotes, calls }: Cause, alertedAt: Moment | undefined): Event[] {
  const ofCause = new Set(quotes.flatMap(citedLines));
  const others = report.claims.filter((claim) => !claims.includes(claim));
  const quoted = others.flatMap(({ role, quotes: theirs }) =>
    failuresFirst(theirs.filter(carries), role).filter((quote) => role === 'effect' || !isChange(quote)),
  );
  const day = [...calls.values()].findLast(({ result }) => result !== undefined)?.at;
  const given = momentsIn(report.impact?.since ?? '', day).map((each) => toEvent(each, 'impact.since'));
  const alert = alertedAt === undefined ? [] : [toEvent(alertedAt, 'of the alert')];
  return withoutCoarse([
    ...quoted
      .filter((quote) => !citedLines(quote).some((place) => ofCause.has(place)))
      .flatMap((quote) => eventsOf(quote, calls)),
    ...given,
    ...alert,
  ]);
}

/** Beside a line that failed, one that did not shows how it was before; so does one of the background. */
function failuresFirst(quotes: CheckedQuote[], role: CheckedClaim['role']): CheckedQuote[] {
  const failed = quotes.filter((quote) => hitLines(quote).some(({ text }) => saysWrong(text)));
  return failed.length > 0 || role === 'background' ? failed : quotes;
}

/** A minute says less than a second of it. */
function withoutCoarse(events: readonly Event[]): Event[] {
  return events.filter(
    ({ moment, clock }) =>
      !events.some(
        (other) =>
          other.clock === clock &&
          other.moment.from >= moment.from &&
          other.moment.to <= moment.to &&
          other.moment.to - other.moment.from < moment.to - moment.from,
      ),
  );
}

/** Says what was changed, and nothing that went wrong: no symptom, unless it is named as an effect. */
function isChange(quote: CheckedQuote): boolean {
  return hitLines(quote).every(({ text }) => weightOf(text) === 2);
}

/** A time is as exact as it is written: two of one second may be in either order. */
function compare(cause: Event, symptom: Event): Order {
  const line = `quoted line of the cause (call ${cause.callId}) is of ${toIso(cause.moment.from)}`;
  const first = `the first symptom of ${toIso(symptom.moment.from)}`;
  if (cause.moment.to < symptom.moment.from)
    return {
      result: 'holds',
      text: `a ${line}, ${first}`,
      distance: symptom.moment.from - cause.moment.from,
    };
  return cause.moment.from > symptom.moment.to
    ? { result: 'fails', text: `the oldest ${line}, after ${first}` }
    : { result: 'not_known', text: `the oldest ${line}, at the same time as ${first}`, isSame: true };
}

/** Undefined where no symptom has a time with its zone. */
export function firstSymptom(symptoms: readonly Event[]): Moment | undefined {
  return earliest(symptoms.filter(({ moment }) => moment.hasZone))?.moment;
}

function earliest(events: readonly Event[]): Event | undefined {
  return events.toSorted((left, right) => left.moment.from - right.moment.from)[0];
}
