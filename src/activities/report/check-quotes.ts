// Looks quotes up in the stored outputs of the calls of this session and its delegated sessions. Runs in Node; reads the
// store, writes nothing.
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { defined } from '@holdfast/base/defined';
import { redactionMarks } from '@holdfast/base/redaction-marks';
import type { Cut } from '@holdfast/report/quotes/cut-quote';
import { quotedLines } from '@holdfast/report/quotes/quoted-lines';
import type { CheckedQuote } from '@holdfast/report/report';
import { type ArtifactReader, toolOutputId } from '@holdfast/stored/artifact-names';
import { toArguments, type LoggedCall, type LoggedCalls } from '@holdfast/stored/logged-calls';
import { isIndexName } from '@holdfast/stored/stored-output';
import type { ToolContext } from '../tools/define-tool.ts';
import { type FoundPlace, type LookedUp, lookUpQuotes } from './look-up-quotes.ts';
import { textsOf } from './gaps.ts';
import { toQuoteSource } from './quote-source.ts';
import { type WorkLimit, workLimit } from './work-limit.ts';

type Session = Pick<ToolContext, 'sessionId' | 'toolSpec' | 'redact' | 'signal'> & {
  artifacts: ArtifactReader;
};
type Quote = { callId: string; quote: string };
/** The session and its calls, in which quotes are looked up within the limit. */
type LookupScope = { session: Session; calls: LoggedCalls; limit: WorkLimit };

/** Processor time in all. */
const defaultLookUpMs = 30_000;
/** On a busy machine: below the time limit of the report, which must still be stored. */
const longestMs = 120_000;

/** Looks all of them up, and returns a function from a quote to its mark. Rejects if the store cannot be read. */
export async function checkQuotes(
  quotes: readonly Quote[],
  session: Session,
  calls: LoggedCalls,
  lookUpMs: number = defaultLookUpMs,
): Promise<(quote: Quote) => CheckedQuote> {
  const outOfTime = new AbortController();
  const timer = setTimeout(() => outOfTime.abort(), longestMs);
  const limit = workLimit(lookUpMs, AbortSignal.any([session.signal, outOfTime.signal]));
  const place = { session, calls, limit };
  try {
    const lookedUp = await lookUpAll(quotes, place);
    const lost = quotes.filter((quote) => !lookedUp(quote)?.found.has(quote.quote));
    const elsewhere = await findElsewhere(lost, place);
    return (quote) => checkQuote(quote, lookedUp(quote), elsewhere.get(quote.quote), place);
  } finally {
    clearTimeout(timer);
  }
}

/** In the output of the call that each quote names; one output after the other, so that few are in memory. */
async function lookUpAll(
  quotes: readonly Quote[],
  { session, calls, limit }: LookupScope,
): Promise<(quote: Quote) => LookedUp | undefined> {
  const ownOf = ({ callId }: Quote) => outputOf(callId, calls.get(callId), session);
  const byOutput = Map.groupBy(quotes, (quote) => ownOf(quote).key);
  const outputs = new Map(quotes.map((quote) => [ownOf(quote).key, ownOf(quote)]));
  const lookedUp = new Map<string, LookedUp>();
  for (const { key, artifactId, sessionId } of longLast(outputs.values())) {
    const wanted = byOutput.get(key)?.map(({ quote }) => quote) ?? [];
    const place = { ...session, sessionId, isNearEnough: true };
    lookedUp.set(key, await lookUpQuotes(artifactId, wanted, place, limit));
  }
  return (quote) => lookedUp.get(ownOf(quote).key);
}

function checkQuote(
  named: Quote,
  looked: LookedUp | undefined,
  other: Elsewhere | undefined,
  { session, calls }: LookupScope,
): CheckedQuote {
  const { callId, quote } = named;
  const place = looked?.found.get(quote);
  if (place) return toFound(named, calls.get(callId), place, session);
  if (other?.isOnly)
    return {
      ...toFound({ callId: other.logged.id, quote }, other.logged, other.place, session),
      namedCallId: callId,
    };
  const where =
    other === undefined ? '' : `; it is in the output of call ${other.logged.id} (${other.logged.call.name})`;
  const reason = whyNotFound(named, looked, calls) + where;
  return { ...headOf(named, calls.get(callId), session), verified: false, reason };
}

function headOf({ callId, quote }: Quote, logged: LoggedCall | undefined, session: Session) {
  const source = logged && toQuoteSource(logged, session);
  return { callId, quote, ...defined({ source, redacted: unlessEmpty(redactionMarks(quote)) }) };
}

function toFound(
  named: Quote,
  logged: LoggedCall | undefined,
  place: FoundPlace,
  session: Session,
): CheckedQuote {
  const { position, context } = place;
  const weak = weaknessOf(logged, place);
  return {
    ...headOf(named, logged, session),
    verified: true,
    position,
    context,
    ...defined({ near: place.near, isRemoved: place.isRemoved || undefined, weak }),
  };
}

