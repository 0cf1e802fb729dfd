// The cause of a report, as its checks look at it: names, quotes, and the calls that they are of. Runs in Node, pure.
import { textOf } from '@holdfast/vocabulary/messages';
import { type Name, nameFinder, toComponentNames } from '@holdfast/report/component-names';
import { quotedLines } from '@holdfast/report/quotes/quoted-lines';
import { type CheckedClaim, type CheckedQuote, type Report, carries } from '@holdfast/report/report';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import { type LoggedCall, type LoggedCalls, toArguments } from '@holdfast/stored/logged-calls';
import { isWrittenIn } from '../check-quotes.ts';
import { textsOf } from '../gaps.ts';

export type Checked = Pick<
  Report,
  'rootCause' | 'claims' | 'ruledOut' | 'timeline' | 'impact' | 'hypotheses'
>;

/** `quotes` are those of the cause that were found and carry it. */
export type Cause = {
  report: Checked;
  calls: LoggedCalls;
  names: Name[];
  claims: readonly CheckedClaim[];
  quotes: CheckedQuote[];
};

export function toCause(report: Checked, calls: LoggedCalls): Cause {
  const claims = causeClaims(report.claims);
  return {
    report,
    calls,
    names: toComponentNames(report.rootCause?.component ?? ''),
    claims,
    quotes: claims.flatMap(({ quotes }) => quotes.filter(carries)),
  };
}

/** Without a claim of this role the first one counts: it is the most important. */
function causeClaims(claims: readonly CheckedClaim[]): readonly CheckedClaim[] {
  const named = claims.filter(({ role }) => role === 'cause');
  return named.length > 0 ? named : claims.slice(0, 1);
}

/** Such as `line 4 of call c2`; none for a quote that was not found. */
export function citedLines(quote: CheckedQuote): string[] {
  if (!quote.verified) return [];
  return hitLines(quote).map(({ number }) => `line ${number} of call ${quote.callId}`);
}

export function hitLines(quote: CheckedQuote): { number: number; text: string }[] {
  return quotedLines(quote).filter(({ marked }) => marked.length > 0);
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
 * The names that a quote brings: in its lines, in the arguments of its call, or in its output where that does not only
 * repeat an argument.
 */
export function namesAround(names: readonly Name[], quote: CheckedQuote, calls: LoggedCalls): Name[] {
  const logged = calls.get(quote.callId);
  if (!logged || !isLook(logged)) return [];
  const lines = withoutOwnWords(
    hitLines(quote).map(({ text }) => text),
    logged,
  );
  const finders = [...lines, argumentWords(logged), outputText(logged)].map(nameFinder);
  return names.filter((name) => finders.some((finds) => finds(name)));
}

/** True for a call that has shown a part of the system. */
export function isLook({ call, result }: LoggedCall): boolean {
  return result !== undefined && !result.isError && !repeating.has(call.name);
}

/** Without the texts in quotation marks of a command, which may say anything. */
export function argumentWords({ call }: LoggedCall): string {
  const { command, ...others } = toArguments(call);
  const words = typeof command === 'string' ? command.replaceAll(/"[^"]*"|'[^']*'/g, ' ') : '';
  const isEcho = /\b(?:echo|printf)\b/.test(words);
  return [isEcho ? '' : words, ...textsOf(others)].join('\n');
}

function outputText(logged: LoggedCall): string {
  const text = logged.result ? textOf(logged.result) : '';
  return withoutOwnWords(text.split('\n'), logged).join('\n');
}

/** Drops the lines that only repeat an argument. */
function withoutOwnWords(lines: readonly string[], { call }: LoggedCall): string[] {
  const written = textsOf(toArguments(call));
  return lines.filter((line) => !written.some((given) => isWrittenIn(given, line)));
}
