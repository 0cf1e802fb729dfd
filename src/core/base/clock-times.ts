// Times for people: the clock in UTC, with the date only where it is another day. Pure.

const isoTime = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z\b| ?UTC\b|[+-]\d\d:?\d\d\b)/;
/** Words in quotation marks or backticks are those of an output. */
const found = new RegExp(`"[^"\\n]*"|\`[^\`\\n]*\`|${isoTime.source}`, 'g');

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
    const [date = '', clock = ''] = at.toISOString().split('T');
    const hasSeconds = /T\d\d:\d\d:/.test(iso);
    return `${date === day ? '' : `${date} `}${clock.slice(0, hasSeconds ? 8 : 5)} UTC`;
  });
}
