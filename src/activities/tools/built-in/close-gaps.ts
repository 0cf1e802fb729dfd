// Which gaps "outcome unknown" are closed: those where a later read of the same object is quoted. Runs in Node, pure.
import type { Json } from '../../../core/base/json.ts';
import { textOf } from '../../../core/model/messages.ts';
import type { CheckedClaim, CheckedQuote, Gap } from '../../../core/report/report.ts';
import { argumentsOf } from './logged-calls.ts';
import type { LoggedCall, LoggedCalls } from './logged-calls.ts';
import type { ToolContext } from '../tool-handler.ts';

type Specs = Pick<ToolContext, 'toolSpec'>;

/**
 * A read is later when it was called after the unknown outcome was in the log: one of the same reply may have looked
 * before. It is of the same object when every main argument of the unknown call (its `summaryArguments`, or all) is
 * named, as a whole word, by the read's arguments or by the quote. All of them, because one alone (a service) says too
 * little; a call without arguments names no object, and its gap stays.
 */
export function closeGaps(gaps: Gap[], claims: CheckedClaim[], calls: LoggedCalls, specs: Specs): Gap[] {
  const quotes = claims.flatMap((claim) => claim.quotes).filter((quote) => quote.verified);
  return gaps.map((gap) => {
    const unknown = gap.callId === undefined ? undefined : calls.get(gap.callId);
    if (unknown === undefined || !isUnknown(unknown)) return gap;
    const closedBy = quotes.find((quote) => tellsOutcome(quote, unknown, calls.get(quote.callId), specs));
    return closedBy === undefined ? gap : { ...gap, closedBy };
  });
}

/** The words of every answer that leaves it open whether a call took effect: lost worker, stop, time limit. */
function isUnknown({ result }: LoggedCall): boolean {
  return result !== undefined && result.isError && /\bmay have taken effect\b/.test(textOf(result));
}

function tellsOutcome(
  { quote }: CheckedQuote,
  unknown: LoggedCall,
  read: LoggedCall | undefined,
  { toolSpec }: Specs,
): boolean {
  if (read?.result === undefined || read.result.isError) return false;
  if (read.seq < (unknown.result?.seq ?? Infinity)) return false;
  if (toolSpec(read.call.name)?.effect !== 'read') return false;
  const args = argumentsOf(unknown.call);
  const names = toolSpec(unknown.call.name)?.summaryArguments ?? Object.keys(args);
  const wanted = names.flatMap((name) => wordsOf(args[name]));
  const told = [...wordsOf(argumentsOf(read.call)), quote].join('\n');
  return wanted.length > 0 && wanted.every((word) => hasWord(told, word));
}

/** Texts and numbers at any depth; true and false name nothing. */
function wordsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => wordsOf(item));
}

/** `d-51` is not in `d-513`, nor `shop` in `shop-db`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (!isJoined(text[at - 1], word[0]) && !isJoined(word.at(-1), text[end])) return true;
  }
  return false;
}

function isJoined(left = ' ', right = ' '): boolean {
  return /^[\p{L}\p{N}_-]{2}$/u.test(left + right);
}