/** The reason why a found quote is too weak to carry a claim alone; undefined if it is not. */
function weaknessOf(logged: LoggedCall | undefined, place: FoundPlace): string | undefined {
  if (logged?.result?.isError) return ofFailedCall;
  if (place.isHeader) return ofHeader;
  if (place.cut) return ofCut[place.cut];
  return isOfArguments(logged, place) ? ofArguments : undefined;
}

const ofFailedCall = 'that call failed';
const ofHeader = 'it is the header of a table, which shows no value';
const ofCut: Record<Cut, string> = {
  token: 'it begins or ends within a word or a number, which may say something else',
  turned: 'it leaves out words of its line that may turn what it says: a negation, a condition, a value',
  far: 'it joins parts that are far from each other',
};
const ofArguments = 'the arguments of its call have these words: they are what the agent wrote';

/** True for e.g. `echo`, whose output repeats its command. One word alone may be a path that exists. */
function isOfArguments(logged: LoggedCall | undefined, { context }: Pick<FoundPlace, 'context'>): boolean {
  const written = logged ? textsOf(toArguments(logged.call)) : [];
  const lines = quotedLines({ context }).flatMap(({ text, marked }) => (marked.length > 0 ? [text] : []));
  return (
    lines.some((line) => /\s/.test(line.trim())) &&
    lines.every((line) => written.some((given) => isWrittenIn(given, line)))
  );
}

function whyNotFound({ callId, quote }: Quote, looked: LookedUp | undefined, calls: LoggedCalls): string {
  const lost = looked?.lost.get(quote);
  if (lost === 'short') return 'it is shorter than 12 characters and no whole line of that output';
  if (lost === 'apart')
    return 'its lines are in that output, but not together as it has them: quote one line, or copy all between, with blanks and prefixes';
  if (looked?.state === 'no output') return whyNoOutput(callId, calls);
  if (looked?.state === 'searched') return 'it is not in the output of that call';
  return 'not looked up: the time was over before all of that output was searched';
}

function whyNoOutput(callId: string, calls: LoggedCalls): string {
  const result = calls.get(callId)?.result;
  if (result === undefined) return 'there is no such call in this session, nor in one that it delegated to';
  if (result.toolName === 'report') return 'a report is no evidence';
  if (result.toolName === 'delegate')
    return 'the words of another agent are no evidence: quote the output of a call that it made';
  return 'that call has no stored output (it did not run, or its output was not kept)';
}

/** The first place of a quote outside the named call. `isOnly`: no other call has it, and this one only once. */
type Elsewhere = { logged: LoggedCall; place: FoundPlace; isOnly: boolean };

/**
 * By quote. Models mix up call ids: a unique place was meant, and of several one is reported, so that one more report
 * corrects it. Long outputs are searched only to decide whether a place is unique.
 */
async function findElsewhere(
  quotes: readonly Quote[],
  { session, calls, limit }: LookupScope,
): Promise<Map<string, Elsewhere>> {
  const found = new Map<string, Elsewhere>();
  const wanted = new Set(quotes.map(({ quote }) => quote));
  const outputs = new Map(
    [...calls.values()].flatMap((logged) => {
      const output = outputOf(logged.id, logged, session);
      return logged.result ? [[output.key, { logged, ...output }] as const] : [];
    }),
  );
  for (const { logged, artifactId, sessionId } of longLast(outputs.values())) {
    const open = isIndexName(artifactId) ? unique(found) : wanted;
    if (open.size === 0) continue;
    const looked = await lookUpQuotes(
      artifactId,
      open,
      { ...session, sessionId, isNearEnough: false },
      limit,
    );
    for (const quote of open) {
      const place = looked.found.get(quote);
      const before = found.get(quote);
      if (looked.state === 'unfinished' || (place && before)) {
        if (before) before.isOnly = false;
      } else if (place) found.set(quote, { logged, place, isOnly: place.isOnly && place.cut === undefined });
    }
  }
  return found;
}

function unique(found: ReadonlyMap<string, Elsewhere>): Set<string> {
  return new Set([...found].flatMap(([quote, { isOnly }]) => (isOnly ? [quote] : [])));
}

type Output = { artifactId: string; sessionId: string; key: string };

function outputOf(
  callId: string,
  logged: LoggedCall | undefined,
  session: Pick<Session, 'sessionId'>,
): Output {
  const { sessionId } = logged?.by ?? session;
  const artifactId = logged?.result?.artifactId ?? toolOutputId(logged?.call.callId ?? callId);
  return { artifactId, sessionId, key: `${sessionId} ${artifactId}` };
}

/** The long ones last, so that they take no time from the others. */
function longLast<Each extends Output>(outputs: Iterable<Each>): Each[] {
  const isLong = ({ artifactId }: Output): number => Number(isIndexName(artifactId));
  return [...outputs].sort((left, right) => isLong(left) - isLong(right));
}

/** True for a line of output that only repeats the command that printed it, as `echo` does. */
export function isWrittenIn(command: string, line: string): boolean {
  return withoutQuoting(command).includes(withoutQuoting(line));
}

function withoutQuoting(text: string): string {
  return text.replaceAll(/['"\\]/g, '').trim();
}
