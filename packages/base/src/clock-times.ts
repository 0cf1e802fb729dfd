// Times for people: the clock in UTC, with the date only where it is another day. Pure.

const date = String.raw`\b\d{4}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?`;
/** An offset behind a blank would be the second time of a range. */
const isoTime = `${date}(?:T${clock}(?:Z\\b|[+-]\\d\\d:?\\d\\d\\b)| ${clock}(?:Z| ?UTC)\\b(?![+-]\\d))`;
/** Words in quotation marks or backticks are those of an output. */
const found = new RegExp(String.raw`"[^"\n]*"|\x60[^\x60\n]*\x60|${isoTime}`, 'g');

/**
 * The text with each time that has a date and a zone as in `05:17:38 UTC`, or `2026-11-22 05:17:38 UTC` on another day than
 * `day`, such as `2026-11-23`. A time without seconds gets none, and a quotation stays.
 */
export function withClockTimes(text: string, day: string): string {
  return text.replaceAll(found, (time) => {
    if (/^["`]/.test(time)) return time;
    const iso = time
      .replace(/ ?UTC$/, 'Z')
      .replace(' ', 'T')
      .replace(',', '.')
      .replace(/(\d\d)(\d\d)$/, '$1:$2');
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return time;
    const [shown = '', shownClock = ''] = at.toISOString().split('T');
    // the 30th of February is no day, and another one for the calendar
    if (iso.endsWith('Z') && !iso.startsWith(shown)) return time;
    const hasSeconds = /T\d\d:\d\d:/.test(iso);
    return `${shown === day ? '' : `${shown} `}${shownClock.slice(0, hasSeconds ? 8 : 5)} UTC`;
  });
}
