// Words for people: numbers of things, times with their zone, time left to a deadline, new parts of a growing text.
// Pure: the clock and the zone are arguments.
import { present } from './present.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Within this distance a weekday names one day only. */
const weekdayMs = 6 * dayMs;

/**
 * Such as `in 23 h 58 min, Sun 21:06 EST`, or `2 min ago, Sun 21:06 EST` after the deadline. `timeZone` is an IANA
 * name; absent, it is the zone of the process.
 */
export function describeDeadline(deadline: number, now: number, timeZone?: string): string {
  const left = deadline - now;
  const span = left > 0 ? `in ${toTimeLeft(left)}` : `${toTimeLeft(-left)} ago`;
  return `${span}, ${describeMoment(deadline, now, timeZone)}`;
}

/** Such as `Sun 21:06 EST`, with the date if the weekday could mean another week. */
export function describeMoment(at: number, now: number, timeZone?: string): string {
  const isNear = Math.abs(at - now) < weekdayMs;
  const named: Intl.DateTimeFormatOptions = isNear
    ? { weekday: 'short' }
    : { day: 'numeric', month: 'short', year: 'numeric' };
  const format = new Intl.DateTimeFormat('en-US', {
    ...named,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone,
  });
  const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = isNear ? part.get('weekday') : `${part.get('day')} ${part.get('month')} ${part.get('year')}`;
  return `${day} ${part.get('hour')}:${part.get('minute')} ${part.get('timeZoneName')}`;
}

/** Such as `2026-11-28T03:12:30Z`: whole seconds in UTC, so that texts sort as times do. */
export function toSecond(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

const utcParts = { day: [0, 10], minute: [0, 16], second: [0, 19], clock: [11, 19] } as const;

type UtcPart = keyof typeof utcParts;

/** Such as `2026-11-28 03:12:30`: all or a part of it in UTC, for places that say the zone otherwise, or need none. */
export function toUtc(at: number, part: UtcPart): string {
  return toSecond(at)
    .slice(...utcParts[part])
    .replace('T', ' ');
}

/** Such as `2026-11-28 03:12:30 UTC`, whatever the zone of the process. */
export function describeTime(at: number, part: UtcPart = 'second'): string {
  return `${toUtc(at, part)} UTC`;
}

/** Rounded down, so that no more time is promised than there is. */
export function toTimeLeft(milliseconds: number): string {
  if (milliseconds < minuteMs) return `${Math.floor(milliseconds / 1_000)} s`;
  const minutes = Math.floor(milliseconds / minuteMs) % 60;
  const hours = Math.floor(milliseconds / hourMs);
  if (hours === 0) return `${minutes} min`;
  if (hours < 48) return `${hours} h ${minutes} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The words with a capital letter at the beginning. */
export function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `1 turn`, `2 turns`; `many` is an irregular plural. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The lines of an answer, and after them in brackets what else is to be said. */
export function withNotices(lines: readonly string[], notices: readonly string[]): string {
  return present([...lines, notices.length > 0 && `[${notices.join('; ')}]`]).join('\n');
}

/** Characters compared to find the place again. */
const overlap = 80;

/** The text that `now` adds; undefined if the two do not overlap, because a part was missed or the text began anew. */
export function newText(before: string, now: string): string | undefined {
  if (now.startsWith(before)) return now.slice(before.length);
  const tail = before.slice(-overlap);
  const at = now.lastIndexOf(tail);
  return tail === '' || at < 0 ? undefined : now.slice(at + tail.length);
}

/** Such as `$0.0031`, or `$1.20` from one dollar on. */
export function toCost(costUsd: number): string {
  return `$${costUsd >= 1 || costUsd === 0 ? costUsd.toFixed(2) : costUsd.toPrecision(2)}`;
}

type Cost = { costUsd: number; costUnknown?: boolean | undefined };

/** For programs: a sum of prices has more digits than anybody can use. */
export function roundUsd(costUsd: number): number {
  return Math.round(costUsd * 1e4) / 1e4;
}

/** The cost without models of unknown price, and says so: `cost unknown`, `at least $0.12`. */
export function describeCost({ costUsd, costUnknown }: Cost): string {
  if (!costUnknown) return toCost(costUsd);
  return costUsd === 0 ? 'cost unknown' : `at least ${toCost(costUsd)}`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function toDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The same without a second part that is zero: `3 min`, `2 h`. */
export function toRoundDuration(milliseconds: number): string {
  return toDuration(milliseconds).replace(/ 0 (s|min)$/, '');
}
