// Finds the times in a line, in the usual forms of logs, commands and people. Pure.

/** `at` in milliseconds since 1970, as if in UTC where the line names no zone. `rest` is the line without its time. */
export type TimedLine = { at?: number; hasZone: boolean; rest: string };

/** In milliseconds since 1970: the first and the last one of a time, as exact as it is written. */
export type Moment = { from: number; to: number; hasZone: boolean };

/** Characters of a line in which its own time is looked for: JSON has it behind some fields. */
const headLength = 160;
/** Characters of a line in which all times are looked for. */
const reach = 2_000;

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const clock = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?(?!\d)`;
const zone = String.raw`(?: ?(?<zone>z\b|utc\b|gmt\b|[+-]\d\d:?\d\d))?`;

const forms = [
  // RFC 3339, journalctl's short-iso, nginx errors; in brackets, JSON and logfmt too
  String.raw`(?<!\d)(?<year>\d{4})[-/](?<monthNumber>\d\d)[-/](?<day>\d\d)[t ]${clock}${zone}`,
  // access logs of nginx and Apache
  String.raw`(?<!\d)(?<day>\d\d)/${month}/(?<year>\d{4}):${clock}${zone}`,
  // RFC 1123
  String.raw`(?<!\d)(?<day>\d{1,2}) ${month} (?<year>\d{4}),? ${clock}${zone}`,
  // syslog, Apache errors, certificates; with a weekday before them
  String.raw`(?:\b(?:mon|tue|wed|thu|fri|sat|sun),? )?\b${month} {1,2}(?<day>\d{1,2}) ${clock}(?: (?<year>\d{4})\b)?${zone}`,
  // klog
  String.raw`^[iwef](?<monthNumber>\d\d)(?<day>\d\d) ${clock}`,
  // seconds since 1970, also milliseconds, microseconds and nanoseconds; at the head, or the time of a JSON line
  String.raw`(?:^\[?|"(?:ts|time|timestamp)": ?"?)(?<seconds>1\d{9})(?:\.(?<fraction>\d{1,9})|(?<fraction>\d{3,9}))?(?!\d)`,
  // a time of the day, with its zone
  String.raw`(?<![\d:.-])${clock} ?(?<zone>z\b|utc\b|gmt\b|[+-]\d\d:\d\d)`,
].map((form) => new RegExp(form, 'giu'));

/** The years of lines without one: a leap year, so that each day is there. */
export const noYear = 2000;

/** The time that a log line carries at its head, to the second. */
export function timeOfLine(line: string): TimedLine {
  const head = line.slice(0, headLength);
  for (const form of forms) {
    for (const { 0: read, index, groups = {} } of head.matchAll(form)) {
      const isExact = (groups['second'] ?? groups['seconds']) !== undefined;
      const moment = isExact ? toMoment(groups, undefined) : undefined;
      if (!moment) continue;
      const rest = line.slice(0, index) + line.slice(index + read.length);
      return { at: moment.from, hasZone: moment.hasZone, rest };
    }
  }
  return { hasZone: false, rest: line };
}

/** `day` is a time on the day that times without a date, and dates without a year, belong to. */
export function momentsIn(line: string, day?: number): Moment[] {
  let text = line.slice(0, reach);
  const found: Moment[] = [];
  for (const form of forms) {
    for (const { groups = {} } of text.matchAll(form)) {
      const moment = toMoment(groups, day);
      if (moment) found.push(moment);
    }
    // what one form has read is none of another
    text = text.replaceAll(form, (read) => ' '.repeat(read.length));
  }
  return found;
}

type Parts = { readonly [part: string]: string | undefined };

/** Undefined for what only looks like a time, and for one without a date where the day is unknown. */
function toMoment(parts: Parts, day: number | undefined): Moment | undefined {
  const fractionMs = Math.floor(Number(`0.${parts['fraction'] ?? 0}`) * 1_000);
  const width = parts['fraction'] !== undefined ? 1 : parts['second'] === undefined ? 60_000 : 1_000;
  if (parts['seconds'] !== undefined) {
    const from = Number(parts['seconds']) * 1_000 + fractionMs;
    return { from, to: from + (parts['fraction'] === undefined ? 999 : 0), hasZone: true };
  }
  const date = dateOf(parts, day);
  if (date === undefined) return undefined;
  const [hour, minute, second] = ['hour', 'minute', 'second'].map((part) => Number(parts[part] ?? 0));
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 60) return undefined;
  const at = date + (((hour ?? 0) * 60 + (minute ?? 0)) * 60 + (second ?? 0)) * 1_000 + fractionMs;
  const from = at - offsetMs(parts['zone']);
  return { from, to: from + width - 1, hasZone: parts['zone'] !== undefined };
}

function dateOf(parts: Parts, day: number | undefined): number | undefined {
  const known = day === undefined ? undefined : new Date(day);
  if (parts['day'] === undefined) return known?.setUTCHours(0, 0, 0, 0);
  const named = monthNames.indexOf(parts['month']?.toLowerCase() ?? '');
  const monthIndex = named < 0 ? Number(parts['monthNumber']) - 1 : named;
  const year = Number(parts['year'] ?? known?.getUTCFullYear() ?? noYear);
  const date = Date.UTC(year, monthIndex, Number(parts['day']));
  return monthIndex < 12 && new Date(date).getUTCDate() === Number(parts['day']) ? date : undefined;
}

function offsetMs(named = 'z'): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(named) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -size : size;
}
