// Checks that an alternative to the root cause is refuted by something that shows it. Runs in Node, pure.
import { counted } from '@holdfast/base/words';
import { contentWords, wordsInCommon } from '@holdfast/report/component-names';
import { type CauseCheck, type CheckedQuote, type QuotedText, carries } from '@holdfast/report/report';
import { type Cause, namesAround, citedLines } from './cause.ts';

export function checkAlternatives(cause: Cause): CauseCheck {
  const check = 'alternative';
  const { ruledOut } = cause.report;
  const refuted = ruledOut.filter(
    (entry) => !isTheCause(entry, cause) && entry.quotes.some((quote) => refutes(quote, entry, cause)),
  );
  const all = counted(ruledOut.length, 'ruled-out explanation');
  if (refuted.length > 0)
    return { check, result: 'holds', text: `${refuted.length} of ${all} with a quote that names it` };
  const quoted = ruledOut.some(({ quotes }) => quotes.some(carries));
  const lacks = quoted
    ? 'no alternative is refuted by a line of its own, of a call that names it'
    : 'no quote that was found refutes an alternative';
  return { check, result: 'fails', text: `${lacks} (${all})` };
}

/** The line is none of the cause, and it, its call or its output names what is ruled out. */
function refutes(quote: CheckedQuote, { text }: QuotedText, { quotes, calls }: Cause): boolean {
  if (!carries(quote)) return false;
  const ofCause = new Set(quotes.flatMap(citedLines));
  if (citedLines(quote).some((place) => ofCause.has(place))) return false;
  const names = [...contentWords(text)].map((word) => ({ said: word, words: [word] }));
  return namesAround(names, quote, calls).length > 0;
}

/** The least share of the words of an explanation that are those of the cause. */
const mostAlike = 0.6;

/** True for an explanation that says of the component what the root cause says. */
export function isTheCause({ text }: Pick<QuotedText, 'text'>, { report }: Cause): boolean {
  const { component = '', kind = '', text: said = '' } = report.rootCause ?? {};
  // behind a colon stands why it does not hold
  const [explanation = ''] = text.split(/[:;—]/);
  const [own, causes] = [contentWords(explanation), contentWords(`${component} ${kind} ${said}`)];
  const component_ = contentWords(component);
  const shared = wordsInCommon(own, causes);
  const beyond = shared.filter((word) => !component_.has(word));
  return (
    own.size > 1 &&
    beyond.length > 0 &&
    shared.some((word) => component_.has(word)) &&
    shared.length / own.size >= mostAlike
  );
}
