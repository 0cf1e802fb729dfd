// Finds the time that a log line carries at its head, in the usual forms. Pure.

/** `at` in milliseconds since 1970, as if in UTC where the line names no zone. `rest` is the line without its time. */
export type TimedLine = { at?: number; hasZone: boolean; rest: string };

/** Characters of a line in which its time is looked for: JSON has it behind some fields. */
const headLength = 160;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const clock = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?`;
const zone = String.raw`(?: ?(?<zone>z\b|utc\b|[+-]\d\d:?\d\d))?`;

const forms = [
  // RFC 3339, journalctl's short-iso, nginx errors; in brackets, JSON and logfmt too
  String.raw`(?<!\d)(?<year>\d{4})[-/](?<monthNumber>\d\d)[-/](?<day>\d\d)[t ]${clock}${zone}`,
  // access logs of nginx and Apache
  String.raw`(?<!\d)(?<day>\d\d)/${month}/(?<year>\d{4}):${clock}${zone}`,
  // syslog and Apache errors
  String.raw`(?:\b(?:mon|tue|wed|thu|fri|sat|sun),? )?\b${month} {1,2}(?<day>\d{1,2}) ${clock}(?: (?<year>\d{4})\b)?`,
  // klog
  String.raw`^[iwef](?<monthNumber>\d\d)(?<day>\d\d) ${clock}`,
  // seconds since 1970, also milliseconds, microseconds and nanoseconds; at the head, or the time of a JSON line
  String.raw`(?:^\[?|"(?:ts|time|timestamp)": ?"?)(?<seconds>1\d{9})(?:\.(?<fraction>\d{1,9})|(?<fraction>\d{3,9}))?(?!\d)`,
].map((form) => new RegExp(form, 'i'));

/** The years of lines without one: a leap year, so that each day is there. */
export const noYear = 2000;

export function timeOfLine(line: string): TimedLine {
  const head = line.slice(0, headLength);
  for (const form of forms) {
    const found = form.exec(head);
    const at = found?.groups && toMs(found.groups);
    if (!found || at === undefined) continue;
    const { zone: named, seconds } = found.groups ?? {};
    const rest = line.slice(0, found.index) + line.slice(found.index + found[0].length);
    return { at, hasZone: (named ?? seconds) !== undefined, rest };
  }
  return { hasZone: false, rest: line };
}

type Parts = { readonly [part: string]: string | undefined };

/** Undefined for what only looks like a time. */
function toMs(parts: Parts): number | undefined {
  const fractionMs = Math.floor(Number(`0.${parts['fraction'] ?? 0}`) * 1_000);
  if (parts['seconds'] !== undefined) return Number(parts['seconds']) * 1_000 + fractionMs;
  const named = months.indexOf(parts['month']?.toLowerCase() ?? '');
  const monthIndex = named < 0 ? Number(parts['monthNumber']) - 1 : named;
  const [day, hour, minute, second] = ['day', 'hour', 'minute', 'second'].map((part) => Number(parts[part]));
  const year = Number(parts['year'] ?? noYear);
  const at = Date.UTC(year, monthIndex, day, hour, minute, second, fractionMs);
  const isReal = monthIndex < 12 && new Date(at).getUTCDate() === day;
  return isReal ? at - offsetMs(parts['zone']) : undefined;
}

function offsetMs(named = 'z'): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(named) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -size : size;
}
